/* Kernels that differ from the baseline's, and code that could not be compared. */
#include "report/code.h"
#include "report/html/page.h"
#include "report/markup.h"

enum { CODE_ROWS = 200, REASONS = 30 };

static void put_rows(ba_page *p, const ba_code_rows *rows)
{
	for (size_t i = 0; i < rows->count && i < CODE_ROWS; i++) {
		const ba_code_row *row = &rows->items[i];
		ba_buf_puts(p->out, "<tr><th scope=\"row\">");
		ba_html_name(p->out, p->r->benchmarks[row->benchmark].id);
		ba_buf_puts(p->out, "</th>");
		for (size_t c = 0; c < BA_CODE_COLUMNS; c++) {
			BA_AUTO_FREE char *cell = ba_code_cell(row, c, true);
			ba_buf_puts(p->out, c ? "<td class=\"number\">" : "<td>");
			ba_markup_put_short(p->out, cell, BA_PAGE_NAME_COLUMNS);
			ba_buf_puts(p->out, "</td>");
		}
		ba_buf_puts(p->out, "</tr>\n");
	}
}

static void put_candidate(ba_page *p, const ba_code_rows *rows, size_t candidate)
{
	ba_buf_puts(p->out,
		"<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"device code\">\n<table>\n<caption>");
	ba_html_name(p->out, p->r->variants[candidate].label);
	ba_buf_puts(p->out, " against ");
	ba_html_name(p->out, p->r->variants[0].label);
	ba_buf_puts(p->out, "</caption>\n<thead><tr><th scope=\"col\">benchmark</th>");
	for (size_t c = 0; c < BA_CODE_COLUMNS; c++)
		ba_buf_printf(p->out, "<th scope=\"col\">%s</th>", ba_code_heading(c));
	ba_buf_puts(p->out, "</tr></thead>\n<tbody>\n");
	put_rows(p, rows);
	ba_buf_puts(p->out, "</tbody>\n</table>\n</div>\n");
	if (rows->count > CODE_ROWS)
		ba_buf_printf(p->out, "<p>%zu more are in the result file.</p>\n",
			rows->count - CODE_ROWS);
}

static size_t put_reasons(ba_page *p)
{
	size_t count = 0;
	for (size_t i = 0; i < p->r->benchmark_count; i++) {
		const ba_benchmark *b = &p->r->benchmarks[i];
		for (size_t v = 0; v < b->code_count && v < p->r->variant_count; v++) {
			if (!b->codes[v].reason || count++ >= REASONS)
				continue;
			ba_buf_puts(p->out, "<p>");
			ba_html_name(p->out, b->id);
			ba_buf_puts(p->out, " in ");
			ba_html_name(p->out, p->r->variants[v].label);
			ba_buf_puts(p->out, " is not compared: ");
			ba_html_sentence(p->out, b->codes[v].reason);
			ba_buf_puts(p->out, "</p>\n");
		}
	}
	if (count > REASONS)
		ba_buf_printf(
			p->out, "<p>%zu more are not compared.</p>\n", count - REASONS);
	return count;
}

void ba_html_code(ba_page *p)
{
	static const char title[] =
		"<section aria-labelledby=\"device-code\">\n"
		"<h2 id=\"device-code\">Device code that differs</h2>\n";
	size_t before = p->out->len, shown = 0;
	ba_buf_puts(p->out, title);
	for (size_t c = 1; c < p->r->variant_count; c++) {
		BA_AUTO(ba_code_rows) ba_code_rows rows = {0};
		ba_code_rows_of(&rows, p->r, c);
		if (rows.count)
			put_candidate(p, &rows, c);
		shown += rows.count;
	}
	shown += put_reasons(p);
	ba_buf_puts(p->out, "</section>\n");
	if (!shown)
		ba_buf_truncate(p->out, before);
}

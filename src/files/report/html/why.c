/* Why instructions differ: a table for each changed benchmark. Kernels that differ from the
 * baseline's, and code that could not be compared. */

#include "report/code.h"
#include "report/html/page.h"
#include "report/why.h"

enum { BENCHMARKS_MOST = 50 };

static void put_row(ba_table *t, const ba_why_row *row)
{
	bool line = row->kind == BA_WHY_LINE;
	ba_table_row(t);
	/* a line is counted in the function above it */
	ba_buf *change = ba_table_cell(t, line, BA_INK_PLAIN);
	ba_buf_puts(change, line ? "line " : "");
	ba_why_put_difference(change, row);
	ba_buf_printf(ba_table_cell(t, 2, BA_INK_PLAIN), "%" PRIu64, row->baseline);
	ba_buf_printf(ba_table_cell(t, 3, BA_INK_PLAIN), "%" PRIu64, row->candidate);
	const char *const texts[] = {row->name, row->where, row->place, row->note};
	for (size_t i = 0; i < BA_COUNT(texts); i++)
		ba_table_put(t, 4 + i, BA_INK_PLAIN, texts[i]);
}

static void put_rows(ba_page *p, const ba_why *w, const ba_why_rows *rows, const char *what)
{
	const ba_column columns[] = {{"change"}, {0},
		{p->r->run.variants[0].label, .head_is_name = true},
		{p->r->run.variants[w->candidate].label, .head_is_name = true},
		{what, BA_HOLDS_NAME, .left = true}, {"object", BA_HOLDS_NAME, .left = true},
		{"defined at", BA_HOLDS_NAME, .left = true},
		{.holds = BA_HOLDS_SENTENCE, .left = true}};
	BA_AUTO(ba_table) ba_table t = {0};
	if (rows->count == 0)
		return;
	ba_table_columns(&t, columns, BA_COUNT(columns));
	for (size_t i = 0; i < rows->count; i++)
		put_row(&t, &rows->items[i]);
	ba_table_html(p->out, &t, "aria-label=\"instructions\"", NULL);
}

static void put_one(ba_page *p, const ba_why *w)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO(ba_why_rows) ba_why_rows functions = {0}, codes = {0};
	ba_markup_printf(p->out, "<h3>%n", p->r->run.benchmarks[w->benchmark].id);
	if (w->alike)
		ba_buf_printf(p->out, " and %zu more", w->alike);
	ba_markup_printf(p->out, ", %n</h3>\n<p>", p->r->run.variants[w->candidate].label);
	ba_why_put_sentence(&text, w);
	ba_buf_puts(&text, w->census ? ": " : ". By scope: ");
	ba_why_put_scopes(&text, w);
	ba_html_sentence(p->out, text.data);
	if (w->e->parting)
		ba_markup_printf(p->out, "<br>%s", w->e->parting);
	ba_buf_puts(p->out, "</p>\n");
	if (w->layout)
		return;
	ba_why_codes(&codes, w);
	put_rows(p, w, &codes, ba_why_head(w, "Python code object (bytecodes)"));
	ba_why_functions(&functions, w);
	put_rows(p, w, &functions, "function");
}

void ba_html_why(ba_page *p)
{
	BA_AUTO(ba_whys) ba_whys whys = {0};
	size_t shown = 0;
	ba_whys_of(&whys, p->r);
	if (!whys.changed)
		return;
	ba_html_section(p, "why", "Why: instructions by function, and calls to the driver");
	for (size_t i = 0; i < whys.count && shown < BENCHMARKS_MOST; i++)
		if (whys.items[i].changed && !whys.items[i].repeated) {
			put_one(p, &whys.items[i]);
			shown++;
		}
	if (shown < whys.changed)
		ba_buf_printf(
			p->out, "<p>%zu more are in the result file.</p>\n", whys.changed - shown);
	ba_buf_puts(p->out, "</section>\n");
}

/* ---- device code ---- */

enum { CODE_ROWS = 200, REASONS = 30, DETAILS = 50 };

static void put_sentence(ba_page *p, const char *before, const char *text)
{
	if (!text || !*text)
		return;
	ba_markup_printf(p->out, "<p>%w%s</p>\n", before, text);
}

static void put_details(ba_page *p, const ba_code_details *all, const char *title, const char *note)
{
	BA_AUTO(ba_table) ba_table t = {0};
	if (!all->count)
		return;
	BA_AUTO_FREE char *label = ba_xprintf("aria-label=\"%s\"", title);
	ba_code_details_table(&t, all, title);
	ba_table_html(p->out, &t, label, NULL);
	put_sentence(p, "", note);
}

static void put_lines(ba_page *p, const ba_strv *code, const char *sign)
{
	for (size_t i = 0; i < code->count; i++) {
		ba_markup_printf(p->out, "%w%n", sign, code->items[i]);
		ba_buf_putc(p->out, '\n');
	}
}

/* The instructions of two kernels, and their counters, if either is known. */
static void put_inside(ba_page *p, const ba_code_row *row)
{
	ba_code_details classes, counters;
	BA_AUTO(ba_buf) ba_buf blocks = BA_BUF_INIT, missing = BA_BUF_INIT;
	ba_code_classes(&classes, row);
	ba_code_counters(&counters, row);
	ba_code_put_blocks(&blocks, row);
	ba_code_put_missing(&missing, row);
	if (!classes.count && !counters.count && !missing.len && !row->counters_reason)
		return;
	ba_markup_printf(p->out, "<details><summary>%n, %n</summary>\n<div>\n",
		p->r->run.benchmarks[row->benchmark].id,
		row->mine ? row->mine->name : row->base->name);
	put_details(p, &classes, BA_CODE_CLASSES_TITLE, BA_CODE_CLASSES_NOTE);
	put_sentence(p, "", blocks.data);
	if (row->mine && row->mine->blocks && row->mine->blocks->number) {
		ba_buf_puts(p->out, "<pre>");
		put_lines(p, &row->mine->blocks->baseline_code, "- ");
		put_lines(p, &row->mine->blocks->candidate_code, "+ ");
		ba_buf_puts(p->out, "</pre>\n");
	}
	put_sentence(p, "", missing.data);
	put_details(p, &counters, BA_CODE_COUNTERS_TITLE, BA_CODE_COUNTERS_NOTE);
	put_sentence(p, "No counters: ", counters.count ? "" : row->counters_reason);
	ba_buf_puts(p->out, "</div>\n</details>\n");
}

static void put_candidate(ba_page *p, const ba_code_rows *rows, size_t candidate)
{
	BA_AUTO(ba_table) ba_table t = {0};
	BA_AUTO(ba_buf) ba_buf caption = BA_BUF_INIT;
	ba_markup_printf(&caption, "%n against %n", p->r->run.variants[candidate].label,
		p->r->run.variants[0].label);
	ba_code_table(&t, p->r, rows, CODE_ROWS, NULL);
	ba_table_html(p->out, &t, "aria-label=\"device code\"", caption.data);
	for (size_t i = 0; i < rows->count && i < DETAILS; i++)
		put_inside(p, &rows->items[i]);
	if (rows->count > CODE_ROWS)
		ba_buf_printf(p->out, "<p>%zu more are in the result file.</p>\n",
			rows->count - CODE_ROWS);
}

static size_t put_reasons(ba_page *p)
{
	size_t count = 0;
	BA_EACH (const ba_benchmark, b, p->r->run.benchmarks, p->r->run.benchmark_count) {
		for (size_t v = 0; v < b->code_count && v < p->r->run.variant_count; v++) {
			if (!b->codes[v].reason || count++ >= REASONS)
				continue;
			ba_markup_printf(p->out, "<p>%n in %n is not compared: %s</p>\n", b->id,
				p->r->run.variants[v].label, b->codes[v].reason);
		}
	}
	if (count > REASONS)
		ba_buf_printf(p->out, "<p>%zu more are not compared.</p>\n", count - REASONS);
	return count;
}

void ba_html_code(ba_page *p)
{
	size_t before = p->out->len, shown = 0;
	ba_html_section(p, "device-code", "Device code that differs");
	for (size_t c = 1; c < p->r->run.variant_count; c++) {
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

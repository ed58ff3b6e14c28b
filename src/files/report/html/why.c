/* Why instructions differ: a table for each changed benchmark. */
#include <inttypes.h>

#include "report/html/page.h"
#include "report/why.h"

enum { BENCHMARKS_MOST = 50 };

static void put_row(ba_buf *out, const ba_why_row *row)
{
	bool line = row->kind == BA_WHY_LINE;
	ba_buf_puts(out,
		line ? "<tr><td></td><td class=\"number\">line " : "<tr><td class=\"number\">");
	ba_why_put_difference(out, row);
	ba_buf_printf(out,
		"%s</td><td class=\"number\">%" PRIu64 "</td><td class=\"number\">%" PRIu64
		"</td><td>",
		line ? "" : "</td><td>", row->baseline, row->candidate);
	ba_html_name(out, row->name);
	ba_buf_puts(out, "</td><td>");
	ba_html_name(out, row->where);
	ba_buf_puts(out, "</td><td>");
	ba_html_name(out, row->place);
	ba_buf_puts(out, "</td><td>");
	ba_html_sentence(out, row->note);
	ba_buf_puts(out, "</td></tr>\n");
}

static void put_rows(ba_page *p, const ba_why *w, const ba_why_rows *rows, const char *what)
{
	if (rows->count == 0)
		return;
	ba_buf_puts(p->out,
		"<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"instructions\">\n<table>\n<thead><tr><th scope=\"col\">change</th><th scope=\"col\"></th><th scope=\"col\">");
	ba_html_name(p->out, p->r->variants[0].label);
	ba_buf_puts(p->out, "</th><th scope=\"col\">");
	ba_html_name(p->out, p->r->variants[w->candidate].label);
	ba_buf_printf(p->out,
		"</th><th scope=\"col\">%s</th><th scope=\"col\">object</th><th scope=\"col\">defined at</th><th scope=\"col\"></th></tr></thead>\n<tbody>\n",
		what);
	for (size_t i = 0; i < rows->count; i++)
		put_row(p->out, &rows->items[i]);
	ba_buf_puts(p->out, "</tbody>\n</table>\n</div>\n");
}

static void put_one(ba_page *p, const ba_why *w)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO(ba_why_rows) ba_why_rows functions = {0}, codes = {0};
	ba_buf_puts(p->out, "<h3>");
	ba_html_name(p->out, p->r->benchmarks[w->benchmark].id);
	if (w->alike)
		ba_buf_printf(p->out, " and %zu more", w->alike);
	ba_buf_puts(p->out, ", ");
	ba_html_name(p->out, p->r->variants[w->candidate].label);
	ba_buf_puts(p->out, "</h3>\n<p>");
	ba_why_put_sentence(&text, w);
	ba_buf_puts(&text, ". By scope: ");
	ba_why_put_scopes(&text, w);
	ba_html_sentence(p->out, text.data);
	if (w->e->parting) {
		ba_buf_puts(p->out, "<br>");
		ba_html_sentence(p->out, w->e->parting);
	}
	ba_buf_puts(p->out, "</p>\n");
	if (w->layout)
		return;
	ba_why_codes(&codes, w);
	put_rows(p, w, &codes, "Python code object (bytecodes)");
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
	ba_buf_puts(p->out,
		"<section aria-labelledby=\"why\">\n<h2 id=\"why\">Why: instructions by function</h2>\n");
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

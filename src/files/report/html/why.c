/* Why instructions differ: a table for each changed benchmark. */

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

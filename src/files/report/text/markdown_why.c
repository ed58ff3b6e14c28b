/* Why instructions differ, folded, in Markdown. */
#include "report/text/markdown.h"

#include <inttypes.h>

#include "report/why.h"

enum { BENCHMARKS_MOST = 20, ROWS_MOST = 12, COLUMNS_MOST = 100 };

static void put_rows(ba_buf *out, const ba_why_rows *rows, const char *what)
{
	size_t shown = 0, differ = 0;
	for (size_t i = 0; i < rows->count; i++)
		differ += rows->items[i].kind != BA_WHY_LINE;
	if (!differ)
		return;
	const ba_column columns[] = {{"change"}, {"baseline"}, {"candidate"},
		{what, BA_HOLDS_NAME, .left = true}, {.left = true},
		{.holds = BA_HOLDS_SENTENCE, .left = true}};
	BA_AUTO(ba_table) ba_table t = {0};
	ba_table_columns(&t, columns, BA_COUNT(columns));
	for (size_t i = 0; i < rows->count && shown < ROWS_MOST; i++) {
		const ba_why_row *row = &rows->items[i];
		if (row->kind == BA_WHY_LINE)
			continue;
		ba_table_row(&t);
		ba_why_put_difference(ba_table_cell(&t, 0, BA_INK_PLAIN), row);
		ba_buf_printf(ba_table_cell(&t, 1, BA_INK_PLAIN), "%" PRIu64, row->baseline);
		ba_buf_printf(ba_table_cell(&t, 2, BA_INK_PLAIN), "%" PRIu64, row->candidate);
		ba_table_put(&t, 3, BA_INK_PLAIN, row->name);
		ba_table_put_as(&t, 4, *row->place ? BA_HOLDS_NAME : BA_HOLDS_SENTENCE,
			*row->place ? row->place : row->where);
		ba_table_put(&t, 5, BA_INK_PLAIN, row->note);
		shown++;
	}
	ba_buf_putc(out, '\n');
	ba_table_markdown(out, &t);
	if (shown < differ)
		ba_buf_printf(out, "\nand %zu more, in the JSON report\n", differ - shown);
}

static void put_one(ba_buf *out, const ba_result *r, const ba_why *w)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO(ba_why_rows) ba_why_rows functions = {0}, codes = {0};
	ba_buf_puts(out, "\n");
	ba_markdown_code(out, r->run.benchmarks[w->benchmark].id, COLUMNS_MOST);
	if (w->alike)
		ba_buf_printf(out, " and %zu more", w->alike);
	if (r->run.variant_count > 2) {
		ba_buf_puts(out, ", ");
		ba_markdown_code(out, r->run.variants[w->candidate].label, COLUMNS_MOST);
	}
	ba_buf_puts(out, ": ");
	ba_why_put_sentence(&text, w);
	if (w->e->parting)
		ba_buf_printf(&text, "; %s", w->e->parting);
	ba_markdown_sentence(out, text.data, 600);
	ba_buf_putc(out, '\n');
	if (w->layout)
		return;
	ba_why_codes(&codes, w);
	put_rows(out, &codes, "Python code object (bytecodes)");
	ba_why_functions(&functions, w);
	put_rows(out, &functions, "function");
}

void ba_markdown_why(ba_buf *out, const ba_result *r, size_t limit, bool open)
{
	BA_AUTO(ba_whys) ba_whys whys = {0};
	size_t shown = 0, start = out->len;
	ba_whys_of(&whys, r);
	if (!whys.changed)
		return;
	ba_buf_printf(out, open ? "\n#### %s (%zu)\n" : "\n<details><summary>%s (%zu)</summary>\n",
		"Why: instructions by function", whys.changed);
	size_t head = out->len;
	for (size_t i = 0; i < whys.count && shown < BENCHMARKS_MOST; i++) {
		size_t before = out->len;
		if (!whys.items[i].changed || whys.items[i].repeated)
			continue;
		put_one(out, r, &whys.items[i]);
		if (out->len + 200 > limit) {
			ba_buf_truncate(out, before);
			break;
		}
		shown++;
	}
	if (out->len == head) {
		ba_buf_truncate(out, start);
		return;
	}
	if (shown < whys.changed)
		ba_buf_printf(out, "\nand %zu more, in the JSON report\n", whys.changed - shown);
	ba_buf_puts(out, open ? "" : "\n</details>\n");
}

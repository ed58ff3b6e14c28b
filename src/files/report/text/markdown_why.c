/* Why instructions and device code differ, folded, in Markdown. */

#include "report/code.h"
#include "report/escape.h"
#include "report/format.h"
#include "report/why.h"

enum {
	BENCHMARKS_MOST = 20,
	ROWS_MOST = 12,	  /* of functions */
	CODE_ROWS = 50,	  /* of kernels */
	INSIDE_ROWS = 10, /* kernels whose instructions are listed */
	COLUMNS_MOST = 100,
	TEXT_COLUMNS = 600,
};

/* A title that contains the candidate's label unless label is NULL. */
static void begin_fold(ba_buf *out, const char *title, const char *label, size_t count, bool open)
{
	ba_buf_printf(out, open ? "\n#### %s" : "\n<details><summary>%s", title);
	if (label)
		ba_markdown_sentence(out, label, COLUMNS_MOST);
	ba_buf_printf(out, " (%zu)%s\n", count, open ? "" : "</summary>");
}

static void put_more(ba_buf *out, size_t more)
{
	if (more)
		ba_buf_printf(out, "\nand %zu more, in the JSON report\n", more);
}

static void put_rows(ba_buf *out, const ba_why_rows *rows, const char *what)
{
	size_t shown = 0;
	size_t differ = BA_HOW_MANY(rows->items, rows->count, x, x->kind != BA_WHY_LINE);
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
	put_more(out, differ - shown);
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
	ba_markdown_sentence(out, text.data, TEXT_COLUMNS);
	ba_buf_putc(out, '\n');
	if (w->layout)
		return;
	ba_why_codes(&codes, w);
	put_rows(out, &codes, ba_why_head(w, "Python code object (bytecodes)"));
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
	begin_fold(out, "Why: instructions by function", NULL, whys.changed, open);
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
	put_more(out, whys.changed - shown);
	ba_buf_puts(out, open ? "" : "\n</details>\n");
}

/* One line for each of the first kernels whose code or counters are known. */
static void put_inside(ba_buf *out, const ba_result *r, const ba_code_rows *rows)
{
	size_t shown = 0;
	for (size_t i = 0; i < rows->count && shown < INSIDE_ROWS; i++) {
		const ba_code_row *row = &rows->items[i];
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		ba_code_put_short(&text, row, true);
		if (text.len)
			ba_buf_puts(&text, "; ");
		ba_code_put_blocks(&text, row);
		if (!text.len)
			continue;
		ba_buf_puts(out, shown++ ? "- " : "\n- ");
		ba_markdown_code(out, r->run.benchmarks[row->benchmark].id, COLUMNS_MOST);
		ba_buf_puts(out, ": ");
		ba_markdown_sentence(
			out, text.data + (ba_text_starts(text.data, "; ") ? 2 : 0), TEXT_COLUMNS);
		ba_buf_putc(out, '\n');
	}
}

/* Kernels that differ from the baseline's, folded. */
void ba_markdown_code_rows(
	ba_buf *out, const ba_result *r, size_t candidate, size_t limit, bool open)
{
	BA_AUTO(ba_code_rows) ba_code_rows rows = {0};
	BA_AUTO(ba_table) ba_table t = {0};
	ba_code_rows_of(&rows, r, candidate);
	if (rows.count == 0 || out->len + 1024 > limit)
		return;
	size_t before = out->len;
	begin_fold(out, "Device code that differs in ", r->run.variants[candidate].label,
		rows.count, open);
	ba_buf_putc(out, '\n');
	ba_code_table(&t, r, &rows, CODE_ROWS, NULL);
	ba_table_markdown(out, &t);
	put_more(out, rows.count > CODE_ROWS ? rows.count - CODE_ROWS : 0);
	put_inside(out, r, &rows);
	ba_buf_puts(out, open ? "" : "\n</details>\n");
	if (out->len > limit)
		ba_buf_truncate(out, before);
}

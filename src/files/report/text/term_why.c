/* Why instructions differ: three lines below the tables, all for `bench-against explain`. */

#include "report/text/term.h"
#include "report/why.h"

enum {
	BENCHMARKS_MOST = 5, /* most benchmarks shown with three lines */
	ROWS_SHORT = 2,
	NAME_LEAST = 16,
};

static ba_ink ink_of(const ba_why_row *row)
{
	return row->candidate > row->baseline	? BA_INK_BAD
	       : row->candidate < row->baseline ? BA_INK_GOOD
						: BA_INK_DIM;
}

static void put_title(const ba_screen *s, const ba_why *w)
{
	const ba_result *r = s->r;
	BA_AUTO(ba_buf) ba_buf title = BA_BUF_INIT;
	ba_buf_printf(&title, "why %s", r->run.benchmarks[w->benchmark].id);
	if (w->alike)
		ba_buf_printf(&title, " and %zu more", w->alike);
	if (r->run.variant_count > 2)
		ba_buf_printf(&title, ", %s", r->run.variants[w->candidate].label);
	ba_buf_puts(&title, ": ");
	ba_why_put_sentence(&title, w);
	ba_format_sentence(s->out, s->o, 2, "%s", title.data);
}

/* Python code objects if they differ, else functions. Returns what follows their differences: "
 * bytecodes", or nothing, because the title says that instructions are counted. */
static const char *rows_in_short(ba_why_rows *rows, const ba_why *w)
{
	ba_why_codes(rows, w);
	if (rows->count && rows->items[0].differs)
		return !w->census ? " bytecodes" : w->census->info->starts ? " us" : "";
	ba_why_rows_dispose(rows);
	ba_why_functions(rows, w);
	return "";
}

static void put_short_row(ba_table *t, const ba_why_row *row, const char *unit)
{
	ba_table_row(t);
	ba_buf *change = ba_table_cell(t, 0, ink_of(row));
	ba_buf_puts(change, "   ");
	ba_why_put_difference(change, row);
	ba_buf_puts(change, unit);
	ba_table_put(t, 1, BA_INK_PLAIN, row->name);
	ba_table_put(t, 2, BA_INK_DIM, ba_path_base(row->where));
	ba_table_put(t, 3, BA_INK_PLAIN, ba_path_base(row->place));
	ba_table_put(t, 4, BA_INK_DIM, row->note);
}

static void put_short(const ba_screen *s, const ba_why *w)
{
	static const ba_column columns[] = {{0}, {.left = true, .shrink_to = NAME_LEAST},
		{.left = true, .drop = 2}, {.left = true}, {.left = true, .drop = 1}};
	BA_AUTO(ba_why_rows) ba_why_rows rows = {0};
	BA_AUTO(ba_table) ba_table t = {0};
	size_t shown = 0;
	put_title(s, w);
	if (w->layout)
		return;
	ba_table_columns(&t, columns, BA_COUNT(columns));
	const char *unit = rows_in_short(&rows, w);
	for (size_t i = 0; i < rows.count && shown < ROWS_SHORT; i++) {
		const ba_why_row *row = &rows.items[i];
		if (row->kind == BA_WHY_LINE || !row->differs)
			continue;
		put_short_row(&t, row, unit);
		shown++;
	}
	if (shown)
		ba_table_term(s->out, &t, s->o);
}

void ba_term_why(const ba_screen *s)
{
	BA_AUTO(ba_whys) ba_whys whys = {0};
	size_t shown = 0;
	ba_whys_of(&whys, s->r);
	if (!whys.changed)
		return;
	ba_buf_putc(s->out, '\n');
	for (size_t i = 0; i < whys.count; i++)
		if (whys.items[i].changed && !whys.items[i].repeated &&
			(s->o->verbose || shown < BENCHMARKS_MOST)) {
			put_short(s, &whys.items[i]);
			shown++;
		}
	if (shown < whys.changed)
		ba_buf_printf(s->out,
			"... and %zu more of these; 'bench-against explain' shows them\n",
			whys.changed - shown);
}

static void put_row(ba_table *t, const ba_why_row *row)
{
	bool line = row->kind == BA_WHY_LINE;
	ba_table_row(t);
	ba_buf *change = ba_table_cell(t, 0, line ? BA_INK_DIM : ink_of(row));
	/* a line is counted in the function above it */
	ba_buf_puts(change, line ? "(" : "");
	ba_why_put_difference(change, row);
	ba_buf_puts(change, line ? ")" : "");
	ba_buf_printf(ba_table_cell(t, 1, BA_INK_PLAIN), "%" PRIu64, row->baseline);
	ba_buf_printf(ba_table_cell(t, 2, BA_INK_PLAIN), "%" PRIu64, row->candidate);
	ba_buf_printf(ba_table_cell(t, 3, BA_INK_PLAIN), "%s%s", line ? "  " : "",
		line ? row->place : row->name);
	ba_table_put(t, 4, BA_INK_DIM, row->where);
	ba_table_put(t, 5, BA_INK_PLAIN, line ? "" : row->place);
	ba_table_put(t, 6, BA_INK_DIM, row->note);
}

static void put_rows(
	ba_buf *out, const ba_why_rows *rows, const char *what, const ba_format_options *o)
{
	const ba_column columns[] = {{"change"}, {"baseline"}, {"candidate"},
		{what, .left = true, .shrink_to = NAME_LEAST}, {.left = true, .drop = 1},
		{.left = true, .shrink_to = NAME_LEAST}, {.left = true}};
	BA_AUTO(ba_table) ba_table t = {0};
	ba_table_columns(&t, columns, BA_COUNT(columns));
	ba_table_heads(&t);
	for (size_t i = 0; i < rows->count; i++)
		put_row(&t, &rows->items[i]);
	ba_table_term(out, &t, o);
}

/* Lists the other benchmarks with the same cause, each with its own counts. */
static void put_alike(ba_buf *out, const ba_result *r, const ba_whys *whys, size_t item,
	const ba_format_options *o)
{
	const ba_why *w = &whys->items[item];
	if (!w->alike)
		return;
	ba_format_sentence(out, o, 2, "%zu more %s; the counts below are those of %s:", w->alike,
		ba_plural(w->alike, "benchmark has this cause", "benchmarks have this cause"),
		r->run.benchmarks[w->benchmark].id);
	for (size_t i = item + 1; i < whys->count; i++) {
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		if (whys->items[i].first != item)
			continue;
		ba_why_put_sentence(&text, &whys->items[i]);
		ba_format_sentence(out, o, 2, "- %s: %s",
			r->run.benchmarks[whys->items[i].benchmark].id, text.data);
	}
}

static void put_figures(ba_buf *out, const ba_why *w, const ba_format_options *o)
{
	BA_AUTO(ba_why_rows) ba_why_rows functions = {0}, codes = {0};
	ba_buf_putc(out, '\n');
	/* interpreted code says more than the interpreter's functions */
	ba_why_codes(&codes, w);
	if (codes.count) {
		if (!w->census)
			ba_buf_puts(out, "bytecodes of Python\n");
		put_rows(out, &codes, ba_why_head(w, "code object"), o);
	}
	if (codes.count && !w->census)
		ba_buf_puts(out, "\ninstructions\n");
	ba_why_functions(&functions, w);
	if (!w->census)
		put_rows(out, &functions, "function", o);
}

void ba_why_term(ba_buf *out, const ba_result *r, const ba_whys *whys, size_t item,
	const ba_format_options *o)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	size_t start = out->len;
	ba_why w = whys->items[item];
	w.varied = false; /* the benchmark's own counts */
	ba_term_pair(out, r, w.benchmark, w.candidate, o);
	ba_why_put_sentence(&text, &w);
	ba_format_sentence(out, o, 2, "%s", text.data);
	ba_buf_clear(&text);
	ba_why_put_scopes(&text, &w);
	ba_format_sentence(out, o, 2, "%s", text.data);
	if (w.e->parting)
		ba_format_sentence(out, o, 2, "%s", w.e->parting);
	put_alike(out, r, whys, item, o);
	put_figures(out, &w, o);
	ba_format_ascii(out, o, start);
}

/* Kernels that differ from the baseline's, side by side; everything about one of them. */

#include "report/code.h"
#include "report/text/term.h"

enum { ROWS_MOST = 12, WHYS_MOST = 5 };

/* Why the times of a benchmark changed: its first kernel that differs. */
static void put_why(const ba_screen *s, const ba_code_row *row, size_t more)
{
	const ba_kernel *k = row->mine ? row->mine : row->base;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_buf_printf(&text, "why %s", s->r->run.benchmarks[row->benchmark].id);
	if (s->r->run.variant_count > 2)
		ba_buf_printf(&text, ", %s", s->r->run.variants[row->candidate].label);
	ba_buf_puts(&text, ": ");
	if (more)
		ba_buf_printf(&text, "kernel %s: ", k->name ? k->name : "");
	ba_code_put_sentence(&text, row, s->o->unicode);
	ba_code_put_short(&text, row, s->o->unicode);
	if (more)
		ba_buf_printf(&text, "; %zu more %s", more,
			ba_plural(more, "kernel differs", "kernels differ"));
	ba_format_sentence(s->out, s->o, 2, "%s", text.data);
}

static void changed_code(const ba_screen *s, const ba_code_rows *rows)
{
	size_t shown = 0, left = 0;
	for (size_t i = 0, next; i < rows->count; i = next) {
		const ba_code_row *row = &rows->items[i];
		for (next = i + 1;
			next < rows->count && rows->items[next].benchmark == row->benchmark;)
			next++;
		if (!row->changed)
			continue;
		if (!s->o->verbose && shown == WHYS_MOST) {
			left++;
			continue;
		}
		if (shown++ == 0)
			ba_buf_putc(s->out, '\n');
		put_why(s, row, next - i - 1);
	}
	if (left)
		ba_buf_printf(s->out,
			"... and %zu more of these; 'bench-against explain' shows them\n", left);
}

static void candidate_code(const ba_screen *s, size_t candidate)
{
	const ba_result *r = s->r;
	BA_AUTO(ba_code_rows) ba_code_rows rows = {0};
	BA_AUTO(ba_table) ba_table t = {0};
	ba_code_rows_of(&rows, r, candidate);
	if (rows.count == 0)
		return;
	changed_code(s, &rows);
	size_t shown = s->o->verbose || rows.count <= ROWS_MOST ? rows.count : ROWS_MOST;
	ba_code_table(&t, r, &rows, shown, s->o);
	ba_buf_putc(s->out, '\n');
	ba_format_line(s->out, s->o, BA_INK_BOLD, "Device code that differs: %s against %s",
		r->run.variants[candidate].label, r->run.variants[0].label);
	ba_table_term(s->out, &t, s->o);
	if (shown < rows.count)
		ba_buf_printf(s->out, "... and %zu more of these; --verbose has all\n",
			rows.count - shown);
}

/* Where device code could not be compared. The benchmark was measured; this says why. */
static void unknown_code(const ba_screen *s)
{
	for (size_t i = 0; s->o->verbose && i < s->r->run.benchmark_count; i++) {
		const ba_benchmark *b = &s->r->run.benchmarks[i];
		for (size_t v = 0; v < b->code_count; v++)
			if (b->codes[v].reason)
				ba_format_line(s->out, s->o, BA_INK_DIM,
					"device code of %s in %s is not compared: %s", b->id,
					s->r->run.variants[v].label, b->codes[v].reason);
	}
}

void ba_term_code(const ba_screen *s)
{
	for (size_t c = 1; c < s->r->run.variant_count; c++)
		candidate_code(s, c);
	unknown_code(s);
}

/* ---- one kernel, for `bench-against explain` ---- */

static void put_figures(ba_buf *out, const ba_code_row *row, const ba_format_options *o)
{
	static const ba_column columns[] = {
		{.left = true}, {"baseline", .shrink_to = 12}, {"candidate", .shrink_to = 12}};
	BA_AUTO(ba_table) ba_table t = {0};
	ba_table_columns(&t, columns, BA_COUNT(columns));
	ba_table_heads(&t);
	for (size_t f = 1; f < BA_CODE_FIGURES; f++) {
		ba_table_row(&t);
		ba_table_put(&t, 0, BA_INK_PLAIN, ba_code_heading(f));
		for (size_t side = 1; side <= 2; side++) {
			ba_buf *cell = ba_table_cell(&t, side, BA_INK_PLAIN);
			ba_code_put_figure(cell, row, f, side == 2);
			ba_buf_puts(cell, cell->len ? "" : "-");
		}
	}
	ba_table_term(out, &t, o);
}

static void put_text(ba_buf *out, const char *text, const ba_format_options *o)
{
	ba_buf_putc(out, '\n');
	ba_format_sentence(out, o, 0, "%s", text);
}

static void put_details(ba_buf *out, const ba_code_details *all, const char *title,
	const char *note, const ba_format_options *o)
{
	BA_AUTO(ba_table) ba_table t = {0};
	ba_code_details_table(&t, all, title);
	ba_buf_putc(out, '\n');
	ba_table_term(out, &t, o);
	put_text(out, note, o);
}

static void put_lines(
	ba_buf *out, const ba_strv *code, char sign, ba_ink ink, const ba_format_options *o)
{
	for (size_t i = 0; i < code->count; i++)
		ba_format_line(out, o, ink, "%c %s", sign, code->items[i]);
}

/* Classes of instructions, and the first place that differs. */
static void put_code(ba_buf *out, const ba_code_row *row, const ba_format_options *o)
{
	ba_code_details classes;
	BA_AUTO(ba_buf) ba_buf blocks = BA_BUF_INIT, missing = BA_BUF_INIT;
	ba_code_classes(&classes, row);
	if (classes.count)
		put_details(out, &classes, BA_CODE_CLASSES_TITLE, BA_CODE_CLASSES_NOTE, o);
	ba_code_put_blocks(&blocks, row);
	if (blocks.len) {
		put_text(out, blocks.data, o);
		put_lines(out, &row->mine->blocks->baseline_code, '-', BA_INK_BAD, o);
		put_lines(out, &row->mine->blocks->candidate_code, '+', BA_INK_GOOD, o);
	}
	ba_code_put_missing(&missing, row);
	if (missing.len)
		put_text(out, missing.data, o);
}

static void put_counters(ba_buf *out, const ba_code_row *row, const ba_format_options *o)
{
	ba_code_details counters;
	ba_code_counters(&counters, row);
	if (counters.count) {
		put_details(out, &counters, BA_CODE_COUNTERS_TITLE, BA_CODE_COUNTERS_NOTE, o);
	} else if (row->counters_reason) {
		ba_buf_putc(out, '\n');
		ba_format_sentence(out, o, 0, "no counters: %s", row->counters_reason);
	}
}

/* without the benchmark */
static char *kernel_text(const ba_code_row *row, const ba_format_options *o)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT, out = BA_BUF_INIT;
	ba_buf_puts(&text, "kernel ");
	if (row->base && row->mine)
		ba_code_put_cell(&text, row, 0, o->unicode);
	else
		ba_code_put_figure(&text, row, 0, row->mine != NULL);
	ba_buf_puts(&text, ": ");
	ba_code_put_sentence(&text, row, o->unicode);
	ba_format_sentence(&out, o, 2, "%s", text.data);
	ba_buf_putc(&out, '\n');
	put_figures(&out, row, o);
	put_code(&out, row, o);
	put_counters(&out, row, o);
	return ba_buf_detach(&out);
}

/* Lists this benchmark and later ones of the same text, and removes them. */
static void put_shared(ba_buf *out, const ba_result *r, const ba_code_rows *rows, size_t from,
	char **texts, const ba_format_options *o)
{
	BA_AUTO_FREE char *text = texts[from];
	for (size_t i = from; i < rows->count; i++) {
		const ba_code_row *row = &rows->items[i];
		if (!texts[i] || row->candidate != rows->items[from].candidate ||
			strcmp(texts[i], text) != 0)
			continue;
		ba_term_pair(out, r, row->benchmark, row->candidate, o);
		if (i > from)
			free(texts[i]);
		texts[i] = NULL;
	}
	ba_buf_puts(out, text);
}

void ba_code_term(
	ba_buf *out, const ba_result *r, const ba_code_rows *rows, const ba_format_options *o)
{
	BA_AUTO_FREE char **texts = ba_xcalloc(rows->count + 1, sizeof(*texts));
	size_t start = out->len;
	for (size_t i = 0; i < rows->count; i++)
		texts[i] = kernel_text(&rows->items[i], o);
	for (size_t i = 0; i < rows->count; i++) {
		if (!texts[i])
			continue;
		if (i)
			ba_buf_putc(out, '\n');
		put_shared(out, r, rows, i, texts, o);
	}
	ba_format_ascii(out, o, start);
}

/* Everything about one kernel that differs, for `bench-against explain`. */

#include "base/base.h"
#include "base/fold.h"
#include "report/code.h"
#include "report/code_details.h"
#include "report/text/table.h"
#include "report/text/term.h"

#define NAME_LEAST 12u

static unsigned width_of(const ba_format_options *o)
{
	return o->width ? o->width : 80;
}

static void put_side(ba_table *t, size_t column, const ba_code_row *row, size_t figure)
{
	BA_AUTO_FREE char *text = ba_code_figure(row, figure, column == 2);
	ba_table_put_take(t, column, BA_INK_PLAIN, ba_text_safe(text ? text : "-"));
}

static void put_figures(ba_buf *out, const ba_code_row *row, const ba_format_options *o)
{
	BA_AUTO(ba_table) ba_table t = {0};
	ba_table_column(&t, (ba_column){.left = true});
	ba_table_column(&t, (ba_column){.shrink_to = NAME_LEAST});
	ba_table_column(&t, (ba_column){.shrink_to = NAME_LEAST});
	ba_table_row(&t);
	ba_table_put(&t, 1, BA_INK_DIM, "baseline");
	ba_table_put(&t, 2, BA_INK_DIM, "candidate");
	for (size_t f = 1; f < BA_CODE_FIGURES; f++) {
		ba_table_row(&t);
		ba_table_put(&t, 0, BA_INK_PLAIN, ba_code_heading(f));
		put_side(&t, 1, row, f);
		put_side(&t, 2, row, f);
	}
	ba_table_render(out, &t, width_of(o), o->colour, o->unicode);
}

static void put_text(ba_buf *out, const char *text, const ba_format_options *o)
{
	BA_AUTO_FREE char *safe = ba_text_safe(text);
	ba_buf_putc(out, '\n');
	ba_text_fold(out, safe, width_of(o), 0, 0);
	ba_buf_putc(out, '\n');
}

static void put_details(
	ba_buf *out, const ba_code_details *all, const char *title, const ba_format_options *o)
{
	static const char *const headings[] = {"baseline", "candidate", "change"};
	BA_AUTO(ba_table) ba_table t = {0};
	ba_table_column(&t, (ba_column){.left = true});
	for (size_t c = 0; c < BA_COUNT(headings); c++)
		ba_table_column(&t, (ba_column){.left = false});
	ba_table_row(&t);
	ba_table_put(&t, 0, BA_INK_DIM, title);
	for (size_t c = 0; c < BA_COUNT(headings); c++)
		ba_table_put(&t, c + 1, BA_INK_DIM, headings[c]);
	for (size_t i = 0; i < all->count; i++) {
		ba_buf cells[3] = {BA_BUF_INIT, BA_BUF_INIT, BA_BUF_INIT};
		ba_code_put_value(&cells[0], &all->items[i], false);
		ba_code_put_value(&cells[1], &all->items[i], true);
		ba_code_put_change(&cells[2], &all->items[i]);
		ba_table_row(&t);
		ba_table_put(&t, 0, BA_INK_PLAIN, all->items[i].title);
		for (size_t c = 0; c < BA_COUNT(cells); c++)
			ba_table_put_take(&t, c + 1, BA_INK_PLAIN, ba_buf_detach(&cells[c]));
	}
	ba_buf_putc(out, '\n');
	ba_table_render(out, &t, width_of(o), o->colour, o->unicode);
}

static void put_lines(
	ba_buf *out, const ba_strv *code, char sign, ba_ink ink, const ba_format_options *o)
{
	for (size_t i = 0; i < code->count; i++) {
		BA_AUTO_FREE char *safe = ba_text_safe(code->items[i]);
		BA_AUTO_FREE char *line = ba_xprintf("%c %s", sign, safe);
		ba_ink_put(out, o->colour, ink, line);
		ba_buf_putc(out, '\n');
	}
}

/* Classes of instructions, and the first place that differs. */
static void put_code(ba_buf *out, const ba_code_row *row, const ba_format_options *o)
{
	ba_code_details classes;
	BA_AUTO(ba_buf) ba_buf blocks = BA_BUF_INIT, missing = BA_BUF_INIT;
	ba_code_classes(&classes, row);
	if (classes.count) {
		put_details(out, &classes, BA_CODE_CLASSES_TITLE, o);
		put_text(out, BA_CODE_CLASSES_NOTE, o);
	}
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
		put_details(out, &counters, BA_CODE_COUNTERS_TITLE, o);
		put_text(out, BA_CODE_COUNTERS_NOTE, o);
	} else if (row->counters_reason) {
		BA_AUTO_FREE char *text = ba_xprintf("no counters: %s", row->counters_reason);
		put_text(out, text, o);
	}
}

/* without the benchmark */
static char *kernel_text(const ba_code_row *row, const ba_format_options *o)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT, out = BA_BUF_INIT;
	BA_AUTO_FREE char *name = ba_code_cell(row, 0, o->unicode);
	const ba_kernel *one = row->mine ? row->mine : row->base;
	ba_buf_printf(&text, "kernel %s: ",
		row->base && row->mine ? name
		: one->name	       ? one->name
				       : "");
	ba_code_put_sentence(&text, row, o->unicode);
	BA_AUTO_FREE char *sentence = ba_text_safe(text.data);
	ba_text_fold(&out, sentence, width_of(o), 2, 0);
	ba_buf_puts(&out, "\n\n");
	put_figures(&out, row, o);
	put_code(&out, row, o);
	put_counters(&out, row, o);
	return ba_buf_detach(&out);
}

/* The benchmarks from this one on whose kernel has this text; it goes from their list. */
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
	if (!o->unicode && out->len > start) {
		ba_text_ascii(out->data + start);
		ba_buf_truncate(out, start + strlen(out->data + start));
	}
}

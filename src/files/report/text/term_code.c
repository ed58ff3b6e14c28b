/* Kernels that differ from the baseline's, side by side. */

#include "base/base.h"
#include "base/fold.h"
#include "base/number.h"
#include "report/code.h"
#include "report/code_details.h"
#include "report/text/table.h"
#include "report/text/term.h"

#define ROWS_MOST 12u
#define NAME_LEAST 12u
#define WHYS_MOST 5u

static const char *kernel_name(const ba_code_row *row)
{
	const ba_kernel *k = row->mine ? row->mine : row->base;
	return k->name ? k->name : "";
}

static void add_columns(ba_table *t)
{
	/* what goes first where the screen is narrow; the name is shortened before */
	static const unsigned drop[BA_CODE_COLUMNS] = {0, 11, 0, 4, 3, 2, 1, 7, 10, 8, 9};
	ba_table_column(t, (ba_column){.left = true, .shrink_to = NAME_LEAST});
	for (size_t c = 0; c < BA_CODE_COLUMNS; c++)
		ba_table_column(t, (ba_column){.left = c == 0,
					   .drop = drop[c],
					   .shrink_to = c == 0 ? NAME_LEAST : 0});
	ba_table_row(t);
	for (size_t c = 0; c < BA_CODE_COLUMNS; c++)
		ba_table_put(t, c + 1, BA_INK_DIM, ba_code_heading(c));
}

/* Why the times of a benchmark changed: its first kernel that differs. */
static void put_why(const ba_screen *s, const ba_code_row *row, size_t more)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_buf_printf(&text, "why %s", s->r->benchmarks[row->benchmark].id);
	if (s->r->variant_count > 2)
		ba_buf_printf(&text, ", %s", s->r->variants[row->candidate].label);
	ba_buf_puts(&text, ": ");
	if (more)
		ba_buf_printf(&text, "kernel %s: ", kernel_name(row));
	ba_code_put_sentence(&text, row, s->unicode);
	ba_code_put_short(&text, row, s->unicode);
	if (more)
		ba_buf_printf(&text, "; %zu more %s", more,
			ba_plural(more, "kernel differs", "kernels differ"));
	BA_AUTO_FREE char *safe = ba_text_safe(text.data);
	ba_text_fold(s->out, safe, s->width, 2, 0);
	ba_buf_putc(s->out, '\n');
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
		if (!s->verbose && shown == WHYS_MOST) {
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
	size_t shown = s->verbose || rows.count <= ROWS_MOST ? rows.count : ROWS_MOST;
	add_columns(&t);
	for (size_t i = 0; i < shown; i++) {
		const ba_code_row *row = &rows.items[i];
		ba_table_row(&t);
		if (i == 0 || rows.items[i - 1].benchmark != row->benchmark)
			ba_table_put_take(&t, 0, BA_INK_PLAIN,
				ba_text_safe(r->benchmarks[row->benchmark].id));
		for (size_t c = 0; c < BA_CODE_COLUMNS; c++) {
			BA_AUTO_FREE char *cell = ba_code_cell(row, c, s->unicode);
			ba_table_put_take(&t, c + 1, BA_INK_PLAIN, ba_text_safe(cell));
		}
	}
	BA_AUTO_FREE char *title = ba_xprintf("Device code that differs: %s against %s",
		r->variants[candidate].label, r->variants[0].label);
	BA_AUTO_FREE char *safe = ba_text_safe(title);
	ba_buf_putc(s->out, '\n');
	ba_ink_put(s->out, s->colour, BA_INK_BOLD, safe);
	ba_buf_putc(s->out, '\n');
	ba_table_render(s->out, &t, s->width, s->colour, s->unicode);
	if (shown < rows.count)
		ba_buf_printf(s->out, "... and %zu more of these; --verbose has all\n",
			rows.count - shown);
}

/* Where device code could not be compared. The benchmark was measured; this says why. */
static void unknown_code(const ba_screen *s)
{
	for (size_t i = 0; s->verbose && i < s->r->benchmark_count; i++) {
		const ba_benchmark *b = &s->r->benchmarks[i];
		for (size_t v = 0; v < b->code_count; v++) {
			if (!b->codes[v].reason)
				continue;
			BA_AUTO_FREE char *line =
				ba_xprintf("device code of %s in %s is not compared: %s", b->id,
					s->r->variants[v].label, b->codes[v].reason);
			BA_AUTO_FREE char *safe = ba_text_safe(line);
			ba_ink_put(s->out, s->colour, BA_INK_DIM, safe);
			ba_buf_putc(s->out, '\n');
		}
	}
}

void ba_term_code(const ba_screen *s)
{
	for (size_t c = 1; c < s->r->variant_count; c++)
		candidate_code(s, c);
	unknown_code(s);
}

/* Kernels that differ from the baseline's, side by side. */

#include "report/code_details.h"
#include "report/text/term.h"

enum { ROWS_MOST = 12, WHYS_MOST = 5 };

static const char *kernel_name(const ba_code_row *row)
{
	const ba_kernel *k = row->mine ? row->mine : row->base;
	return k->name ? k->name : "";
}

/* Why the times of a benchmark changed: its first kernel that differs. */
static void put_why(const ba_screen *s, const ba_code_row *row, size_t more)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_buf_printf(&text, "why %s", s->r->run.benchmarks[row->benchmark].id);
	if (s->r->run.variant_count > 2)
		ba_buf_printf(&text, ", %s", s->r->run.variants[row->candidate].label);
	ba_buf_puts(&text, ": ");
	if (more)
		ba_buf_printf(&text, "kernel %s: ", kernel_name(row));
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

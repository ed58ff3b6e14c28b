/* Side-by-side tables for people: several lines a row on a terminal, one in Markdown. */

#include "report/escape.h"
#include "report/text/term.h"

enum { NAME_COLUMNS = 64, REASON_COLUMNS = 400 };

/* one table */
typedef struct part {
	const ba_result *r;
	const ba_across *a;
	const ba_metric_info *info;
	ba_metric metric;
	size_t variant;
	ba_unit unit;	  /* of all times */
	bool flop, bytes; /* whether these units of work are shown */
	ba_across_cell *cells;
} part;

static double work_of(const part *p, const ba_across_cell *c)
{
	return p->flop ? c->work.gflop_per_s / 1e3 : p->bytes ? c->work.gb_per_s : 0;
}

static const char *work_unit(const part *p)
{
	return p->flop ? "TFLOP/s" : p->bytes ? "GB/s" : NULL;
}

static void find_units(part *p, bool unicode)
{
	double least = INFINITY, most = 0;
	for (size_t row = 0; row < p->a->count; row++) {
		ba_across_cells(p->cells, p->a, p->r, row, p->metric, p->variant);
		BA_EACH (const ba_across_cell, c, p->cells, p->a->sides.count) {
			p->flop = p->flop || c->work.gflop_per_s > 0;
			p->bytes = p->bytes || c->work.gb_per_s > 0;
			ba_widen(&least, &most, c->ns, c->ns);
		}
	}
	p->unit = ba_unit_of_range(p->info, isfinite(least) ? least : 0, most, unicode);
}

static const char *state_of(const ba_across_cell *c)
{
	return !c->benchmark ? "" : c->failed ? "failed" : c->trouble ? "skipped" : "-";
}

/* three decimals, or three significant digits */
static void put_ratio(ba_buf *out, double ratio)
{
	ba_buf_printf(out, ratio < 0.1 ? "%.3g" : "%.3f", ratio);
}

static void put_interval(ba_buf *out, const ba_across_cell *c)
{
	if (!isfinite(c->low) || !isfinite(c->high))
		return;
	put_ratio(out, c->low);
	ba_buf_puts(out, " .. ");
	put_ratio(out, c->high);
}

static void each_part(ba_buf *out, const ba_result *r, const ba_across *a,
	const ba_format_options *o, bool unicode,
	void (*write)(ba_buf *, part *, const ba_format_options *))
{
	BA_AUTO_FREE ba_across_cell *cells = ba_xcalloc(a->sides.count, sizeof(*cells));
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		for (size_t v = 0; v < r->run.variant_count && a->has[m]; v++) {
			part p = {r, a, ba_result_metric(r, (ba_metric)m), (ba_metric)m, v,
				.cells = cells};
			find_units(&p, unicode);
			write(out, &p, o);
		}
}

/* Lists why cells are missing: "id failed: ...". Each reason appears once, with its
 * first benchmark, because a missing backend affects many. */
static void find_troubles(ba_strv *ids, ba_strv *reasons, const ba_result *r, const ba_across *a)
{
	BA_AUTO_FREE ba_across_cell *cells = ba_xcalloc(a->sides.count, sizeof(*cells));
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		for (size_t row = 0; row < a->count && a->has[m]; row++)
			for (size_t v = 0; v < r->run.variant_count; v++) {
				ba_across_cells(cells, a, r, row, (ba_metric)m, v);
				BA_EACH (const ba_across_cell, c, cells, a->sides.count) {
					if (!c->trouble || ba_strv_has(reasons, c->trouble))
						continue;
					ba_strv_push(reasons, c->trouble);
					ba_strv_printf(ids, "%s %s", c->benchmark->id, state_of(c));
				}
			}
}

static const char *alone_text(const ba_across *a)
{
	return ba_plural(a->alone, "benchmark without a counterpart was left out",
		"benchmarks without a counterpart were left out");
}

const char ba_across_caution[] =
	"Each ratio is an estimate over the invocations that both sides have, with a 95 % interval. "
	"The sides were measured in the same invocations, but one after the other instead of interleaved. So they get no verdicts.";

/* ---- terminal ---- */

enum { SIDE, TIME, WORK, RATIO, INTERVAL, REMARK };

static void term_cell(ba_table *t, const part *p, size_t side)
{
	const ba_across_cell *c = &p->cells[side];
	if (!c->benchmark)
		return;
	ba_table_row(t);
	ba_buf_printf(ba_table_cell(t, SIDE, BA_INK_PLAIN), "  %s", p->a->sides.items[side]);
	if (!isfinite(c->ns)) {
		ba_table_put(t, TIME, c->failed ? BA_INK_BAD : BA_INK_DIM, state_of(c));
		return;
	}
	ba_number_put_4(ba_table_cell(t, TIME, BA_INK_PLAIN), c->ns * p->unit.per_ns);
	if (work_of(p, c) > 0)
		ba_number_put_4(ba_table_cell(t, WORK, BA_INK_DIM), work_of(p, c));
	if (side && isfinite(c->ratio))
		put_ratio(ba_table_cell(t, RATIO, BA_INK_PLAIN), c->ratio);
	if (side)
		put_interval(ba_table_cell(t, INTERVAL, BA_INK_DIM), c);
	if (c->fastest)
		ba_table_put(t, REMARK, BA_INK_GOOD, "fastest");
}

static void term_part(ba_buf *out, part *p, const ba_format_options *o)
{
	BA_AUTO(ba_table) ba_table t = {0};
	BA_AUTO_FREE char *unit = ba_unit_words(&p->unit, p->info);
	const ba_column columns[] = {{.left = true, .shrink_to = 12}, {unit},
		{work_unit(p), .drop = 2}, {"ratio"}, {"interval", .drop = 1},
		{.left = true, .drop = 3}};
	bool several = p->r->run.variant_count > 1;
	BA_AUTO_FREE char *title =
		ba_xprintf("%s%s%s; ratio to %s", p->info->help, several ? "; " : "",
			several ? p->r->run.variants[p->variant].label : "", p->a->sides.items[0]);
	ba_term_title(out, p->info, title, o);
	ba_table_columns(&t, columns, BA_COUNT(columns));
	ba_table_heads(&t);
	for (size_t row = 0; row < p->a->count; row++) {
		BA_AUTO(ba_buf) ba_buf name = BA_BUF_INIT;
		ba_across_cells(p->cells, p->a, p->r, row, p->metric, p->variant);
		ba_across_row_put(&name, p->a, row, BA_ACROSS_ALL);
		ba_table_row(&t);
		ba_table_span(&t, SIDE, REMARK, BA_INK_BOLD, name.data);
		for (size_t i = 0; i < p->a->sides.count; i++)
			term_cell(&t, p, i);
	}
	ba_table_term(out, &t, o);
}

void ba_across_term_write(
	ba_buf *out, const ba_result *r, const ba_across *a, const ba_format_options *o)
{
	BA_AUTO(ba_strv) ba_strv ids = {0}, reasons = {0};
	ba_device_text(out, r);
	ba_buf_puts(out, "\n");
	each_part(out, r, a, o, o->unicode, term_part);
	ba_buf_putc(out, '\n');
	find_troubles(&ids, &reasons, r, a);
	for (size_t i = 0; i < ids.count; i++)
		ba_format_sentence(out, o, 2, "%s: %s", ids.items[i], reasons.items[i]);
	if (a->alone)
		ba_format_sentence(out, o, 0, "%zu %s.", a->alone, alone_text(a));
	ba_format_sentence(out, o, 0, "%s", ba_across_caution);
}

/* ---- Markdown ---- */

static void markdown_cell(ba_buf *out, const part *p, const ba_across_cell *c)
{
	const char *mark = c->fastest ? "**" : "";
	if (!isfinite(c->ns)) {
		ba_buf_puts(out, state_of(c));
		return;
	}
	ba_buf_puts(out, mark);
	ba_number_put_4(out, c->ns * p->unit.per_ns);
	ba_buf_puts(out, mark);
	if (work_of(p, c) > 0) {
		ba_buf_puts(out, "<br>");
		ba_number_put_4(out, work_of(p, c));
		ba_buf_printf(out, " %s", work_unit(p));
	}
	if (isfinite(c->ratio)) {
		ba_buf_puts(out, "<br>");
		put_ratio(out, c->ratio);
	}
	if (isfinite(c->low) && isfinite(c->high)) {
		ba_buf_puts(out, " (");
		put_interval(out, c);
		ba_buf_putc(out, ')');
	}
}

static void markdown_part(ba_buf *out, part *p, const ba_format_options *o)
{
	BA_AUTO(ba_table) ba_table t = {0};
	BA_AUTO_FREE char *unit = ba_unit_words(&p->unit, p->info);
	size_t axes = p->a->axes.count, sides = p->a->sides.count;
	ba_buf_printf(out, "\n### %s, %s", p->info->name, unit);
	if (p->r->run.variant_count > 1) {
		ba_buf_puts(out, ", ");
		ba_markdown_code(out, p->r->run.variants[p->variant].label, NAME_COLUMNS);
	}
	ba_buf_puts(out, "\n\n");
	for (size_t i = 0; i < axes + sides; i++)
		ba_table_column(&t,
			(ba_column){i < axes ? p->a->axes.items[i] : p->a->sides.items[i - axes],
				.holds = i < axes ? BA_HOLDS_NAME : BA_HOLDS_WORDS,
				.head_is_name = true, .left = i < axes, .most = NAME_COLUMNS});
	for (size_t row = 0; row < p->a->count; row++) {
		ba_across_cells(p->cells, p->a, p->r, row, p->metric, p->variant);
		ba_table_row(&t);
		for (size_t i = 0; i < axes; i++) {
			const char *value = ba_across_value(p->a, row, p->a->axes.items[i]);
			ba_table_put(&t, i, BA_INK_PLAIN, value ? value : "");
		}
		for (size_t i = 0; i < sides; i++)
			markdown_cell(ba_table_cell(&t, axes + i, BA_INK_PLAIN), p, &p->cells[i]);
	}
	ba_table_markdown(out, &t);
}

void ba_across_markdown_write(
	ba_buf *out, const ba_result *r, const ba_across *a, const ba_format_options *o)
{
	BA_AUTO(ba_buf) ba_buf device = BA_BUF_INIT;
	BA_AUTO(ba_strv) ba_strv ids = {0}, reasons = {0};
	ba_device_text(&device, r);
	ba_markdown_sentence(out, device.data ? device.data : "", REASON_COLUMNS);
	ba_buf_puts(out,
		". Each cell has the time, the rate if the benchmark counts its work, and the ratio to ");
	ba_markdown_code(out, a->sides.items[0], NAME_COLUMNS);
	ba_buf_puts(out, ". The fastest is bold.\n");
	each_part(out, r, a, o, true, markdown_part);
	find_troubles(&ids, &reasons, r, a);
	for (size_t i = 0; i < ids.count; i++) {
		ba_buf_puts(out, i ? "- " : "\n- ");
		ba_markdown_code(out, ids.items[i], (size_t)2 * NAME_COLUMNS);
		ba_buf_puts(out, ": ");
		ba_markdown_sentence(out, reasons.items[i], REASON_COLUMNS);
		ba_buf_putc(out, '\n');
	}
	ba_buf_printf(out, "\n%s", ba_across_caution);
	if (a->alone)
		ba_buf_printf(out, " %zu %s.", a->alone, alone_text(a));
	ba_buf_putc(out, '\n');
}

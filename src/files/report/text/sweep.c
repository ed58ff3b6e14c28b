/* Sweeps as Markdown and as CSV: a row for each case and variant, axes as columns,
 * times on the GPU and on the host, throughput, and the ratio to the baseline. */
#include <math.h>

#include "base/count.h"
#include "base/number.h"
#include "model/throughput.h"
#include "report/across/cases.h"
#include "report/text/csv.h"
#include "report/format.h"
#include "report/text/markdown.h"
#include "report/view.h"

enum { NAME_COLUMNS = 48, REASON_COLUMNS = 400 };

/* In CSV the first are columns always, and the others of which there are figures. */
static const ba_metric times[] = {BA_METRIC_GPU_COLD, BA_METRIC_GPU_HOT, BA_METRIC_GPU_ROTATE,
	BA_METRIC_WALL_COLD, BA_METRIC_WALL_HOT, BA_METRIC_HOST, BA_METRIC_SUBMIT,
	BA_METRIC_SUSTAINED, BA_METRIC_ROUNDTRIP, BA_METRIC_TIME, BA_METRIC_CPU_TIME,
	BA_METRIC_GPU_TIME};
enum { TIMES = BA_COUNT(times), TIMES_ALWAYS = 5 };

static bool is_measured(const ba_result *r, const ba_series *s, size_t variant)
{
	return s && ba_presence_of(r, s, variant) == BA_PRESENCE_MEASURED;
}

/* Throughput is by the time on the GPU where there is one. */
static const ba_series *work_series(const ba_result *r, const ba_case_row *row, size_t variant)
{
	for (size_t i = 0; i < TIMES; i++)
		if (is_measured(r, row->series[times[i]], variant))
			return row->series[times[i]];
	return NULL;
}

static ba_throughput work_of(const ba_result *r, const ba_case_row *row, size_t variant)
{
	const ba_series *s = work_series(r, row, variant);
	return s ? ba_throughput_of(r, s, variant) : (ba_throughput){0};
}

static const char *trouble_of(const ba_case_row *row, size_t variant)
{
	const ba_summary *v = row->main ? &row->main->variants[variant] : NULL;
	return !v ? "" : v->failure ? v->failure : v->skipped ? v->skipped : "";
}

static bool any_measured(const ba_result *r, const ba_case_rows *c, ba_metric m)
{
	for (size_t i = 0; i < c->count; i++)
		for (size_t v = 0; v < r->variant_count; v++)
			if (is_measured(r, c->items[i].series[m], v))
				return true;
	return false;
}

/* which of `times` have a figure */
static void find_times(bool *shown, const ba_result *r, const ba_case_rows *c)
{
	for (size_t i = 0; i < TIMES; i++)
		shown[i] = any_measured(r, c, times[i]);
}

/* ---- CSV ---- */

static void csv_number(ba_buf *out, double value)
{
	ba_buf_putc(out, ',');
	if (isfinite(value) && value != 0)
		ba_buf_printf(out, "%.9g", value);
}

static void csv_ratio(ba_buf *out, const ba_case_row *row, size_t variant)
{
	if (variant == 0 || !row->main) {
		ba_buf_printf(out, ",,,,%s", variant ? "" : "baseline");
		return;
	}
	ba_change change = ba_change_of(row->main, variant);
	csv_number(out, change.known ? change.ratio : NAN);
	csv_number(out, change.low);
	csv_number(out, change.high);
	ba_buf_printf(out, ",%s", ba_verdict_name(row->main->comparisons[variant - 1].verdict));
}

static void csv_row(ba_buf *out, const ba_result *r, const ba_case_rows *c, const ba_case_row *row,
	size_t variant, const bool *shown)
{
	const ba_benchmark *b = row->benchmark;
	ba_throughput work = work_of(r, row, variant);
	ba_csv_text(out, b->suite);
	ba_buf_putc(out, ',');
	ba_csv_text(out, b->name ? b->name : b->id);
	for (size_t i = 0; i < c->axes.count; i++) {
		ba_buf_putc(out, ',');
		ba_csv_text(out, ba_case_axis(b, c->axes.items[i]));
	}
	ba_buf_putc(out, ',');
	ba_csv_text(out, r->variants[variant].label);
	for (size_t i = 0; i < TIMES; i++) {
		const ba_series *s = row->series[times[i]];
		if (!shown[i] && i >= TIMES_ALWAYS)
			continue;
		csv_number(out, is_measured(r, s, variant)
					? ba_central_ns(s, &s->variants[variant]) / 1e3
					: NAN);
	}
	csv_number(out, work.gflop_per_s / 1e3);
	csv_number(out, work.gb_per_s);
	csv_number(out, work.items_per_s);
	csv_number(out, work.of_matrix);
	csv_number(out, work.of_copy);
	csv_number(out, row->main ? row->main->variants[variant].sm_mhz : NAN);
	csv_ratio(out, row, variant);
	ba_buf_putc(out, ',');
	ba_csv_text(out, trouble_of(row, variant));
	ba_buf_putc(out, '\n');
}

void ba_sweep_csv_write(ba_buf *out, const ba_result *r, const ba_format_options *o)
{
	BA_AUTO(ba_case_rows) ba_case_rows c = {0};
	bool shown[TIMES];
	ba_case_rows_of(&c, r);
	find_times(shown, r, &c);
	ba_buf_puts(out, "suite,benchmark");
	for (size_t i = 0; i < c.axes.count; i++) {
		ba_buf_putc(out, ',');
		ba_csv_text(out, c.axes.items[i]);
	}
	ba_buf_puts(out, ",variant");
	for (size_t i = 0; i < TIMES; i++)
		if (shown[i] || i < TIMES_ALWAYS)
			ba_buf_printf(out, ",%s_us", ba_metric_get(times[i])->name);
	ba_buf_puts(out,
		",tflop_per_s,gb_per_s,items_per_s,of_matrix_ceiling,of_copy_ceiling,sm_mhz,ratio,low,high,verdict,trouble\n");
	for (size_t i = 0; i < c.count; i++) {
		for (size_t v = 0; v < r->variant_count; v++)
			csv_row(out, r, &c, &c.items[i], v, shown);
		ba_format_spill(out, o);
	}
}

/* ---- Markdown ---- */

static void cell(ba_buf *out, const char *text)
{
	ba_buf_putc(out, ' ');
	ba_markdown_code(out, text, NAME_COLUMNS);
	ba_buf_puts(out, " |");
}

static void number_cell(ba_buf *out, double value)
{
	ba_buf_putc(out, ' ');
	if (isfinite(value) && value > 0)
		ba_number_put(out, value, ba_number_decimals(value, 0), false);
	ba_buf_puts(out, " |");
}

static void ratio_cells(ba_buf *out, const ba_case_row *row, size_t variant)
{
	ba_change change = variant && row->main ? ba_change_of(row->main, variant) : (ba_change){0};
	ba_buf_putc(out, ' ');
	if (change.known)
		ba_buf_printf(out, "%.3f", change.ratio);
	if (change.known && isfinite(change.low) && isfinite(change.high))
		ba_buf_printf(out, " (%.3f .. %.3f)", change.low, change.high);
	ba_buf_puts(out, " | ");
	const char *trouble = trouble_of(row, variant);
	if (*trouble)
		ba_markdown_sentence(out, trouble, REASON_COLUMNS);
	else if (variant && row->main)
		ba_comparison_put_verdict(out, &row->main->comparisons[variant - 1]);
	ba_buf_puts(out, " |\n");
}

static void markdown_row(ba_buf *out, const ba_result *r, const ba_case_rows *c,
	const ba_case_row *row, size_t variant, const bool *shown)
{
	const ba_benchmark *b = row->benchmark;
	ba_throughput work = work_of(r, row, variant);
	ba_buf_putc(out, '|');
	cell(out, b->name ? b->name : b->id);
	for (size_t i = 0; i < c->axes.count; i++) {
		const char *value = ba_case_axis(b, c->axes.items[i]);
		if (value)
			cell(out, value);
		else
			ba_buf_puts(out, " |");
	}
	cell(out, r->variants[variant].label);
	for (size_t i = 0; i < TIMES; i++) {
		const ba_series *s = row->series[times[i]];
		if (shown[i])
			number_cell(out, is_measured(r, s, variant)
						 ? ba_central_ns(s, &s->variants[variant]) / 1e3
						 : NAN);
	}
	number_cell(out, work.gflop_per_s / 1e3);
	number_cell(out, work.gb_per_s);
	ratio_cells(out, row, variant);
}

static void markdown_head(ba_buf *out, const ba_case_rows *c, const bool *shown)
{
	size_t columns = 6 + c->axes.count;
	ba_buf_puts(out, "| benchmark |");
	for (size_t i = 0; i < c->axes.count; i++)
		cell(out, c->axes.items[i]);
	ba_buf_puts(out, " variant |");
	for (size_t i = 0; i < TIMES; i++)
		if (shown[i]) {
			ba_buf_printf(out, " %s, µs |", ba_metric_get(times[i])->name);
			columns++;
		}
	ba_buf_puts(out, " TFLOP/s | GB/s | ratio | |\n|");
	for (size_t i = 0; i < columns; i++)
		ba_buf_puts(out, i < 2 + c->axes.count ? "---|" : "---:|");
	ba_buf_putc(out, '\n');
}

void ba_sweep_markdown_write(ba_buf *out, const ba_result *r, const ba_format_options *o)
{
	BA_AUTO(ba_case_rows) ba_case_rows c = {0};
	bool shown[TIMES];
	ba_case_rows_of(&c, r);
	if (c.count == 0) {
		ba_buf_puts(out, "No suite of this run has benchmarks of its own.\n");
		return;
	}
	find_times(shown, r, &c);
	markdown_head(out, &c, shown);
	for (size_t i = 0; i < c.count; i++) {
		for (size_t v = 0; v < r->variant_count; v++)
			markdown_row(out, r, &c, &c.items[i], v, shown);
		ba_format_spill(out, o);
	}
}

/* Writes sweeps as Markdown and as CSV: one row for each case and variant, axes as
 * columns, times on the GPU and on the host, throughput, and the ratio to the baseline. */

#include "report/format.h"
#include "report/view.h"

/* The times of a sweep: first of runs, then of launches and of other programs. */
typedef struct times {
	ba_metric items[BA_METRIC_COUNT];
	size_t count;
} times;

static times list_times(void)
{
	times out = {.count = 0};
	for (int others = 0; others <= 1; others++)
		for (int m = 0; m < BA_METRIC_COUNT; m++)
			if (ba_metric_is_time((ba_metric)m) &&
				ba_metric_get((ba_metric)m)->trusted &&
				ba_metric_is_of_runs((ba_metric)m) == !others)
				out.items[out.count++] = (ba_metric)m;
	return out;
}

static bool is_measured(const ba_result *r, const ba_series *s, size_t variant)
{
	return s && ba_presence_of(r, s, variant) == BA_PRESENCE_MEASURED;
}

/* the measurements of a benchmark, unless it belongs to a launcher suite */
typedef struct row {
	const ba_series *series[BA_METRIC_COUNT]; /* NULL: not measured */
	/* the series with a verdict, else the first; NULL: no row */
	const ba_series *main;
} row;

/* one table for both formats */
typedef struct sheet {
	ba_table table;
	const ba_result *r;
	row *rows;    /* [benchmark_count] */
	ba_strv axes; /* axes of all benchmarks, in the order of their first occurrence */
	times times;
	bool shown[BA_METRIC_COUNT]; /* which times are columns */
	char heads[BA_METRIC_COUNT][48];
	bool csv;
} sheet;

BA_OWNS_HERE(sheet, s, ba_table_dispose(&s->table), ba_strv_dispose(&s->axes), free(s->rows))

static void find_rows(sheet *s)
{
	const ba_result *r = s->r;
	s->rows = ba_xcalloc(r->run.benchmark_count + 1, sizeof(*s->rows));
	BA_EACH (const ba_series, x, r->series, r->series_count) {
		row *at = &s->rows[x->benchmark];
		if (r->run.benchmarks[x->benchmark].kind == BA_SUITE_LAUNCHER)
			continue;
		at->series[x->metric] = x;
		if (!at->main || (x->role == BA_ROLE_VERDICT && at->main->role != BA_ROLE_VERDICT))
			at->main = x;
	}
	for (size_t i = 0; i < r->run.benchmark_count; i++) {
		const ba_benchmark *b = &r->run.benchmarks[i];
		for (size_t k = 0; s->rows[i].main && k < b->axis_count; k++)
			if (!ba_strv_has(&s->axes, b->axes[k].name))
				ba_strv_push(&s->axes, b->axes[k].name);
	}
}

/* Throughput is computed from the GPU time if there is one. */
static ba_throughput work_of(const sheet *s, const row *at, size_t variant)
{
	const ba_metric *m = BA_FIND(
		s->times.items, s->times.count, x, is_measured(s->r, at->series[*x], variant));
	return m ? ba_throughput_of(s->r, at->series[*m], variant) : (ba_throughput){0};
}

static const char *trouble_of(const row *at, size_t variant)
{
	const ba_summary *v = &at->main->variants[variant];
	return v->failure ? v->failure : v->skipped ? v->skipped : "";
}

static bool any_measured(const sheet *s, ba_metric m)
{
	for (size_t i = 0; i < s->r->run.benchmark_count; i++)
		for (size_t v = 0; v < s->r->run.variant_count; v++)
			if (is_measured(s->r, s->rows[i].series[m], v))
				return true;
	return false;
}

static void add_name(sheet *s, const char *head, bool is_axis)
{
	ba_table_column(&s->table, (ba_column){head, BA_HOLDS_NAME, .head_is_name = is_axis,
					   .left = true, .most = 48});
}

static void add_columns(sheet *s)
{
	static const ba_column csv[] = {{"tflop_per_s"}, {"gb_per_s"}, {"items_per_s"},
		{"of_matrix_ceiling"}, {"of_copy_ceiling"}, {"sm_mhz"}, {"ratio"}, {"low"},
		{"high"}, {"verdict"}, {"trouble"}};
	static const ba_column markdown[] = {
		{"TFLOP/s"}, {"GB/s"}, {"ratio"}, {.holds = BA_HOLDS_SENTENCE, .most = 400}};
	if (s->csv)
		add_name(s, "suite", false);
	add_name(s, "benchmark", false);
	for (size_t i = 0; i < s->axes.count; i++)
		add_name(s, s->axes.items[i], true);
	add_name(s, "variant", false);
	for (size_t i = 0; i < s->times.count; i++) {
		s->shown[i] = (s->csv && ba_metric_is_of_runs(s->times.items[i])) ||
			      any_measured(s, s->times.items[i]);
		snprintf(s->heads[i], sizeof(s->heads[i]), s->csv ? "%s_us" : "%s, µs",
			ba_metric_get(s->times.items[i])->name);
		if (s->shown[i])
			ba_table_column(&s->table, (ba_column){s->heads[i]});
	}
	if (s->csv)
		ba_table_columns(&s->table, csv, BA_COUNT(csv));
	else
		ba_table_columns(&s->table, markdown, BA_COUNT(markdown));
}

static void put_number(sheet *s, size_t column, double value)
{
	if (s->csv) {
		ba_table_put_9(&s->table, column, value);
		return;
	}
	ba_buf *cell = ba_table_cell(&s->table, column, BA_INK_PLAIN);
	if (isfinite(value) && value > 0)
		ba_number_put(cell, value, ba_number_decimals(value, 0), false);
}

/* CSV from `column` on: the rest of the throughput, the ratio, the verdict. */
static void put_csv(
	sheet *s, size_t column, const row *at, size_t variant, const ba_throughput *work)
{
	ba_change change =
		variant ? ba_change_of(at->main, variant) : (ba_change){.low = NAN, .high = NAN};
	const double numbers[] = {work->items_per_s, work->of_matrix, work->of_copy,
		at->main->variants[variant].sm_mhz, change.ratio, change.low, change.high};
	for (size_t i = 0; i < BA_COUNT(numbers); i++)
		ba_table_put_9(&s->table, column++, numbers[i]);
	ba_table_put(&s->table, column, BA_INK_PLAIN,
		variant ? ba_verdict_name(at->main->comparisons[variant - 1].verdict) : "baseline");
	ba_table_put(&s->table, column + 1, BA_INK_PLAIN, trouble_of(at, variant));
}

/* The ratio with its interval, and the failure or else the verdict. */
static void put_markdown(sheet *s, size_t column, const row *at, size_t variant)
{
	ba_change change = variant ? ba_change_of(at->main, variant) : (ba_change){0};
	ba_buf *ratio = ba_table_cell(&s->table, column, BA_INK_PLAIN);
	ba_buf *state = ba_table_cell(&s->table, column + 1, BA_INK_PLAIN);
	if (change.known)
		ba_buf_printf(ratio, "%.3f", change.ratio);
	if (change.known && isfinite(change.low) && isfinite(change.high))
		ba_buf_printf(ratio, " (%.3f .. %.3f)", change.low, change.high);
	ba_buf_puts(state, trouble_of(at, variant));
	if (!state->len && variant)
		ba_comparison_put_verdict(state, &at->main->comparisons[variant - 1]);
}

static void put_row(sheet *s, const ba_benchmark *b, const row *at, size_t variant)
{
	ba_table *t = &s->table;
	ba_throughput work = work_of(s, at, variant);
	size_t column = 0;
	ba_table_row(t);
	if (s->csv)
		ba_table_put(t, column++, BA_INK_PLAIN, b->suite);
	ba_table_put(t, column++, BA_INK_PLAIN, b->name ? b->name : b->id);
	for (size_t i = 0; i < s->axes.count; i++, column++) {
		const char *value = ba_benchmark_axis(b, s->axes.items[i]);
		if (value)
			ba_table_put(t, column, BA_INK_PLAIN, value);
	}
	ba_table_put(t, column++, BA_INK_PLAIN, s->r->run.variants[variant].label);
	for (size_t i = 0; i < s->times.count; i++) {
		const ba_series *x = at->series[s->times.items[i]];
		if (s->shown[i])
			put_number(s, column++,
				is_measured(s->r, x, variant)
					? ba_central_ns(x, &x->variants[variant]) / 1e3
					: NAN);
	}
	put_number(s, column++, work.gflop_per_s / 1e3);
	put_number(s, column++, work.gb_per_s);
	if (s->csv)
		put_csv(s, column, at, variant, &work);
	else
		put_markdown(s, column, at, variant);
}

static void write_sheet(ba_buf *out, const ba_result *r, const ba_format_options *o, bool csv)
{
	BA_AUTO(sheet) sheet s = {.r = r, .csv = csv, .times = list_times()};
	size_t count = 0;
	find_rows(&s);
	add_columns(&s);
	for (size_t i = 0; i < r->run.benchmark_count; i++) {
		if (!s.rows[i].main)
			continue;
		if (count++ == 0)
			(csv ? ba_table_csv_head : ba_table_markdown_head)(out, &s.table);
		for (size_t v = 0; v < r->run.variant_count; v++)
			put_row(&s, &r->run.benchmarks[i], &s.rows[i], v);
		(csv ? ba_table_csv_rows : ba_table_markdown_rows)(out, &s.table);
		ba_table_clear(&s.table);
		ba_format_spill(out, o);
	}
	if (!count && csv)
		ba_table_csv_head(out, &s.table);
	else if (!count)
		ba_buf_puts(out, "No suite of this run has benchmarks of its own.\n");
}

void ba_sweep_csv_write(ba_buf *out, const ba_result *r, const ba_format_options *o)
{
	write_sheet(out, r, o, true);
}

void ba_sweep_markdown_write(ba_buf *out, const ba_result *r, const ba_format_options *o)
{
	write_sheet(out, r, o, false);
}

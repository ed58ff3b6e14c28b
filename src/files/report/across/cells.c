/* The contents of a cell: a time, and its ratio to the reference over invocations. */

#include "report/across/across.h"
#include "report/view.h"
#include "stats/quantile.h"
#include "stats/student.h"

enum { INVOCATIONS_MOST = 1000 };
static const double half_of_5_percent = 0.025;

static const ba_series *series_of(
	const ba_across *a, const ba_result *r, const ba_benchmark *b, ba_metric metric)
{
	return b ? a->series[(size_t)(b - r->run.benchmarks) * BA_METRIC_COUNT + metric] : NULL;
}

static double level_of(const ba_samples *x, size_t variant)
{
	const ba_readings readings = ba_samples_readings(x);
	return ba_level_of(&readings, (unsigned)variant);
}

/* The log ratios of the invocations that both sides have. */
static size_t log_ratios(double *y, const ba_series *reference, const ba_series *s, size_t variant)
{
	size_t n = 0;
	for (size_t i = 0; i < s->sample_count && n < INVOCATIONS_MOST; i++)
		BA_EACH (const ba_samples, base, reference->samples, reference->sample_count) {
			const ba_samples *x = &s->samples[i];
			if (x->invocation != base->invocation)
				continue;
			double d = level_of(x, variant) - level_of(base, variant);
			if (isfinite(d))
				y[n++] = d;
			break;
		}
	return n;
}

static void put_ratio(
	ba_across_cell *out, const ba_series *reference, const ba_series *s, size_t variant)
{
	BA_AUTO_FREE double *y = ba_xcalloc(INVOCATIONS_MOST, sizeof(*y));
	size_t n = log_ratios(y, reference, s, variant);
	out->invocations = n;
	if (n == 0)
		return;
	double mean = ba_mean(y, n);
	out->ratio = exp(mean);
	if (n < 2)
		return;
	/* equal readings of a coarse clock do not mean certainty */
	double spread = fmax(ba_stdev(y, n), hypot(s->s_floor, reference->s_floor));
	double half = ba_t_isf(half_of_5_percent, (double)(n - 1)) * spread / sqrt((double)n);
	out->low = exp(mean - half);
	out->high = exp(mean + half);
}

static void put_time(ba_across_cell *out, const ba_result *r, const ba_series *s, size_t variant)
{
	const ba_summary *v = &s->variants[variant];
	if (ba_presence_of(r, s, variant) == BA_PRESENCE_MEASURED) {
		out->ns = ba_central_ns(s, v);
		out->work = ba_throughput_of(r, s, variant);
		return;
	}
	out->failed = v->failure != NULL;
	out->trouble = v->failure ? v->failure : v->skipped;
}

void ba_across_cells(ba_across_cell *out, const ba_across *a, const ba_result *r, size_t row,
	ba_metric metric, size_t variant)
{
	const ba_series *reference = series_of(a, r, a->rows[row].sides[0], metric);
	BA_AUTO(ba_series) ba_series own = {0};
	size_t fastest = SIZE_MAX;
	if (reference && ba_presence_of(r, reference, variant) != BA_PRESENCE_MEASURED)
		reference = NULL;
	if (reference)
		reference = ba_series_whole(&own, r, reference);
	for (size_t i = 0; i < a->sides.count; i++) {
		const ba_benchmark *b = a->rows[row].sides[i];
		const ba_series *s = series_of(a, r, b, metric);
		out[i] = (ba_across_cell){
			.benchmark = b, .ns = NAN, .ratio = NAN, .low = NAN, .high = NAN};
		if (s)
			put_time(&out[i], r, s, variant);
		if (!isfinite(out[i].ns))
			continue;
		if (i && reference) {
			BA_AUTO(ba_series) ba_series other = {0};
			put_ratio(&out[i], reference, ba_series_whole(&other, r, s), variant);
		}
		if (fastest == SIZE_MAX || out[i].ns < out[fastest].ns)
			fastest = i;
	}
	if (fastest != SIZE_MAX)
		out[fastest].fastest = true;
}

static bool is_common(const ba_across *a, const char *axis)
{
	const char *first = ba_across_value(a, 0, axis);
	bool same = a->count > 1;
	for (size_t i = 1; i < a->count && same; i++) {
		const char *value = ba_across_value(a, i, axis);
		same = first && value ? strcmp(first, value) == 0 : first == value;
	}
	return same;
}

void ba_across_row_put(ba_buf *out, const ba_across *a, size_t row, ba_across_axes which)
{
	size_t from = out->len;
	for (size_t i = 0; i < a->axes.count; i++) {
		const char *axis = a->axes.items[i];
		const char *value = ba_across_value(a, row, axis);
		bool wanted = value && (which == BA_ACROSS_ALL ||
					       (is_common(a, axis) ? which == BA_ACROSS_COMMON
								   : which == BA_ACROSS_OWN));
		if (wanted)
			ba_buf_printf(out, "%s%s=%s", out->len > from ? "," : "", axis, value);
	}
	if (out->len == from && which == BA_ACROSS_ALL)
		ba_buf_puts(out, "all");
}

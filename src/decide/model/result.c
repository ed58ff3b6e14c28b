#include "model/result.h"

/* The series of one benchmark are adjacent. */
const ba_series *ba_result_beside(const ba_result *r, const ba_series *s, ba_metric metric)
{
	const ba_series *first = s, *end = r->series + r->series_count;
	while (first > r->series && first[-1].benchmark == s->benchmark)
		first--;
	for (; first < end && first->benchmark == s->benchmark; first++)
		if (first->metric == metric)
			return first;
	return NULL;
}

const ba_explanation *ba_result_explanation(
	const ba_result *r, const ba_series *s, size_t candidate)
{
	const ba_series *counted = ba_result_beside(r, s, BA_METRIC_INSTRUCTIONS);
	return counted ? counted->comparisons[candidate - 1].why : NULL;
}

bool ba_result_is_layout(const ba_result *r, const ba_series *s, size_t candidate)
{
	const ba_explanation *e = ba_result_explanation(r, s, candidate);
	ba_verdict verdict = s->comparisons[candidate - 1].verdict;
	bool on_host = s->metric == BA_METRIC_HOST || s->metric == BA_METRIC_SUBMIT;
	/* code placement does not bias an average over layouts */
	return e && on_host && e->same_path && !s->variants[0].layouts &&
	       ba_explanation_baseline(e) == ba_explanation_candidate(e) &&
	       (verdict == BA_VERDICT_REGRESSED || verdict == BA_VERDICT_IMPROVED);
}

void ba_result_put_thresholds(ba_buf *out, const ba_result *r, int metric, size_t candidate)
{
	const ba_comparison *first = NULL;
	double least = INFINITY, most = 0;
	bool same = true;
	BA_EACH (const ba_series, s, r->series, r->series_count) {
		const ba_comparison *c = &s->comparisons[candidate - 1];
		if (s->role != BA_ROLE_VERDICT || !(c->ratio > 0) || !(c->threshold_slower > 0) ||
			(metric >= 0 && metric != (int)s->metric))
			continue;
		first = first ? first : c;
		same = same && c->threshold_given == first->threshold_given &&
		       c->threshold_given_ns == first->threshold_given_ns;
		ba_widen(&least, &most, c->threshold_slower, c->threshold_slower);
	}
	if (!first)
		return;
	ba_percent_range_put(out, least, most);
	if (same)
		ba_comparison_put_absolute(out, first, most);
}

bool ba_result_decides_by_counts(const ba_result *r)
{
	bool any = false;
	for (size_t i = 0; r->decided.rule >= BA_RULE_COUNTS && i < r->series_count; i++) {
		const ba_series *s = &r->series[i];
		if (s->role != BA_ROLE_VERDICT)
			continue;
		if (!s->info->counted && !s->info->quantity)
			return false;
		any = any || s->info->counted;
	}
	return any;
}

const ba_metric_info *ba_result_metric(const ba_result *r, ba_metric metric)
{
	const ba_series *s = BA_FIND(r->series, r->series_count, x, x->metric == metric);
	return s ? s->info : ba_metric_get(metric);
}

ba_series *ba_result_add_series(ba_result *r, size_t benchmark, ba_metric metric)
{
	size_t n = r->series_count;
	/* the array is full at each power of two */
	if ((n & (n - 1)) == 0)
		r->series = ba_xreallocarray(r->series, n ? 2 * n : 1, sizeof(*r->series));
	ba_series *s = &r->series[r->series_count++];
	ba_series_init(s, &r->run, benchmark, metric);
	return s;
}

const ba_series *ba_series_whole(ba_series *own, const ba_result *r, const ba_series *s)
{
	if (!s->stored)
		return s;
	ba_series whole = *s;
	whole.samples = NULL;
	whole.sample_count = whole.sample_capacity = 0;
	whole.stored = false;
	ba_stored_readings *from = r->document.stored;
	ba_error err = {0};
	if (from->load(from, &whole, r, (size_t)(s - r->series), &err)) {
		ba_series_release(&whole);
		from->error = from->error.code ? from->error : err;
	}
	*own = whole;
	return own;
}

int ba_result_check_stored(const ba_result *r, ba_error *err)
{
	if (!r->document.stored || !r->document.stored->error.code)
		return 0;
	return ba_fail(err, r->document.stored->error.code, "%s", r->document.stored->error.text);
}

/* per ns is per second times 1e9 */
ba_throughput ba_throughput_of(const ba_result *r, const ba_series *s, size_t variant)
{
	const ba_benchmark *b = &r->run.benchmarks[s->benchmark];
	const ba_summary *v = &s->variants[variant];
	double bytes = b->bytes_read + b->bytes_written;
	ba_throughput t = {0};
	if (!ba_metric_is_of_runs(s->metric) || !(v->trimmed > 0))
		return t;
	t.gflop_per_s = b->flop / v->trimmed;
	t.gb_per_s = bytes / v->trimmed;
	t.items_per_s = b->items / v->trimmed * 1e9;
	if (r->run.env.copy_gb_per_s > 0)
		t.of_copy = t.gb_per_s / r->run.env.copy_gb_per_s;
	if (r->run.env.matrix_gflop_per_s > 0)
		t.of_matrix = t.gflop_per_s / r->run.env.matrix_gflop_per_s;
	return t;
}

void ba_result_drop_series(ba_result *r)
{
	for (size_t i = 0; i < r->series_count; i++)
		ba_series_dispose(&r->series[i], r->run.variant_count);
	for (size_t i = 0; i < r->run.benchmark_count; i++)
		ba_benchmark_dispose(&r->run.benchmarks[i]);
	r->series_count = r->run.benchmark_count = 0;
}

void ba_result_dispose(ba_result *r)
{
	ba_result_drop_series(r);
	free(r->series);
	ba_measured_dispose(&r->run);
	BA_FREE(r->decided.multiplicity, r->decided.stopped, r->decided.answer);
	ba_strv_dispose(&r->decided.expected);
	if (r->document.stored)
		r->document.stored->free(r->document.stored);
	*r = (ba_result){0};
}

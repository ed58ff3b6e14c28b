#include "model/result.h"

#include <math.h>

#include "base/number.h"
#include "base/require.h"
#include "stats/sequential.h"

static void summary_dispose(ba_summary *s)
{
	BA_FREE(s->failure, s->output, s->skipped);
}

void ba_comparison_dispose(ba_comparison *c)
{
	BA_FREE(c->y, c->z, c->within, c->origin, c->places, c->reason, c->hint, c->level);
	ba_explanation_free(c->why);
	*c = (ba_comparison){0};
}

/* The series of one benchmark lie beside each other. */
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

const char *ba_result_unconfirmed(const ba_result *r, const ba_series *s)
{
	bool checked = s->metric == BA_METRIC_FRESH && r->evidence.checks > 0;
	bool witnessed = checked || r->benchmarks[s->benchmark].kind == BA_SUITE_LAUNCHER;
	if (!r->evidence.untrusted || witnessed)
		return NULL;
	return "nothing outside of the candidate's own process saw its runs, so --untrusted can call it slower, and no more";
}

bool ba_result_is_layout(const ba_result *r, const ba_series *s, size_t candidate)
{
	const ba_explanation *e = ba_result_explanation(r, s, candidate);
	ba_verdict verdict = s->comparisons[candidate - 1].verdict;
	bool on_host = s->metric == BA_METRIC_HOST || s->metric == BA_METRIC_SUBMIT;
	/* an average over layouts is not moved by them */
	return e && on_host && e->same_path && !s->variants[0].layouts &&
	       ba_explanation_baseline(e) == ba_explanation_candidate(e) &&
	       (verdict == BA_VERDICT_REGRESSED || verdict == BA_VERDICT_IMPROVED);
}

void ba_series_dispose(ba_series *s, size_t variant_count)
{
	for (size_t i = 0; i < s->sample_count; i++)
		ba_samples_dispose(&s->samples[i]);
	for (size_t i = 0; s->variants && i < variant_count; i++)
		summary_dispose(&s->variants[i]);
	summary_dispose(&s->floor);
	for (size_t i = 0; s->comparisons && i + 1 < variant_count; i++)
		ba_comparison_dispose(&s->comparisons[i]);
	BA_FREE(s->samples, s->variants, s->net_ns, s->comparisons);
}

double ba_comparison_worst(const ba_comparison *c)
{
	double worst = c->mean_suspicious && c->mean_high > c->high ? c->mean_high : c->high;
	for (size_t i = 0; c->places_differ && isfinite(worst) && i < c->place_count; i++)
		worst = fmax(worst, c->places[i].high);
	return worst;
}

bool ba_place_has_verdict(const ba_comparison *c, const ba_place_estimate *p)
{
	return c->places_differ && p->verdict == c->verdict && ba_verdict_is_decided(p->verdict) &&
	       p->verdict != BA_VERDICT_UNCHANGED;
}

ba_shift ba_comparison_probably(const ba_comparison *c)
{
	if (c->verdict != BA_VERDICT_INCONCLUSIVE || !c->likely || !isfinite(c->high))
		return BA_SHIFT_NONE;
	if (c->threshold_slower > 0 && c->low >= 1 + c->threshold_slower)
		return BA_SHIFT_SLOWER;
	return c->threshold_faster > 0 && c->low > 0 && c->high <= 1 / (1 + c->threshold_faster)
		       ? BA_SHIFT_FASTER
		       : BA_SHIFT_NONE;
}

ba_shift ba_comparison_shift(const ba_comparison *c)
{
	if (c->verdict != BA_VERDICT_UNCHANGED)
		return BA_SHIFT_NONE;
	if (c->low > 1)
		return BA_SHIFT_SLOWER;
	return c->high > 0 && c->high < 1 ? BA_SHIFT_FASTER : BA_SHIFT_NONE;
}

const char *ba_shift_name(ba_shift shift)
{
	static const char *const names[] = {NULL, "slower", "faster"};
	return names[shift];
}

void ba_comparison_put_verdict(ba_buf *out, const ba_comparison *c)
{
	ba_shift probably = ba_comparison_probably(c);
	ba_shift shift = probably ? probably : ba_comparison_shift(c);
	const char *word = !c->counted		      ? ba_shift_name(shift)
			   : shift == BA_SHIFT_SLOWER ? "more"
						      : "fewer";
	if (shift == BA_SHIFT_NONE) {
		ba_buf_puts(out, ba_verdict_name(c->verdict));
	} else if (probably) {
		ba_buf_printf(out, "probably %s", word);
	} else {
		ba_buf_printf(out, "%s, within ", word);
		ba_percent_plain(
			out, shift == BA_SHIFT_SLOWER ? c->threshold_slower : c->threshold_faster);
	}
}

void ba_overlay_source_dispose(ba_overlay_source *s)
{
	BA_FREE(s->from, s->label);
	ba_strv_dispose(&s->paths);
	*s = (ba_overlay_source){0};
}

void ba_overlay_source_copy(ba_overlay_source *out, const ba_overlay_source *from)
{
	ba_overlay_source copy = *from;
	copy.from = ba_xstrdup(from->from);
	copy.label = ba_xstrdup(from->label);
	copy.paths = (ba_strv){0};
	ba_strv_copy(&copy.paths, &from->paths);
	ba_overlay_source_dispose(out);
	*out = copy;
}

/* " (at least 1 ns)", where it is that which applies to the largest ratio */
static void put_absolute(ba_buf *out, const ba_comparison *c, double most)
{
	if (c->threshold_given_ns > 0 && most > c->threshold_given)
		ba_buf_printf(out, " (at least %g %s)", c->threshold_given_ns,
			c->counted ? "instructions" : "ns");
}

void ba_comparison_put_threshold(ba_buf *out, const ba_comparison *c)
{
	if (!(c->ratio > 0) || !(c->threshold_slower > 0))
		return;
	ba_percent_plain(out, c->threshold_slower);
	put_absolute(out, c, c->threshold_slower);
}

void ba_result_put_thresholds(ba_buf *out, const ba_result *r, int metric, size_t candidate)
{
	const ba_comparison *first = NULL;
	double least = INFINITY, most = 0;
	bool same = true;
	for (size_t i = 0; i < r->series_count; i++) {
		const ba_series *s = &r->series[i];
		const ba_comparison *c = &s->comparisons[candidate - 1];
		if (s->role != BA_ROLE_VERDICT || !(c->ratio > 0) || !(c->threshold_slower > 0) ||
			(metric >= 0 && metric != (int)s->metric))
			continue;
		first = first ? first : c;
		same = same && c->threshold_given == first->threshold_given &&
		       c->threshold_given_ns == first->threshold_given_ns;
		least = fmin(least, c->threshold_slower);
		most = fmax(most, c->threshold_slower);
	}
	if (!first)
		return;
	ba_percent_range_put(out, least, most);
	if (same)
		put_absolute(out, first, most);
}

void ba_result_drop_series(ba_result *r)
{
	for (size_t i = 0; i < r->series_count; i++)
		ba_series_dispose(&r->series[i], r->variant_count);
	for (size_t i = 0; i < r->benchmark_count; i++)
		ba_benchmark_dispose(&r->benchmarks[i]);
	r->series_count = r->benchmark_count = 0;
}

void ba_result_dispose(ba_result *r)
{
	BA_FREE(r->tool_version, r->started, r->engine, r->engine_reason, r->command_line,
		r->repository, r->config_path, r->multiplicity, r->stopped, r->answer);
	ba_result_drop_series(r);
	free(r->series);
	for (size_t i = 0; i < r->suite_count; i++) {
		BA_FREE(r->suites[i].name, r->suites[i].engine, r->suites[i].engine_reason);
	}
	BA_FREE(r->suites, r->benchmarks);
	BA_FREE_ARRAY(ba_variant_dispose, r->variants, r->variant_count);
	ba_environment_dispose(&r->env);
	BA_FREE_ARRAY(ba_origin_dispose, r->origins, r->origin_count);
	BA_FREE_ARRAY(ba_merged_run_dispose, r->merged, r->merged_count);
	ba_strv_dispose(&r->notes);
	ba_overlay_source_dispose(&r->overlay);
	ba_strv_dispose(&r->expected);
	if (r->stored)
		r->stored->free(r->stored);
	*r = (ba_result){0};
}

bool ba_result_is_combined(const ba_result *r)
{
	for (size_t i = 0; i < r->merged_count; i++)
		if (r->merged[i].design.looks > 1)
			return true;
	return false;
}

bool ba_result_decides_by_counts(const ba_result *r)
{
	bool any = false;
	for (size_t i = 0; r->rule >= BA_RULE_COUNTS && i < r->series_count; i++) {
		const ba_series *s = &r->series[i];
		if (s->role != BA_ROLE_VERDICT)
			continue;
		if (!s->info->counted && !s->info->quantity)
			return false;
		any = any || s->info->counted;
	}
	return any;
}

ba_design ba_result_design(const ba_result *r)
{
	ba_design design = {.looks = r->look_count};
	BA_REQUIRE(r->look_count <= BA_LOOKS_MAX);
	for (size_t k = 0; k < r->look_count; k++) {
		design.at[k] = r->looks[k];
		design.weight[k] = r->look_weights[k];
	}
	return design;
}

unsigned ba_result_drawn_as(const ba_result *r, const ba_samples *s)
{
	return s->origin < r->origin_count ? s->invocation - r->origins[s->origin].first
					   : s->invocation;
}

uint64_t ba_result_seed_of(const ba_result *r, const ba_samples *s)
{
	return s->origin < r->origin_count ? r->origins[s->origin].seed : r->seed;
}

size_t ba_result_add_origin(ba_result *r, ba_origin *o)
{
	size_t n = r->origin_count;
	r->origins = ba_xreallocarray(r->origins, n + 1, sizeof(*r->origins));
	r->origins[n] = BA_MOVE(*o);
	ba_origins_set_places(r->origins, ++r->origin_count);
	return n;
}

void ba_series_init(ba_series *s, const ba_result *r, size_t benchmark, ba_metric metric)
{
	size_t candidates = r->variant_count > 1 ? r->variant_count - 1 : 0;
	*s = (ba_series){.benchmark = benchmark,
		.metric = metric,
		.info = ba_metric_of(metric, r->benchmarks[benchmark].kind),
		.role = ba_metric_get(metric)->role,
		.variants = ba_xcalloc(r->variant_count, sizeof(ba_summary)),
		.comparisons = ba_xcalloc(candidates, sizeof(ba_comparison))};
	for (size_t c = 0; c < candidates; c++)
		s->comparisons[c].counted = s->info->counted;
}

ba_series *ba_result_add_series(ba_result *r, size_t benchmark, ba_metric metric)
{
	size_t n = r->series_count;
	/* full at each power of two */
	if ((n & (n - 1)) == 0)
		r->series = ba_xreallocarray(r->series, n ? 2 * n : 1, sizeof(*r->series));
	ba_series *s = &r->series[r->series_count++];
	ba_series_init(s, r, benchmark, metric);
	return s;
}

const ba_metric_info *ba_result_metric(const ba_result *r, ba_metric metric)
{
	for (size_t i = 0; i < r->series_count; i++)
		if (r->series[i].metric == metric)
			return r->series[i].info;
	return ba_metric_get(metric);
}

bool ba_result_is_of_launches(const ba_result *r)
{
	for (size_t i = 0; i < r->benchmark_count; i++)
		if (r->benchmarks[i].kind != BA_SUITE_LAUNCHER)
			return false;
	return true;
}

ba_samples *ba_series_add_samples(ba_series *s)
{
	s->samples = BA_GROW(s->samples, &s->sample_capacity, s->sample_count + 1);
	s->samples[s->sample_count] = (ba_samples){0};
	return &s->samples[s->sample_count++];
}

const ba_series *ba_series_whole(ba_series *own, const ba_result *r, const ba_series *s)
{
	if (!s->stored)
		return s;
	ba_series whole = *s;
	whole.samples = NULL;
	whole.sample_count = whole.sample_capacity = 0;
	whole.stored = false;
	ba_stored_readings *from = r->stored;
	ba_error err = {0};
	if (from->load(from, &whole, r, (size_t)(s - r->series), &err)) {
		ba_series_release(&whole);
		from->error = from->error.code ? from->error : err;
	}
	*own = whole;
	return own;
}

void ba_series_release(ba_series *own)
{
	BA_FREE_ARRAY(ba_samples_dispose, own->samples, own->sample_count);
	own->samples = NULL;
	own->sample_count = own->sample_capacity = 0;
}

int ba_result_check_stored(const ba_result *r, ba_error *err)
{
	if (!r->stored || !r->stored->error.code)
		return 0;
	return ba_fail(err, r->stored->error.code, "%s", r->stored->error.text);
}

ba_measured_suite *ba_result_suite(ba_result *r, const char *name, ba_suite_kind kind)
{
	for (size_t i = 0; i < r->suite_count; i++)
		if (strcmp(r->suites[i].name, name) == 0)
			return &r->suites[i];
	r->suites = ba_xreallocarray(r->suites, r->suite_count + 1, sizeof(*r->suites));
	ba_measured_suite *s = &r->suites[r->suite_count++];
	*s = (ba_measured_suite){.name = ba_xstrdup(name),
		.kind = kind,
		.engine = ba_xstrdup(""),
		.engine_reason = ba_xstrdup("")};
	return s;
}

void ba_result_sum_up_engines(ba_result *r)
{
	BA_AUTO(ba_buf) ba_buf reason = BA_BUF_INIT;
	bool same = true;
	for (size_t i = 0; i < r->suite_count; i++) {
		const ba_measured_suite *s = &r->suites[i];
		same = same && strcmp(s->engine, r->suites[0].engine) == 0;
		if (!*s->engine_reason)
			continue;
		ba_buf_puts(&reason, reason.len ? "; " : "");
		if (r->suite_count > 1)
			ba_buf_printf(&reason, "%s: ", s->name);
		ba_buf_puts(&reason, s->engine_reason);
	}
	BA_FREE(r->engine, r->engine_reason);
	r->engine = ba_xstrdup(!same ? "mixed" : r->suite_count ? r->suites[0].engine : "");
	r->engine_reason = ba_buf_detach(&reason);
}

const char *ba_result_engine_of(const ba_result *r, size_t benchmark)
{
	const char *suite = r->benchmarks[benchmark].suite;
	for (size_t i = 0; suite && i < r->suite_count; i++)
		if (strcmp(r->suites[i].name, suite) == 0)
			return r->suites[i].engine;
	return r->engine;
}

bool ba_result_is_of_files(const ba_result *r)
{
	return r->engine && strcmp(r->engine, "files") == 0;
}

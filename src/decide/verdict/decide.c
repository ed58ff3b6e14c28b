#include "verdict/decide.h"

#include <math.h>

#include "verdict/identity.h"
#include "verdict/estimate.h"
#include "verdict/origin_groups.h"

/* ---- the family ---- */

/* A member may join late, at a new place. */
static void make_places(ba_decisions *d, const ba_result *r)
{
	size_t now = ba_origins_places(r->run.origins, r->run.origin_count);
	size_t was = d->count ? d->items[0].place_count : 0;
	if (now < 2 || now <= was)
		return;
	ba_place_decision *old = d->places;
	d->places = ba_xcalloc(d->count * now + 1, sizeof(*d->places));
	for (size_t i = 0; i < d->count; i++) {
		ba_decision_set_places(&d->items[i], &d->places[i * now], now);
		if (was)
			memcpy(&d->places[i * now], &old[i * was], was * sizeof(*old));
	}
	free(old);
}

void ba_decisions_init(ba_decisions *d, ba_result *r)
{
	ba_decisions_dispose(d);
	d->candidates = r->run.variant_count - 1;
	d->count = r->series_count * d->candidates;
	d->items = ba_xcalloc(d->count + 1, sizeof(*d->items));
	r->decided.family_size = 0;
	r->decided.looks_done = 0;
	for (size_t i = 0; i < r->series_count; i++)
		for (size_t c = 1; c <= d->candidates; c++) {
			ba_comparison *k = &r->series[i].comparisons[c - 1];
			ba_decision *mine = ba_decisions_at(d, i, c);
			ba_decision_init(mine, k->threshold_slower, k->threshold_faster);
			mine->verdict = r->series[i].role == BA_ROLE_VERDICT ? k->verdict
									     : BA_VERDICT_REPORTED;
			if (ba_identity_has_control(r, &r->series[i], c))
				mine->verdict = BA_VERDICT_UNDECIDED;
			r->decided.family_size += mine->verdict == BA_VERDICT_UNDECIDED;
		}
	make_places(d, r);
}

void ba_decisions_dispose(ba_decisions *d)
{
	BA_FREE(d->items, d->places);
	*d = (ba_decisions){0};
}

ba_decision *ba_decisions_at(ba_decisions *d, size_t series, size_t candidate)
{
	return &d->items[series * d->candidates + candidate - 1];
}

bool ba_decisions_has(const ba_decisions *d, ba_verdict verdict)
{
	for (size_t i = 0; i < d->count; i++)
		if (d->items[i].verdict == verdict)
			return true;
	return false;
}

static bool is_in_family(const ba_decision *d)
{
	if (d->exact)
		return false;
	switch (d->verdict) {
	case BA_VERDICT_IDENTICAL:
		return d->looks > 0; /* a control takes part once there was a look */
	case BA_VERDICT_REPORTED:
	case BA_VERDICT_ADDED:
	case BA_VERDICT_REMOVED:
	case BA_VERDICT_SKIPPED:
		return false;
	default:
		return true;
	}
}

/* Comparisons that cannot be made do not belong to the family. The others are moved
 * together for the judgement. */
static size_t decide_family(ba_decisions *d, const ba_result *r)
{
	BA_AUTO_FREE ba_decision *family = ba_xcalloc(d->count + 1, sizeof(*family));
	size_t n = 0;
	for (size_t i = 0; i < d->count; i++)
		if (is_in_family(&d->items[i]))
			family[n++] = d->items[i];
	ba_policy policy = ba_policy_of(r, 0);
	size_t open = ba_family_decide(family, n, n, &policy, false);
	n = 0;
	for (size_t i = 0; i < d->count; i++)
		if (is_in_family(&d->items[i]))
			d->items[i] = family[n++];
	return open;
}

/* ---- looks ---- */

/* A comparison that fails before it has a verdict still counts in the family, with
 * p = 1: it was asked about and shows nothing. */
static void fail_decision(ba_decision *d)
{
	d->verdict = BA_VERDICT_FAILED;
	d->p_reg = d->p_imp = d->p_eq = 1;
}

/* A comparison that turns out to be skipped stays in r->decided.family_size, but there
 * is nothing left to decide: decide_family() leaves it out. */
static void skip_decision(ba_decision *d)
{
	d->verdict = BA_VERDICT_SKIPPED;
	d->p_reg = d->p_imp = d->p_eq = 1;
}

/* widest[n] of a metric: the widest range of the values of n invocations */
static double *widest_of(const ba_count_ranges *ranges, ba_metric metric)
{
	return &ranges->widest[(size_t)metric * (ranges->most + 1)];
}

ba_count_ranges ba_count_ranges_of(const ba_result *r)
{
	ba_count_ranges out = {0};
	for (size_t i = 0; i < r->series_count; i++)
		for (size_t c = 0; c + 1 < r->run.variant_count && r->series[i].info->counted; c++)
			if (r->series[i].comparisons[c].y_count > out.most)
				out.most = r->series[i].comparisons[c].y_count;
	out.widest = ba_xcalloc((out.most + 1) * BA_METRIC_COUNT, sizeof(*out.widest));
	for (size_t i = 0; i < r->series_count; i++)
		for (size_t c = 0; c + 1 < r->run.variant_count && r->series[i].info->counted;
			c++) {
			const ba_comparison *k = &r->series[i].comparisons[c];
			double *widest = widest_of(&out, r->series[i].metric);
			double low = INFINITY, high = -INFINITY;
			for (size_t n = 0; n < k->y_count; n++) {
				low = fmin(low, k->y[n]);
				high = fmax(high, k->y[n]);
				for (size_t more = n + 1; more <= out.most; more++)
					widest[more] = fmax(widest[more], high - low);
			}
		}
	return out;
}

void ba_count_ranges_dispose(ba_count_ranges *ranges)
{
	free(ranges->widest);
}

bool ba_decision_is_exact(const ba_count_ranges *ranges, const ba_result *r,
	const ba_series *series, size_t candidate)
{
	const ba_comparison *k = &series->comparisons[candidate - 1];
	if (!ba_estimate_is_exact(series, (unsigned)candidate) || !k->y_count)
		return false;
	double y = k->y[0], d = log1p(y > 0 ? k->threshold_slower : k->threshold_faster);
	return r->decided.rule < BA_RULE_COUNTS || fabs(y) <= d ||
	       widest_of(ranges, series->metric)[k->y_count] <
		       fabs(y) - ba_margin(d, r->decided.strict);
}

static void settle_exact(ba_decision *d, const ba_comparison *k)
{
	d->d_reg = log1p(k->threshold_slower);
	d->d_imp = log1p(k->threshold_faster);
	ba_decision_settle(d, k->y[0], k->y_count);
}

/* Does the comparison have enough values for a look? A merged run is looked at once,
 * with all values it has. */
static bool has_enough(const ba_result *r, const ba_comparison *k, const ba_series *series,
	size_t candidate, size_t wanted)
{
	const ba_summary *base = &series->variants[0], *mine = &series->variants[candidate];
	if (!ba_measured_is_combined(&r->run))
		return k->y_count >= wanted;
	return k->y_count && !base->failure && !mine->failure && !base->skipped && !mine->skipped;
}

static void look_at(ba_decision *d, const ba_result *r, const ba_series *series, size_t candidate,
	const ba_design *design, const ba_count_ranges *ranges)
{
	const ba_comparison *k = &series->comparisons[candidate - 1];
	const ba_summary *base = &series->variants[0], *mine = &series->variants[candidate];
	if (d->verdict != BA_VERDICT_UNDECIDED)
		return;
	/* an absolute threshold becomes a ratio when the baseline's time is known,
	 * which is after the family was set up and before its first look */
	d->d_reg = log1p(k->threshold_slower);
	d->d_imp = log1p(k->threshold_faster);
	if (ba_decision_is_exact(ranges, r, series, candidate)) {
		settle_exact(d, k);
		return;
	}
	if (!has_enough(r, k, series, candidate, design->at[r->decided.looks_done])) {
		if (base->failure || mine->failure)
			fail_decision(d);
		else if (base->skipped || mine->skipped)
			skip_decision(d);
		return;
	}
	ba_policy policy = ba_policy_of(r, series->s_floor);
	if (ba_measured_is_combined(&r->run)) {
		ba_origin_groups_combine(d, r, k, &policy);
		return;
	}
	BA_AUTO_FREE unsigned *at = ba_origin_groups_of(r, k);
	ba_decision_look_at(d, &policy, design, r->decided.looks_done, k->y, at);
	if (ba_estimate_has_means(r))
		ba_decision_look_mean_at(d, &policy, design, r->decided.looks_done, k->z, at);
}

static void set_s_floor(ba_series *series, const ba_result *r)
{
	bool on_gpu = ba_metric_get(series->metric)->on_gpu;
	if (series->info->counted) {
		series->s_floor = BA_S_FLOOR; /* no clock */
		return;
	}
	series->s_floor = ba_estimate_s_floor(
		series, on_gpu ? r->run.env.event_tick_ns : r->run.env.timer_tick_ns);
}

size_t ba_decisions_look(ba_decisions *d, ba_result *r)
{
	ba_design design = ba_decided_design(&r->decided);
	BA_REQUIRE(r->decided.looks_done < r->decided.look_count);
	make_places(d, r);
	BA_AUTO(ba_count_ranges) ba_count_ranges ranges = ba_count_ranges_of(r);
	for (size_t i = 0; i < r->series_count; i++) {
		set_s_floor(&r->series[i], r);
		for (size_t c = 1; c <= d->candidates; c++)
			look_at(ba_decisions_at(d, i, c), r, &r->series[i], c, &design, &ranges);
	}
	r->decided.looks_done++;
	size_t open = decide_family(d, r);
	for (size_t i = 0; i < r->series_count; i++)
		for (size_t c = 1; c <= d->candidates; c++)
			open -= ba_identity_look(
				&r->series[i].comparisons[c - 1], ba_decisions_at(d, i, c));
	return open;
}

/* ---- the end ---- */

/* Comparisons of identical code or identical GPU work can fail or be skipped, too. */
static bool finish_lacking(
	ba_comparison *k, const ba_result *r, size_t variant, ba_verdict v, const char *why)
{
	if (why)
		ba_identity_replace(
			k, v, ba_xprintf("%s: %s", r->run.variants[variant].label, why));
	return why != NULL;
}

static bool finish_failed(
	ba_comparison *k, const ba_result *r, const ba_series *series, size_t candidate)
{
	size_t at = series->variants[0].failure ? 0 : candidate;
	return finish_lacking(k, r, at, BA_VERDICT_FAILED, series->variants[at].failure);
}

static bool finish_skipped(
	ba_comparison *k, const ba_result *r, const ba_series *series, size_t candidate)
{
	size_t at = series->variants[0].skipped ? 0 : candidate;
	if (finish_lacking(k, r, at, BA_VERDICT_SKIPPED, series->variants[at].skipped))
		return true;
	if (k->y_count == 0)
		ba_identity_replace(k, BA_VERDICT_SKIPPED, ba_xstrdup("no samples were taken"));
	return k->y_count == 0;
}

/* The layout of code and data changes a time by less than this (docs/gate.md). */
#define BEYOND_LAYOUT 0.25

/* The reason why the elapsed time contradicts a verdict that is not `slower`, or NULL.
 * A program that waits longer uses no more processor time, and a count misses work of
 * other threads or of the kernel. */
static char *elapsed_against(const ba_result *r, const ba_series *series, size_t candidate)
{
	bool counted = series->metric == BA_METRIC_INSTRUCTIONS &&
		       r->document.schema_revision >= BA_REVISION_REPLICATES;
	const ba_series *beside = counted ? ba_result_beside(r, series, BA_METRIC_HOST)
				  : series->metric == BA_METRIC_CPU_TIME
					  ? ba_result_beside(r, series, BA_METRIC_TIME)
					  : NULL;
	if (counted && !beside)
		beside = ba_result_beside(r, series, BA_METRIC_SUBMIT);
	const ba_comparison *k = beside ? &beside->comparisons[candidate - 1] : NULL;
	double margin = k ? fmax(k->threshold_slower, counted ? BEYOND_LAYOUT : 0) : 0;
	if (!k || beside->role != BA_ROLE_REPORTED || !(k->low > 1 + margin))
		return NULL;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	int decimals = ba_percent_decimals(k->low, k->high);
	ba_buf_printf(&text, "%s not slower, but the elapsed time moved by ",
		counted ? "the instructions are" : "the processor time is");
	ba_percent_put(&text, k->ratio, decimals);
	ba_buf_puts(&text, " (");
	ba_percent_interval_put(&text, k->low, k->high, decimals);
	ba_buf_puts(
		&text, counted ? "): work that the count does not see" : "): it waits for longer");
	return ba_buf_detach(&text);
}

/* Work that only some calls do is missing in the call with the fewest instructions, but
 * it is in the mean. The mean contradicts a verdict if it does so in each
 * invocation. */
static char *calls_against(const ba_series *series, const ba_comparison *k)
{
	double least = INFINITY;
	if (!series->info->counted || !series->sample_count || series->samples[0].readings == 1)
		return NULL;
	for (size_t i = 0; i < k->z_count; i++)
		least = fmin(least, k->z[i]);
	if (!(least > log1p(k->threshold_slower)) || !isfinite(least))
		return NULL;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_buf_printf(&text,
		"the call with the fewest instructions is not slower, but the mean of %u consecutive calls moved by ",
		series->samples[0].readings);
	ba_percent_put(&text, exp(least), ba_percent_decimals(exp(least), exp(least)));
	ba_buf_puts(&text, ": some calls do more work");
	return ba_buf_detach(&text);
}

/* Readings are at least 1 ns (model/sample.h), so a variant whose readings are all 1 ns
 * took no time. */
static bool takes_no_time(const ba_series *s, size_t variant)
{
	for (size_t i = 0; i < s->sample_count; i++) {
		const ba_samples *x = &s->samples[i];
		size_t readings = (size_t)x->blocks * x->positions * x->readings;
		for (size_t k = 0; x->ns && k < readings; k++)
			if (x->order[k / x->readings] == variant && x->ns[k] > 1)
				return false;
	}
	return s->sample_count > 0;
}

static const char *no_work(const ba_result *r, const ba_series *s, size_t candidate)
{
	if (r->document.schema_revision < BA_REVISION_REPLICATES || !ba_metric_is_time(s->metric) ||
		!takes_no_time(s, candidate) || takes_no_time(s, 0))
		return NULL;
	return "every reading is 1 ns, the shortest there is: it did no work, or its clock is too coarse";
}

/* Withholds a verdict that is not `slower`, for the given reason. */
static void withhold(ba_comparison *k, const char *reason, const char *hint)
{
	if (!reason || ba_verdict_is_slower(k->verdict))
		return;
	k->likely = k->likely && k->ratio > 1;
	ba_identity_replace(k, BA_VERDICT_INCONCLUSIVE, ba_xstrdup(reason));
	ba_text_replace(&k->hint, hint);
}

#define SAME_COUNT 1e-3

/* Withholds a change of time for which the place of code in memory is another possible
 * reason: both variants execute as many instructions, from other files. */
static void withhold_placement(
	ba_comparison *k, const ba_result *r, const ba_series *series, size_t candidate)
{
	const ba_benchmark *b = &r->run.benchmarks[series->benchmark];
	bool on_host = series->metric == BA_METRIC_HOST || series->metric == BA_METRIC_SUBMIT;
	const ba_series *counts = ba_result_beside(r, series, BA_METRIC_INSTRUCTIONS);
	double before = counts ? counts->variants[0].mean : 0;
	double after = counts ? counts->variants[candidate].mean : 0;
	if (!on_host || !ba_identity_is_elsewhere(r, b, candidate) ||
		!(ba_verdict_is_slower(k->verdict) || ba_verdict_is_faster(k->verdict)) ||
		!(before > 0) || !(fabs(after - before) <= SAME_COUNT * before) ||
		k->low > 1 + BEYOND_LAYOUT || k->high < 1 / (1 + BEYOND_LAYOUT))
		return;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_buf_printf(&text, "both execute %.0f instructions, but the time moved by ", after);
	ba_percent_put(&text, k->ratio, ba_percent_decimals(k->low, k->high));
	ba_buf_puts(&text, ": the place of the code in memory may be the reason");
	k->likely = false;
	ba_identity_replace(k, BA_VERDICT_INCONCLUSIVE, ba_buf_detach(&text));
	ba_text_replace(&k->hint,
		"--verdict-on instructions decides by the count; -falign-functions=64 makes the place matter less");
}

static void finish_decided(ba_comparison *k, const ba_result *r, ba_series *series,
	const ba_decision *d, size_t candidate, const ba_outlook *outlook)
{
	ba_estimate_comparison(r, series, d, (unsigned)candidate);
	k->verdict = d->verdict;
	if (k->verdict == BA_VERDICT_TAIL_REGRESSED || k->verdict == BA_VERDICT_TAIL_IMPROVED)
		ba_explain_mean(k);
	if (k->verdict == BA_VERDICT_UNDECIDED) {
		k->verdict = BA_VERDICT_INCONCLUSIVE;
		k->likely = d->likely || (r->decided.rule < BA_RULE_GAPS && k->ratio > 1);
		ba_explain_inconclusive(k, r, series, d, outlook);
	}
	ba_origin_groups_explain(k, r);
	if (ba_identity_is_contradicted(r, series, candidate))
		ba_identity_contradict(k, r, series, candidate, d->looks > 0);
	BA_AUTO_FREE char *elapsed = elapsed_against(r, series, candidate);
	BA_AUTO_FREE char *calls = calls_against(series, k);
	withhold(k, calls, "--verdict-on host or submit decides by the time");
	withhold(k, no_work(r, series, candidate),
		"check its results, and measure more work at a time");
	withhold(k, elapsed,
		series->info->counted ? "--verdict-on host or submit decides by the time"
				      : "--metrics time decides by the elapsed time");
	withhold(k, ba_series_unconfirmed(series, &r->run), NULL);
	withhold_placement(k, r, series, candidate);
	k->shift = ba_comparison_shift(k);
}

static void finish_comparison(ba_decisions *d, const ba_result *r, ba_series *series,
	size_t candidate, const ba_outlook *outlook, const ba_count_ranges *ranges)
{
	ba_comparison *k = &series->comparisons[candidate - 1];
	ba_decision *mine = ba_decisions_at(d, (size_t)(series - r->series), candidate);
	bool control =
		k->verdict == BA_VERDICT_IDENTICAL && ba_identity_is_run(r, series, candidate);
	if (k->verdict != BA_VERDICT_UNDECIDED && !control)
		return;
	if (finish_failed(k, r, series, candidate))
		return;
	/* Comparisons that need no statistics are decided even if no look took place. */
	if (mine->verdict == BA_VERDICT_UNDECIDED &&
		ba_decision_is_exact(ranges, r, series, candidate))
		settle_exact(mine, k);
	/* A look closes a control that agrees. A control that is still open contradicts
	 * its identity; the run ended before this was confirmed, or before its first
	 * look. */
	if (control && mine->verdict == BA_VERDICT_UNDECIDED &&
		(mine->looks || r->document.schema_revision >= BA_IDENTITY_REVISION_LOOK)) {
		ba_identity_replace(k, BA_VERDICT_UNDECIDED, NULL);
		control = false;
	}
	if (control && k->y_count)
		ba_estimate_comparison(r, series, mine, (unsigned)candidate);
	if (control || finish_skipped(k, r, series, candidate))
		return;
	if (series->role == BA_ROLE_REPORTED) {
		ba_estimate_reported(r, series, (unsigned)candidate);
		k->verdict = BA_VERDICT_REPORTED;
		return;
	}
	finish_decided(k, r, series, mine, candidate, outlook);
}

static ba_outlook outlook_of(ba_decisions *d, const ba_result *r)
{
	ba_outlook out = {.prospect = &d->prospect};
	BA_AUTO_FREE bool *open = ba_xcalloc(r->run.benchmark_count + 1, sizeof(*open));
	for (size_t i = 0; i < d->count; i++) {
		ba_verdict verdict = d->items[i].verdict;
		out.family.size += is_in_family(&d->items[i]);
		out.family.slower += ba_verdict_is_slower(verdict);
		out.family.faster += ba_verdict_is_faster(verdict);
		if (verdict == BA_VERDICT_UNDECIDED)
			open[r->series[i / d->candidates].benchmark] = true;
	}
	d->prospect = (ba_prospect){.seconds = ba_seconds_of_one_more(r, open)};
	return out;
}

void ba_decisions_finish(ba_decisions *d, ba_result *r)
{
	const ba_outlook outlook = outlook_of(d, r);
	BA_AUTO(ba_count_ranges) ba_count_ranges ranges = ba_count_ranges_of(r);
	for (size_t i = 0; i < r->series_count; i++) {
		ba_estimate_summaries(r, &r->series[i]);
		set_s_floor(&r->series[i], r);
	}
	for (size_t i = 0; i < r->series_count; i++)
		for (size_t c = 1; c <= d->candidates; c++)
			finish_comparison(d, r, &r->series[i], c, &outlook, &ranges);
}

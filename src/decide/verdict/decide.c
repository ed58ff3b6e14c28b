#include "verdict/decide.h"

#include "verdict/identity.h"
#include "verdict/estimate.h"

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

BA_OWNS(ba_decisions, d, BA_FREE(d->items, d->places))

ba_decision *ba_decisions_at(const ba_decisions *d, size_t series, size_t candidate)
{
	return &d->items[series * d->candidates + candidate - 1];
}

bool ba_decisions_has(const ba_decisions *d, ba_verdict verdict)
{
	return BA_ANY(d->items, d->count, x, x->verdict == verdict);
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

/* widest[n] of a metric: the widest range of the values of n invocations */
static double *widest_of(const ba_count_ranges *ranges, ba_metric metric)
{
	return &ranges->widest[(size_t)metric * (ranges->most + 1)];
}

ba_count_ranges ba_count_ranges_of(const ba_result *r)
{
	ba_count_ranges out = {0};
	size_t candidates = r->run.variant_count ? r->run.variant_count - 1 : 0;
	BA_EACH (const ba_series, s, r->series, r->series_count)
		for (size_t c = 0; c < candidates && ba_metric_repeats(s->metric); c++)
			if (s->comparisons[c].y_count > out.most)
				out.most = s->comparisons[c].y_count;
	out.widest = ba_xcalloc((out.most + 1) * BA_METRIC_COUNT, sizeof(*out.widest));
	BA_EACH (const ba_series, s, r->series, r->series_count) {
		double *widest = widest_of(&out, s->metric);
		BA_EACH (const ba_comparison, k, s->comparisons,
			ba_metric_repeats(s->metric) ? candidates : 0) {
			double low = INFINITY, high = -INFINITY;
			for (size_t n = 0; n < k->y_count; n++) {
				ba_widen(&low, &high, k->y[n], k->y[n]);
				for (size_t more = n + 1; more <= out.most; more++)
					widest[more] = fmax(widest[more], high - low);
			}
		}
	}
	return out;
}

BA_OWNS(ba_count_ranges, ranges, free(ranges->widest))

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
		return k->y_count >= wanted && k->y_count >= ba_estimate_least(series);
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
		bool failed = base->failure || mine->failure;
		if (!failed && !base->skipped && !mine->skipped)
			return;
		/* A comparison that fails before it has a verdict still counts in the family, with
		 * p = 1: it was asked about and shows nothing. One that turns out to be skipped
		 * stays in r->decided.family_size, but there is nothing left to decide:
		 * decide_family() leaves it out. */
		d->verdict = failed ? BA_VERDICT_FAILED : BA_VERDICT_SKIPPED;
		d->p_reg = d->p_imp = d->p_eq = 1;
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
	const ba_design *design = &r->decided.design;
	BA_REQUIRE(r->decided.looks_done < design->looks);
	make_places(d, r);
	BA_AUTO(ba_count_ranges) ba_count_ranges ranges = ba_count_ranges_of(r);
	for (size_t i = 0; i < r->series_count; i++) {
		set_s_floor(&r->series[i], r);
		for (size_t c = 1; c <= d->candidates; c++)
			look_at(ba_decisions_at(d, i, c), r, &r->series[i], c, design, &ranges);
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
	ba_comparison *k, const ba_result *r, ba_verdict v, size_t variant, const char *why)
{
	if (why)
		ba_identity_replace(
			k, v, ba_xprintf("%s: %s", r->run.variants[variant].label, why));
	return why != NULL;
}

static bool finish_skipped(
	ba_comparison *k, const ba_result *r, const ba_series *series, size_t candidate)
{
	size_t at = series->variants[0].skipped ? 0 : candidate;
	if (finish_lacking(k, r, BA_VERDICT_SKIPPED, at, series->variants[at].skipped))
		return true;
	if (k->y_count == 0)
		ba_identity_replace(k, BA_VERDICT_SKIPPED,
			ba_xstrdup(strcmp(r->decided.stopped, "budget") == 0
					   ? "the budget (--budget) has no time for it"
					   : "no samples were taken"));
	return k->y_count == 0;
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
	ba_withhold(k, r, series, candidate);
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
	size_t failed = series->variants[0].failure ? 0 : candidate;
	if (finish_lacking(k, r, BA_VERDICT_FAILED, failed, series->variants[failed].failure))
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
	ba_factors_estimate(r);
}

#include "host/decide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/require.h"
#include "host/explain.h"
#include "host/judge.h"

ba_policy ba_policy_of(const ba_result *r, double s_floor)
{
	ba_policy policy = {.alpha = r->alpha, .s_floor = s_floor, .strict = r->strict};
	ba_multiplicity_parse(&policy.multiplicity, r->multiplicity);
	return policy;
}

ba_design ba_design_of(const ba_result *r)
{
	ba_design design = {.looks = r->look_count};
	BA_REQUIRE(r->look_count <= BA_LOOKS_MAX);
	for (size_t k = 0; k < r->look_count; k++) {
		design.at[k] = r->looks[k];
		design.weight[k] = r->look_weights[k];
	}
	return design;
}

/* ---- what needs no measuring ---- */

static bool same_artefacts(const ba_variant *a, const ba_variant *b)
{
	if (a->artefact_count == 0 || a->artefact_count != b->artefact_count)
		return false;
	for (size_t i = 0; i < a->artefact_count; i++)
		if (strcmp(a->artefacts[i].path, b->artefacts[i].path) != 0 ||
			a->artefacts[i].sha256[0] == '\0' ||
			strcmp(a->artefacts[i].sha256, b->artefacts[i].sha256) != 0)
			return false;
	return true;
}

static bool is_program(ba_suite_kind kind)
{
	return kind == BA_SUITE_WORKER || kind == BA_SUITE_COMMAND;
}

/* A program may load anything of its tree at any time: what it had loaded when it was
 * asked proves what ran, but not that the rest is equal. */
bool ba_decide_is_same_build(
	const ba_variant *a, const ba_variant *b, ba_suite_kind kind)
{
	if (is_program(kind))
		return a->build_key && *a->build_key && b->build_key &&
		       strcmp(a->build_key, b->build_key) == 0;
	return same_artefacts(a, b);
}

/* Has the GPU the same to do? */
static bool is_same_work(const ba_benchmark *b, ba_metric metric, size_t candidate)
{
	return ba_metric_get(metric)->on_gpu && ba_benchmark_is_same_work(b, candidate);
}

static void set_verdict(ba_comparison *c, ba_verdict verdict, char *reason)
{
	c->verdict = verdict;
	free(c->reason);
	c->reason = reason;
}

static void settle(const ba_result *r, ba_series *series, size_t candidate)
{
	ba_comparison *c = &series->comparisons[candidate - 1];
	bool base = series->variants[0].present;
	bool mine = series->variants[candidate].present;
	const char *baseline = r->variants[0].label;
	const char *label = r->variants[candidate].label;
	const ba_benchmark *b = &r->benchmarks[series->benchmark];
	/* of what cannot be loaded nobody knows whether it is the same */
	bool fails = series->variants[0].failure || series->variants[candidate].failure;
	bool may_be_same = !r->measure_identical && !fails;
	BA_AUTO_FREE char *what =
		b->name ? ba_xprintf("benchmark '%s'", b->id)
			: ba_xprintf("launch path '%s'", b->path ? b->path : "");
	if (base && !mine)
		set_verdict(
			c, BA_VERDICT_REMOVED, ba_xprintf("%s has no %s", label, what));
	else if (!base && mine)
		set_verdict(c, BA_VERDICT_ADDED,
			ba_xprintf("%s has no %s", baseline, what));
	else if (!base && !mine)
		set_verdict(c, BA_VERDICT_SKIPPED,
			ba_xprintf(
				"neither %s nor %s has the %s", baseline, label, what));
	else if (may_be_same && ba_decide_is_same_build(&r->variants[0],
					&r->variants[candidate], b->kind))
		set_verdict(c, BA_VERDICT_IDENTICAL,
			ba_xprintf("%s and %s %s", baseline, label,
				is_program(b->kind)
					? "are built from the same files"
					: "built byte-identical libraries"));
	/* whose code was looked at could be loaded: it failed later, if at all */
	else if (!r->measure_identical && is_same_work(b, series->metric, candidate))
		set_verdict(c, BA_VERDICT_IDENTICAL,
			ba_xprintf("%s and %s have the GPU run the same machine code "
				   "with the same launches and data",
				baseline, label));
}

void ba_decide_settle(ba_result *r)
{
	for (size_t i = 0; i < r->series_count; i++)
		for (size_t c = 1; c < r->variant_count; c++)
			settle(r, &r->series[i], c);
}

/* ---- the family ---- */

void ba_decisions_init(ba_decisions *d, ba_result *r)
{
	ba_decisions_dispose(d);
	d->candidates = r->variant_count - 1;
	d->count = r->series_count * d->candidates;
	d->items = ba_xcalloc(d->count + 1, sizeof(*d->items));
	r->family_size = 0;
	r->looks_done = 0;
	for (size_t i = 0; i < r->series_count; i++)
		for (size_t c = 1; c <= d->candidates; c++) {
			ba_comparison *k = &r->series[i].comparisons[c - 1];
			ba_decision *mine = ba_decisions_at(d, i, c);
			ba_decision_init(
				mine, k->threshold_slower, k->threshold_faster);
			mine->verdict = r->series[i].role == BA_ROLE_VERDICT
						? k->verdict
						: BA_VERDICT_REPORTED;
			r->family_size += mine->verdict == BA_VERDICT_UNDECIDED;
		}
}

void ba_decisions_dispose(ba_decisions *d)
{
	free(d->items);
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
	switch (d->verdict) {
	case BA_VERDICT_REPORTED:
	case BA_VERDICT_IDENTICAL:
	case BA_VERDICT_ADDED:
	case BA_VERDICT_REMOVED:
	case BA_VERDICT_SKIPPED:
		return false;
	default:
		return true;
	}
}

/* What cannot be compared is not of the family: the others stand together for the
 * judgement. */
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

/* What fails before it is decided was asked about and says nothing: p = 1. */
static void fail_decision(ba_decision *d)
{
	d->verdict = BA_VERDICT_FAILED;
	d->p_reg = d->p_imp = d->p_eq = 1;
}

/* What cannot run here was asked about, too, but is no question any more. */
static void skip_decision(ba_decision *d)
{
	d->verdict = BA_VERDICT_SKIPPED;
	d->p_reg = d->p_imp = d->p_eq = 1;
}

static void look_at(ba_decision *d, const ba_result *r, const ba_series *series,
	size_t candidate, const ba_design *design)
{
	const ba_comparison *k = &series->comparisons[candidate - 1];
	const ba_summary *base = &series->variants[0],
			 *mine = &series->variants[candidate];
	if (d->verdict != BA_VERDICT_UNDECIDED)
		return;
	/* a threshold that is absolute becomes a ratio when the baseline's time is
	 * known, which is after the family was set up and before its first look */
	d->d_reg = log1p(k->threshold_slower);
	d->d_imp = log1p(k->threshold_faster);
	if (k->y_count < design->at[r->looks_done]) {
		if (base->failure || mine->failure)
			fail_decision(d);
		else if (base->skipped || mine->skipped)
			skip_decision(d);
		return;
	}
	ba_policy policy = ba_policy_of(r, series->s_floor);
	ba_decision_look(d, &policy, design, r->looks_done, k->y);
	if (ba_judge_has_means(r))
		ba_decision_look_mean(d, &policy, design, r->looks_done, k->z);
}

static void set_s_floor(ba_series *series, const ba_result *r)
{
	bool on_gpu = ba_metric_get(series->metric)->on_gpu;
	series->s_floor = ba_judge_s_floor(
		series, on_gpu ? r->env.event_tick_ns : r->env.timer_tick_ns);
}

size_t ba_decisions_look(ba_decisions *d, ba_result *r)
{
	ba_design design = ba_design_of(r);
	BA_REQUIRE(r->looks_done < r->look_count);
	for (size_t i = 0; i < r->series_count; i++) {
		set_s_floor(&r->series[i], r);
		for (size_t c = 1; c <= d->candidates; c++)
			look_at(ba_decisions_at(d, i, c), r, &r->series[i], c, &design);
	}
	r->looks_done++;
	return decide_family(d, r);
}

/* ---- the end ---- */

static void finish_comparison(
	ba_decisions *d, const ba_result *r, ba_series *series, size_t candidate)
{
	ba_comparison *k = &series->comparisons[candidate - 1];
	ba_decision *mine = ba_decisions_at(d, (size_t)(series - r->series), candidate);
	/* equal work on the GPU says nothing of a host's code that fails */
	bool of_gpu = k->verdict == BA_VERDICT_IDENTICAL &&
		      is_same_work(&r->benchmarks[series->benchmark], series->metric,
			      candidate);
	if (k->verdict != BA_VERDICT_UNDECIDED && !of_gpu)
		return;
	size_t failed = series->variants[0].failure ? 0 : candidate;
	if (series->variants[failed].failure) {
		set_verdict(k, BA_VERDICT_FAILED,
			ba_xprintf("%s: %s", r->variants[failed].label,
				series->variants[failed].failure));
		return;
	}
	if (of_gpu)
		return;
	size_t skipped = series->variants[0].skipped ? 0 : candidate;
	if (series->variants[skipped].skipped) {
		set_verdict(k, BA_VERDICT_SKIPPED,
			ba_xprintf("%s: %s", r->variants[skipped].label,
				series->variants[skipped].skipped));
		return;
	}
	if (k->y_count == 0) {
		set_verdict(k, BA_VERDICT_SKIPPED, ba_xstrdup("no samples were taken"));
		return;
	}
	if (series->role == BA_ROLE_REPORTED) {
		ba_judge_reported(r, series, (unsigned)candidate);
		k->verdict = BA_VERDICT_REPORTED;
		return;
	}
	ba_judge_comparison(r, series, mine, (unsigned)candidate);
	k->verdict = mine->verdict;
	if (k->verdict == BA_VERDICT_TAIL_REGRESSED ||
		k->verdict == BA_VERDICT_TAIL_IMPROVED)
		ba_explain_mean(k);
	if (k->verdict == BA_VERDICT_UNDECIDED) {
		k->verdict = BA_VERDICT_INCONCLUSIVE;
		ba_explain_inconclusive(k, r, series, mine);
	}
}

void ba_decisions_finish(ba_decisions *d, ba_result *r)
{
	for (size_t i = 0; i < r->series_count; i++) {
		ba_series *series = &r->series[i];
		ba_judge_summaries(r, series);
		set_s_floor(series, r);
		for (size_t c = 1; c <= d->candidates; c++)
			finish_comparison(d, r, series, c);
	}
}

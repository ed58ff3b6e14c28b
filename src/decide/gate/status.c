#include "gate/status.h"

#include "gate/policy.h"
#include "gate/tally.h"

/* ---- one candidate ------------------------------------------------------- */

static ba_fate fate_without_samples(const ba_summary *a, const ba_summary *b)
{
	/* if a candidate skips it with a reason, the baseline is not measured either */
	if (a->skipped || b->skipped)
		return a->present && !a->skipped ? BA_FATE_LOST : BA_FATE_SKIPPED;
	if (!a->present && !b->present)
		return BA_FATE_ABSENT;
	if (!a->present)
		return BA_FATE_ADDED;
	return b->present ? BA_FATE_EMPTY : BA_FATE_REMOVED;
}

ba_fate ba_fate_of(const ba_series *s, size_t candidate)
{
	const ba_summary *a = &s->variants[0], *b = &s->variants[candidate];
	if (b->failure)
		return BA_FATE_FAILED;
	if (a->failure)
		return b->present ? BA_FATE_NO_BASE : BA_FATE_ABSENT;
	/* without samples nothing supports a verdict other than `identical` */
	ba_verdict verdict = s->comparisons[candidate - 1].verdict;
	if (verdict == BA_VERDICT_IDENTICAL)
		return BA_FATE_IDENTICAL;
	if (!a->launches || !b->launches)
		return fate_without_samples(a, b);
	/* a value computed by another tool is shown, but it is not a sample */
	const char *level = s->comparisons[candidate - 1].level;
	if (verdict == BA_VERDICT_PROVISIONAL && level && !strcmp(level, "summary"))
		return BA_FATE_EMPTY;
	switch (verdict) {
	case BA_VERDICT_REGRESSED:
	case BA_VERDICT_TAIL_REGRESSED:
		return BA_FATE_REGRESSED;
	case BA_VERDICT_IMPROVED:
	case BA_VERDICT_TAIL_IMPROVED:
		return BA_FATE_IMPROVED;
	case BA_VERDICT_UNCHANGED:
		return BA_FATE_UNCHANGED;
	case BA_VERDICT_SKIPPED:
	case BA_VERDICT_FAILED:
		return BA_FATE_CUT;
	default:
		return BA_FATE_UNDECIDED;
	}
}

double ba_fate_rank(const ba_series *s, size_t candidate, ba_fate fate)
{
	const ba_comparison *c = &s->comparisons[candidate - 1];
	bool tail =
		c->verdict == BA_VERDICT_TAIL_REGRESSED || c->verdict == BA_VERDICT_TAIL_IMPROVED;
	double ratio = tail ? c->mean_ratio : c->ratio;
	if (isnan(ratio)) /* from 0 */
		ratio = 0;
	double worst = ba_comparison_worst(c);
	switch (fate) {
	case BA_FATE_REGRESSED:
		return ratio;
	case BA_FATE_IMPROVED:
		return -ratio;
	case BA_FATE_UNDECIDED:
		if (ba_comparison_probably(c) == BA_SHIFT_SLOWER)
			return 1e100 * c->low; /* before all others */
		if (isfinite(worst))
			return worst;
		return c->ratio > 0 ? 1e50 * c->ratio : 1e49;
	default:
		return 0;
	}
}

ba_tally ba_tally_empty(size_t candidate)
{
	return (ba_tally){.candidate = candidate, .low = INFINITY, .high = -INFINITY};
}

ba_fate ba_tally_count(ba_tally *t, const ba_series *s)
{
	const ba_comparison *c = &s->comparisons[t->candidate - 1];
	ba_fate fate = ba_fate_of(s, t->candidate);
	if (s->role != BA_ROLE_VERDICT || fate == BA_FATE_ABSENT)
		return BA_FATE_ABSENT;
	t->total++;
	t->count[fate]++;
	t->slower_within += ba_comparison_shift(c) == BA_SHIFT_SLOWER;
	if (fate <= BA_FATE_UNDECIDED && c->low > 0 && isfinite(c->high) && !c->exact)
		ba_widen(&t->low, &t->high, c->low, c->high);
	return fate;
}

static ba_tally tally_of(const ba_result *r, size_t candidate, const ba_digest *digest)
{
	ba_tally t = ba_tally_empty(candidate);
	BA_EACH (const ba_series, s, r->series, r->series_count) {
		ba_fate fate = ba_tally_count(&t, s);
		const ba_series *first = t.first[fate];
		if (!first ||
			ba_fate_rank(s, candidate, fate) > ba_fate_rank(first, candidate, fate))
			t.first[fate] = s;
	}
	if (!digest)
		return t;
	ba_tally all = *ba_digest_tally(digest, candidate);
	memcpy(all.first, t.first, sizeof(all.first));
	return all;
}

size_t ba_tally_known(const ba_tally *t)
{
	return t->count[BA_FATE_REGRESSED] + t->count[BA_FATE_IMPROVED] +
	       t->count[BA_FATE_UNCHANGED] + t->count[BA_FATE_UNDECIDED] +
	       t->count[BA_FATE_IDENTICAL];
}

size_t ba_tally_lacking(const ba_tally *t)
{
	return t->count[BA_FATE_FAILED] + t->count[BA_FATE_NO_BASE] + t->count[BA_FATE_EMPTY] +
	       t->count[BA_FATE_CUT];
}

ba_shift ba_tally_probably(const ba_tally *t)
{
	const ba_series *s = t->first[BA_FATE_UNDECIDED];
	return s ? ba_comparison_probably(&s->comparisons[t->candidate - 1]) : BA_SHIFT_NONE;
}

size_t ba_tally_refused(const ba_tally *t)
{
	size_t failed = t->count[BA_FATE_FAILED];
	return failed + t->count[BA_FATE_REMOVED] + t->count[BA_FATE_LOST];
}

/* ---- all of them --------------------------------------------------------- */

bool ba_gate_measured(const ba_result *r, const ba_series *s)
{
	if (r->run.variant_count == 1)
		return s->variants[0].launches && !s->variants[0].failure;
	for (size_t i = 1; i < r->run.variant_count; i++)
		if (ba_fate_of(s, i) > BA_FATE_IDENTICAL)
			return false;
	return true;
}

/* sums over the candidates */
typedef struct sums {
	size_t regressed, likely, improved, undecided, known, lacking, refused;
	/* candidates without any result, which others do not excuse */
	size_t blind;
} sums;

static sums sums_of(const ba_tally *tallies, size_t count)
{
	sums all = {0};
	BA_EACH (const ba_tally, t, tallies, count) {
		all.regressed += t->count[BA_FATE_REGRESSED];
		all.likely += ba_tally_probably(t) == BA_SHIFT_SLOWER;
		all.improved += t->count[BA_FATE_IMPROVED];
		all.undecided += t->count[BA_FATE_UNDECIDED];
		all.lacking += ba_tally_lacking(t);
		all.refused += ba_tally_refused(t);
		all.known += ba_tally_known(t);
		all.blind += ba_tally_known(t) == 0;
	}
	return all;
}

static int status_of(
	const ba_result *r, const ba_gate_policy *p, const sums *all, const char *missing)
{
	if (all->regressed || (p->likely_fails && all->likely) || (p->strict && all->refused))
		return 1;
	bool decided = !all->undecided || !(p->strict || p->undecided_fails);
	bool complete =
		all->known && !all->lacking && !all->blind && !missing && !r->run.interrupted;
	return decided && complete ? 0 : 125;
}

static ba_verdict verdict_of(
	const ba_result *r, const ba_gate_policy *p, const sums *all, const char *missing)
{
	if (all->regressed)
		return BA_VERDICT_REGRESSED;
	if (p->strict && all->refused)
		return BA_VERDICT_FAILED;
	if (!all->known && !all->lacking)
		return BA_VERDICT_SKIPPED;
	if (all->lacking || missing)
		return BA_VERDICT_FAILED;
	if (all->undecided || all->blind || r->run.interrupted)
		return BA_VERDICT_INCONCLUSIVE;
	return all->improved ? BA_VERDICT_IMPROVED : BA_VERDICT_UNCHANGED;
}

static void conclude_candidates(ba_result *r, const ba_gate_policy *p)
{
	size_t count = r->run.variant_count - 1;
	BA_AUTO_FREE ba_tally *tallies = ba_xcalloc(count, sizeof(*tallies));
	for (size_t i = 0; i < count; i++)
		tallies[i] = tally_of(r, i + 1, p->digest);
	const char *missing = ba_gate_first_missing(r, p);
	sums all = sums_of(tallies, count);
	r->decided.exit_status = status_of(r, p, &all, missing);
	r->decided.verdict = verdict_of(r, p, &all, missing);
	r->decided.answer = ba_gate_answer(r, p, tallies, missing);
}

static void conclude_one(ba_result *r, const ba_gate_policy *p)
{
	size_t total = 0, measured = 0, problems = 0;
	const ba_series *problem = NULL;
	BA_EACH (const ba_series, s, r->series, r->series_count) {
		const ba_summary *v = &s->variants[0];
		if (s->role != BA_ROLE_VERDICT)
			continue;
		total++;
		measured += ba_gate_measured(r, s);
		if (ba_gate_measured(r, s) || (v->skipped && !v->failure))
			continue;
		problems++;
		problem = problem ? problem : s;
	}
	const char *missing = ba_gate_first_missing(r, p);
	bool good = measured && !problems && !missing && !r->run.interrupted;
	r->decided.exit_status = good ? 0 : 125;
	r->decided.verdict = good		   ? BA_VERDICT_REPORTED
			     : problems || missing ? BA_VERDICT_FAILED
			     : measured		   ? BA_VERDICT_INCONCLUSIVE
						   : BA_VERDICT_SKIPPED;
	r->decided.answer = ba_gate_answer_one(r, measured, total, problem, missing);
}

int ba_gate_set_status(ba_result *r, const ba_gate_policy *p)
{
	free(r->decided.answer);
	r->decided.gate_strict = p->strict;
	r->decided.undecided_fails = p->undecided_fails;
	r->decided.likely_fails = p->likely_fails;
	if (p->digest)
		r->document.left_out = ba_digest_left_out(p->digest, r);
	if (p->expected != &r->decided.expected) {
		ba_strv_dispose(&r->decided.expected);
		if (p->expected)
			ba_strv_copy(&r->decided.expected, p->expected);
	}
	if (r->run.variant_count > 1)
		conclude_candidates(r, p);
	else
		conclude_one(r, p);
	return r->decided.exit_status;
}

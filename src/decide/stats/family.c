/* The verdicts of a family, from the p-values of its comparisons. */

#include "stats/sequential.h"
#include "stats/sequential_internal.h"

/* Which p-values of a comparison are small enough to be rejected. */
typedef struct rejected {
	bool slower, faster, mean_slower, mean_faster, place_slower, place_faster;
	bool apart; /* by the gap rule, in the direction of the estimate */
} rejected;

/* Does a place show the change at this look, and also by its smallest p-value so far?
 * The first rule asks for the p-value only. */
static bool is_shown_at_a_place(const ba_decision *d, const ba_policy *policy, bool slower)
{
	return policy->rule < BA_RULE_GAPS ||
	       BA_ANY(d->place, d->place_count, x, slower ? x->slower : x->faster);
}

/* Is it slower at a place? False if the places agree at this look. */
static bool is_slower_at_a_place(const ba_decision *d, const ba_policy *policy, const rejected *r)
{
	return r->place_slower && ba_decision_places_differ(d) &&
	       is_shown_at_a_place(d, policy, true);
}

static bool is_slower(const ba_decision *d, const ba_policy *policy, const rejected *r)
{
	return (r->slower || r->apart) && d->ybar >= d->d_reg &&
	       ba_is_clear(d->lo, d->d_reg, policy);
}

static bool is_faster(const ba_decision *d, const ba_policy *policy, const rejected *r)
{
	bool own = (r->faster || r->apart) && d->ybar <= -d->d_imp &&
		   ba_is_clear(-d->hi, d->d_imp, policy);
	bool place = r->place_faster && is_shown_at_a_place(d, policy, false);
	if (!ba_decision_places_differ(d))
		return own;
	return (place || own) &&
	       !BA_ANY(d->place, d->place_count, x, x->invocations && x->ybar >= d->d_reg);
}

static bool is_unchanged(const ba_decision *d, double alpha)
{
	if (d->p_eq > alpha || d->ybar >= d->d_reg || d->ybar <= -d->d_imp)
		return false;
	return !ba_decision_places_differ(d) ||
	       BA_ALL(d->place, d->place_count, x, !x->invocations || x->unchanged);
}

static ba_verdict verdict_of(const ba_decision *d, const rejected *r, const ba_policy *policy)
{
	const ba_mean_decision *m = &d->mean;
	bool mean_slower = ba_decision_mean_is_slower(d);
	bool mean_faster = ba_decision_mean_is_faster(d);
	if (d->invocations == 0)
		return BA_VERDICT_UNDECIDED;
	if (is_slower(d, policy, r) || is_slower_at_a_place(d, policy, r))
		return BA_VERDICT_REGRESSED;
	/* shown at some look and at this one: verdict and estimate must agree */
	if (r->mean_slower && mean_slower && ba_is_clear(m->lo, d->d_reg, policy))
		return BA_VERDICT_TAIL_REGRESSED;
	if (mean_slower)
		return BA_VERDICT_UNDECIDED;
	if (is_faster(d, policy, r))
		return BA_VERDICT_IMPROVED;
	if (r->mean_faster && mean_faster && d->ybar < d->d_reg &&
		ba_is_clear(-m->hi, d->d_imp, policy))
		return BA_VERDICT_TAIL_IMPROVED;
	return !mean_faster && is_unchanged(d, policy->alpha) ? BA_VERDICT_UNCHANGED
							      : BA_VERDICT_UNDECIDED;
}

static double mean_share(const ba_decision *d)
{
	return d->mean.known ? BA_MEAN_SHARE : 0;
}

static double place_share(const ba_decision *d)
{
	return d->places > 1 ? BA_PLACE_SHARE : 0;
}

double ba_own_share(const ba_decision *d)
{
	return 1 - mean_share(d) - place_share(d);
}

/* A comparison has one p-value in the family: the smallest of its two or three, each over
 * its share of alpha (a weighted Bonferroni correction). */
static double shared_p(const ba_decision *d, bool slower)
{
	double p = (slower ? d->p_reg : d->p_imp) / ba_own_share(d);
	if (d->mean.known)
		p = fmin(p, (slower ? d->mean.p_reg : d->mean.p_imp) / BA_MEAN_SHARE);
	if (d->places > 1)
		p = fmin(p, (slower ? d->p_place_reg : d->p_place_imp) / BA_PLACE_SHARE);
	return fmin(1, p);
}

/* Sets which places show the change, each by its own values. */
static void reject_places(
	ba_decision *d, const ba_policy *policy, bool any, double level, bool slower)
{
	BA_EACH (ba_place_decision, at, d->place, d->place_count) {
		double own = (double)d->places * (slower ? at->p_reg : at->p_imp);
		*(slower ? &at->slower : &at->faster) =
			any && at->invocations > 1 && own <= BA_PLACE_SHARE * level &&
			(slower ? at->ybar >= d->d_reg && ba_is_clear(at->lo, d->d_reg, policy)
				: at->ybar <= -d->d_imp && ba_is_clear(-at->hi, d->d_imp, policy));
	}
}

static void reject_one(
	rejected *out, ba_decision *d, const ba_policy *policy, bool any, double level, bool slower)
{
	bool own = any && (slower ? d->p_reg : d->p_imp) <= ba_own_share(d) * level;
	bool mean = any && (slower ? d->mean.p_reg : d->mean.p_imp) <= mean_share(d) * level;
	bool place = any && (slower ? d->p_place_reg : d->p_place_imp) <= place_share(d) * level;
	*(slower ? &out->slower : &out->faster) = own;
	*(slower ? &out->mean_slower : &out->mean_faster) = mean;
	*(slower ? &out->place_slower : &out->place_faster) = place;
	reject_places(d, policy, any, level, slower);
}

static void reject(
	rejected *out, ba_decision *d, size_t n, size_t m, const ba_policy *policy, bool slower)
{
	BA_AUTO_FREE double *p = ba_xreallocarray(NULL, n, sizeof(*p));
	BA_AUTO_FREE bool *any = ba_xcalloc(n, sizeof(*any));
	for (size_t i = 0; i < n; i++)
		p[i] = shared_p(&d[i], slower);
	double q = ba_family_alpha(policy);
	size_t count = ba_multiple_reject(any, p, n, m, q, policy->multiplicity);
	double level = count ? ba_multiple_level(count - 1, m, q, policy->multiplicity) : 0;
	for (size_t i = 0; i < n; i++)
		reject_one(&out[i], &d[i], policy, any[i], level, slower);
}

size_t ba_family_decide(ba_decision *d, size_t n, size_t m, const ba_policy *policy, bool last)
{
	BA_REQUIRE(m >= n);
	BA_AUTO_FREE rejected *r = ba_xcalloc(n, sizeof(*r));
	size_t undecided = 0;

	reject(r, d, n, m, policy, true);
	reject(r, d, n, m, policy, false);
	ba_gap_rank(d, n, m, policy);
	for (size_t i = 0; i < n; i++) {
		if (d[i].verdict != BA_VERDICT_UNDECIDED)
			continue;
		BA_EACH (ba_place_decision, at, d[i].place, d[i].place_count)
			at->unchanged = at->invocations > 1 && at->p_eq <= policy->alpha &&
					at->ybar < d[i].d_reg && at->ybar > -d[i].d_imp;
		r[i].apart =
			d[i].gap_rank && d[i].gap_rank <= ba_gap_most(policy, d[i].invocations);
		d[i].verdict = verdict_of(&d[i], &r[i], policy);
		d[i].likely = ba_gap_is_likely(&d[i], policy);
		if (d[i].verdict == BA_VERDICT_UNDECIDED && last)
			d[i].verdict = BA_VERDICT_INCONCLUSIVE;
		undecided += d[i].verdict == BA_VERDICT_UNDECIDED;
	}
	return undecided;
}

void ba_decision_conclude(ba_decision *d, const ba_policy *policy, double slower, double faster)
{
	const rejected r = {.slower = d->p_reg <= slower, .faster = d->p_imp <= faster};
	BA_REQUIRE(!d->mean.known);
	d->verdict = verdict_of(d, &r, policy);
	if (d->verdict == BA_VERDICT_UNDECIDED)
		d->verdict = BA_VERDICT_INCONCLUSIVE;
}

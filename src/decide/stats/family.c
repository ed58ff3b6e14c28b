/* The verdicts of a family, from the p-values of its comparisons. */

#include "stats/sequential.h"
#include "stats/sequential_internal.h"

/* ---- the gap of a comparison beside the variation of the other comparisons of the run, which
 * shows what chance does (docs/statistics.md section 3.4) ---- */

/* Fewer invocations are not enough: with two, chance would flag one in eight. */
#define LEAST_INVOCATIONS 3

/* For counts, the ranges of two invocations are used, too. */
static double chance_at(const ba_policy *policy, size_t invocations)
{
	int n = (int)(invocations < 500 ? invocations : 500);
	return invocations < LEAST_INVOCATIONS ? 1 : ldexp(policy->counts ? 1.8 : 1.25, -2 * n);
}

/* The share of the error rate that a look after n invocations may spend; all sum to 1. */
static double share_of(size_t n)
{
	static const double shares[] = {.5, .15, .15, .05, .05};
	return n < 4 ? 1 : n < 9 ? shares[n - 4] : ldexp(.1, -(int)(n < 500 ? n - 8 : 500));
}

/* Candidates of one benchmark share a baseline. At rank 1 this does not raise the error
 * rate: a baseline that makes one candidate look slower makes the others vary. */
static size_t rank_within(double level, size_t invocations, const ba_policy *policy)
{
	double most = level / chance_at(policy, invocations);
	double candidates = policy->candidates ? (double)policy->candidates : 1;
	return most < 1 ? 0 : (size_t)fmin(fmax(1, most / candidates), 1e9);
}

double ba_gap_share(const ba_policy *policy)
{
	return policy->counts ? BA_GAP_SHARE_COUNTS : BA_GAP_SHARE;
}

bool ba_gap_is_used(const ba_policy *policy)
{
	return policy->rule >= BA_RULE_GAPS && policy->multiplicity != BA_MULTIPLICITY_NONE;
}

/* A comparison that lies apart at rank 1 did so with fewer invocations, too, so one
 * share covers all of them. The rest of the error rate is for greater ranks. */
#define RANK_ONE .9

static size_t most_of_counts(double level, size_t invocations, const ba_policy *policy)
{
	int n = (int)(invocations < 500 ? invocations : 500);
	double later = n < 6 ? 0 : (1 - RANK_ONE) * level * ldexp(1, 5 - n);
	size_t one = chance_at(policy, invocations) <= RANK_ONE * level;
	size_t most = rank_within(later, invocations, policy);
	return most > one ? most : one;
}

size_t ba_gap_most(const ba_policy *policy, size_t invocations)
{
	double level = ba_gap_share(policy) * policy->alpha;
	if (!ba_gap_is_used(policy))
		return 0;
	return policy->counts ? most_of_counts(level, invocations, policy)
			      : rank_within(level * share_of(invocations), invocations, policy);
}

static bool is_likely(const ba_decision *d, const ba_policy *policy)
{
	return d->gap_rank &&
	       d->gap_rank <= rank_within(BA_LIKELY * policy->alpha, d->invocations, policy);
}

/* The distance of all values from the margin, on the side of the estimate. */
static double gap_of(const ba_decision *d, const ba_policy *policy)
{
	bool slower = d->ybar > 0;
	return (slower ? d->least : -d->most) -
	       ba_margin(slower ? d->d_reg : d->d_imp, policy->strict);
}

/* Sets gap_rank of the inconclusive comparisons at a look. Those of the m hypotheses that are
 * not among the n may vary by any amount, so each raises the rank. */
static void rank_gaps(ba_decision *d, size_t n, size_t m, const ba_policy *policy)
{
	BA_AUTO_FREE double *ranges = ba_xcalloc(n + 1, sizeof(*ranges));
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		if (d[i].looks)
			ranges[count++] = d[i].most - d[i].least;
	ba_sort_doubles(ranges, count);
	for (size_t i = 0; i < n; i++) {
		if (d[i].verdict != BA_VERDICT_UNDECIDED || !d[i].looks)
			continue;
		double gap = gap_of(&d[i], policy), own = d[i].most - d[i].least;
		bool apart = d[i].places < 2 && own < BA_GAP_RANGE * gap;
		size_t below = BA_FIRST(count, k, ranges[k] >= gap);
		d[i].gap_rank = apart ? 1 + count - below + (m - n) : 0;
	}
}

/* ---- the verdicts ---- */

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
	rank_gaps(d, n, m, policy);
	for (size_t i = 0; i < n; i++) {
		if (d[i].verdict != BA_VERDICT_UNDECIDED)
			continue;
		BA_EACH (ba_place_decision, at, d[i].place, d[i].place_count)
			at->unchanged = at->invocations > 1 && at->p_eq <= policy->alpha &&
					at->ybar < d[i].d_reg && at->ybar > -d[i].d_imp;
		r[i].apart =
			d[i].gap_rank && d[i].gap_rank <= ba_gap_most(policy, d[i].invocations);
		d[i].verdict = verdict_of(&d[i], &r[i], policy);
		d[i].likely = is_likely(&d[i], policy);
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

/* Compares the gap of a comparison with the variation of the run's other comparisons,
 * which shows what chance does (docs/statistics.md section 3.4). */

#include "stats/sequential.h"
#include "stats/sequential_internal.h"

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

bool ba_gap_is_likely(const ba_decision *d, const ba_policy *policy)
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

void ba_gap_rank(ba_decision *d, size_t n, size_t m, const ba_policy *policy)
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

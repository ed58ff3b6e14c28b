#include "stats/apart.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

ba_apart ba_apart_of(const ba_moments *base, const ba_moments *candidate)
{
	return (ba_apart){
		.slower = candidate->least - base->most,
		.faster = base->least - candidate->most,
		.range = fmax(
			base->most - base->least, candidate->most - candidate->least),
		.floor_p = ba_unpaired_floor(base->n, candidate->n),
	};
}

static int descending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x < y) - (x > y);
}

/* how many of sorted[0..n-1] are >= x */
static size_t count_from(const double *sorted, size_t n, double x)
{
	size_t low = 0, high = n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (sorted[middle] >= x)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* the probability that the rule flags a comparison up to that rank by chance */
static double chance_of(size_t rank, size_t candidates, double floor_p)
{
	return 2 * (double)rank * (double)candidates * floor_p;
}

/* A comparison with so few values that it could not be flagged at rank 1 takes no part
 * in the order, so its floor does not count. */
static bool may_flag(const ba_apart *x, size_t candidates, const ba_policy *policy)
{
	return chance_of(1, candidates, x->floor_p) <= BA_APART_SHARE * policy->alpha;
}

/* whether the first rule can flag no comparison alone */
static bool is_needed(const ba_apart *x, size_t n, size_t m, const ba_policy *policy)
{
	for (size_t i = 0; i < n; i++)
		if (x[i].floor_p * (double)m <= policy->alpha)
			return false;
	return policy->multiplicity != BA_MULTIPLICITY_NONE;
}

/* of those that may be flagged, the greatest */
static double floor_of(
	const ba_apart *x, size_t n, size_t candidates, const ba_policy *policy)
{
	double most = 0;
	for (size_t i = 0; i < n; i++)
		if (may_flag(&x[i], candidates, policy))
			most = fmax(most, x[i].floor_p);
	return most;
}

/* k, or 0 if the estimate is within the threshold or the values do not lie apart */
static size_t rank_of(const ba_decision *d, const ba_apart *x, const double *ranges,
	size_t n, const ba_policy *policy)
{
	bool slower = d->ybar > 0;
	double threshold = slower ? d->d_reg : d->d_imp;
	double margin = policy->strict ? threshold : threshold / 2;
	double gap = (slower ? x->slower : x->faster) - margin;
	bool apart = fabs(d->ybar) >= threshold && gap > 0;
	return apart ? 1 + count_from(ranges, n, gap) : 0;
}

void ba_family_decide_apart(ba_decision *d, ba_apart *x, size_t n, size_t m,
	size_t candidates, const ba_policy *policy)
{
	if (!is_needed(x, n, m, policy))
		return;
	double floor_p = floor_of(x, n, candidates, policy);
	BA_AUTO_FREE double *ranges = ba_xcalloc(n, sizeof(*ranges));
	for (size_t i = 0; i < n; i++)
		ranges[i] = x[i].range;
	qsort(ranges, n, sizeof(*ranges), descending);
	for (size_t i = 0; i < n; i++) {
		if (d[i].verdict != BA_VERDICT_INCONCLUSIVE)
			continue;
		x[i].rank = rank_of(&d[i], &x[i], ranges, n, policy);
		x[i].flagged = x[i].rank && may_flag(&x[i], candidates, policy) &&
			       chance_of(x[i].rank, candidates, floor_p) <=
				       BA_APART_SHARE * policy->alpha;
		if (x[i].flagged)
			d[i].verdict = d[i].ybar > 0 ? BA_VERDICT_REGRESSED
						     : BA_VERDICT_IMPROVED;
	}
}

size_t ba_apart_count_for(size_t rank, size_t candidates, double alpha)
{
	size_t n = 2;
	while (n < 1000 && chance_of(rank, candidates, ba_unpaired_floor(n, n)) >
				   BA_APART_SHARE * alpha)
		n++;
	return n;
}

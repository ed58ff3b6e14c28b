#include "stats/apart.h"

#include "stats/sequential_internal.h"

ba_apart ba_apart_of(const ba_moments *base, const ba_moments *candidate, ba_t_table *table)
{
	return (ba_apart){
		.slower = candidate->least - base->most,
		.faster = base->least - candidate->most,
		.range = fmax(base->most - base->least, candidate->most - candidate->least),
		.floor_p = ba_t_table_floor(table, base->n, candidate->n),
	};
}

/* the probability that the rule flags a comparison up to that rank by chance */
static double chance_of(size_t rank, size_t candidates, double floor_p)
{
	return 2 * (double)rank * (double)candidates * floor_p;
}

/* A comparison with so few values that it could not be flagged even at rank 1 is never
 * flagged, so its floor does not count. */
static bool may_flag(const ba_apart *x, size_t candidates, const ba_policy *policy)
{
	return chance_of(1, candidates, x->floor_p) <= BA_APART_SHARE * policy->alpha;
}

/* Can it be likely slower, or likely faster? */
static bool may_be_likely(const ba_apart_family *f, size_t rank, double floor_p)
{
	return chance_of(rank, f->candidates, floor_p) / 2 <= BA_APART_LIKELY;
}

/* k, or 0 if the estimate is within the threshold or the values do not lie apart */
static size_t rank_of(const ba_apart_family *f, const ba_decision *d, const ba_apart *x)
{
	bool slower = d->ybar > 0;
	double threshold = slower ? d->d_reg : d->d_imp;
	double margin = f->policy.strict ? threshold : threshold / 2;
	double gap = (slower ? x->slower : x->faster) - margin;
	bool apart = fabs(d->ybar) >= threshold && gap > 0;
	size_t below = BA_FIRST(f->ranges.count, i, f->ranges.at[i] >= gap);
	return apart ? 1 + f->ranges.count - below : 0;
}

BA_OWNS(ba_apart_family, f, BA_FREE(f->ranges.at, f->slower.at, f->faster.at))

static void push(ba_apart_values *v, double value)
{
	v->at = BA_GROW(v->at, &v->capacity, v->count + 1);
	v->at[v->count++] = value;
}

void ba_apart_join(ba_apart_family *f, const ba_decision *d, const ba_apart *x)
{
	bool first = f->ranges.count == 0;
	f->least_floor = first ? x->floor_p : fmin(f->least_floor, x->floor_p);
	if (may_flag(x, f->candidates, &f->policy))
		f->floor_p = fmax(f->floor_p, x->floor_p);
	if (may_be_likely(f, 1, x->floor_p))
		f->likely_floor = fmax(f->likely_floor, x->floor_p);
	push(&f->ranges, x->range);
	/* no rule rejects more than alpha */
	if (d->p_reg <= f->policy.alpha)
		push(&f->slower, d->p_reg);
	if (d->p_imp <= f->policy.alpha)
		push(&f->faster, d->p_imp);
}

void ba_apart_close(ba_apart_family *f, size_t m)
{
	const ba_policy *p = &f->policy;
	BA_REQUIRE(m >= f->ranges.count);
	f->slower_cut =
		ba_multiple_cut(f->slower.at, f->slower.count, m, p->alpha, p->multiplicity);
	f->faster_cut =
		ba_multiple_cut(f->faster.at, f->faster.count, m, p->alpha, p->multiplicity);
	/* is the first rule unable to flag a single comparison? */
	f->second =
		f->least_floor * (double)m > p->alpha && p->multiplicity != BA_MULTIPLICITY_NONE;
	ba_sort_doubles(f->ranges.at, f->ranges.count);
}

void ba_apart_decide(const ba_apart_family *f, ba_decision *d, ba_apart *x)
{
	ba_decision_conclude(d, &f->policy, f->slower_cut, f->faster_cut);
	if (d->verdict != BA_VERDICT_INCONCLUSIVE)
		return;
	x->rank = rank_of(f, d, x);
	x->likely = x->rank && may_be_likely(f, 1, x->floor_p) &&
		    may_be_likely(f, x->rank, f->likely_floor);
	x->flagged =
		f->second && x->rank && may_flag(x, f->candidates, &f->policy) &&
		chance_of(x->rank, f->candidates, f->floor_p) <= BA_APART_SHARE * f->policy.alpha;
	x->flagged &= d->ybar > 0 ? ba_is_clear(d->lo, d->d_reg, &f->policy)
				  : ba_is_clear(-d->hi, d->d_imp, &f->policy);
	if (x->flagged)
		d->verdict = d->ybar > 0 ? BA_VERDICT_REGRESSED : BA_VERDICT_IMPROVED;
}

size_t ba_apart_count_for(size_t rank, size_t candidates, double alpha)
{
	size_t n = 2;
	while (n < 1000 &&
		chance_of(rank, candidates, ba_unpaired_floor(n, n)) > BA_APART_SHARE * alpha)
		n++;
	return n;
}

#include "stats/blocks.h"

#define SPREAD_LEAST 1e-3
#define SPREAD_MOST 4.0
#define BISECTIONS 24
/* the noise within an invocation to aim at, as a share of the threshold */
#define FIRST_SHARE 0.25
/* the assumed noise between invocations, as a share of the threshold */
#define BETWEEN_SHARE 0.5

double ba_blocks_first(double s1_sq, double d, double invocation_cost, double block_cost)
{
	double quiet = s1_sq / (FIRST_SHARE * d * FIRST_SHARE * d), between = BETWEEN_SHARE * d;
	if (!(invocation_cost > 0))
		return quiet;
	return fmin(quiet, sqrt(invocation_cost * s1_sq / block_cost) / between);
}

/* The largest multiple of today's standard deviation at which the look still decides; 0
 * if it does not decide at any of the tried values. */
static double largest_spread(const ba_decision *d, const ba_policy *policy, const ba_design *design,
	size_t look, double level)
{
	double low = SPREAD_LEAST, high = SPREAD_MOST;
	if (!ba_decision_would_decide(d, policy, design, look, level, low, true))
		return 0;
	for (int i = 0; i < BISECTIONS; i++) {
		double middle = sqrt(low * high);
		if (ba_decision_would_decide(d, policy, design, look, level, middle, true))
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* k for a look of `at` invocations if s may be `spread` times its present value; 0: not
 * even infinitely many blocks are enough. */
static double blocks_for(
	const ba_blocks_plan *p, double t2_sq, size_t done, size_t at, double spread)
{
	double left = (double)(at - done), aim = BA_BLOCKS_AIM * spread;
	double each = ((double)at * aim * aim - (double)done) * p->s2_sq / left - t2_sq;
	return each > 0 ? fmax(1, p->s1_sq / each) : 0;
}

static size_t within(const ba_blocks_plan *p, double blocks)
{
	size_t most = p->most > p->now ? p->most : p->now;
	if (!(blocks > (double)p->now))
		return p->now;
	return blocks < (double)most ? (size_t)ceil(blocks) : most;
}

size_t ba_blocks_next(const ba_blocks_plan *p, const ba_decision *d, const ba_policy *policy,
	const ba_design *design, double level)
{
	double t2_sq = fmax(0, p->s2_sq - p->s1_sq / (double)p->now);
	/* k*, the best number if the number of invocations is not limited */
	double most = t2_sq > 0 ? sqrt(p->invocation_cost * p->s1_sq / (p->block_cost * t2_sq))
				: INFINITY;
	double cheapest = INFINITY, best = most;
	BA_REQUIRE(p->now >= 1 && p->block_cost > 0);
	if (most <= (double)p->now || !(p->s1_sq > 0))
		return p->now;
	for (size_t look = ba_design_looks_within(design, d->invocations); look < design->looks;
		look++) {
		double spread = largest_spread(d, policy, design, look, level);
		size_t at = design->at[look];
		double k = blocks_for(p, t2_sq, d->invocations, at, spread);
		double cost = (double)(at - d->invocations) *
			      (p->invocation_cost + (double)within(p, k) * p->block_cost);
		if (k <= 0 || k > (double)p->most || cost >= cheapest)
			continue;
		cheapest = cost;
		best = fmin(k, most);
	}
	return within(p, best);
}

/*
 * How many blocks an invocation should have: those that lead to a verdict in the least
 * time (docs/statistics.md section 2).
 *
 * An invocation with k blocks costs c2 + k c1, and the variance of its y is
 * T2^2 + S1^2/k. For one benchmark and any number of invocations, the cost of a given
 * precision is least at
 *
 *     k* = sqrt(c2 S1^2 / (c1 T2^2))      Kalibera and Jones 2013, section 6
 *
 * The design has few looks, and the decision rule says which standard deviation each of
 * them needs. So the cost is compared look by look: for a later look of R invocations,
 * with r done, k is the smallest number for which
 *
 *     (r s^2 + (R - r)(T2^2 + S1^2/k)) / R <= (BA_BLOCKS_AIM s_needed)^2
 *
 * and the look with the least (R - r)(c2 + k c1) gives k, which is at most k*: beyond
 * that, further invocations are the better use of time. Where no look can be reached by
 * more blocks, k is k*.
 *
 * Sizes that follow from data do not change an error rate: y stays symmetric about the
 * truth whatever its variance, and the t test holds for values of unequal variance
 * (section 3.3). `tests/sim` tries it.
 */
#pragma once

#include "stats/sequential.h"

/* The number before there are two invocations. It keeps the noise within an invocation
 * below a quarter of the threshold d (a log ratio): four invocations without other noise
 * then show `unchanged` nearly always (section 5: s below .334 D). It is at most k* for
 * T2 = d/2, so that short invocations are many where they are dear to start. Costs as in
 * ba_blocks_plan. */
double ba_blocks_first(double s1_sq, double d, double invocation_cost, double block_cost);

/* safety factor for estimates from few invocations */
#define BA_BLOCKS_AIM 0.8

typedef struct ba_blocks_plan {
	size_t now;  /* blocks of an invocation so far */
	size_t most; /* upper limit of the answer, if it is more than `now` */
	/* c2 and c1: what an invocation costs before its first block (this benchmark's part),
	 * and what a block costs, in the same unit. c2 is 0 if unknown, and then ignored */
	double invocation_cost, block_cost;
	double s1_sq; /* mean variance of a block's d within an invocation */
	double s2_sq; /* variance of the y's */
} ba_blocks_plan;

/* For the next invocations of a comparison that is open after a look; `level` comes from
 * ba_multiple_level. Never fewer than now: with half of the blocks, the simulated test
 * of the mean finds .63 instead of .85 of the slow stretches of section 3.7. */
size_t ba_blocks_next(const ba_blocks_plan *p, const ba_decision *d, const ba_policy *policy,
	const ba_design *design, double level);

/*
 * Compares two samples of separate runs (docs/compare.md). There are no pairs and no
 * common blocks, only values on each side. The values are independent of each other at
 * the level of their source (model/level.h).
 *
 *     ba_moments a = {0}, b = {0};
 *     for each value: ba_moments_add(&a, log(ns));
 *     ba_decision_unpaired(&d, &policy, &table, &a, &b);
 *     ba_apart_join(&family, &d, &x); ...   stats/apart.h
 *
 * Welch's t on logarithms, with one look; thresholds and verdicts as in sequential.h.
 * No p-value falls below 1 / C(n + m, n), the least that an exact rank test could give
 * for so many values: processes with a few discrete speeds can differ by chance.
 */
#pragma once

#include "stats/sequential.h"

/* Moments of a stream of values (Welford's update). A zeroed struct has no values. */
typedef struct ba_moments {
	size_t n;
	double mean, m2;    /* m2: sum of squares about the mean */
	double least, most; /* 0 for n = 0 */
} ba_moments;

void ba_moments_add(ba_moments *m, double x);
double ba_moments_variance(const ba_moments *m); /* unbiased; 0 for n < 2 */

/* As if each value had been added with the opposite sign. */
ba_moments ba_moments_negated(const ba_moments *m);

/* Quantiles of t at one level. They are cached because a file needs the same few a
 * million times. Degrees of freedom are rounded down to a sixteenth; this widens an
 * interval by less than its last digit. */
typedef struct ba_t_quantiles {
	double p;
	double *t; /* [count]; 0: not computed yet */
	size_t count;
} ba_t_quantiles;

/* What comparisons share. */
typedef struct ba_t_table {
	ba_t_quantiles bounds; /* quantiles at p, for intervals */
	/* quantiles at the first floor: a larger t has a p-value below it */
	ba_t_quantiles floors;
	/* the last pair of counts, and its ba_unpaired_floor */
	size_t n, m;
	double floor_p;
} ba_t_table;

BA_DECLARE_DISPOSE(ba_t_table)

/* 1 / C(n + m, n) */
double ba_unpaired_floor(size_t n, size_t m);
/* The same, cached for the next comparison, which usually has the same counts. */
double ba_t_table_floor(ba_t_table *t, size_t n, size_t m);

/* Sets estimate, spread, interval and p-values of an undecided hypothesis, which must
 * be initialised. base and candidate are moments of logarithms; table->bounds.p is
 * alpha / 2. d->invocations becomes the smaller count. With fewer than two values on a
 * side only the estimate is set: the interval is infinite, and d->invocations is 0, so
 * that ba_family_decide leaves it undecided. With a table->bounds.p of 0, so do the
 * interval and p_eq, which the family does not ask for. */
void ba_decision_unpaired(ba_decision *d, const ba_policy *policy, ba_t_table *table,
	const ba_moments *base, const ba_moments *candidate);

/* The smallest number of values on each side with which the floor permits to flag a
 * single regression in a family of m; at most 1000. */
size_t ba_unpaired_count_for(size_t m, double alpha);

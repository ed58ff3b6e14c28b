/*
 * One verdict from runs that stopped at looks of their own (docs/statistics.md section
 * 3.9).
 *
 * Such runs cannot be pooled as if they had been one: when a run stopped depends on what
 * it saw. But each has valid p-values, whichever look ended it, and the runs are
 * independent. Fisher's method (1932, Statistical Methods for Research Workers, section
 * 21.1) combines them: if no hypothesis is false, -2 * sum of ln p_i is at most a
 * chi-square with 2 k degrees of freedom. It holds for p-values that are too large, too.
 *
 * The estimate is that of all invocations together. The interval contains every value
 * that the same method does not reject at alpha / 2 on either side, and the estimate.
 */
#pragma once

#include "stats/sequential.h"

/* Fisher's p; n >= 1, each p in 0..1. With n = 1 it is p itself. */
double ba_fisher_p(const double *p, size_t n);

/* The invocations of all runs together, in any order. */
typedef struct ba_together {
	const double *y, *z; /* z: NULL if the means are not compared */
	const unsigned *at;  /* the place of each value; NULL: one place */
	size_t n;
} ba_together;

/* The one look at a comparison: runs[count] are the same comparison in each run, after its
 * last look there. Runs without a look say nothing. Places are numbered alike in all. */
void ba_decision_combine(ba_decision *d, const ba_policy *policy, const ba_decision *const *runs,
	size_t count, const ba_together *all);

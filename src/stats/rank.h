/*
 * Rank methods over invocations: a cross-check of the t estimate, never a verdict
 * (docs/statistics.md section 4.2). They sort n(n+1)/2 pairwise averages: use them for
 * the tens of values that invocations give, not for raw samples.
 */
#ifndef STATS_RANK_H
#define STATS_RANK_H

#include <stddef.h>

/* Hodges and Lehmann (1963): the median of the averages of all pairs i <= j. */
double ba_hodges_lehmann(const double *x, size_t n);

/* Wilcoxon's signed rank test, exact and one-sided: P(W >= w), where w is the sum of
 * the ranks of the positive values. Ties get mean ranks; the null distribution is the
 * one of the ranks 1..n (n <= 1000). Zeros count as not positive. */
typedef struct ba_wilcoxon {
	double statistic;
	double p_greater;
} ba_wilcoxon;
ba_wilcoxon ba_wilcoxon_of(const double *x, size_t n);

/* The two-sided interval that inverts this test at `alpha`, with the estimate. For n <
 * 6 at 5 % it is the whole line: lo = -inf, hi = inf. */
typedef struct ba_rank_interval {
	double lo, estimate, hi;
} ba_rank_interval;
ba_rank_interval ba_rank_interval_of(const double *x, size_t n, double alpha);

#endif

/*
 * Summaries of one array (docs/statistics.md sections 3.1 and 4.1).
 *
 * Every function needs n >= 1 and finite values. Those with `double *x` sort it in
 * place: the caller's order is lost, and no memory is used. Those with `const double *`
 * leave it unchanged.
 */
#pragma once

#include <stddef.h>

/* The mean of the values that remain after floor(n/4) are cut off at each end. It
 * summarises a visit, and the blocks of an invocation. Outliers in a quarter of the
 * values at each end cannot move it, and no rule deletes values by their size. */
double ba_trim25(double *x, size_t n);

/* The means of n equal shares of sorted values, each share by rank: n values that have
 * the same mean, and nearly the same quantiles. */
void ba_shares_of(double *out, size_t n, const double *sorted, size_t count);

double ba_median(double *x, size_t n); /* even n: the mean of the two middle values */

/* Type 7 of Hyndman and Fan (1996), the default of numpy and R; p in 0..1 */
double ba_quantile_sorted(const double *sorted, size_t n, double p);

double ba_mean(const double *x, size_t n);
double ba_variance(const double *x, size_t n); /* unbiased (n - 1); 0 for n = 1 */
double ba_stdev(const double *x, size_t n);    /* its root */

/* Hodges and Lehmann (1963): the median of the averages of all pairs i <= j, a
 * cross-check of the t estimate (section 4.2). It sorts n(n+1)/2 averages: use it for
 * the tens of values that invocations give, not for raw samples. */
double ba_hodges_lehmann(const double *x, size_t n);

/*
 * Summaries of one array (docs/statistics.md sections 3.1 and 4.1).
 *
 * Every function needs n >= 1 and finite values. Those that take `double *x` sort it in
 * place: the caller's order is lost, no memory is used. Those that take `const double
 * *` leave it alone.
 */
#ifndef STATS_QUANTILE_H
#define STATS_QUANTILE_H

#include <stddef.h>

/* Mean of what is left when floor(n/4) values are cut off at each end: the summary of a
 * visit and of the blocks of an invocation. Outliers on a quarter of each side leave it
 * where it was; nothing is ever deleted by a rule that looks at the values. */
double ba_trim25(double *x, size_t n);

double ba_median(double *x, size_t n); /* the mean of the two middle ones for even n */
double ba_mad(double *x, size_t n);    /* median |x - median|, not scaled */

/* Type 7 of Hyndman and Fan (1996), what numpy and R give by default; p in 0..1 */
double ba_quantile(double *x, size_t n, double p);
double ba_quantile_sorted(const double *sorted, size_t n, double p);

double ba_mean(const double *x, size_t n);
double ba_variance(const double *x, size_t n); /* unbiased (n - 1); 0 for n = 1 */
double ba_stdev(const double *x, size_t n);    /* its root */

#endif

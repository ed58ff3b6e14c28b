/*
 * The layouts of an invocation as a level of repetition (docs/statistics.md section 2.1).
 *
 * With `--layouts N` a process holds N copies of each library at drawn addresses, and
 * block after block measures the next copy of all variants:
 *
 *     block    0 1 2 3  4 5 6 7  8 9 ...      for N = 4
 *     layout   0 1 2 3  3 2 1 0  0 1 ...
 *
 * so that a linear drift is the same for all of them. An invocation's value is the mean
 * over its layouts, of which each has the trimmed mean of its own blocks: trimming
 * across layouts would cut off the fast and the slow ones.
 */
#pragma once

#include "base/base.h"

#define BA_LAYOUTS_MOST 32u
#define BA_LAYOUT_BLOCKS 4u /* the least number of blocks for a layout in an invocation */

/* Which layout a block measures; layouts >= 1. */
size_t ba_layout_of_block(size_t layouts, size_t block);

/* x[blocks * each]: values block by block. The mean over layouts of their trim25.
 * *variance: the mean of the unbiased variances of the values of a layout. layouts is 0
 * or 1 (all values together), or blocks is a multiple of it. */
double ba_layouts_level(
	double *variance, const double *x, size_t blocks, size_t each, size_t layouts);

/*
 * The variance between layouts, from the means of their blocks. It is the analysis of
 * variance (method of moments) for a balanced one-way random model, N layouts with B
 * blocks each, x_nb the mean of block b's values:
 *
 *     MSB = B / (N - 1) * sum over n of (mean_n - mean)^2
 *     MSW = sum over n and b of (x_nb - mean_n)^2 / (N (B - 1))
 *     (MSB - MSW) / B
 *
 * (Searle, Casella and McCulloch 1992, Variance Components, section 3.5; as a level of
 * repetition, Kalibera and Jones 2013.) It is unbiased, so it may be negative: average
 * it over invocations before you cut it off at 0. False if N or B is below 2.
 */
bool ba_layouts_variance(double *out, const double *x, size_t blocks, size_t each, size_t layouts);

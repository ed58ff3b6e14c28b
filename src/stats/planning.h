/*
 * What the noise allows: variance components, floor, minimum detectable effect, and the
 * self-test of a calibration (docs/statistics.md sections 2 and 5).
 *
 * None of this enters a p-value. A stale calibration plans badly; it cannot make a
 * verdict wrong.
 */
#ifndef STATS_PLANNING_H
#define STATS_PLANNING_H

#include <stdbool.h>
#include <stddef.h>

/* Kalibera and Jones's split of the variance of y. */
typedef struct ba_components {
	double s1_sq;  /* mean within-invocation variance of a block's d */
	double s2_sq;  /* variance of the y's between invocations */
	double t2_sq;  /* what is left of s2_sq without the blocks' noise: max(0, s2 -
			  s1/k) */
	double blocks; /* mean k */
} ba_components;

/* y, s1_sq (of each invocation) and blocks (of each), n >= 1 invocations */
ba_components ba_components_of(
	const double *y, const double *s1_sq, const size_t *blocks, size_t n);

/* Blocks an invocation that cost the least for the precision, where a fresh invocation
 * costs cost_ratio times a block; +inf if all noise is within invocations. */
double ba_components_best_blocks(const ba_components *c, double cost_ratio);

/* s_U: the standard deviation that the true one does not exceed, 90 % confidence, from
 * n >= 2 invocations. */
double ba_s_upper(double s, size_t n);

/* The smallest threshold at which code that did not change is called unchanged with 90
 * % probability within 32 invocations. Thresholds below it are refused. */
double ba_theta_floor(double s_upper);
/* the same within 4 invocations: above it, most benchmarks end at the first look */
double ba_theta_easy(double s_upper);

/* The smallest slowdown that is found with 90 % probability within 32 invocations in a
 * family of m, as a ratio; `at` is 8, 16 or 32 invocations. +inf where the tie floor
 * makes a lone regression impossible to flag so early. */
double ba_minimum_detectable(double theta, double s_upper, size_t m, size_t at);

/* Invocations at which code that did not change is called unchanged with 90 %
 * probability: a look of the sequential design, or 0 if 32 are not enough. */
size_t ba_invocations_for_unchanged(double theta, double s);

/* The first look (invocations) at which a lone regression in a family of m can be
 * flagged at all, by the tie floor; 0 if none. */
size_t ba_invocations_for_lone_regression(size_t m, double alpha);

/* What an A/A calibration says about the noise model. */
typedef struct ba_selftest {
	double role_bias; /* mean over benchmarks of mean(y)/s; 0 is right */
	double role_bias_limit;
	double autocorrelation; /* lag 1 of y, pooled, corrected for its small-sample
				   bias */
	double autocorrelation_limit;
	bool role_biased, autocorrelated; /* beyond the limit: `noise model suspect` */
} ba_selftest;

/* y[m * n]: n >= 3 invocations of each of m >= 1 benchmarks, row by row. */
ba_selftest ba_selftest_of(const double *y, size_t m, size_t n);

/* Do the y's fall into two clusters (two of them at least in each) with a gap of more
 * than four standard deviations of the larger one? `two-speed process`. Sorts y. */
bool ba_is_two_speed(double *y, size_t n);

#endif

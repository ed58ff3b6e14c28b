/*
 * What the noise allows: variance components, the floor of thresholds, the minimum
 * detectable effect, and the self-test of a calibration (docs/statistics.md sections 2
 * and 5).
 *
 * No p-value depends on this. An outdated calibration leads to bad plans, never to a
 * wrong verdict.
 */
#pragma once

#include "base/base.h"

/* The variance of y, split as by Kalibera and Jones. */
typedef struct ba_components {
	double s1_sq; /* mean within-invocation variance of a block's d */
	double s2_sq; /* variance of the y's between invocations */
	/* the part of s2_sq beyond the noise of blocks: max(0, s2 - s1/k) */
	double t2_sq;
	double blocks; /* mean k */
} ba_components;

/* n >= 1 invocations; y, s1_sq and blocks have a value for each. */
ba_components ba_components_of(
	const double *y, const double *s1_sq, const size_t *blocks, size_t n);

/* s_U, an upper limit of the true standard deviation, 90 % confidence; n >= 2 invocations. */
double ba_s_upper(double s, size_t n);

/* The smallest threshold at which unchanged code is called unchanged with 90 %
 * probability within 32 invocations. Smaller thresholds are rejected. */
double ba_theta_floor(double s_upper);

/* the smallest number of invocations for which the power is known */
#define BA_PLANNED_LEAST 4

/* The smallest slowdown, as a ratio, that is found with 90 % probability in a family of
 * m within `at` invocations, at least BA_PLANNED_LEAST. */
double ba_minimum_detectable(double theta, double s_upper, size_t m, size_t at);

/* After how many invocations unchanged code is called unchanged with 90 % probability:
 * a look of the sequential design, or 0 if 32 are not enough. */
size_t ba_invocations_for_unchanged(double theta, double s);

/* What a calibration of code against itself (A/A) says about the noise model. */
typedef struct ba_selftest {
	double role_bias; /* mean over benchmarks of mean(y)/s; 0 means no bias */
	double role_bias_limit;
	/* lag-1 autocorrelation of y, pooled, corrected for its small-sample bias */
	double autocorrelation;
	double autocorrelation_limit;
	/* beyond the limit: reported as `noise model suspect` */
	bool role_biased, autocorrelated;
} ba_selftest;

/* y[m * n]: row by row n >= 3 invocations of each of m >= 1 benchmarks. */
ba_selftest ba_selftest_of(const double *y, size_t m, size_t n);

/* Do the y's fall into two clusters of at least two values each, with a gap wider than
 * four standard deviations of the larger one? `two-speed process`. Sorts y. */
bool ba_is_two_speed(double *y, size_t n);

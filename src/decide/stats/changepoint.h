/*
 * Where a series changes its level: E-divisive (Matteson and James, "A nonparametric
 * approach for multiple change point analysis of multivariate data", JASA 109, 2014),
 * as used on benchmark histories (Daly et al., ICPE 2020; Fleming et al., ICPE 2023).
 *
 * The series is cut where its two sides differ most by the energy statistic
 *
 *     Q(t) = mn/(m+n) * (2 E|X-Y| - E|X-X'| - E|Y-Y'|)
 *
 * A cut is kept if at most a share `alpha` of random permutations (within the present
 * segments) has a cut as good. The segments are then cut in the same way, until a cut
 * is not kept.
 *
 * The only assumption is that values are exchangeable where nothing changed, so a slow
 * drift is cut, too. Pure; equal seeds give equal answers.
 */
#pragma once

#include "base/base.h"

typedef struct ba_change_rule {
	double alpha;	       /* rate of false alarms in a series that does not change */
	size_t least;	       /* the least number of values in a segment, at least 2 */
	unsigned permutations; /* alpha * (permutations + 1) must be at least 1 */
	uint64_t seed;
} ba_change_rule;

/* 1 %, 3 values, 499 permutations */
ba_change_rule ba_change_rule_default(void);

typedef struct ba_change_point {
	size_t at;	      /* the first value of the new level */
	double p;	      /* share of permutations */
	double before, after; /* medians of the segments on both sides */
} ba_change_point;

/* Writes the change points in the order of the series to out[n]; returns their number.
 * x has n finite values. Time grows with permutations * n^2 * (points + 1). Finds none
 * with fewer than 2 * least values, or too few for any order of them to be rare
 * enough. */
size_t ba_change_points(
	ba_change_point *out, const double *x, size_t n, const ba_change_rule *rule);

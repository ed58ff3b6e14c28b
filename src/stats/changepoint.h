/*
 * Where a series changes its level: E-divisive (Matteson and James, "A nonparametric
 * approach for multiple change point analysis of multivariate data", JASA 109, 2014),
 * as it is used on benchmark histories (Daly et al., ICPE 2020; Fleming et al., ICPE
 * 2023).
 *
 * A series is cut where its two sides differ most by the energy statistic
 *
 *     Q(t) = mn/(m+n) * (2 E|X-Y| - E|X-X'| - E|Y-Y'|)
 *
 * and the cut is kept when at most a share `alpha` of random permutations (within the
 * segments there are) has a cut that good; then the same for the segments, until one is
 * not kept. No distribution is assumed, but that values are exchangeable where nothing
 * changed: a slow drift is cut, too. Pure; equal seeds give equal answers.
 */
#ifndef STATS_CHANGEPOINT_H
#define STATS_CHANGEPOINT_H

#include <stddef.h>
#include <stdint.h>

typedef struct ba_change_rule {
	double alpha;	       /* false alarm rate of a series that does not change */
	size_t least;	       /* values in a segment, 2 at least */
	unsigned permutations; /* alpha * (permutations + 1) is 1 at least */
	uint64_t seed;
} ba_change_rule;

/* 1 %, 3 values, 499 permutations */
ba_change_rule ba_change_rule_default(void);

typedef struct ba_change_point {
	size_t at;	      /* the first value of the new level */
	double p;	      /* share of permutations */
	double before, after; /* medians of the segments on both sides */
} ba_change_point;

/* Change points in the order of the series into out[n]; returns how many. n values, all
 * finite. Time grows with permutations * n^2 * (points + 1). With fewer than 2 * least
 * values, or so few that no order of them is rare enough, there is none. */
size_t ba_change_points(
	ba_change_point *out, const double *x, size_t n, const ba_change_rule *rule);

#endif

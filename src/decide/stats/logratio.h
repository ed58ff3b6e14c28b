/*
 * Reduces the readings of one invocation to one number for each candidate: y, the
 * estimated log(candidate / baseline) (docs/statistics.md section 3.1).
 *
 *     reading   total time of `batch` launches between two clock reads
 *     visit     one participant's turn; has some readings;
 *               v = log(trim25(readings / batch))
 *     block     a palindrome of visits (ABBA, BAAB, ...);
 *               d = mean v of the candidate's visits - mean v of the baseline's;
 *               a linear drift cancels exactly
 *     y         trim25 of the d's; with several layouts (layouts.h), the mean over
 *               them of the trim25 of each layout's d's
 *
 * Participants have small numbers: the variants, and perhaps the bare driver call.
 * `order` has the participant at each position of each block. A participant may have
 * any number of visits in a block; participants that are compared need at least one in
 * each.
 */
#pragma once

#include "base/base.h"

/* One benchmark, one metric, one invocation. The arrays belong to the caller. */
/* A count may be 0, which has no logarithm: it is compared as this value. */
#define BA_ZERO_VALUE 0.001

typedef struct ba_readings {
	size_t blocks;
	size_t positions;	    /* visits in a block */
	size_t readings;	    /* in a visit */
	double batch;		    /* launches in a reading */
	const unsigned char *order; /* [blocks * positions] */
	const uint64_t *ns;	    /* [blocks * positions * readings] */
	/* copies of each library that the blocks went round (layouts.h); 0 or 1: none */
	size_t layouts;
	/* a visit's value is the smallest of its readings, for counts of calls */
	bool least;
} ba_readings;

/* v of a visit, from its readings in ns per launch; sorts them. */
double ba_visit_value(double *readings, size_t n);

/* v[blocks * positions], in the order of the readings. */
void ba_visits_of(double *v, const ba_readings *r);

/* The estimate of one invocation for one candidate. */
typedef struct ba_logratio {
	double y;
	/* unbiased variance of the d's, within a layout; 0 for one block */
	double s1_sq;
	size_t blocks;
} ba_logratio;

/* v[blocks * positions] in the order of the readings; the ns are not read. */
ba_logratio ba_logratio_of_visits(
	const double *v, const ba_readings *r, unsigned baseline, unsigned candidate);

/*
 * The log ratio of the means of an invocation's readings, candidate over baseline. It
 * shows what trimming hides: a tail of slow visits or readings.
 *
 * Of the n readings of both together, each of the floor(cut * n) largest counts as much
 * as the next largest one: an interrupt of 10 ms in a reading of 5 us must not outweigh
 * all other readings. cut = 0 gives the plain means. Swapping the two only changes the
 * sign.
 */
#define BA_MEAN_CUT 0.01
double ba_mean_logratio(const ba_readings *r, unsigned baseline, unsigned candidate, double cut);
/* The same for x[0..n-1] in ns per launch, the baseline's base_count readings first. */
double ba_mean_logratio_of(const double *x, size_t base_count, size_t n, double cut);

/* One participant's level in an invocation, as log of ns per launch: the trimmed mean
 * of its visits; NAN if it has none. If two participants were measured in the same
 * invocations but not interleaved, an invocation's estimate is the difference of their
 * levels. */
double ba_level_of(const ba_readings *r, unsigned participant);
/* The same, from the visits' values. */
double ba_level_of_visits(const double *v, const ba_readings *r, unsigned participant);
/* The variance of the participant's level between layouts (layouts.h); false: none. */
bool ba_layout_variance_of_visits(
	double *out, const double *v, const ba_readings *r, unsigned participant);

/* d of one block. */
double ba_block_contrast(const double *v, const unsigned char *order, size_t positions,
	unsigned baseline, unsigned candidate);

/* One participant's readings in ns per launch, over any number of invocations. */
typedef struct ba_distribution {
	size_t count; /* of readings; if 0, all other fields are 0 */
	double trimmed, mean, stdev, iqr, min, median, p95, p99, max;
} ba_distribution;

ba_distribution ba_distribution_of(double *ns_per_launch, size_t n); /* sorts */

/* Does the ratio of the plain means disagree with the trimmed ratio? d[0..n-1] are the
 * differences, one for each invocation: log(mean ratio) - y. Their mean must exceed two
 * limits: threshold_log, D = log1p(theta), and what their own scatter explains at 1 %.
 * The second is needed because a plain mean follows every interruption of the machine
 * (section 4.1). False for n < 2. */
bool ba_shape_changed(const double *d, size_t n, double threshold_log);

/* The placebo in every run (section 5) compares code with itself: half the difference
 * of a participant's mirrored visits in a palindrome, late minus early. This is the
 * mean over mirrored visits and blocks, as a log ratio. Ignores pairs whose
 * participants differ (not a palindrome). */
double ba_placebo_drift(
	const double *v, const unsigned char *order, size_t blocks, size_t positions);

/*
 * A second decision rule for samples of separate runs (docs/compare.md, "A few values
 * that lie far apart"). It serves families in which the first rule can show no single
 * change, because no p-value falls below 1 / C(n + m, n).
 *
 * A candidate is slower if its least value exceeds the baseline's greatest by more than
 * the values of one side differ from each other in the other benchmarks. Call that
 * distance the gap, less half the threshold, and k the number of comparisons in which
 * the values of a side have a range of at least that gap, plus one. The rule flags
 * where
 *
 *     2 k c / C <= BA_APART_SHARE * alpha,    C = C(n + m, n), c candidates,
 *
 * where C is the smallest of all comparisons that the rule could flag at all.
 *
 * Why this holds for noise of any distribution, discrete speeds included. Let nothing
 * change, so that each order of a comparison's n + m values is as likely as another.
 * Let K be the greatest k that the rule allows. Sort the comparisons by the widest gap
 * in their values, both sides together, and look at the first K. If any comparison is
 * flagged, then one of these K is split exactly at its widest gap: the flagged one, if
 * it is among them; else fewer than K have a side with a range of the flagged one's
 * gap, so one of the K has no such side. The probability of such a split is at most 2 /
 * C for each, so 2 K / C together. This needs no independence of the benchmarks. A true
 * change can only raise the ranks of the others.
 *
 * What neither rule shows is `likely` to be slower (or faster) if k c / C <=
 * BA_APART_LIKELY: of files without a change, at most that share has such a comparison in
 * that direction, by the same proof for the one of the two orders.
 */
#pragma once

#include "stats/unpaired.h"

/* The share of alpha for this rule. The first rule has the rest: if it can flag no
 * single comparison, its false alarms need two comparisons that agree by chance. */
#define BA_APART_SHARE 0.9
/* Of files without a change, at most this share has a comparison that is called likely
 * slower; the same limit holds for likely faster. */
#define BA_APART_LIKELY 0.1

typedef struct ba_apart {
	/* smallest candidate value - largest baseline value, in logarithms */
	double slower;
	double faster;	/* smallest baseline value - largest candidate value */
	double range;	/* the greater of the ranges of the two sides */
	double floor_p; /* 1 / C(n + m, n) */
	/* set by ba_apart_decide: k if the estimate is beyond the threshold and the
	 * values lie apart, else 0; and whether k is small enough to flag a change */
	size_t rank;
	bool flagged;
	bool likely; /* inconclusive, but likely in the direction of the estimate */
} ba_apart;

/* from moments of logarithms, with at least one value on each side */
ba_apart ba_apart_of(const ba_moments *base, const ba_moments *candidate, ba_t_table *table);

typedef struct ba_apart_values {
	double *at;
	size_t count, capacity;
} ba_apart_values;

/*
 * A family under both rules, in two passes, so that it takes some 10 bytes for each
 * comparison:
 *
 *     BA_AUTO(ba_apart_family) ba_apart_family f = {.policy = ..., .candidates = 1};
 *     for each comparison:		ba_apart_join(&f, &d, &x);
 *     ba_apart_close(&f, m);
 *     for each comparison again:	ba_apart_decide(&f, &d, &x);
 *
 * The d are those of ba_decision_unpaired, with two or more values a side. The first
 * rule gives the verdicts of ba_family_decide after its last look. The second makes what
 * is inconclusive and lies apart regressed or improved. It does nothing where the first
 * could flag one comparison alone.
 */
typedef struct ba_apart_family {
	ba_policy policy;
	size_t candidates;
	/* set by join: all comparisons' ranges, and the p-values that could be rejected */
	ba_apart_values ranges, slower, faster;
	double least_floor, floor_p, likely_floor;
	/* set by close: p-values up to these are rejected */
	double slower_cut, faster_cut;
	bool second; /* is the second rule needed? */
} ba_apart_family;

BA_DECLARE_DISPOSE(ba_apart_family)

void ba_apart_join(ba_apart_family *f, const ba_decision *d, const ba_apart *x);
/* m: hypotheses of the family, at least as many as joined */
void ba_apart_close(ba_apart_family *f, size_t m);
void ba_apart_decide(const ba_apart_family *f, ba_decision *d, ba_apart *x);

/* The smallest number of values on each side with which the rule would flag that rank
 * (> 0) if all comparisons had as many; at most 1000. */
size_t ba_apart_count_for(size_t rank, size_t candidates, double alpha);

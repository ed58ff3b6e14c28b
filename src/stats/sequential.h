/*
 * The decision rule (docs/statistics.md section 3.2): when to stop and what to say.
 *
 * y[0..R-1] are the log ratios of one candidate against the baseline, one an
 * invocation. At each look of the design every hypothesis (benchmark, metric,
 * candidate) that is still undecided is updated, then the whole family is judged:
 *
 *     ba_design design = ba_design_sequential();
 *     for (size_t look = 0; look < design.looks; look++) {
 *         ... measure until the undecided have design.at[look] values ...
 *         for each i:  ba_decision_look(&d[i], &policy, &design, look, y[i]);
 *         ba_family_decide(d, n, m, &policy, look + 1 == design.looks);
 *     }
 *
 * The p-values are valid at whatever look one stops: alpha is divided among the looks
 * and the smallest p so far counts. "unchanged" is proved (two one-sided tests against
 * 1.25 D), not assumed. No p-value falls below 2 * 4^-R, because processes with a few
 * discrete speeds can show R equal differences by chance (section 3.4).
 *
 * Nothing here is random: the same y give the same verdict.
 */
#ifndef STATS_SEQUENTIAL_H
#define STATS_SEQUENTIAL_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/multiple.h"
#include "stats/verdict.h"

enum { BA_LOOKS_MAX = 7 };

/* When to look, and the share of alpha each look may spend; the shares sum to 1. */
typedef struct ba_design {
	size_t looks;
	size_t at[BA_LOOKS_MAX]; /* invocations, ascending, each >= 2 */
	double weight[BA_LOOKS_MAX];
} ba_design;

ba_design ba_design_sequential(void);		/* 4 6 8 12 16 24 32 */
ba_design ba_design_fixed(size_t invocations);	/* one look, all of alpha; >= 2 */
size_t ba_design_last(const ba_design *design); /* invocations at the last look */
/* how many looks `invocations` values allow */
size_t ba_design_looks_within(const ba_design *design, size_t invocations);

/* What holds for the whole run. */
typedef struct ba_policy {
	double alpha; /* q of the family, level of `unchanged`, 1 - level of the
			 interval */
	double s_floor;
	bool strict; /* regressed means "certainly more than theta": d0 = D, not D/2 */
	ba_multiplicity multiplicity;
} ba_policy;

#define BA_S_FLOOR 2e-4
#define BA_POLICY_DEFAULT                            \
	{                                            \
		.alpha = 0.05, .s_floor = BA_S_FLOOR \
	}

/* The least standard deviation that is believed: a timer of `tick_ns` reading intervals
 * of `interval_ns` can give equal values, and s = 0 would mean certainty. */
double ba_s_floor(double tick_ns, double interval_ns);

/* A relative threshold and an absolute one ("2 % and 25 ns"): a change must exceed
 * both. Returns theta for a benchmark whose baseline takes base_ns. */
double ba_threshold_of(double theta, double absolute_ns, double base_ns);

/*
 * The second hypothesis of a comparison: the ratio of the means (section 3.7). The
 * trimmed y cannot see a tail; z can. It is tested as y is, with BA_MEAN_SHARE of
 * alpha, and it speaks only where the mean says more than the trimmed estimate does.
 */
#define BA_MEAN_SHARE 0.05  /* of alpha; y has the rest */
#define BA_MEAN_EXCESS 0.25 /* of D: how far z must be beyond y */
#define BA_MEAN_HOLD 0.15   /* a p of one look: suspicious, hence not unchanged */

typedef struct ba_mean_decision {
	bool known;	     /* was there a look at z? Else nothing is paid for it */
	double zbar, s, se;  /* at the last look */
	double lo, hi;	     /* simultaneous interval, log ratio */
	double p_reg, p_imp; /* minima over the looks so far */
	double now_reg, now_imp; /* of the last look alone, its alpha not divided */
} ba_mean_decision;

/* One comparison. Set up by _init, moved on by _look, _look_mean, ba_family_decide. */
typedef struct ba_decision {
	double d_reg, d_imp; /* thresholds as log ratios: log1p(theta) */
	double p_reg, p_imp,
		p_eq;	    /* minima over the looks so far; 1 before the first */
	double ybar, s, se; /* at the last look; s as used, not below the floor */
	double lo, hi; /* simultaneous interval, log ratio; -inf and inf at first */
	double hodges_lehmann; /* cross-check of ybar */
	size_t invocations;    /* R at the last look; 0 before the first */
	size_t looks;	       /* done */
	ba_mean_decision mean;
	ba_verdict verdict;
} ba_decision;

/* thresholds > 0, as ratios: 0.02 for 2 %; the second is that of improvements */
void ba_decision_init(ba_decision *d, double theta_reg, double theta_imp);

/* Update at a look. y has design->at[look] values at least. Does nothing to a
 * hypothesis that is decided or that has a verdict from elsewhere (failed, skipped,
 * ...). */
void ba_decision_look(ba_decision *d, const ba_policy *policy, const ba_design *design,
	size_t look, const double *y);

/* After ba_decision_look, with the log ratios of the means of the same invocations.
 * Without it the comparison is of the trimmed estimate alone, with all of alpha. */
void ba_decision_look_mean(ba_decision *d, const ba_policy *policy,
	const ba_design *design, size_t look, const double *z);

/* Does the mean look slower (faster) by D or more and by BA_MEAN_EXCESS * D more than
 * the trimmed estimate, with a p of at most BA_MEAN_HOLD at the last look? Then the
 * comparison is neither unchanged nor, where the mean is slower, improved. */
bool ba_decision_mean_is_slower(const ba_decision *d);
bool ba_decision_mean_is_faster(const ba_decision *d);

/* The estimate alone, for fewer values than the first look needs: sets ybar, s, se and
 * the cross-check, leaves the p-values at 1 and the interval infinite. */
void ba_decision_estimate(
	ba_decision *d, const ba_policy *policy, const double *y, size_t n);

/* Judge the family: d[0..n-1], of m >= n hypotheses that the run asked about. Undecided
 * ones get their verdict; after the last look (of the design, or of the budget) those
 * that stay undecided become inconclusive. Returns how many are still undecided. */
size_t ba_family_decide(
	ba_decision *d, size_t n, size_t m, const ba_policy *policy, bool last);

double ba_decision_ratio(const ba_decision *d); /* exp(ybar) */
/* The mean and the Hodges-Lehmann estimate differ by more than D/2: `unstable`. */
bool ba_decision_is_unstable(const ba_decision *d);

/* One-sided p-values of a single look, before the minimum over looks; what the look
 * does and what planning needs. */
typedef struct ba_look_p {
	double reg, imp, eq;
} ba_look_p;
ba_look_p ba_look_p_of(const ba_decision *d, const ba_policy *policy, double ybar,
	double s, size_t invocations, double weight);

/*
 * Planning. With today's estimate and spread, how many invocations in all would decide?
 * `level` is what ba_multiple_level says. Returns the R of the first later look that
 * would, or 0 if none would. "About 6 more" is the result minus d->invocations.
 */
size_t ba_decision_forecast(const ba_decision *d, const ba_policy *policy,
	const ba_design *design, double level);

/* What keeps a comparison undecided after its last look, in a family of m. */
typedef enum ba_obstacle {
	BA_OBSTACLE_INVOCATIONS, /* the tie floor: too few for any verdict among m */
	BA_OBSTACLE_FAMILY,	 /* alone it would be decided */
	BA_OBSTACLE_MEAN,	 /* the mean is suspicious, and not shown to differ */
	BA_OBSTACLE_NOISE,
} ba_obstacle;
ba_obstacle ba_decision_obstacle(const ba_decision *d, const ba_policy *policy,
	const ba_design *design, size_t m);

/* Twice the blocks an invocation (at most `most`), where noise within invocations
 * dominates and the next look would not decide because of it (section 2; where only the
 * tie floor is in the way, more blocks do not help); otherwise `blocks` as it is.
 * s1_sq is the mean within-invocation variance of d, s2_sq the variance of the y's. */
size_t ba_blocks_next(size_t blocks, size_t most, double s1_sq, double s2_sq,
	const ba_decision *d, const ba_policy *policy, const ba_design *design,
	double level);

#endif

/*
 * The decision rule (docs/statistics.md section 3.2): when to stop and what to say.
 *
 * y[0..R-1] are the log ratios of one candidate against the baseline, one for each
 * invocation. At each look of the design every undecided hypothesis (benchmark, metric,
 * candidate) is updated, then the whole family is judged:
 *
 *     ba_design design = ba_design_sequential();
 *     for (size_t look = 0; look < design.looks; look++) {
 *         ... measure until the undecided have design.at[look] values ...
 *         for each i:  ba_decision_look(&d[i], &policy, &design, look, y[i]);
 *         ba_family_decide(d, n, m, &policy, look + 1 == design.looks);
 *     }
 *
 * The p-values are valid at whatever look the run stops: alpha is divided among the
 * looks, and the smallest p so far counts. "unchanged" is proved (two one-sided tests
 * against 1.25 D), not assumed. No p-value falls below 2 * 4^-R, because processes with
 * a few discrete speeds can show R equal differences by chance (section 3.4).
 *
 * Nothing here is random: the same y give the same verdict.
 */
#pragma once

#include "stats/multiple.h"
#include "stats/places.h"
#include "stats/verdict.h"

enum { BA_LOOKS_MAX = 8 };

/* When to look, and which share of alpha each look may spend; the shares sum to 1. */
typedef struct ba_design {
	size_t looks;
	size_t at[BA_LOOKS_MAX]; /* invocations, ascending, each >= 2 */
	double weight[BA_LOOKS_MAX];
} ba_design;

ba_design ba_design_sequential(void); /* 4 5 6 8 12 16 24 32 */
/* the design of a rule; the first rule: 4 6 8 12 16 24 32 */
ba_design ba_design_of_rule(unsigned rule);
ba_design ba_design_counts(void); /* for counts: 2 3 4 6 8 */
/* one look, which has all of alpha; invocations >= 2 */
ba_design ba_design_fixed(size_t invocations);
size_t ba_design_last(const ba_design *design); /* invocations at the last look */
/* how many looks can be done with `invocations` values */
size_t ba_design_looks_within(const ba_design *design, size_t invocations);

/* The rules of the whole run. */
typedef struct ba_policy {
	/* q of the family, level of `unchanged`, and 1 - level of the interval */
	double alpha;
	double s_floor;
	/* regressed means certainly more than theta: the margin d0 is D, not D/2 */
	bool strict;
	ba_multiplicity multiplicity;
	unsigned rule;	   /* BA_RULE_...; documents of earlier versions keep their verdicts */
	size_t candidates; /* candidates that share a baseline; 0: one */
	bool counts;	   /* all deciding metrics are counts, under BA_RULE_COUNTS */
} ba_policy;

enum {
	BA_RULE_FIRST = 1,
	/* a change needs an interval that excludes no change (section 3.2); values that lie
	 * apart by more than the run's others vary are a change, too (section 3.4) */
	BA_RULE_GAPS = 2,
	/* counts have a rule of their own (section 3.10) */
	BA_RULE_COUNTS = 3,
	BA_RULE_NOW = BA_RULE_COUNTS,
};

#define BA_S_FLOOR 2e-4
#define BA_POLICY_DEFAULT                                                 \
	{                                                                 \
		.alpha = 0.05, .s_floor = BA_S_FLOOR, .rule = BA_RULE_NOW \
	}

/* The smallest plausible standard deviation. A timer with steps of tick_ns can read equal
 * values of interval_ns, and s = 0 would mean certainty. */
double ba_s_floor(double tick_ns, double interval_ns);

/* Combines a relative and an absolute threshold ("2 % and 25 ns"): a change must exceed
 * both; 0 is none. Returns theta for a benchmark whose baseline takes base_ns; 0: that is
 * not known yet. The result is above 0 if one of the thresholds is. */
double ba_threshold_of(double theta, double absolute_ns, double base_ns);

/* The second hypothesis of a comparison: z, the log ratio of the means (section 3.7).
 * It shows a tail, which the trimmed y cannot. It is tested like y, with BA_MEAN_SHARE
 * of alpha, and counts only if the mean shows more than the trimmed estimate does. */
#define BA_MEAN_SHARE 0.05  /* share of alpha; y has the rest */
#define BA_MEAN_EXCESS 0.25 /* how far z must lie beyond y, as a share of D */
#define BA_MEAN_HOLD 0.15   /* p at one look: suspicious, hence not unchanged */

typedef struct ba_mean_decision {
	bool known;		 /* was there a look at z? If not, y has all of alpha */
	double zbar, s, se;	 /* at the last look */
	double lo, hi;		 /* simultaneous interval, log ratio */
	double p_reg, p_imp;	 /* minima over the looks so far */
	double now_reg, now_imp; /* at the last look alone, with undivided alpha */
} ba_mean_decision;

/* The third hypothesis: if a family's invocations come from several places (places.h)
 * that do not agree, each place has its own test, based on its own values. The tests
 * share BA_PLACE_SHARE of alpha. */
#define BA_PLACE_SHARE 0.20

typedef struct ba_place_decision {
	size_t invocations;	 /* at the last look; below 2: it has no test of its own */
	double ybar, se, lo, hi; /* as in ba_decision */
	double p_reg, p_imp;	 /* minima over the looks so far */
	double p_eq;		 /* the same */
	/* p-values of the last look, divided by its weight */
	double now_reg, now_imp, now_eq;
	bool slower, faster, unchanged; /* shown by the place's own values */
} ba_place_decision;

/* One comparison. Prepared by _init; updated by _look, _look_mean, ba_family_decide. */
typedef struct ba_decision {
	double d_reg, d_imp; /* thresholds as log ratios: log1p(theta) */
	/* minima over the looks so far; 1 before the first */
	double p_reg, p_imp, p_eq;
	double ybar, s, se;    /* at the last look; s is never below the floor */
	double nu, weight;     /* degrees of freedom and share of alpha at that look */
	double lo, hi;	       /* simultaneous interval, log ratio; -inf and inf at first */
	double hodges_lehmann; /* a cross-check of ybar */
	double least, most;    /* the range of y at the last look */
	/* The rank of the gap rule: 1 + the number of comparisons whose values have a
	 * range of at least this one's gap: the distance of its values from the margin
	 * (ba_margin). Members of the family that were not asked count, too. 0: the
	 * values do not lie apart, or the rule was not asked. */
	size_t gap_rank;
	/* inconclusive after the last look, but rare enough by chance to be likely */
	bool likely;
	size_t invocations; /* R at the last look; 0 before the first */
	size_t looks;	    /* so far */
	ba_mean_decision mean;
	/* Only with several places. Borrowed; NULL: one place. */
	ba_place_decision *place; /* [place_count] */
	size_t place_count;
	/* places with values at the last look; below 2: there is one place */
	size_t places;
	double p_agree; /* p-value at the last look: do the places agree? */
	/* the smallest p-value of the places, multiplied by their number */
	double p_place_reg, p_place_imp;
	ba_verdict verdict;
	/* decided because values are equal, not by a test: outside the family */
	bool exact;
} ba_decision;

/* d0: the part of the threshold d that a change must be shown to exceed */
static inline double ba_margin(double d, bool strict)
{
	return strict ? d : 0.5 * d;
}

/* Both thresholds > 0, as ratios: 0.02 for 2 %. */
void ba_decision_init(ba_decision *d, double theta_reg, double theta_imp);

/* Call after _init if values come from `count` places. each[count] must outlive *d. */
void ba_decision_set_places(ba_decision *d, ba_place_decision *each, size_t count);
/* Do the places differ at the last look? */
bool ba_decision_places_differ(const ba_decision *d);

/* Updates at a look. y has at least design->at[look] values. Does nothing if the
 * hypothesis is decided or has a verdict of another origin (failed, skipped, ...). */
void ba_decision_look(ba_decision *d, const ba_policy *policy, const ba_design *design, size_t look,
	const double *y);
/* The same with the place of each value. */
void ba_decision_look_at(ba_decision *d, const ba_policy *policy, const ba_design *design,
	size_t look, const double *y, const unsigned *at);

/* Decides without a test, because y has no error: regressed or improved beyond the
 * threshold, else unchanged. `count`: how many values were equal. */
void ba_decision_settle(ba_decision *d, double y, size_t count);

/* Call after ba_decision_look, with the log ratios of the means of the same invocations.
 * Without it only the trimmed estimate counts, with all of alpha. */
void ba_decision_look_mean(ba_decision *d, const ba_policy *policy, const ba_design *design,
	size_t look, const double *z);
void ba_decision_look_mean_at(ba_decision *d, const ba_policy *policy, const ba_design *design,
	size_t look, const double *z, const unsigned *at);

/* Does the mean look slower (faster)? Three conditions: it differs by D or more; it
 * exceeds the trimmed estimate by BA_MEAN_EXCESS * D; its p at the last look is at most
 * BA_MEAN_HOLD. Then the comparison is not unchanged; if the mean is slower, it is not
 * improved either. */
bool ba_decision_mean_is_slower(const ba_decision *d);
bool ba_decision_mean_is_faster(const ba_decision *d);

/*
 * The gap rule (section 3.4). All values of a comparison lie farther from no change (less
 * half the threshold) than the values of k - 1 others of the run from each other, and have a
 * range of at most BA_GAP_RANGE of that gap. If nothing changed, that happens for some
 * comparison with a probability of at most k * 1.25 * 4^-R, whatever the family's size
 * and the law of the noise. The rule has BA_GAP_SHARE of alpha, the procedure for many
 * hypotheses the rest.
 *
 * Of counts (section 3.10): k * 1.8 * 4^-R, from three values, and a larger share. Two are
 * enough where both counts repeat exactly and no other comparison varies by that gap.
 */
#define BA_GAP_RANGE 0.5
#define BA_GAP_SHARE 0.2
#define BA_GAP_SHARE_COUNTS 0.65
/* limit of the error rate of `likely` in each direction, as a multiple of alpha */
#define BA_LIKELY 2.0

/* The largest k that is called a change; 0: too few invocations for any. */
size_t ba_gap_most(const ba_policy *policy, size_t invocations);
/* alpha of the procedure for many hypotheses */
double ba_family_alpha(const ba_policy *policy);

/* Only the estimate, for fewer values than the first look needs: sets ybar, s, se and
 * the cross-check. The p-values stay 1 and the interval infinite. */
void ba_decision_estimate(ba_decision *d, const ba_policy *policy, const double *y, size_t n);

/* Judges the family: d[0..n-1], of m >= n hypotheses in the run. Undecided ones get
 * their verdict. After the last look (of the design, or of the budget) those that are
 * still open become inconclusive. Returns how many remain open. */
size_t ba_family_decide(ba_decision *d, size_t n, size_t m, const ba_policy *policy, bool last);

/* Could a look show a lone change in a family of m, however little noise there is? */
bool ba_design_can_flag(const ba_design *design, size_t look, const ba_policy *policy, size_t m);

/* The same for one hypothesis without a mean after the last look: p-values up to
 * `slower` and `faster` are rejected (ba_multiple_cut). */
void ba_decision_conclude(ba_decision *d, const ba_policy *policy, double slower, double faster);

double ba_decision_ratio(const ba_decision *d); /* exp(ybar) */
/* Do the mean and the Hodges-Lehmann estimate differ by more than D/2? Reported: `unstable`. */
bool ba_decision_is_unstable(const ba_decision *d);

/* Planning: with today's estimate and spread, how many invocations in total would
 * decide? `level` comes from ba_multiple_level. Returns the R of the first later look
 * that would decide, or 0. "About 6 more" is the result minus d->invocations. */
size_t ba_decision_forecast(
	const ba_decision *d, const ba_policy *policy, const ba_design *design, double level);

/* A family after its last look: the number of hypotheses that share the error rate, and
 * how many were shown to be slower or faster. */
typedef struct ba_family {
	size_t size, slower, faster;
} ba_family;
/* The p-value that d needs to be one more change shown, in its estimate's direction. */
double ba_family_level(const ba_family *family, const ba_decision *d, const ba_policy *policy);

/* Why a comparison of the family is still undecided after its last look. */
typedef enum ba_obstacle {
	/* The tie floor: with so few invocations no further change can be shown in this
	 * family, however little noise there is. */
	BA_OBSTACLE_INVOCATIONS,
	BA_OBSTACLE_FAMILY, /* alone in its family it would be conclusive */
	BA_OBSTACLE_MEAN,   /* the mean is suspicious, but not shown to differ */
	BA_OBSTACLE_NOISE,
} ba_obstacle;
ba_obstacle ba_decision_obstacle(const ba_decision *d, const ba_policy *policy,
	const ba_design *design, const ba_family *family);

/* Would that look be conclusive with the same estimate, and the standard deviations of y and z
 * times `spread`? The tie floor counts if `with_floor`. */
bool ba_decision_would_decide(const ba_decision *d, const ba_policy *policy,
	const ba_design *design, size_t look, double level, double spread, bool with_floor);

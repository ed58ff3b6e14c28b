/*
 * A comparison is what was decided about one candidate against the baseline in one
 * benchmark and metric: ratio, intervals, verdict, reason.
 */
#ifndef MODEL_COMPARISON_H
#define MODEL_COMPARISON_H

#include "model/explanation.h"
#include "stats/verdict.h"

/* Noise within one invocation. */
typedef struct ba_within {
	double s1_sq, drift_log;
	size_t blocks;
} ba_within;

/* The direction of an `unchanged` comparison whose interval excludes zero although the
 * change is within the threshold. Such a comparison is not a regression. */
typedef enum ba_shift {
	BA_SHIFT_NONE,
	BA_SHIFT_SLOWER,
	BA_SHIFT_FASTER,
} ba_shift;

/* The estimate from the invocations of one place, if there are several places. */
typedef struct ba_place_estimate {
	unsigned place;	  /* as in ba_origin */
	double ratio;	  /* candidate / baseline */
	double low, high; /* 95 % interval of this place, simultaneous over all looks */
	unsigned invocations;
	/* from the place's own values if the places differ; otherwise from all
	 * values */
	ba_verdict verdict;
} ba_place_estimate;

/* One candidate against the baseline in one benchmark and metric. y, z and within are
 * the record of its invocations, as are the variants' levels. ba_estimate_add makes it
 * when the readings of an invocation are complete; all looks, estimates and reasons are
 * computed from it. */
typedef struct ba_comparison {
	ba_verdict verdict;
	/* as decided here or read from the document; older documents lack it */
	ba_shift shift;
	double ratio;		 /* exp(mean y): candidate / baseline */
	double low, high;	 /* simultaneous 95 % interval of the ratio */
	double delta_ns;	 /* trimmed difference, ns per launch */
	double threshold_slower; /* e.g. 0.02 */
	double threshold_faster;
	/* the thresholds that the user gave: a ratio (0: none) and a time (0: none);
	 * both 0 in documents of earlier versions */
	double threshold_given, threshold_given_ns;
	double p_regressed, p_improved, p_unchanged;
	unsigned invocations; /* R at the decision */
	double *y;	      /* [y_count] trimmed log ratio of each invocation */
	/* [z_count] log ratio of the means of each invocation; none: not compared */
	double *z;
	ba_within *within; /* [y_count]; NULL: read from a document */
	/* [y_count] the origin of each invocation; NULL if `within` is NULL */
	unsigned *origin;
	/* [place_count] places that have values; NULL: there is one place */
	ba_place_estimate *places;
	size_t place_count;
	/* p-value of the test whether the places agree; 1 with one place */
	double p_agree;
	bool places_differ; /* p_agree is below BA_PLACES_LEVEL */
	size_t y_count, z_count;
	double mean_ratio, mean_low, mean_high; /* exp(mean z), simultaneous interval */
	double p_mean_regressed, p_mean_improved;
	bool mean_suspicious; /* the mean looks slower or faster: not unchanged */
	double s;	      /* standard deviation of y between invocations */
	/* sqrt(mean S1^2): the noise of a block within an invocation */
	double s_within;
	double drift_per_block; /* placebo of docs/statistics.md section 5, log units */
	char *reason;		/* a sentence for every verdict that needs one; or NULL */
	char *hint;		/* what would lead to a decision; or NULL */
	/* values that come from files: their level (model/level.h), such as "process";
	 * NULL if measured here */
	char *level;
	/* inconclusive, but likely a change in the direction of the ratio, by a rule with an
	 * error rate over the family (stats/apart.h, BA_LIKELY) */
	bool likely;
	bool unstable, shape_changed;
	bool counted; /* counts instructions: thresholds apply to counts, not to ns */
	/* Instruction counts that are equal in all invocations of each variant (at
	 * least BA_EXACT_LEAST): the ratio has no error. */
	bool exact;
	ba_explanation *why; /* explains the instructions; NULL: no explanation */
} ba_comparison;

#define BA_EXACT_LEAST 2u

/* The x of "could be up to x % slower": the upper end of the interval, or of the mean's
 * interval if the mean is suspicious. */
double ba_comparison_worst(const ba_comparison *c);
/* If the places differ: did this place get slower or faster, in agreement with the
 * verdict? */
bool ba_place_has_verdict(const ba_comparison *c, const ba_place_estimate *p);
/* Inconclusive, and the whole interval is slower (or faster) by more than the
 * threshold: the values are too few for this family, rather than too noisy. The
 * comparison must be `likely`, too, because among many benchmarks some intervals lie
 * there by chance. */
ba_shift ba_comparison_probably(const ba_comparison *c);
/* The shift that follows from verdict and interval; works for documents of any
 * revision. */
ba_shift ba_comparison_shift(const ba_comparison *c);
/* "slower", "faster"; NULL for BA_SHIFT_NONE */
const char *ba_shift_name(ba_shift shift);
/* The verdict as every report says it: "regressed", "slower, within 2 %" for an
 * `unchanged` one with a shift, "probably slower" for an inconclusive one. */
void ba_comparison_put_verdict(ba_buf *out, const ba_comparison *c);
/* The threshold as applied: "2 %", "9 % (at least 1 ns)"; appends nothing if nothing
 * was compared. */
void ba_comparison_put_threshold(ba_buf *out, const ba_comparison *c);
/* " (at least 1 ns)", if the user gave a time and it decides the threshold `most` */
void ba_comparison_put_absolute(ba_buf *out, const ba_comparison *c, double most);

void ba_comparison_dispose(ba_comparison *c);

#endif

/* A series is one metric of one benchmark: the readings of all variants, their
 * summaries, and the comparison of each candidate with the baseline. */
#pragma once

#include "model/measured.h"
#include "model/explanation.h"

/* A comparison is what was decided about one candidate against the baseline in one
 * benchmark and metric: ratio, intervals, verdict, reason. */

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
	/* of the place's own values if the places differ; otherwise of all */
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
/* If the places differ: did this place get slower or faster, as the verdict says? */
bool ba_place_has_verdict(const ba_comparison *c, const ba_place_estimate *p);
/* Inconclusive, and the whole interval is slower (or faster) by more than the
 * threshold: the values are too few for this family, rather than too noisy. The
 * comparison must be `likely`, too, because among many benchmarks some intervals lie
 * there by chance. */
ba_shift ba_comparison_probably(const ba_comparison *c);
/* The shift by verdict and interval, for documents of any revision. */
ba_shift ba_comparison_shift(const ba_comparison *c);
/* "slower", "faster"; NULL for BA_SHIFT_NONE */
const char *ba_shift_name(ba_shift shift);
/* The verdict as every report says it: "regressed", "slower, within 2 %" for an
 * `unchanged` one with a shift, "probably slower" for an inconclusive one. */
void ba_comparison_put_verdict(ba_buf *out, const ba_comparison *c);
/* The threshold as applied: "2 %", "9 % (at least 1 ns)"; nothing if nothing was compared. */
void ba_comparison_put_threshold(ba_buf *out, const ba_comparison *c);
/* " (at least 1 ns)", if the user gave a time and it decides the threshold `most` */
void ba_comparison_put_absolute(ba_buf *out, const ba_comparison *c, double most);

void ba_comparison_dispose(ba_comparison *c);
/* An undecided comparison with the thresholds of that one. */
ba_comparison ba_comparison_open(const ba_comparison *from);

/* The throughput that a time implies (ba_throughput_of() in model/result.h); 0: unknown. */
typedef struct ba_throughput {
	double gflop_per_s, gb_per_s, items_per_s;
	double of_copy, of_matrix; /* as shares of the measured ceilings */
} ba_throughput;

/* Sums over the invocations so far, in their order, for a variant or the floor. */
typedef struct ba_levels {
	double log_sum; /* sum of the levels: log of ns per launch */
	double log_least, log_most;
	size_t count;
	double layout_sum; /* sum of the variances between layouts, where known */
	size_t layout_count;
	double mhz_sum; /* sum of the visits' clocks, where known */
	size_t mhz_count;
} ba_levels;

/*
 * What was measured of one variant in one benchmark and metric. Times are in ns per
 * launch.
 *
 * `trimmed` is the level that reports show. It agrees with the comparison's ratio: the
 * baseline's is exp(mean of its level in each invocation), a candidate's is the
 * baseline's times the ratio. The other values describe all readings together.
 */
typedef struct ba_summary {
	bool present;  /* the variant has this benchmark */
	char *failure; /* sentence, NULL if none: "killed by signal 11 (SIGSEGV) ..." */
	char *output;  /* last lines of its output if it failed, else NULL */
	char *skipped; /* reason, NULL if it was measured */
	uint64_t launches;
	double mean, stdev, iqr, min, median, p95, p99, max, trimmed; /* iqr: q3 - q1 */
	ba_levels levels;
	double sm_mhz; /* mean multiprocessor clock in the readings; 0: unknown */
	/* Copies of its library at other addresses that were measured in each
	 * invocation, and the standard deviation of the log time between them, which
	 * shows the effect of layout. 0: only the unmodified library was measured. */
	unsigned layouts;
	double layout_sd;
	ba_throughput said; /* as stated in the document; only for verify */
} ba_summary;

/* What the sentence of a failure says about the variant, by its first words. The words of a
 * worker count (docs/workers.md): they can only accuse its own variant. */
typedef enum ba_fault {
	BA_FAULT_BROKEN,  /* any others: it crashed, hangs, cannot be loaded */
	BA_FAULT_DRIFTED, /* right, but less precise than the baseline */
	BA_FAULT_WRONG,	  /* its results are wrong */
	BA_FAULT_CHEATED, /* what it reported, or when it worked, is against the lane's rules */
} ba_fault;

#define BA_FAULT_WORDS_DRIFTED "drifted"
#define BA_FAULT_WORDS_WRONG "wrong answer"
#define BA_FAULT_WORDS_CHEATED "cheated"

ba_fault ba_fault_of(const char *failure);

/* Of a grid of codes and environments (model/effect.h). */
typedef enum ba_effect_of {
	BA_EFFECT_OF_CODE,	  /* the mean over the environments */
	BA_EFFECT_OF_ENVIRONMENT, /* the mean over the codes */
	/* the code's effect in that environment over its effect in the first one */
	BA_EFFECT_OF_BOTH,
	BA_EFFECT_OF_CODE_WITHIN, /* the code's effect in that environment; not tested */
	BA_EFFECTS_OF
} ba_effect_of;

typedef struct ba_effect {
	ba_effect_of of;
	/* a variant that has this code, and one that has this environment */
	unsigned code, environment;
	/* its y are contrasts of those of the series' comparisons; without z */
	ba_comparison comparison;
} ba_effect;

typedef struct ba_series {
	size_t benchmark; /* index into ba_measured.benchmarks */
	ba_metric metric;
	const ba_metric_info *info; /* the metric, in the words of the benchmark */
	ba_metric_role role;
	ba_samples *samples; /* [sample_count] one for each invocation */
	bool stored;	     /* their arrays are NULL: see ba_series_whole */
	/* a rate: its comparisons use ratios of 1/value, so that above 1 means slower */
	bool more_is_better;
	size_t sample_count, sample_capacity;
	ba_summary *variants; /* [variant_count] */
	ba_summary floor;     /* present if the bare driver was measured */
	double *net_ns;	      /* [variant_count] trimmed - floor; NULL without a floor */
	/* the shortest of the baseline's readings in the first invocation; 0: none */
	uint64_t shortest_ns;
	double s_floor;		    /* smallest plausible spread of y, from the timer */
	ba_comparison *comparisons; /* [variant_count - 1], candidate i + 1 */
	ba_effect *effects;	    /* of a grid of codes and environments (model/effect.h) */
	size_t effect_count;
} ba_series;

/* Makes room for the variants of m. `benchmark` is an index into m->benchmarks. */
void ba_series_init(ba_series *s, const ba_measured *m, size_t benchmark, ba_metric metric);
ba_samples *ba_series_add_samples(ba_series *s); /* zeroed; valid until the next add */
/* Why a verdict in favour of the candidate does not count, or NULL. */
const char *ba_series_unconfirmed(const ba_series *s, const ba_measured *m);

void ba_series_drop_effects(ba_series *s);
void ba_series_dispose(ba_series *s, size_t variant_count);
/* frees only its samples; a zeroed series is fine */
void ba_series_release(ba_series *own);
BA_DEFINE_AUTO(ba_series, ba_series_release)

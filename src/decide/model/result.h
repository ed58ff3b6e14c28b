/*
 * The result of a run, which report, store and gate read: one structure, filled while
 * the run proceeds and complete at its end. Nothing here computes; see stats/ and
 * verdict/estimate.h.
 */
#ifndef MODEL_RESULT_H
#define MODEL_RESULT_H

#include "base/base.h"
#include "model/benchmark.h"
#include "model/environment.h"
#include "model/evidence.h"
#include "model/explanation.h"
#include "model/limits.h"
#include "model/origin.h"
#include "model/sample.h"
#include "model/variant.h"
#include "stats/verdict.h"

/* The rate of work that a time means (model/throughput.h); 0: unknown */
typedef struct ba_throughput {
	double gflop_per_s, gb_per_s, items_per_s;
	double of_copy, of_matrix; /* as parts of the measured ceilings */
} ba_throughput;

/* Sums over the invocations so far, in their order, for one variant or
 * for the floor. */
typedef struct ba_levels {
	double log_sum; /* of the level of each: log of ns per launch */
	double log_least, log_most;
	size_t count;
	double layout_sum; /* of the variance between layouts of each, if known */
	size_t layout_count;
	double mhz_sum; /* of each visit's clock, if known */
	size_t mhz_count;
} ba_levels;

/*
 * What one variant did in one benchmark and metric. Times are in ns per launch.
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
	 * invocation, and the standard deviation of the log of the time between them:
	 * how much layout moves it. 0: only the library as it is. */
	unsigned layouts;
	double layout_sd;
	ba_throughput said; /* as in the document that was read; only for verify */
} ba_summary;

/* Noise within one invocation. */
typedef struct ba_within {
	double s1_sq, drift_log;
	size_t blocks;
} ba_within;

/* Where an `unchanged` comparison moved all the same: its interval excludes zero, and
 * the change is within the threshold. Such a comparison is not a regression. */
typedef enum ba_shift {
	BA_SHIFT_NONE,
	BA_SHIFT_SLOWER,
	BA_SHIFT_FASTER,
} ba_shift;

/* What the invocations of one place say, where there are several. */
typedef struct ba_place_estimate {
	unsigned place;	  /* as in ba_origin */
	double ratio;	  /* candidate / baseline */
	double low, high; /* 95 % interval of this place, at all looks together */
	unsigned invocations;
	/* by its own values if the places differ; else as all together */
	ba_verdict verdict;
} ba_place_estimate;

/* One candidate against the baseline in one benchmark and metric. y, z and within are
 * the record of its invocations, as are the variants' levels. ba_estimate_add makes it
 * when the readings of an invocation are complete; all looks, estimates and reasons are
 * computed from it. */
typedef struct ba_comparison {
	ba_verdict verdict;
	ba_shift shift;		 /* as decided or read; earlier documents lack it */
	double ratio;		 /* exp(mean y): candidate / baseline */
	double low, high;	 /* simultaneous 95 % interval of the ratio */
	double delta_ns;	 /* trimmed difference, ns per launch */
	double threshold_slower; /* e.g. 0.02 */
	double threshold_faster;
	/* the same as the user gave it: a ratio (0: none) and a time (0: none); both 0
	 * in documents of earlier versions */
	double threshold_given, threshold_given_ns;
	double p_regressed, p_improved, p_unchanged;
	unsigned invocations; /* R at the decision */
	double *y;	      /* [y_count] trimmed log ratio of each invocation */
	/* [z_count] log ratio of the means of each invocation; none: not compared */
	double *z;
	ba_within *within;	   /* [y_count]; NULL: read from a document */
	unsigned *origin;	   /* [y_count] of the invocation; NULL where within is */
	ba_place_estimate *places; /* [place_count] those with values; NULL: one place */
	size_t place_count;
	double p_agree;	    /* of the test whether they agree; 1 with one place */
	bool places_differ; /* it is below BA_PLACES_LEVEL */
	size_t y_count, z_count;
	double mean_ratio, mean_low, mean_high; /* exp(mean z), simultaneous interval */
	double p_mean_regressed, p_mean_improved;
	bool mean_suspicious;	/* the mean looks slower or faster: not unchanged */
	double s;		/* standard deviation of y between invocations */
	double s_within;	/* sqrt(mean S1^2): a block's noise in an invocation */
	double drift_per_block; /* placebo of docs/statistics.md section 5, log units */
	char *reason;		/* a sentence for every verdict that needs one; or NULL */
	char *hint;		/* what would lead to a decision; or NULL */
	char *level;		/* of files (model/level.h): "process"; NULL if measured here */
	/* inconclusive, but likely a change in the direction of the ratio, by a rule with an
	 * error rate over the family (stats/apart.h, BA_LIKELY) */
	bool likely;
	bool unstable, shape_changed;
	bool counted; /* instructions: thresholds are of those, not of ns */
	/* Instructions, and each variant's count is the same in all of its invocations,
	 * at least BA_EXACT_LEAST: the ratio has no error. */
	bool exact;
	ba_explanation *why; /* of instructions; NULL: there is none */
} ba_comparison;

#define BA_EXACT_LEAST 2u

/* One benchmark and metric. */
typedef struct ba_series {
	size_t benchmark; /* index into result.benchmarks */
	ba_metric metric;
	const ba_metric_info *info; /* of the metric, in the words of the benchmark */
	ba_metric_role role;
	ba_samples *samples; /* [sample_count] one for each invocation */
	bool stored;	     /* their arrays are NULL: see ba_series_whole */
	/* a rate: the ratios of its comparisons are those of 1/value, so that above 1 is
	 * slower, as of times */
	bool more_is_better;
	size_t sample_count, sample_capacity;
	ba_summary *variants; /* [variant_count] */
	ba_summary floor;     /* present if the bare driver was measured */
	double *net_ns;	      /* [variant_count] trimmed - floor; NULL without a floor */
	/* of the baseline's readings in the first invocation; 0: it has none there */
	uint64_t shortest_ns;
	double s_floor;		    /* smallest plausible spread of y, from the timer */
	ba_comparison *comparisons; /* [variant_count - 1], candidate i + 1 */
} ba_series;

/* One suite of the run. */
typedef struct ba_measured_suite {
	char *name;
	ba_suite_kind kind;
	char *engine, *engine_reason; /* as in ba_result */
} ba_measured_suite;

/* The document's digest against damage (store/results.h). */
typedef enum ba_document_state {
	BA_DOCUMENT_NEW, /* not read from a file */
	BA_DOCUMENT_WITHOUT_DIGEST,
	BA_DOCUMENT_AGREES,
	BA_DOCUMENT_DIFFERS,
} ba_document_state;

/* Since this schema_revision verdicts use the means, too, and levels agree with the
 * ratios. */
#define BA_REVISION_MEANS 4
/* Since this schema_revision a comparison says its shift (within_threshold). */
#define BA_REVISION_SHIFT 6
/* Since this schema_revision answer, reason and hint have the words of today. */
#define BA_REVISION_WORDS 9
/* Since this schema_revision the launched kernels leave marks. */
#define BA_REVISION_MARKS 7
/* Since this schema_revision a result may have origins. */
#define BA_REVISION_ORIGINS 8
/* Since this schema_revision the decision names its rule. */
#define BA_REVISION_RULE 9
/* Since this schema_revision a value that a command suite prints is a reading. */
#define BA_REVISION_REPLICATES 9

/* Benchmarks of a comparison that the result has no room for (gate/digest.h). */
typedef struct ba_left_out {
	size_t calm, doubts, others; /* unchanged; at most inconclusive; the rest */
} ba_left_out;

typedef struct ba_result ba_result;
typedef struct ba_stored_readings ba_stored_readings;

/* Where readings are kept that are not in memory. */
struct ba_stored_readings {
	/* appends the samples of r->series[index] to *out */
	int (*load)(ba_stored_readings *from, ba_series *out, const ba_result *r, size_t index,
		ba_error *err);
	void (*free)(ba_stored_readings *from);
	/* the first error of load; check it after a report was written, like
	 * ferror() */
	ba_error error;
};

/* Where the paths of an overlay came from. */
typedef struct ba_overlay_source {
	char *from;		      /* "worktree" or "variant"; NULL: there was no overlay */
	char *label;		      /* of the variant, or "the working tree" */
	char commit[65], tree_id[65]; /* hex; of the working tree: HEAD, and a snapshot */
	bool dirty;		      /* a working tree with changes */
	char diff_sha256[65];	      /* of the difference to HEAD if dirty, else "" */
	ba_strv paths;
} ba_overlay_source;

void ba_overlay_source_dispose(ba_overlay_source *s);
void ba_overlay_source_copy(ba_overlay_source *out, const ba_overlay_source *from);

/* Where the seconds of a run went. What is done side by side counts once. */
typedef struct ba_spent {
	double build;	/* trees made and built */
	double survey;	/* libraries, programs and the machine examined */
	double count;	/* instructions counted */
	double start;	/* processes started, variants loaded */
	double prepare; /* benchmarks set up and checked */
	double measure; /* a clock ran, or sizes were tried out */
	double judge;	/* looks, estimates, verdicts */
} ba_spent;

static inline double ba_spent_total(const ba_spent *s)
{
	return s->build + s->survey + s->count + s->start + s->prepare + s->measure + s->judge;
}

struct ba_result {
	char *tool_version;
	unsigned schema_revision; /* of the document: which fields it always has */
	/* of the document that was read: is it unchanged since it was written? */
	ba_document_state document;
	char document_sha256[65]; /* computed */
	char document_said[65];	  /* in the document; "" if none */
	char *started;		  /* RFC 3339, UTC */
	double wall_seconds, measure_seconds;
	ba_spent spent; /* all 0 in documents of earlier versions */
	ba_evidence evidence;
	uint64_t seed;
	char *engine;	     /* "duet", "split", "single", "files"; "mixed": see suites */
	char *engine_reason; /* why the duet was not used, or "" */
	/* by `decide` or `merge`, from files: such a result claims no lane */
	bool decided_apart;
	ba_measured_suite *suites;
	size_t suite_count;
	char suite_sha256[65]; /* of the plan: kernels, axes, loops, burst rule */
	char *command_line;
	char *repository;  /* path of the user's repository, "" if none */
	char *config_path; /* where the configuration was read from */
	ba_overlay_source overlay;
	double alpha;
	char *multiplicity;	/* "bh" ... */
	bool strict;		/* `regressed` means certainly more than the threshold */
	unsigned rule;		/* BA_RULE_... (stats/sequential.h); 0: the first */
	bool measure_identical; /* measure byte-identical artefacts, too */
	unsigned looks[BA_RESULT_LOOKS_MOST]; /* R at each look */
	double look_weights[BA_RESULT_LOOKS_MOST];
	size_t look_count;
	size_t looks_done;
	/* Runs that stopped at looks of their own, whose p-values are combined; then `looks`
	 * has one look, at all invocations together. None: the looks above are the rule. */
	ba_merged_run *merged;
	size_t merged_count;
	/* Number `part` of `parts` of a run whose invocations are split: those of its
	 * schedule whose number is part - 1 modulo parts. 0: not split. */
	unsigned part, parts;
	/* why the run ended before the last look: "budget", "fail-fast", "signal"; or
	 * "" */
	char *stopped;
	ba_variant *variants;
	size_t variant_count;
	ba_benchmark *benchmarks;
	size_t benchmark_count;
	ba_series *series;
	size_t series_count;
	ba_left_out left_out; /* all 0, but on a screen of a huge comparison */
	ba_environment env;   /* where there are origins: of the first */
	ba_origin *origins;   /* what measured the invocations; NULL: one process, all */
	size_t origin_count;
	size_t family_size; /* m: hypotheses of the family of verdicts */
	ba_strv notes;	    /* what was not measured and why, remarks; sentences */
	bool interrupted;
	/* the gate */
	bool gate_strict, undecided_fails, likely_fails;
	ba_strv expected; /* globs that had to be measured */
	int signal;	  /* the signal that ended the run; 0: none */
	/* overall */
	/* REGRESSED, IMPROVED, UNCHANGED, INCONCLUSIVE, FAILED, SKIPPED */
	ba_verdict verdict;
	char *answer; /* the one sentence */
	int exit_status;
	ba_stored_readings *stored; /* NULL: all readings are in memory */
};

/* The x of "could be up to x % slower": the upper end of the interval in question,
 * which is the mean's if the mean is suspicious. */
double ba_comparison_worst(const ba_comparison *c);
/* Where the places differ: did this one get slower or faster, as the verdict says? */
bool ba_place_has_verdict(const ba_comparison *c, const ba_place_estimate *p);
/* Inconclusive, and the whole interval is slower (or faster) by more than the threshold:
 * too few values for this family, rather than too much noise. It must be `likely`, too:
 * among many benchmarks, some intervals lie there by chance. */
ba_shift ba_comparison_probably(const ba_comparison *c);

void ba_comparison_dispose(ba_comparison *c);

/* The series of the same benchmark and that metric, or NULL. */
const ba_series *ba_result_beside(const ba_result *r, const ba_series *s, ba_metric metric);

/* Why the candidate executes other instructions than the baseline in the benchmark of
 * this series, which may be of any metric; NULL: nothing was counted. */
const ba_explanation *ba_result_explanation(
	const ba_result *r, const ba_series *s, size_t candidate);
/* Why a verdict in favour of the candidate does not count: a sentence; NULL: it does. */
const char *ba_result_unconfirmed(const ba_result *r, const ba_series *s);
/* Is this a time that changed although both executed the same instructions? Then the
 * layout of code and data in memory differs: alignment, pages, the order of objects. Not
 * of a time that is an average over layouts. */
bool ba_result_is_layout(const ba_result *r, const ba_series *s, size_t candidate);

/* The shift by verdict and interval, of documents of any revision. */
ba_shift ba_comparison_shift(const ba_comparison *c);
/* "slower", "faster"; NULL for BA_SHIFT_NONE */
const char *ba_shift_name(ba_shift shift);
/* The verdict as every report says it: "regressed", "slower, within 2 %" for an
 * `unchanged` one with a shift, "probably slower" for an inconclusive one. */
void ba_comparison_put_verdict(ba_buf *out, const ba_comparison *c);

/* As it applies: "2 %", "9 % (at least 1 ns)"; nothing if nothing was compared */
void ba_comparison_put_threshold(ba_buf *out, const ba_comparison *c);
/* The same of a candidate's verdicts in one metric (-1: in all): "2 %", "2 to 9 % (at
 * least 1 ns)"; nothing if none was measured. */
void ba_result_put_thresholds(ba_buf *out, const ba_result *r, int metric, size_t candidate);

/* How many of `invocations` a part measures; 1 <= part <= parts. */
static inline unsigned ba_part_size(unsigned invocations, unsigned part, unsigned parts)
{
	return (invocations - part + parts) / parts;
}
/* Was it merged from runs of which some stopped at looks of their own? Then their p-values
 * are combined. Runs with one planned look each are pooled as one. */
bool ba_result_is_combined(const ba_result *r);
/* Is all that decides counted or a quantity, by a rule that knows counts? */
bool ba_result_decides_by_counts(const ba_result *r);
/* Do its samples come from files, and not from the run that gave the verdicts? */
static inline bool ba_result_is_decided_apart(const ba_result *r)
{
	return r->decided_apart || r->merged_count > 0;
}
/* When it looked. */
ba_design ba_result_design(const ba_result *r);
/* An invocation's number in the schedule of its origin, and the seed of that. */
unsigned ba_result_drawn_as(const ba_result *r, const ba_samples *s);
uint64_t ba_result_seed_of(const ba_result *r, const ba_samples *s);
/* Takes *o, zeroes it, and finds its place. Returns its index. */
size_t ba_result_add_origin(ba_result *r, ba_origin *o);

/* Frees benchmarks and series, not the memory of the two lists. */
void ba_result_drop_series(ba_result *r);
void ba_result_dispose(ba_result *r);
BA_DEFINE_AUTO(ba_result, ba_result_dispose)

/* Makes room for r's variants. `benchmark` is an index into r->benchmarks. */
void ba_series_init(ba_series *s, const ba_result *r, size_t benchmark, ba_metric metric);
void ba_series_dispose(ba_series *s, size_t variant_count);
/* Adds a series of this benchmark and metric, which r must not have yet. Allocates
 * variants and comparisons for r->variant_count. Invalidates pointers into
 * r->series. */
ba_series *ba_result_add_series(ba_result *r, size_t benchmark, ba_metric metric);
/* For a heading above all series of a metric, in the words of the first of them. */
const ba_metric_info *ba_result_metric(const ba_result *r, ba_metric metric);
/* Are all its suites launcher suites? */
bool ba_result_is_of_launches(const ba_result *r);
/* The suite of that name; adds it with strings "" if there is none. Invalidates
 * pointers into r->suites. */
ba_measured_suite *ba_result_suite(ba_result *r, const char *name, ba_suite_kind kind);
/* Sets engine and engine_reason from those of the suites. */
void ba_result_sum_up_engines(ba_result *r);
/* Were result files compared (compare/compare.h), and nothing measured here? */
bool ba_result_is_of_files(const ba_result *r);
/* the engine that measured a benchmark */
const char *ba_result_engine_of(const ba_result *r, size_t benchmark);
ba_samples *ba_series_add_samples(ba_series *s); /* zeroed; valid until the next add */

/* A series of r with its readings: s itself if they are in memory, else *own, a copy
 * with the readings, until the caller releases it. If they cannot be read again, it has
 * no samples, and r->stored->error says why. */
const ba_series *ba_series_whole(ba_series *own, const ba_result *r, const ba_series *s);
void ba_series_release(ba_series *own); /* frees the copy; a zeroed one is fine */
BA_DEFINE_AUTO(ba_series, ba_series_release)
/* Could all requested readings be read? Ask before you rely on what was written. */
int ba_result_check_stored(const ba_result *r, ba_error *err);

#endif

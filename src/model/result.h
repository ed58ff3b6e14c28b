/*
 * The result of a run: what report, store and gate read. One structure, built up while
 * the run goes on and complete at its end. Nothing here computes; see stats/ and
 * host/estimate.h.
 */
#ifndef MODEL_RESULT_H
#define MODEL_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/auto.h"
#include "base/error.h"
#include "model/benchmark.h"
#include "model/environment.h"
#include "model/limits.h"
#include "model/sample.h"
#include "model/variant.h"
#include "stats/verdict.h"

/* How much work a time means: model/throughput.h. 0: not known */
typedef struct ba_throughput {
	double gflop_per_s, gb_per_s, items_per_s;
	double of_copy, of_matrix; /* parts of the measured ceilings */
} ba_throughput;

/*
 * What one variant did in one benchmark and metric. Times in ns per launch.
 *
 * `trimmed` is the level that reports show and that goes with the comparison's ratio:
 * of the baseline exp(mean of its level in each invocation), of a candidate with a
 * ratio the baseline's times that ratio. The others describe all readings together.
 */
typedef struct ba_summary {
	bool present;  /* the variant has this benchmark */
	char *failure; /* sentence, NULL if none: "killed by signal 11 (SIGSEGV) ..." */
	char *output;  /* last lines of its output where it failed, else NULL */
	char *skipped; /* reason, NULL if it was measured */
	uint64_t launches;
	double mean, stdev, iqr, min, median, p95, p99, max, trimmed; /* iqr: q3 - q1 */
	double level_sum; /* of the log level of each invocation (ba_level_of) */
	size_t level_count;
	double sm_mhz;	    /* mean clock of the multiprocessors meanwhile; 0 unknown */
	ba_throughput said; /* by the document that was read; for verify alone */
} ba_summary;

/* Noise within one invocation. */
typedef struct ba_within {
	double s1_sq, drift_log;
	size_t blocks;
} ba_within;

/* One candidate against the baseline in one benchmark and metric. y, z and within are
 * the record of its invocations: made by ba_estimate_add when the readings of one are
 * there, and all that looks, estimates and reasons are computed from. */
typedef struct ba_comparison {
	ba_verdict verdict;
	double ratio;		 /* exp(mean y): candidate / baseline */
	double low, high;	 /* simultaneous 95 % interval of the ratio */
	double delta_ns;	 /* trimmed difference, ns per launch */
	double threshold_slower; /* e.g. 0.02 */
	double threshold_faster;
	double p_regressed, p_improved, p_unchanged;
	unsigned invocations; /* R at the decision */
	double *y;	      /* [y_count] log ratio of each, trimmed */
	double *z; /* [z_count] log ratio of the means of each; none: not compared */
	ba_within *within; /* [y_count], or NULL: read from a document */
	size_t y_count, z_count;
	double mean_ratio, mean_low, mean_high; /* exp(mean z), simultaneous interval */
	double p_mean_regressed, p_mean_improved;
	bool mean_suspicious; /* slower or faster, as it seems: not unchanged */
	double s;	      /* standard deviation of y between invocations */
	double s_within;      /* sqrt(mean S1^2): noise of a block's value within one */
	double drift_per_block; /* placebo of docs/statistics.md section 5, log units */
	char *reason; /* a sentence for anything but a plain verdict; or NULL */
	char *hint;   /* what would decide it; or NULL */
	char *level; /* of files (model/level.h): "process"; NULL where measured here */
	bool unstable, shape_changed;
} ba_comparison;

/* One benchmark and metric. */
typedef struct ba_series {
	size_t benchmark; /* index into result.benchmarks */
	ba_metric metric;
	const ba_metric_info *info; /* of the metric, in the words of the benchmark */
	ba_metric_role role;
	ba_samples *samples; /* [sample_count] one for each invocation measured */
	bool stored;	     /* their arrays are NULL: see ba_series_whole */
	size_t sample_count, sample_capacity;
	ba_summary *variants; /* [variant_count] */
	ba_summary floor;     /* present where the bare driver was measured */
	double *net_ns;	      /* [variant_count] trimmed - floor; NULL without one */
	double s_floor;	      /* the least spread of y that is believed: the timer's */
	ba_comparison *comparisons; /* [variant_count - 1], candidate i + 1 */
} ba_series;

/* One suite of the run. */
typedef struct ba_measured_suite {
	char *name;
	ba_suite_kind kind;
	char *engine, *engine_reason; /* as in ba_result */
} ba_measured_suite;

/* Its digest against damage (store/results.h). */
typedef enum ba_document_state {
	BA_DOCUMENT_NEW, /* not read from anywhere */
	BA_DOCUMENT_WITHOUT_DIGEST,
	BA_DOCUMENT_AGREES,
	BA_DOCUMENT_DIFFERS,
} ba_document_state;

/* From this schema_revision on verdicts rest on the means, too, and levels go with
 * the ratios. */
#define BA_REVISION_MEANS 4

typedef struct ba_result ba_result;
typedef struct ba_stored_readings ba_stored_readings;

/* Where readings are that are not held. */
struct ba_stored_readings {
	/* appends the samples of r->series[index] to *out */
	int (*load)(ba_stored_readings *from, ba_series *out, const ba_result *r,
		size_t index, ba_error *err);
	void (*free)(ba_stored_readings *from);
	ba_error
		error; /* the first that load met: as ferror() for who wrote a report */
};

struct ba_result {
	char *tool_version;
	unsigned schema_revision; /* of the document: what is always in it */
	/* of the document that was read: is it as it was written? */
	ba_document_state document;
	char document_sha256[65]; /* what it is */
	char document_said[65];	  /* and what it says of itself; "" if nothing */
	char *started;		  /* RFC 3339, UTC */
	double wall_seconds, measure_seconds;
	uint64_t seed;
	char *engine; /* "duet", "split", "single", "files"; "mixed": see suites */
	char *engine_reason; /* why not the duet, or "" */
	ba_measured_suite *suites;
	size_t suite_count;
	char suite_sha256[65]; /* of the plan: kernels, axes, loops, burst rule */
	char *command_line;
	char *repository;  /* path of the user's repository, "" if none */
	char *config_path; /* and where the configuration was read from */
	double alpha;
	char *multiplicity; /* "bh" ... */
	bool strict;	    /* `regressed` means certainly more than the threshold */
	bool measure_identical; /* byte-identical artefacts are measured, too */
	unsigned looks[BA_RESULT_LOOKS_MOST]; /* R at each look */
	double look_weights[BA_RESULT_LOOKS_MOST];
	size_t look_count;
	size_t looks_done; /* the run ended after that many */
	char *stopped; /* why before the last: "budget", "fail-fast", "signal"; "" */
	ba_variant *variants;
	size_t variant_count;
	ba_benchmark *benchmarks;
	size_t benchmark_count;
	ba_series *series;
	size_t series_count;
	ba_environment env;
	size_t family_size; /* m: hypotheses of the family of verdicts */
	ba_strv notes;	    /* what was not measured and why, remarks; sentences */
	bool interrupted;
	/* what the gate made of it */
	bool gate_strict, undecided_fails;
	ba_strv expected; /* globs that had to be measured */
	int signal;	  /* that ended the run; 0: none */
	/* overall */
	ba_verdict verdict; /* REGRESSED, IMPROVED, UNCHANGED, INCONCLUSIVE, FAILED,
			       SKIPPED */
	char *answer;	    /* the one sentence */
	int exit_status;
	ba_stored_readings *stored; /* NULL: all are held */
};

/* "Could be up to x % slower": the upper end of the interval that is in question, the
 * mean's where that is suspicious. */
double ba_comparison_worst(const ba_comparison *c);

void ba_result_dispose(ba_result *r);
BA_DEFINE_AUTO(ba_result, ba_result_dispose)

/* With room for r's variants; r->benchmarks has that benchmark. */
void ba_series_init(
	ba_series *s, const ba_result *r, size_t benchmark, ba_metric metric);
/* A new series of that benchmark and metric, with variants and comparisons allocated
 * for result->variant_count; the caller knows that there is none. Pointers into
 * result->series are invalidated. */
ba_series *ba_result_add_series(ba_result *r, size_t benchmark, ba_metric metric);
/* The one that is there already, else a new one; looks at all of them. */
ba_series *ba_result_series(ba_result *r, size_t benchmark, ba_metric metric);
/* For a heading over all series of a metric: in the words of the first. */
const ba_metric_info *ba_result_metric(const ba_result *r, ba_metric metric);
/* Has it no suite but launchers? */
bool ba_result_is_of_launches(const ba_result *r);
/* Appended, or the one that has the name already; strings "". Pointers into
 * result->suites are invalidated. */
ba_measured_suite *ba_result_suite(ba_result *r, const char *name, ba_suite_kind kind);
/* engine and engine_reason from those of the suites */
void ba_result_sum_up_engines(ba_result *r);
/* nothing was measured here: result files were compared (compare/compare.h) */
bool ba_result_is_of_files(const ba_result *r);
/* the engine that measured a benchmark */
const char *ba_result_engine_of(const ba_result *r, size_t benchmark);
ba_samples *ba_series_add_samples(ba_series *s); /* zeroed; valid until the next add */

/* A series of r with its readings: s itself where they are held, else *own, a copy of
 * it that has them for as long as the caller keeps it. Where they cannot be read again
 * it has no samples, and r->stored->error says why. */
const ba_series *ba_series_whole(
	ba_series *own, const ba_result *r, const ba_series *s);
void ba_series_release(ba_series *own); /* what that made; a zeroed one is fine */
BA_DEFINE_AUTO(ba_series, ba_series_release)
/* Could all be read that was asked for? To be asked before what was written counts. */
int ba_result_check_stored(const ba_result *r, ba_error *err);

#endif

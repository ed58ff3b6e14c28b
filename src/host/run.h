/*
 * A run: invocations until every question is answered, the design's looks are used up,
 * or the budget is.
 *
 *     ba_run_survey    one worker examines the machine and the variants' libraries;
 *                      for each suite, the machine with the first
 *     (the caller chooses benchmarks from the paths found, sets result->benchmarks)
 *     ba_run_measure   rehearsal (checks, sizes), then invocations and looks, then
 * judgement
 *
 * What a variant does wrong is a result, not an error: it ends as `failed` with a
 * sentence and the others go on. An error return means that nothing could be measured
 * at all.
 */
#ifndef HOST_RUN_H
#define HOST_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/log.h"
#include "base/manifest.h"
#include "host/command.h"
#include "host/engine.h"
#include "model/resumed.h"
#include "model/result.h"
#include "stats/sequential.h"

/* Counts up when sizes.c or invocation.c measure otherwise: how long a reading is, how
 * many a visit has, what a block looks like. */
#define BA_READINGS_VERSION "2"

typedef struct ba_run_threshold {
	double slower, faster; /* ratios, 0.02 for 2 % */
	double absolute_ns;    /* per launch; both must be exceeded; 0: none */
} ba_run_threshold;

/* One suite of the run: its libraries, and what is known of them. */
typedef struct ba_run_suite {
	const char *name;
	ba_suite_kind kind;
	ba_engine_spec engine;
	bool engine_forced;		/* no falling back to another engine */
	unsigned repeats;		/* of `sustained`, over all invocations */
	const ba_command_line *command; /* of a command suite; else NULL */
	const char *host_driver;	/* for machines without a GPU; NULL: none */
	const char *observer; /* of a plugin suite: device code is looked at; or NULL */
	/* benchmarks of its own: runs before the first reading of a process, and
	 * measured runs of each variant up to the first look, at least */
	unsigned warm_up, iterations;
	bool unusable; /* no variant's library can be used; others are measured */
	/* by ba_run_survey */
	ba_survey survey;
	ba_outcomes
		*found;	 /* [variant_count] of a command suite: its benchmarks; owned */
	char **failures; /* [variant_count] a sentence where the library cannot be used,
			    else NULL; owned */
} ba_run_suite;

typedef struct ba_run_spec {
	ba_run_suite *suites;
	size_t suite_count;
	const ba_log *log;
	uint64_t seed;
	bool measure[BA_METRIC_COUNT];
	bool verdict[BA_METRIC_COUNT]; /* which of them decide */
	unsigned batch, blocks;	       /* 0: calibrated */
	double alpha;
	bool strict;
	ba_multiplicity multiplicity;
	ba_design design;
	int64_t budget_ns; /* of measuring; 0: none */
	bool fail_fast;	   /* stop at the first regression */
	bool measure_identical;
	/* [variants] of what is in the built trees; an entry may be NULL, and all of
	 * it, where that is not known */
	const ba_manifest *const *manifests;
	const ba_strv *irrelevant; /* globs of what of that decides nothing; or NULL */
	ba_run_threshold (*threshold)(
		void *data, const char *benchmark, ba_metric metric);
	void *threshold_data;
	/* after each invocation of a benchmark; may be NULL */
	void (*stored)(void *data, const ba_result *r, const ba_series *series,
		const ba_samples *samples);
	/* after each invocation, when it is whole; may be NULL */
	void (*invoked)(void *data, unsigned invocation, const ba_checkpoint *state);
	/* the engine was changed: what was stored does not count; may be NULL */
	void (*restarted)(void *data);
	void *stored_data; /* of these three */
	/* what another process had measured of this run: it counts as measured, its
	 * samples are taken, and it is not stored again; NULL: nothing */
	ba_resumed *resumed;
	/* done in 0 .. 1 of what is planned now; may be NULL */
	void (*progress)(void *data, double done, const char *text);
	void *progress_data;
} ba_run_spec;

/* Fills suite->survey and failures (which may hold sentences of variants that were not
 * built), and result's environment, suites and artefacts. */
int ba_run_survey(ba_run_suite *suite, ba_result *result, ba_error *err);

/* After BA_ELIBRARY, where other suites can be measured all the same: the result has
 * the suite, of which every variant has failed. */
void ba_run_survey_failed(const ba_run_suite *suite, ba_result *result);

/* has[benchmark * variant_count + variant]: the variant has the benchmark. */
int ba_run_measure(
	ba_result *result, const ba_run_spec *spec, const bool *has, ba_error *err);

#endif

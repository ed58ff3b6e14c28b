/* What a run measures, and how: filled by the caller, and the same for the whole run. */
#pragma once

#include "base/manifest.h"
#include "layout/copies.h"
#include "session/members.h"
#include "engine/ahead.h"

/* Increase it when sizes.c or invocation.c change the measurement: the length of a
 * reading, the readings of a visit, the shape of a block. */
#define BA_READINGS_VERSION "2"

/* Which benchmarks get their instructions counted after the verdicts if counts do not
 * decide: in at most two processes for each variant. */
typedef enum ba_explain {
	BA_EXPLAIN_AUTO, /* changed benchmarks, within a tenth of the run's time */
	BA_EXPLAIN_OFF,
	BA_EXPLAIN_CHANGED, /* all changed benchmarks, as far as the budget allows */
	BA_EXPLAIN_ALL,
} ba_explain;

typedef struct ba_session_threshold {
	double slower, faster; /* ratios, 0.02 for 2 %; 0: only the time applies */
	double absolute_ns;    /* per launch; both must be exceeded; 0: none */
} ba_session_threshold;

/* One suite of the run: its libraries, and what is known of them. */
typedef struct ba_suite_spec {
	const char *name;
	ba_suite_kind kind;
	ba_engine_spec engine;
	bool counts;			       /* nothing but instructions is measured */
	bool engine_forced;		       /* never change to another engine */
	unsigned repeats;		       /* calls of `sustained`, over all invocations */
	const struct ba_command_line *command; /* for a command suite; else NULL */
	const char *host_driver;	       /* for machines without a GPU; NULL: none */
	const char *observer; /* for a plugin suite: inspect device code; or NULL */
	const char *census;   /* the observer, which counts calls to the driver; or NULL */
	/* for the user's own benchmarks: runs before the first reading of a process,
	 * and measured runs of each variant up to the first look, at least */
	unsigned warm_up, iterations;
	/* copies of each library of a launcher suite in a process; 0: only the library
	 * itself */
	unsigned layouts;
	const char *scratch; /* the run's directory, for the copies */
	bool unusable;	     /* no variant's library can be used; other suites are measured */
	/* engines that the survey leaves open, and later ones that are open early; or NULL */
	ba_ahead *ahead;
	/* set by ba_suite_survey */
	ba_survey survey;
	/* [variant_count] benchmarks found in a command suite; owned */
	struct ba_outcomes *found;
	ba_copies *copies; /* NULL without layouts; owned */
	/* [variant_count] a sentence if the library cannot be used, else NULL; owned */
	char **failures;
} ba_suite_spec;

typedef struct ba_session_spec {
	ba_suite_spec *suites;
	size_t suite_count;
	const ba_log *log;
	uint64_t seed;
	bool measure[BA_METRIC_COUNT];
	bool verdict[BA_METRIC_COUNT]; /* which metrics get a verdict */
	unsigned batch, blocks;	       /* 0: chosen by the rehearsal */
	const char *count_with;	       /* a word of counter/counter.h */
	const char *scratch;	       /* directory of the run, for traces and cubins */
	/* limit of instructions for a counted call; 0: the default */
	uint64_t count_most;
	/* number of invocations prepared at a time; 0: depends on the processors */
	unsigned rotation;
	ba_explain explain;
	/* the census is not asked for by name: it is taken of what is explained, and only
	 * what differs is kept */
	bool notes_census;
	bool explains_starts; /* which modules an import that changed has loaded */
	double alpha;
	bool strict;
	ba_multiplicity multiplicity;
	ba_design design;
	/* with one look: measure only part number `part` of `parts`, as in ba_result;
	 * 0: all */
	unsigned part, parts;
	int64_t budget_ns; /* for measuring; 0: no budget */
	bool aims;	   /* the budget is only an aim: the run continues to the first look */
	bool fail_fast;	   /* stop at the first regression */
	bool measure_identical;
	unsigned controls; /* as in ba_measured */
	bool ncu;	   /* afterwards, read the counters of differing kernels */
	/* [variants] manifests of the built trees; NULL as a whole or in an entry if
	 * unknown */
	const ba_manifest *const *manifests;
	const ba_strv *irrelevant; /* globs of files that have no effect; or NULL */
	ba_session_threshold (*threshold)(void *data, const char *benchmark, ba_metric metric);
	void *threshold_data;
	/* called after each invocation of a benchmark; may be NULL */
	void (*stored)(
		void *data, const ba_result *r, const ba_series *series, const ba_samples *samples);
	/* called after each complete invocation; may be NULL */
	void (*invoked)(void *data, unsigned invocation, const ba_checkpoint *state);
	/* called if the engine was changed: stored samples no longer count; may be NULL */
	void (*restarted)(void *data);
	void *stored_data; /* of these three */
	/* invocations of this run that another process measured. Their samples are
	 * used, and not stored again. NULL: none */
	ba_resumed *resumed;
	const ba_members *members; /* other processes take part; NULL: none */
	/* done: 0 .. 1 of the current plan; may be NULL */
	void (*progress)(void *data, double done, const char *text);
	void *progress_data;
} ba_session_spec;

/* --budget covers everything except builds, within 5 % and two seconds; the end of the
 * run needs part of these. */
#define BA_BUDGET_LIMIT_NS(budget_ns) (1.05 * (double)(budget_ns) + 1e9)

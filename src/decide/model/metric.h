/* A metric is what is measured of a benchmark, and a lane says how far a run trusts
 * what its variants report. The tables in metric.c have a row for each; other code asks
 * them. CONTRIBUTING.md, "Add a metric". */
#pragma once

#include "model/suite.h"

typedef enum ba_metric {
	BA_METRIC_HOST,
	BA_METRIC_SUBMIT,
	BA_METRIC_SUSTAINED,
	BA_METRIC_ROUNDTRIP,
	BA_METRIC_GPU_COLD,
	BA_METRIC_GPU_HOT,
	BA_METRIC_GPU_ROTATE,
	BA_METRIC_WALL_COLD,
	BA_METRIC_WALL_HOT,
	BA_METRIC_FRESH,
	BA_METRIC_INSTRUCTIONS,
	BA_METRIC_TRACKED,
	BA_METRIC_PEAK_MEMORY,
	BA_METRIC_TIME,
	BA_METRIC_CPU_TIME,
	BA_METRIC_GPU_TIME,
	BA_METRIC_VALUE,
/* the census, as observer/observer.h counts it */
#define CENSUS(id, name, help) BA_METRIC_##id,
#include "model/census.def"
#undef CENSUS
	/* of the start of a process */
	BA_METRIC_START,
	BA_METRIC_START_CPU,
	BA_METRIC_IMPORT,
	BA_METRIC_IMPORT_CPU,
	BA_METRIC_FIRST_CALL,
	BA_METRIC_FIRST_CALL_CPU,
	BA_METRIC_HOST_PEAK,
	BA_METRIC_SIZE,
	BA_METRIC_FIRST_CALL_CACHED, /* from here on in processes that find caches (BA_OF_CACHED) */
	BA_METRIC_FIRST_CALL_CACHED_CPU,
	BA_METRIC_CONTEXT, /* from here on with the observer (BA_OF_DRIVER) */
	BA_METRIC_LOAD,
	BA_METRIC_DEVICE_PEAK,
	BA_METRIC_COUNT
} ba_metric;

#define BA_CENSUS_FIRST BA_METRIC_LAUNCHES
#define BA_CENSUS_METRICS (BA_METRIC_START - BA_CENSUS_FIRST)

/* Which benchmarks have a metric of starts (ba_metric_info.starts). */
enum {
	BA_OF_PROCESS = 1, /* SUITE/process, of which nothing is called, or a whole program */
	BA_OF_CALL = 2,	   /* the others, each in a process of its own */
	/* those of the others that work on a GPU, in a process of their own with the observer */
	BA_OF_DRIVER = 4,
	BA_OF_CACHED = 8 /* with BA_OF_CALL: the process finds what an earlier one compiled */
};

typedef enum ba_metric_role {
	BA_ROLE_VERDICT, /* gets a verdict */
	BA_ROLE_REPORTED /* is only shown */
} ba_metric_role;

typedef struct ba_metric_info {
	const char *name; /* "submit" */
	const char *unit; /* "us/launch"; "": not a time. Less is better, except of `value` */
	const char *help; /* one line */
	ba_metric_role role;
	/* Kinds of suite whose benchmarks have this metric (bits of ba_suite_kind), in
	 * a run that trusts its variants and in an untrusted one. */
	uint8_t trusted, untrusted;
	bool gpu, host;	 /* targets that measure it */
	bool on_request; /* a run measures it only if --metrics names it */
	bool on_gpu;	 /* timed by GPU events: env.event_tick_ns is the step */
	bool foreign;	 /* measured and printed by another program */
	bool counted;	 /* not a time, and mostly without noise: instructions, the census */
	bool census;	 /* counted, too: what calls ask of the driver, the mean of some calls */
	/* a worker's value once per process; not a time. Benchmarks declare it. */
	bool quantity;
	/* One value of each process: of its start, or of the first call in it. Bits of BA_OF_PROCESS,
	 * BA_OF_CALL and the others; 0: of neither. */
	uint8_t starts;
	bool repeats; /* of starts: every process has the same value, so a difference is exact */
	int cpu;      /* of starts: the metric of the processor time beside this time; 0: none */
	/* how a worker measures the metric: */
	const char *mode;  /* the name of its loop; NULL: `name` */
	bool paced;	   /* blocks become more until the noise is low (session/invocation.h) */
	bool cold;	   /* the cache is flushed before each run */
	bool back_to_back; /* many short runs between two events */
	/* only benchmarks that can rotate through several inputs have it */
	bool rotates;
} ba_metric_info;

const ba_metric_info *ba_metric_get(ba_metric metric);
/* In the words of the suite's kind: a program's benchmarks are run, not launched. */
const ba_metric_info *ba_metric_of(ba_metric metric, ba_suite_kind kind);
/* The worker's mode that measures it. */
const char *ba_metric_mode(ba_metric metric);
/* Is its time that of user benchmarks (GPU, plugin), rather than of launches? */
bool ba_metric_is_of_runs(ba_metric metric);
bool ba_metric_is_time(ba_metric metric);
/* Does every process have the same value, so that a difference may be exact? */
bool ba_metric_repeats(ba_metric metric);
/* Does a benchmark with this metric have no other metric and need no GPU? */
bool ba_metric_decides_itself(ba_metric metric);
/* A time's unit: ns for launches, up to 100 us. Both names are "" if it is not a time. */
ba_time_unit ba_metric_time_unit(const ba_metric_info *info, double ns);
/* what follows a time: " per launch", " per run", "" */
const char *ba_metric_per_words(const ba_metric_info *info);
int ba_metric_from_name(const char *name); /* ba_metric, or -1 */
/* Do benchmarks of this kind of suite have this metric in at least one lane? */
bool ba_metric_is_of(ba_metric metric, ba_suite_kind kind);
/* Do they have it in a run that is untrusted, or in one that is not? */
bool ba_metric_is_taken(ba_metric metric, ba_suite_kind kind, bool untrusted);

/* What a gate asks of a run, from the weakest on (docs/security.md, "Lanes"). */
typedef enum ba_lane { BA_LANE_ANY, BA_LANE_ISOLATED, BA_LANE_UNTRUSTED, BA_LANE_COUNT } ba_lane;

typedef struct ba_lane_info {
	/* the option that puts a run into this lane; NULL: no option is needed */
	const char *option;
	const char *engines;  /* the accepted engines, separated by spaces; NULL: all */
	bool needs_untrusted; /* accepts only runs with --untrusted */
} ba_lane_info;

extern const char *const ba_lane_words[]; /* "any", ...; ends with NULL */
const ba_lane_info *ba_lane_get(ba_lane lane);
/* Does the lane accept a run by that engine? */
bool ba_lane_accepts(ba_lane lane, const char *engine, bool untrusted);

/* A benchmark: a named case of a suite, with axes. Users write its id in globs:
 * "launch/args=2,path=signature". */
#ifndef MODEL_BENCHMARK_H
#define MODEL_BENCHMARK_H

#include "base/base.h"
#include "base/number.h"
#include "model/code.h"
#include "model/suite.h"

typedef struct ba_axis {
	char *name;
	char *value;
} ba_axis;

typedef struct ba_benchmark {
	char *suite; /* the suite's name in the configuration */
	ba_suite_kind kind;
	char *id;   /* suite/name/axis=value,... or suite/axis=value,... */
	char *name; /* its author's name for it; NULL in a launcher suite */
	ba_axis *axes;
	size_t axis_count;
	uint32_t metrics; /* bits of ba_metric: those it has; 0: all of its kind */
	/* the work of one run, as its author counts it; 0: not given */
	double flop, bytes_read, bytes_written, items;
	bool rotates;	       /* can work on several sets of inputs */
	bool gpu;	       /* of a worker suite: works on a GPU */
	ba_device_code *codes; /* [code_count] one a variant; NULL: not examined */
	size_t code_count;
	/* launch-overhead cases */
	char *path;	    /* launch path */
	unsigned args;	    /* number of parameters */
	unsigned arg_bytes; /* by-value bytes of each; 0: pointers */
	uint64_t loops;	    /* for `sustained` */
} ba_benchmark;

void ba_benchmark_dispose(ba_benchmark *b);
BA_DEFINE_AUTO(ba_benchmark, ba_benchmark_dispose)
/* Does this variant make the GPU do exactly what the baseline makes it do? */
bool ba_benchmark_is_same_work(const ba_benchmark *b, size_t variant);
void ba_benchmark_add_axis(ba_benchmark *b, const char *name, const char *value);

/* What is measured; ba_metric_info has a row for each. */
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
	BA_METRIC_FRESH,	/* only of code that is not trusted (--untrusted) */
	BA_METRIC_INSTRUCTIONS, /* of a launch or a run, counted and not timed */
	BA_METRIC_TRACKED,	/* a value that a worker's benchmark reports */
	BA_METRIC_PEAK_MEMORY,	/* bytes */
	/* what other programs print (command suites, result files) */
	BA_METRIC_TIME,
	BA_METRIC_CPU_TIME,
	BA_METRIC_GPU_TIME,
	BA_METRIC_VALUE, /* not a time: counts, bytes, rates */
	BA_METRIC_COUNT
} ba_metric;

typedef enum ba_metric_role {
	BA_ROLE_VERDICT, /* gets a verdict */
	BA_ROLE_REPORTED /* is only shown */
} ba_metric_role;

typedef struct ba_metric_info {
	const char *name; /* "submit" */
	const char *unit; /* "us/launch" */
	const char *help; /* one line */
	ba_metric_role role;
	bool runs;    /* of the user's own benchmarks (plugin, worker), not of launches */
	bool on_gpu;  /* timed by GPU events: env.event_tick_ns is the step */
	bool foreign; /* measured and printed by another program */
	bool counted; /* instructions: not a time, and mostly without noise */
	/* a value that a worker finds out once a process: not a time; has it only if its
	 * benchmark says so */
	bool quantity;
} ba_metric_info;

const ba_metric_info *ba_metric_get(ba_metric metric);
/* The same in the words of the suite's kind: a program's benchmarks are run, not
 * launched. */
const ba_metric_info *ba_metric_of(ba_metric metric, ba_suite_kind kind);
/* The unit of a time: ns for launches, up to 100 us. Both names are "" if the metric is
 * not a time. */
ba_time_unit ba_metric_time_unit(const ba_metric_info *info, double ns);
/* what follows a time: " per launch", " per run", "" */
const char *ba_metric_per_words(const ba_metric_info *info);
int ba_metric_from_name(const char *name); /* ba_metric, or -1 */
/* do benchmarks of such suites have this metric? */
bool ba_metric_is_of(ba_metric metric, ba_suite_kind kind);
/* Can it be taken in a run that does not trust its variants, or in one that does? GPU
 * benchmarks that are not trusted have one metric of their own. */
bool ba_metric_is_taken(ba_metric metric, ba_suite_kind kind, bool untrusted);
/* does this benchmark have it? */
bool ba_benchmark_has_metric(const ba_benchmark *b, ba_metric metric);
/* Of a command suite: the program prints both clocks, and the processor time decides. */
bool ba_benchmark_has_processor_time(const ba_benchmark *b);

#endif

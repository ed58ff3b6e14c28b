/* A benchmark: a named case of a suite, with axes. Its id is what people write in
 * globs: "launch/args=2,path=signature". */
#ifndef MODEL_BENCHMARK_H
#define MODEL_BENCHMARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/auto.h"
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
	char *name; /* as its author calls it; NULL in a launcher suite */
	ba_axis *axes;
	size_t axis_count;
	uint32_t metrics; /* bits of ba_metric, those it has; 0: all of its kind */
	/* what one run does, as its author counts; 0: not said */
	double flop, bytes_read, bytes_written, items;
	bool rotates;	       /* can work on several sets of inputs */
	ba_device_code *codes; /* [code_count] one a variant; NULL: not looked at */
	size_t code_count;
	/* launch-overhead cases */
	char *path;	    /* launch path */
	unsigned args;	    /* number of parameters */
	unsigned arg_bytes; /* by-value bytes of each; 0: pointers */
	uint64_t loops;	    /* for `sustained` */
} ba_benchmark;

void ba_benchmark_dispose(ba_benchmark *b);
BA_DEFINE_AUTO(ba_benchmark, ba_benchmark_dispose)
/* Does that variant have the GPU do exactly what the baseline does? */
bool ba_benchmark_is_same_work(const ba_benchmark *b, size_t variant);
void ba_benchmark_add_axis(ba_benchmark *b, const char *name, const char *value);

/* What is measured. Rows of ba_metric_info. */
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
	/* what other programs print (command suites, files) */
	BA_METRIC_TIME,
	BA_METRIC_CPU_TIME,
	BA_METRIC_GPU_TIME,
	BA_METRIC_VALUE, /* no time: counts, bytes, rates */
	BA_METRIC_COUNT
} ba_metric;

typedef enum ba_metric_role {
	BA_ROLE_VERDICT, /* decides */
	BA_ROLE_REPORTED /* shown; no verdict */
} ba_metric_role;

typedef struct ba_metric_info {
	const char *name; /* "submit" */
	const char *unit; /* "us/launch" */
	const char *help; /* one line */
	ba_metric_role role;
	double per_ns; /* shown value = ns per launch * per_ns */
	bool runs;    /* of benchmarks of one's own (plugin, worker), not of launches */
	bool on_gpu;  /* timed by events of the GPU: env.event_tick_ns is its step */
	bool foreign; /* measured and printed by another program */
} ba_metric_info;

const ba_metric_info *ba_metric_get(ba_metric metric);
/* The same in the words of a suite's kind: a program's benchmarks are run, not
 * launched.
 */
const ba_metric_info *ba_metric_of(ba_metric metric, ba_suite_kind kind);
/* " ns per launch", " ns per run", " ns", "": what stands behind a figure in ns */
const char *ba_metric_ns_words(const ba_metric_info *info);
int ba_metric_from_name(const char *name); /* ba_metric, or -1 */
/* do benchmarks of such suites have it? */
bool ba_metric_is_of(ba_metric metric, ba_suite_kind kind);
/* has this benchmark? */
bool ba_benchmark_has_metric(const ba_benchmark *b, ba_metric metric);
/* the one that a benchmark of a command suite has */
ba_metric ba_benchmark_foreign_metric(const ba_benchmark *b);

#endif

/* A benchmark: a named case of a suite, with axes. A glob: "launch/args=2,path=signature". */
#pragma once

#include "model/code.h"
#include "model/metric.h"

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
	/* bits of ba_metric: the metrics that it has; 0: all metrics of its kind */
	uint32_t metrics;
	/* the work of one run, as its author counts it; 0: not given */
	double flop, bytes_read, bytes_written, items;
	bool weighs;  /* says how much memory of the GPU its inputs take */
	bool rotates; /* can rotate through several sets of inputs */
	bool gpu;     /* of a worker suite: works on a GPU */
	bool process; /* stands for the process of its suite: nothing is called */
	bool control; /* measured although its code is the same (verdict/identity.h) */
	/* as of its suite, with the kernels that it launches only; empty: not looked at */
	ba_strv executes;
	ba_device_code *codes; /* [code_count] one for each variant; NULL: not examined */
	size_t code_count;
	/* launch-overhead cases */
	char *path;    /* launch path */
	unsigned args; /* number of parameters */
	/* bytes of each argument that is passed by value; 0: pointers */
	unsigned arg_bytes;
	uint64_t loops; /* for `sustained` */
} ba_benchmark;

void ba_benchmark_dispose(ba_benchmark *b);
/* Does this variant make the GPU do exactly what the baseline makes it do? */
bool ba_benchmark_is_same_work(const ba_benchmark *b, size_t variant);
void ba_benchmark_add_axis(ba_benchmark *b, const char *name, const char *value);

/* Does this benchmark have the metric? */
bool ba_benchmark_has_metric(const ba_benchmark *b, ba_metric metric);
/* Of a command suite: does processor time decide, because the program prints both clocks? */
bool ba_benchmark_has_processor_time(const ba_benchmark *b);

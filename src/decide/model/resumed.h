/* What a run had measured when it was killed: samples, and the state of the benchmarks
 * after each invocation that they took part in. With them another process resumes the
 * run; everything else follows from the samples. */
#pragma once

#include "model/result.h"

/* A benchmark's metric: thresholds, sizes, and the limit for doubling the blocks. */
typedef struct ba_metric_state {
	double slower, faster; /* as ratios, absolute thresholds included */
	unsigned batch, readings, blocks, blocks_most, discard;
} ba_metric_state;

/* A benchmark in one variant. */
typedef struct ba_variant_state {
	bool wanted;
	char *failure, *output, *skipped; /* or NULL each */
} ba_variant_state;

typedef struct ba_benchmark_state {
	char *id;
	bool active, sized;
	unsigned sets;
	double flop, bytes_read, bytes_written, items; /* as its author counts them */
	ba_variant_state *variants;
	size_t variant_count;
	ba_metric_state metrics[BA_METRIC_COUNT];
	uint64_t has_metric; /* bits: metrics that have a series */
} ba_benchmark_state;

/* The state after an invocation. */
typedef struct ba_checkpoint {
	int64_t elapsed_ns; /* time spent on measuring since the run's start */
	size_t samples;	    /* samples kept in this invocation */
	ba_benchmark_state *benchmarks;
	size_t benchmark_count;
	ba_measured_suite *suites; /* their engines */
	size_t suite_count;
	ba_strv notes; /* notes made in this invocation */
	/* files opened in this invocation that differ between the trees */
	ba_strv opened;
	/* evidence of an untrusted run about everything measured so far */
	ba_evidence evidence;
} ba_checkpoint;

typedef struct ba_resumed_samples {
	char *benchmark; /* its id */
	ba_metric metric;
	ba_samples samples; /* the resuming run takes ownership of them */
} ba_resumed_samples;

typedef struct ba_resumed {
	/* origins that joined so far; samples refer to them by index */
	ba_origin *origins;
	size_t origin_count;
	ba_resumed_samples *samples; /* by invocation */
	size_t sample_count, sample_capacity;
	ba_checkpoint *checkpoints; /* [i] is the state after invocation first + i */
	size_t count, capacity;
	size_t first; /* number of the first one; 0 in a run's own journal */
} ba_resumed;

void ba_checkpoint_dispose(ba_checkpoint *c);
void ba_resumed_dispose(ba_resumed *p);
BA_DEFINE_AUTO(ba_checkpoint, ba_checkpoint_dispose)
BA_DEFINE_AUTO(ba_resumed, ba_resumed_dispose)

/* time spent on measuring, up to the last complete invocation */
int64_t ba_resumed_elapsed_ns(const ba_resumed *p);
/* Removes the samples of an incomplete invocation. */
void ba_resumed_drop_incomplete(ba_resumed *p);

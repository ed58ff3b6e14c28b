/* Inside replay: what was read, before and after it is decided. */
#pragma once

#include "stats/replay.h"

typedef struct ba_replay_benchmark {
	char *name;
	ba_trace_shape shape;
	uint32_t count, capacity; /* invocations */
	uint32_t least, most;	  /* of their numbers */
	uint32_t *numbers;
	/* [count][candidates] while reading, [candidates][count] after */
	double *y, *z;
} ba_replay_benchmark;

/* a row whose names have become numbers; kept for any_order only */
typedef struct ba_replay_kept {
	uint32_t benchmark, invocation;
	ba_reading reading;
} ba_replay_kept;

struct ba_replay {
	ba_replay_options options;
	ba_replay_benchmark *benchmarks;
	size_t count, capacity;
	ba_names names; /* of the benchmarks, which own them */

	char *variant_names[BA_REPLAY_VARIANTS_MAX];
	ba_trace_variants variants;
	bool variants_known; /* from the first whole invocation on */

	bool open, unordered;
	uint32_t open_benchmark, open_invocation;
	ba_reading *readings;
	size_t reading_count, reading_capacity;
	ba_replay_kept *kept;
	size_t kept_count, kept_capacity;

	ba_decision *decisions;
	size_t family;
};

/* The request "measure" and its answer, for every kind of suite. */
#pragma once

#include "worker/worker.h"

typedef struct ba_measurement {
	int mode; /* index into `modes` of _read */
	uint64_t batch, readings, blocks, positions, discard;
	uint64_t witness;	/* of launches: their seed (wire/witness.h) */
	uint64_t *order;	/* [blocks * positions] */
	uint64_t *ns;		/* [blocks * positions * readings] */
	uint64_t *at;		/* [blocks] */
	uint64_t *khz;		/* [blocks * positions] */
	uint64_t *clock_events; /* [blocks] mask of what held the clock down */
	uint64_t *unfit;	/* [blocks] 1: the clock makes the block unusable */
	char *unfit_text;	/* why: "thermal, hw_thermal"; NULL: all blocks are fine */
} ba_measurement;

BA_DECLARE_DISPOSE(ba_measurement)

/* there[participant]: may it be visited? The arrays are allocated and zeroed. */
int ba_measurement_read(ba_measurement *q, const ba_message *m, const char *const *modes,
	const bool *there, size_t participants, ba_error *err);

/* What the visits of a request need. */
typedef struct ba_measuring {
	ba_worker *w;
	ba_measurement *q;
	ba_error *err;
	int64_t start; /* set by _run */
} ba_measuring;

/* Makes the visits and notes when each block begins: ba_interleave_run. */
int ba_measurement_run(ba_measuring *m, int (*visit)(void *measuring, uint64_t index),
	void (*end)(void *measuring, uint64_t block));
/* Sends the "measured" message; if `failed`, its arrays are empty. `clocks`: include
 * those of the GPU. */
void ba_measurement_answer(ba_worker *w, const ba_measurement *q, bool failed, bool clocks);

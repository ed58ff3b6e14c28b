/* What "measure" asks for and what is answered, whichever the kind of suite. */
#ifndef WORKER_MEASUREMENT_H
#define WORKER_MEASUREMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/auto.h"
#include "base/error.h"
#include "wire/message.h"

typedef struct ba_measurement {
	int mode; /* index into the modes given */
	uint64_t batch, readings, blocks, positions, discard;
	uint64_t *order;	/* [blocks * positions] */
	uint64_t *ns;		/* [blocks * positions * readings] */
	uint64_t *at;		/* [blocks] */
	uint64_t *khz;		/* [blocks * positions] */
	uint64_t *clock_events; /* [blocks] what held the clock down: a mask */
	uint64_t *unfit;  /* [blocks] 1: and so that the block is not to be used */
	char *unfit_text; /* what it was: "thermal, hw_thermal"; NULL: nothing */
} ba_measurement;

void ba_measurement_dispose(ba_measurement *q);
BA_DEFINE_AUTO(ba_measurement, ba_measurement_dispose)

/* there[participant]: may be visited. Arrays are zeroed. */
int ba_measurement_read(ba_measurement *q, const ba_message *m,
	const char *const *modes, const bool *there, size_t participants,
	ba_error *err);

/* The "measured" message; where somebody failed the arrays are empty. `clocks`: with
 * those of the GPU. */
void ba_measurement_put(
	ba_buf *reply, const ba_measurement *q, bool failed, bool clocks);

#endif

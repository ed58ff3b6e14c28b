/*
 * Raw samples of one invocation, one benchmark, one metric, all participants.
 *
 * Participants 0 .. variants-1 are the variants. With has_floor there is one more,
 * number `variants`: the bare driver call.
 *
 *     block     a palindrome over the participants; has `positions` visits
 *     visit     the turn of one participant; has `readings` readings
 *     reading   the time in ns of `batch` launches
 *
 *     order[block * positions + position]                          the participant
 *     ns[(block * positions + position) * readings + reading]      the reading
 */
#pragma once

#include "stats/logratio.h"

typedef struct ba_samples {
	unsigned invocation; /* 0, 1, ... */
	unsigned origin;     /* index into ba_result.origins; 0 without origins */
	uint64_t seed;	     /* seed of this benchmark's schedule in this invocation */
	unsigned participants;
	bool has_floor;
	unsigned positions; /* per block */
	unsigned blocks;
	unsigned readings;
	unsigned batch;
	uint8_t *order;
	uint64_t *ns;
	int64_t started_ns; /* since the run's start */
	int64_t wall_ns;
	/* [blocks] since the start of the invocation; NULL if not recorded */
	int64_t *block_at_ns;
	/* only for metrics on the GPU; NULL if unknown */
	uint64_t *khz;		/* per visit: the multiprocessors' clock */
	uint64_t *clock_events; /* per block: mask of what held the clock down */
	unsigned repeated;	/* blocks measured again because of such events */
	/* copies of a library that blocks rotate through (stats/layouts.h); 0: none */
	unsigned layouts;
} ba_samples;

BA_DECLARE_DISPOSE(ba_samples)
/* allocates order, ns and block_at_ns, zeroed, for the counts in *s */
void ba_samples_alloc(ba_samples *s);

/* the size of its arrays in bytes */
size_t ba_samples_bytes(const ba_samples *s);
/* frees the arrays and keeps the rest */
void ba_samples_forget(ba_samples *s);
/* a view for the statistics; it points to the arrays of *s */
ba_readings ba_samples_readings(const ba_samples *s);

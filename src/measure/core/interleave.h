/*
 * The loop of every measurement: blocks, the visits of each block in their order, and
 * the time between two clock reads. The worker and the measuring core share it. Needs
 * only libc.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct ba_interleave {
	uint64_t blocks, positions; /* positions: visits in a block */
	void *data;
	/* One visit; index = block * positions + position. Other than 0: the measurement ends. */
	int (*visit)(void *data, uint64_t index);
	/* Before and after the visits of a block; NULL: nothing to do. */
	void (*begin)(void *data, uint64_t block);
	void (*end)(void *data, uint64_t block);
} ba_interleave;

/* The time between two clock reads. If the clock did not move it is 1 ns, because
 * logarithms follow. */
static inline uint64_t ba_reading_ns(int64_t start, int64_t end)
{
	return end > start ? (uint64_t)(end - start) : 1;
}

/* Returns 0, or the value with which a visit ended the measurement. */
static inline int ba_interleave_run(const ba_interleave *l)
{
	int rc = 0;
	for (uint64_t b = 0; rc == 0 && b < l->blocks; b++) {
		if (l->begin)
			l->begin(l->data, b);
		for (uint64_t k = 0; rc == 0 && k < l->positions; k++)
			rc = l->visit(l->data, b * l->positions + k);
		if (rc == 0 && l->end)
			l->end(l->data, b);
	}
	return rc;
}

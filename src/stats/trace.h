/*
 * A recorded trace, row by row: the readings of an invocation, checked and turned into
 * the log ratio of each candidate.
 *
 * A trace is a list of readings; each names its benchmark, invocation, block, position
 * in the block, variant and sample number. What a trace may look like:
 *   - positions of a block are numbered without a gap from 0 (or from 1), blocks
 * likewise;
 *   - all blocks have the same number of positions, all variants the same number of
 * visits in every block;
 *   - all readings of a visit belong to one variant; their numbers are its identity and
 *     may have gaps (a reading that was discarded), but none occurs twice.
 * Anything else is an error that says where.
 */
#ifndef STATS_TRACE_H
#define STATS_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* One row as a file has it. The strings are good until the call that gets them returns.
 */
typedef struct ba_trace_row {
	const char *benchmark, *variant;
	uint32_t invocation, block, position, sample;
	double ns;
	uint64_t line;
} ba_trace_row;

/* One reading of an invocation whose benchmark is known. */
typedef struct ba_reading {
	uint32_t block, position, sample;
	unsigned char variant;
	double ns; /* > 0 */
	uint64_t line;
} ba_reading;

/* by block, position, sample, line */
int ba_reading_compare(const ba_reading *a, const ba_reading *b);

/* What all invocations of a benchmark have in common; zeros until the first. */
typedef struct ba_trace_shape {
	size_t blocks, positions;
} ba_trace_shape;

/* Variants of the trace: names[0..count-1], one of them the baseline. */
typedef struct ba_trace_variants {
	const char *const *names;
	size_t count; /* >= 2 */
	size_t baseline;
} ba_trace_variants;

/*
 * y[0..count-2] and z: the log ratios of each candidate, trimmed and of the means, in
 * the order of the variants without the baseline. Sorts the n >= 1 readings. `shape` is
 * set by the first invocation of a benchmark and checked by the others; the number of
 * blocks may differ between invocations where any_blocks. BA_EDATA, without the
 * benchmark's and invocation's names, which are the caller's to add.
 */
int ba_trace_invocation(double *y, double *z, ba_trace_shape *shape,
	ba_reading *readings, size_t n, const ba_trace_variants *variants,
	bool any_blocks, ba_error *err);

#endif

/*
 * A recorded trace, row by row: checks the readings of an invocation and turns them
 * into the log ratio of each candidate.
 *
 * A trace is a list of readings. Each names its benchmark, invocation, block, position
 * in the block, variant and sample number. Rules:
 *
 *   - The positions of a block are numbered from 0 (or from 1) without a gap; so are
 *     the blocks.
 *   - All blocks have the same number of positions, and each variant has the same
 *     number of visits in every block.
 *   - All readings of a visit belong to one variant. Their sample numbers identify
 *     them: there may be gaps (a reading was discarded), but no number occurs twice.
 *
 * Anything else is an error that says where.
 */
#pragma once

#include "base/base.h"

/* A row of the file. The strings are valid until the function that takes it returns. */
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

/* by block, position, sample and line */
int ba_reading_compare(const ba_reading *a, const ba_reading *b);

/* What all invocations of a benchmark have in common; zeros before the first. */
typedef struct ba_trace_shape {
	size_t blocks, positions;
} ba_trace_shape;

/* The variants of the trace: names[0..count-1], one of which is the baseline. */
typedef struct ba_trace_variants {
	const char *const *names;
	size_t count; /* >= 2 */
	size_t baseline;
} ba_trace_variants;

/* y[0..count-2] and z: the log ratios of each candidate, trimmed and of the means, in
 * the order of the variants without the baseline. Sorts the n >= 1 readings. The first
 * invocation of a benchmark sets `shape`; later ones must match it, but with any_blocks
 * their number of blocks may differ. BA_EDATA, without the names of benchmark and
 * invocation, which the caller adds. */
int ba_trace_invocation(double *y, double *z, ba_trace_shape *shape, ba_reading *readings, size_t n,
	const ba_trace_variants *variants, bool any_blocks, ba_error *err);

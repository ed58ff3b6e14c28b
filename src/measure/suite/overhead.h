/*
 * The launch-overhead suite: which benchmarks it has.
 *
 * They are empty kernels on a 1x1 grid, for each selected launch path; by default with
 * 0..4 pointer parameters. Users may choose other numbers of pointers (`args`), or one
 * parameter passed by value (`bytes`). Ids: "launch/args=2,path=signature",
 * "launch/bytes=4096,path=signature".
 */
#pragma once

#include "model/benchmark.h"

#define BA_OVERHEAD_ARGS_MOST 1024u
#define BA_OVERHEAD_BYTES_MOST 32764u
#define BA_OVERHEAD_LOOPS_MOST 100000000u
#define BA_OVERHEAD_REPEATS 7u

typedef struct ba_overhead {
	const char *suite; /* name in ids */
	const uint64_t *args;
	size_t arg_count; /* 0, and byte_count 0: 0..4 */
	const uint64_t *bytes;
	size_t byte_count;
	/* calls of `sustained`: for the first, second, ... benchmark of a path; the
	 * last value is for all others. None: 100,000 up to 3 parameters, 10,000 for
	 * more, as in the scripts that this suite replaces */
	const uint64_t *loops;
	size_t loop_count;
	const ba_strv *paths; /* globs; empty: the baseline's first path */
} ba_overhead;

/* Selects among the paths of all variants, in the order of their first occurrence.
 * available[v] belongs to variant v, the baseline first. BA_EINVAL if a glob matches
 * none; the sentence lists the available paths. */
int ba_overhead_select_paths(ba_strv *out, const ba_overhead *o, const ba_strv *available,
	size_t variant_count, ba_error *err);

/* Appends every benchmark of those paths whose id matches one of the filters (none:
 * all) to *out. BA_EINVAL: out of range. */
int ba_overhead_expand(ba_benchmark **out, size_t *count, const ba_overhead *o,
	const ba_strv *paths, const ba_strv *filters, ba_error *err);

/* Shows benchmarks that do the same work in different ways side by side: their
 * ids differ only in one axis, or in the suite and its names. One of them is the
 * reference; the others get their ratio to it.
 *
 *     --across backend            attention/S=128,backend=flash
 *                                 attention/S=128,backend=math
 *     --across suite,backend=math c/attention/S=128
 *                                 torch/attention/S=128,backend=math
 *
 * The named keys of an id decide its side (column), the rest decides its row. A
 * missing axis differs from all values of that axis. Sides are measured in the same
 * invocations, but not interleaved block by block. So a ratio is an estimate over
 * invocations and gets no verdict. */
#pragma once

#include "model/result.h"

enum { BA_ACROSS_SIDES_MOST = 32 };

typedef struct ba_across_row {
	/* [sides.count]; NULL: there is no such benchmark */
	const ba_benchmark **sides;
} ba_across_row;

typedef struct ba_across {
	ba_strv sides; /* "torch/attention/backend=math"; the reference first */
	/* the keys that distinguish rows: "suite", "benchmark", then axes */
	ba_strv axes;
	/* in the order of the result; each has two sides or more */
	ba_across_row *rows;
	size_t count;
	size_t alone; /* benchmarks without a counterpart, left out */
	bool has[BA_METRIC_COUNT];
	const ba_series **series; /* [benchmark_count * BA_METRIC_COUNT]; or NULL */
} ba_across;

/* `keys` is a list of axes, "suite" and "benchmark". With "=value" the reference is the side
 * that has this value, else the first one. Takes benchmarks that match one of the globs (none:
 * all). BA_EINVAL: no two stand side by side. Pointers are into the result. */
int ba_across_of(ba_across *out, const ba_result *r, const char *keys, const ba_strv *filters,
	ba_error *err);
BA_DECLARE_DISPOSE(ba_across)

/* the value that a row has on one of `axes`, or NULL */
const char *ba_across_value(const ba_across *a, size_t row, const char *axis);

/* The name of a row, "S=128,dtype=f16": the axes that have one value in all rows, those
 * that differ between rows, or both ("all" if there are none). */
typedef enum ba_across_axes {
	BA_ACROSS_OWN = 1,
	BA_ACROSS_COMMON = 2,
	BA_ACROSS_ALL = BA_ACROSS_OWN | BA_ACROSS_COMMON
} ba_across_axes;
void ba_across_row_put(ba_buf *out, const ba_across *a, size_t row, ba_across_axes which);

/* One side of a row, in one metric, of one variant. */
typedef struct ba_across_cell {
	const ba_benchmark *benchmark; /* NULL: there is none */
	double ns;		       /* trimmed mean; NAN: not measured */
	ba_throughput work;
	const char *trouble; /* why it was not measured; NULL: unknown */
	bool failed;	     /* if there is trouble: it failed, it was not skipped */
	bool fastest;	     /* of its row */
	/* to the reference of the same variant: exp of the mean of invocations' log ratios; the
	 * 95 % interval is this ratio's alone. NAN: unknown */
	double ratio, low, high;
	size_t invocations; /* the invocations that both sides have */
} ba_across_cell;

/* a note for readers about what such ratios show, and what they do not show */
extern const char ba_across_caution[];

/* the cells of a row, [sides.count] of them */
void ba_across_cells(ba_across_cell *out, const ba_across *a, const ba_result *r, size_t row,
	ba_metric metric, size_t variant);

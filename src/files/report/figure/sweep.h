/*
 * Finds sweeps: benchmarks that differ only in the value of one axis, and so form a
 * line in a plot: launch/args=0,path=x, launch/args=1,path=x, ...
 */
#ifndef REPORT_FIGURE_SWEEP_H
#define REPORT_FIGURE_SWEEP_H

#include "model/result.h"

typedef struct ba_sweep_point {
	double x; /* the value; if it is not a number, its index in the list */
	const char *text;
	const ba_series *series;
} ba_sweep_point;

typedef struct ba_sweep {
	ba_metric metric;
	const char *axis;
	size_t axis_index;	/* of the benchmarks */
	const ba_series *first; /* in the order of the result */
	bool numeric;
	ba_sweep_point *points; /* two or more, ordered by x, all different */
	size_t count;
} ba_sweep;

typedef struct ba_sweeps {
	ba_sweep *items; /* in the order of their first series */
	size_t count;
} ba_sweeps;

/* Pointers are into the result. An axis without numbers counts if it has at most 8
 * values. Takes n log n in the number of series. */
void ba_sweeps_of(ba_sweeps *out, const ba_result *r);
void ba_sweeps_dispose(ba_sweeps *s);
BA_DEFINE_AUTO(ba_sweeps, ba_sweeps_dispose)

/* the parts that its benchmarks share: "launch, path=signature" */
void ba_sweep_text(ba_buf *out, const ba_result *r, const ba_sweep *s);

#endif

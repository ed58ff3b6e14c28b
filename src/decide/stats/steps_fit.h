/* Internal to steps.c: the data as sums of squares, for several ratios of the two noises. */
#pragma once

#include "base/base.h"

/* The values from which stats/steps.h finds the place of a step. */

/* The values of one invocation. Every commit is > 0 and occurs once. */
typedef struct ba_step_values {
	const size_t *commits; /* [count] ascending */
	const double *y;       /* [count] log ratio to GOOD in this invocation */
	size_t count;
} ba_step_values;

typedef struct ba_step_data {
	size_t commits; /* n >= 2 */
	/* [n] prior weight of a step at k, 0: impossible; [0] is ignored */
	const double *prior;
	const ba_step_values *values; /* [count] */
	size_t count;
	double floor; /* smallest plausible standard deviation of e: BA_S_FLOOR */
	double least; /* the smallest size of each of two steps, as log ratio; > 0 */
} ba_step_data;

enum { BA_STEP_FITS = 5 };
/* the variance of a commit's own deviation, in units of the noise of one invocation */
extern const double ba_step_ratios[BA_STEP_FITS];

/* Sums of squares for one ratio, weighted so that all values have one variance. */
typedef struct ba_step_fit {
	double *cross; /* [count * count] products of steps at edges i <= j */
	double *sum;   /* [count] products of a step at edge j with the values */
	/* the same for a drift, to which each cell adds its share of the prior */
	double ramp_cross, ramp_sum;
	double total; /* sum of squares of the values, including the floor's share */
	double base;  /* log likelihood without a step */
} ba_step_fit;

/* Places between two measured commits cannot be told apart: a cell. Cell j holds the
 * places k with edge[j-1] < k <= edge[j]; of one step there, the commits from edge[j] on
 * are slower. */
typedef struct ba_step_cells {
	size_t count; /* edges; edge[0] is GOOD, the last is BAD */
	size_t *edge;
	double *mass; /* [count] prior of the cell */
	size_t df;    /* number of values, less one for each invocation */
	ba_step_fit fit[BA_STEP_FITS];
} ba_step_cells;

void ba_step_cells_of(ba_step_cells *out, const ba_step_data *d);
BA_DECLARE_DISPOSE(ba_step_cells)

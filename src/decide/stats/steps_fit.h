/* For steps.c: the data as sums of squares, for several ratios of the two kinds of
 * noise. */
#ifndef STATS_STEPS_FIT_H
#define STATS_STEPS_FIT_H

#include <stddef.h>

#include "base/auto.h"
#include "stats/steps_data.h"

enum { BA_STEP_FITS = 5 };
/* the variance of a commit's own deviation, in units of the noise of one invocation */
extern const double ba_step_ratios[BA_STEP_FITS];

/* Of one ratio. Weighted so that all values have the same variance. */
typedef struct ba_step_fit {
	double *cross;		     /* [count * count] of steps at edges i <= j */
	double *sum;		     /* [count] of a step at edge j with the values */
	double ramp_cross, ramp_sum; /* the same of a change that each place has a part of */
	double total;		     /* of the values, with the share of the floor */
	double base;		     /* log likelihood without a step */
} ba_step_fit;

/* Places between two measured commits cannot be told apart: a cell. Cell j holds the
 * places k with edge[j-1] < k <= edge[j]; of one step there, the commits from edge[j] on
 * are slower. */
typedef struct ba_step_cells {
	size_t count; /* edges; edge[0] is GOOD, the last is BAD */
	size_t *edge;
	double *mass; /* [count] prior of the cell */
	size_t df;    /* values less one an invocation */
	ba_step_fit fit[BA_STEP_FITS];
} ba_step_cells;

void ba_step_cells_of(ba_step_cells *out, const ba_step_data *d);
void ba_step_cells_dispose(ba_step_cells *c);
BA_DEFINE_AUTO(ba_step_cells, ba_step_cells_dispose)

#endif

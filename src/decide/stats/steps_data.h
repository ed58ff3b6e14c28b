/* The values from which stats/steps.h finds the place of a step. */
#ifndef STATS_STEPS_DATA_H
#define STATS_STEPS_DATA_H

#include <stddef.h>

/* What one invocation says. Every commit is > 0 and differs from the others. */
typedef struct ba_step_values {
	const size_t *commits; /* [count] ascending */
	const double *y;       /* [count] log ratio to GOOD in this invocation */
	size_t count;
} ba_step_values;

typedef struct ba_step_data {
	size_t commits;		      /* n >= 2 */
	const double *prior;	      /* [n] weight of a step at k, 0: impossible; [0] is ignored */
	const ba_step_values *values; /* [count] */
	size_t count;
	double floor; /* smallest plausible standard deviation of e: BA_S_FLOOR */
	double least; /* of a step of two, as log ratio; > 0 */
} ba_step_data;

#endif

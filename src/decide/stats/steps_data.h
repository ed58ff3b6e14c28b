/* The values from which stats/steps.h finds the place of a step. */
#ifndef STATS_STEPS_DATA_H
#define STATS_STEPS_DATA_H

#include <stddef.h>

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

#endif

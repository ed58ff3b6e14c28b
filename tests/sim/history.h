/* Bisections of simulated histories: by the tool's posterior, and by `git bisect run` with
 * as much measuring time. */
#ifndef TESTS_SIM_HISTORY_H
#define TESTS_SIM_HISTORY_H

#include <stdbool.h>

#include "noise.h"

typedef struct history {
	const noise_model *model;
	size_t commits; /* besides GOOD: places of the step */
	double theta;	/* the threshold */
	double effect;	/* of the step; of each of two */
	size_t places;	/* steps: 1 or 2 */
	/* standard deviation of what each commit does besides, in thresholds */
	double deviation;
	bool forced; /* searches also where the first run finds nothing */
	uint64_t seed;
} history;

typedef enum history_answer {
	HISTORY_NOT_SLOWER, /* the first run shows nothing to search for */
	HISTORY_RIGHT,
	HISTORY_WRONG,
	HISTORY_OPEN,	 /* the budget is over */
	HISTORY_NO_STEP, /* fresh values show none */
} history_answer;

typedef struct history_end {
	history_answer answer;
	double launches;    /* measuring, the first run included */
	size_t invocations; /* of the search */
	history_answer git; /* `git bisect run` with as many launches */
} history_end;

history_end history_bisect(const history *h);

#endif

/* Runs of the decision rule on a simulated GPU, scheduled as the tool schedules. */
#ifndef TESTS_SIM_SIMULATE_H
#define TESTS_SIM_SIMULATE_H

#include "noise.h"
#include "stats/sequential.h"

typedef struct simulation {
	const noise_model *model;
	double theta, effect; /* effect: the true ratio - 1 of the candidate */
	size_t family;	      /* m; the others of the family have p = 1 */
	size_t blocks;	      /* 0: two, doubling where the rule says so; else fixed */
	uint64_t seed;
} simulation;

typedef struct simulated {
	ba_decision decision;
	double launches; /* both sides, discarded ones too */
} simulated;

/* the whole sequential rule on one benchmark */
simulated simulate(const simulation *s);

/* launches of a block, both sides, discarded ones too */
double simulated_launches(const simulation *s);

/* y of n invocations with a fixed number of blocks; s->family is not used */
void simulate_values(double *y, size_t n, const simulation *s);

#endif

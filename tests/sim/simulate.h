/* Runs of the decision rule on a simulated GPU, scheduled as the tool schedules. */
#ifndef TESTS_SIM_SIMULATE_H
#define TESTS_SIM_SIMULATE_H

#include "noise.h"
#include "stats/sequential.h"

/* What the candidate's code does now and then, besides its effect. */
typedef enum tail_kind {
	TAIL_NONE,
	TAIL_VISITS,   /* whole visits, independently */
	TAIL_READINGS, /* single readings */
	TAIL_MODE,     /* a state of eight visits on average: bimodal inside */
} tail_kind;

typedef struct tail {
	tail_kind kind;
	double share, factor; /* of the time; times as slow */
} tail;

typedef struct simulation {
	const noise_model *model;
	double theta, effect; /* effect: the true ratio - 1 of the candidate */
	size_t family;	      /* m; the others of the family have p = 1 */
	size_t blocks;	      /* 0: two at first, then as the rule says; else fixed */
	size_t first_blocks;  /* where blocks is 0: instead of two */
	double start_cost;    /* of an invocation, in blocks; 0: as two of them */
	bool tries;	      /* finds its first number of blocks by a trial */
	bool doubles;	      /* afterwards, as versions before this rule did */
	tail tail;
	double spikes, spike_ms; /* share of readings, of both sides, that take longer */
	uint64_t seed;
} simulation;

typedef struct simulated {
	ba_decision decision;
	double launches;     /* both sides, discarded ones too */
	double cost;	     /* of all invocations, starting them too; in blocks */
	double y[32], z[32]; /* of each invocation */
	size_t done;	     /* how many of them */
} simulated;

/* the whole sequential rule on one benchmark */
simulated simulate(const simulation *s);

/* launches of a block, both sides, discarded ones too */
double simulated_launches(const simulation *s);

/* y of n invocations with a fixed number of blocks; s->family is not used */
void simulate_values(double *y, size_t n, const simulation *s);
/* the same, and the log ratios of the means */
void simulate_both(double *y, double *z, size_t n, const simulation *s);

#endif

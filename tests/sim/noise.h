/*
 * A simulated GPU: nine kinds of noise on a launch of 1 ms (log scale), for tests of
 * what the statistics promise. The magnitudes are assumptions; recorded traces replace
 * them.
 *
 *     quiet    .3 % independent
 *     tails    .5 % and 3 % of launches slowed by Exp(10 %)
 *     ar1      shared slow wander: OU .5 % / 20 ms and .7 % / 3 s
 *     drift    shared warm-up of 1.5 % in 20 s, OU .2 %
 *     bimodal  each process now and then slower by 3 %: 30 % of the time, 30 ms at once
 *     launch   each process has a speed of its own, N(0, .5 %)
 *     launch2  each process is fast or, as often, 1 % slower
 *     quant    a timer whose tick is 2 % of a launch
 *     mixed    some of everything
 */
#ifndef TESTS_SIM_NOISE_H
#define TESTS_SIM_NOISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum noise_law {
	NOISE_NORMAL,
	NOISE_TWO_SPEEDS,
	NOISE_THREE_SPEEDS,
	NOISE_LOGNORMAL,
	NOISE_STUDENT3,
} noise_law;

typedef struct noise_model {
	const char *name;
	double iid;
	double outlier_share, outlier_mean;
	double fast_sd, fast_ms; /* Ornstein-Uhlenbeck, shared by all processes */
	double slow_sd, slow_ms;
	double ramp, ramp_ms;		  /* shared, saturating */
	double mode, mode_share, mode_ms; /* of each process */
	noise_law launch_law;
	double launch; /* of each process: sd, or the step between speeds */
	double tick;   /* of the timer, in ms */
} noise_model;

enum { NOISE_MODELS = 9 };
extern const noise_model noise_models[NOISE_MODELS];

/* what all processes share */
typedef struct noise_world {
	const noise_model *model;
	uint64_t rng;
	double spare; /* the second of a pair of normal numbers */
	bool has_spare;
	double now_ms, fast, slow;
	double fast_keep, slow_keep; /* of a step of 1 ms */
} noise_world;

typedef struct noise_process {
	double launch;	/* its speed, log */
	double effect;	/* what its code adds, log */
	double seen_ms; /* when in_mode was so */
	bool in_mode;
} noise_process;

void noise_world_init(noise_world *w, const noise_model *model, uint64_t seed);
void noise_process_start(noise_process *p, noise_world *w, double effect);
void noise_wait(noise_world *w, double ms);
/* one launch: moves the clock; returns its time in ms, untouched by the timer */
double noise_launch(noise_world *w, noise_process *p);
/* `batch` launches between two looks at the timer: ms per launch */
double noise_reading(noise_world *w, noise_process *p, unsigned batch);

double noise_uniform(uint64_t *rng); /* in [0, 1) */
double noise_normal(noise_world *w);

#endif

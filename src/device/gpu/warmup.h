/* Raises the GPU's clock until it is steady: an idle GPU runs at a fraction of its
 * speed. */
#pragma once

#include "gpu/spin.h"
#include "gpu/timer.h"

typedef struct ba_warmup {
	double mhz;	  /* multiprocessor clock at the end */
	double first_mhz; /* clock in the first round */
	unsigned rounds;
	int64_t wall_ns;
	bool steady;	      /* the clock changed by less than 1 % over three rounds */
	uint64_t gpu_tick_ns; /* step of %globaltimer */
} ba_warmup;

#define BA_WARMUP_LEAST_NS (200 * INT64_C(1000000))
#define BA_WARMUP_MOST_NS (2000 * INT64_C(1000000))

/* Spins until the clock changes by less than 1 % for three rounds of 20 ms; for at
 * least 200 ms and at most 2 s by `now`. An unsteady clock is not an error; out->steady
 * says so. BA_ESIMULATED: the clock never advances. */
int ba_warmup_run(ba_warmup *out, ba_spinner *s, cu_stream stream, ba_now_fn *now, ba_error *err);

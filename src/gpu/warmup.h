/* Bringing the GPU's clock up and steady: an idle one sits at a fraction of its speed.
 */
#ifndef GPU_WARMUP_H
#define GPU_WARMUP_H

#include "gpu/spin.h"
#include "gpu/timer.h"

typedef struct ba_warmup {
	double mhz;	  /* multiprocessor clock at the end */
	double first_mhz; /* in the first round */
	unsigned rounds;
	int64_t wall_ns;
	bool steady;	      /* less than 1 % of change over three rounds */
	uint64_t gpu_tick_ns; /* step of %globaltimer */
} ba_warmup;

#define BA_WARMUP_LEAST_NS (200 * INT64_C(1000000))
#define BA_WARMUP_MOST_NS (2000 * INT64_C(1000000))

/* Spins until the clock changes by less than 1 % for three rounds of 20 ms, for at
 * least 200 ms and at most 2 s by `now`. Not steady is not an error: the caller says
 * so. A clock that never moves is (BA_ESIMULATED). */
int ba_warmup_run(
	ba_warmup *out, ba_spinner *s, cu_stream stream, ba_now_fn *now, ba_error *err);

#endif

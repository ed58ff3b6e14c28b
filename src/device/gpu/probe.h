/* Measures three values that distinguish a real, local GPU from most simulators and remote GPUs;
 * trust.h judges them. */
#ifndef GPU_PROBE_H
#define GPU_PROBE_H

#include "gpu/driver.h"
#include "gpu/timer.h"

typedef struct ba_probe {
	double roundtrip_ns; /* median launch + synchronise of an empty kernel */
	double mhz;	     /* multiprocessor clock after a short warm-up */
	double timer_ratio;  /* progress of %globaltimer / progress of now() */
} ba_probe;

/* Runs in the context that is current at this call; takes about 150 ms. */
int ba_probe_run(ba_probe *out, const ba_driver *drv, ba_now_fn *now, ba_error *err);

#endif

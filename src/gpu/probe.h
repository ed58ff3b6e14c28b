/* Three figures that tell a GPU in this machine from most else: see trust.h. */
#ifndef GPU_PROBE_H
#define GPU_PROBE_H

#include "gpu/driver.h"
#include "gpu/timer.h"

typedef struct ba_probe {
	double roundtrip_ns; /* median launch + synchronise of an empty kernel */
	double mhz;	     /* multiprocessor clock after warming up a little */
	double timer_ratio;  /* passing of %globaltimer / passing of now() */
} ba_probe;

/* In the current context; about 150 ms. */
int ba_probe_run(ba_probe *out, const ba_driver *drv, ba_now_fn *now, ba_error *err);

#endif

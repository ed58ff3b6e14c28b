/*
 * How many launches fit into the driver's queue before a launch has to wait for the
 * GPU. A burst must stay well below, or it measures the device and not the host.
 */
#ifndef GPU_QUEUE_H
#define GPU_QUEUE_H

#include "gpu/spin.h"
#include "gpu/timer.h"

typedef struct ba_queue {
	unsigned depth;	   /* launches accepted before one had to wait */
	bool at_least;	   /* none had to wait: the depth is this or more */
	double launch_ns;  /* median of a launch that did not wait */
	double blocked_ns; /* how long the one that waited did */
} ba_queue;

/* Queue launches of `function` (1x1, these parameters) behind a spin kernel of about 20
 * ms and look for the first that takes more than ten times the median and returns only
 * once the spin has ended, which tells waiting from a hiccup of the host. */
int ba_queue_probe(ba_queue *out, ba_spinner *s, cu_function function, void **params,
	cu_stream stream, ba_now_fn *now, ba_error *err);

#endif

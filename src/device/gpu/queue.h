/*
 * Measures how many launches fit into the driver's queue before a launch has to wait for the GPU.
 * A burst must stay well below this number, or it measures the device and not the
 * host.
 */
#pragma once

#include "gpu/spin.h"

typedef struct ba_queue {
	unsigned depth;	   /* launches accepted before one had to wait */
	bool at_least;	   /* none had to wait: the depth is at least this */
	double launch_ns;  /* median duration of a launch that did not wait */
	double blocked_ns; /* duration of the launch that waited */
} ba_queue;

/* Queues launches of `function` (1x1, these parameters) behind a spin kernel of about
 * 20 ms. Finds the first one that takes more than ten times the median and returns only
 * after the spin has ended. The second condition excludes interruptions of the host. */
int ba_queue_probe(ba_queue *out, ba_spinner *s, cu_function function, void **params,
	cu_stream stream, ba_now_fn *now, ba_error *err);

/*
 * Measures time on the GPU: two events in a stream, with a gate before them.
 *
 *     gate     a spin kernel that ends by itself
 *     start    an event
 *     work     the measured code
 *     stop     an event
 *
 * While the gate spins, the host queues the rest. So the time between the events is the
 * time of the work, without the time of its launch. ba_stopwatch_end() checks this: when
 * it has queued the stop event, the start event must not have happened yet.
 */
#pragma once

#include "gpu/device.h"
#include "gpu/spin.h"

typedef struct ba_stopwatch {
	const ba_driver *drv;
	ba_spinner gate;
	cu_event start, stop;
} ba_stopwatch;

int ba_stopwatch_open(ba_stopwatch *out, const ba_driver *drv, ba_error *err);
void ba_stopwatch_close(ba_stopwatch *w);
BA_DEFINE_AUTO(ba_stopwatch, ba_stopwatch_close)

/* Queues gate and start event; queue the work next. */
cu_result ba_stopwatch_begin(ba_stopwatch *w, cu_stream stream, uint64_t gate_ns);
/* Queues the stop event. *held: the gate was still spinning. */
cu_result ba_stopwatch_end(ba_stopwatch *w, cu_stream stream, bool *held);
/* Call after the stream was synchronised: the time between the events, and the clock
 * (0: unknown). */
cu_result ba_stopwatch_read(double *ns, double *mhz, ba_stopwatch *w);

/* The resolution of event times. */
typedef struct ba_event_facts {
	double tick_ns;	 /* smallest step of event times; 0: unknown */
	double pair_ns;	 /* median time between two consecutive events */
	double timer_ns; /* smallest step of %globaltimer */
} ba_event_facts;

/* Measures 256 pairs of consecutive events, and 256 pairs with spins of many lengths in
 * between; takes a few milliseconds. */
int ba_event_calibrate(ba_event_facts *out, ba_stopwatch *w, cu_stream stream, ba_error *err);

/*
 * ceiling.c: the highest rates that this GPU reaches in the tool's kernels:
 *
 *     copy     bytes that a copy reads and writes
 *     matrix   operations of a loop of bf16 matrix instructions: the faster of mma.sync
 *              and, on compute capability 9.0, wgmma
 *
 * Code with newer instructions may exceed the rate of `matrix`.
 */
typedef struct ba_ceilings {
	double copy_gb_per_s;
	double matrix_gflop_per_s; /* 0: compute capability is below 8.0 */
} ba_ceilings;

/* Returns the best of several tries. Takes about 100 ms and allocates up to 4 GiB of
 * device memory meanwhile. */
int ba_ceilings_measure(ba_ceilings *out, const ba_device *device, ba_stopwatch *w,
	cu_stream stream, ba_error *err);

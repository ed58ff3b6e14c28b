/*
 * Time on the GPU: two events in a stream, with a gate before them.
 *
 *     gate     a spin kernel that ends by itself
 *     start    an event
 *     work     of whoever is measured
 *     stop     an event
 *
 * While the gate spins, the host queues the rest, so that the time between the events
 * is that of the work and not that of its launch. That the gate held is proved: right
 * after the stop event was queued, the start event must not have happened yet.
 */
#ifndef GPU_STOPWATCH_H
#define GPU_STOPWATCH_H

#include "gpu/spin.h"

typedef struct ba_stopwatch {
	const ba_driver *drv;
	ba_spinner gate;
	cu_event start, stop;
} ba_stopwatch;

int ba_stopwatch_open(ba_stopwatch *out, const ba_driver *drv, ba_error *err);
void ba_stopwatch_close(ba_stopwatch *w);
BA_DEFINE_AUTO(ba_stopwatch, ba_stopwatch_close)

/* Queue gate and start event; the work comes next. */
cu_result ba_stopwatch_begin(ba_stopwatch *w, cu_stream stream, uint64_t gate_ns);
/* Queue the stop event; *held: the gate was still closed then. */
cu_result ba_stopwatch_end(ba_stopwatch *w, cu_stream stream, bool *held);
/* After the stream was synchronised: between the events, and the clock (0: unknown). */
cu_result ba_stopwatch_read(double *ns, double *mhz, ba_stopwatch *w);

/* What the events are made of. */
typedef struct ba_event_facts {
	double tick_ns;	 /* step of event times; 0: not found */
	double pair_ns;	 /* median between two events with nothing between them */
	double timer_ns; /* step of the GPU's own timer */
} ba_event_facts;

/* From 256 pairs with nothing and 256 with spins of many lengths between them; a few
 * milliseconds. */
int ba_event_calibrate(
	ba_event_facts *out, ba_stopwatch *w, cu_stream stream, ba_error *err);

#endif

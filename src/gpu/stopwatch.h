/*
 * Measures time on the GPU: two events in a stream, with a gate before them.
 *
 *     gate     a spin kernel that ends by itself
 *     start    an event
 *     work     the measured code
 *     stop     an event
 *
 * While the gate spins, the host queues the rest. So the time between the events is the
 * time of the work, without the time of its launch. It is checked that the gate held:
 * just after the stop event was queued, the start event must not have happened yet.
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

/* Queues gate and start event; queue the work next. */
cu_result ba_stopwatch_begin(ba_stopwatch *w, cu_stream stream, uint64_t gate_ns);
/* Queues the stop event. *held: the gate was still closed then. */
cu_result ba_stopwatch_end(ba_stopwatch *w, cu_stream stream, bool *held);
/* Call after the stream was synchronised: the time between the events, and the clock
 * (0: unknown). */
cu_result ba_stopwatch_read(double *ns, double *mhz, ba_stopwatch *w);

/* How fine event times are. */
typedef struct ba_event_facts {
	double tick_ns;	 /* step of event times; 0: not found */
	double pair_ns;	 /* median time between two events in a row */
	double timer_ns; /* step of the GPU's own timer */
} ba_event_facts;

/* From 256 pairs of events in a row and 256 pairs around spins of many lengths; takes a
 * few milliseconds. */
int ba_event_calibrate(
	ba_event_facts *out, ba_stopwatch *w, cu_stream stream, ba_error *err);

#endif

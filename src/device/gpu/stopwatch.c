#include "gpu/stopwatch.h"

#define PAIRS ((size_t)256)
#define GATE_NS 20000
#define SPIN_LEAST_NS 2000
#define SPIN_SPREAD_NS 8192u
/* event times are floats of milliseconds: smaller differences are rounding */
#define ROUNDING_NS 0.75

int ba_stopwatch_open(ba_stopwatch *out, const ba_driver *drv, ba_error *err)
{
	BA_AUTO(ba_stopwatch) ba_stopwatch w = {.drv = drv};
	BA_TRY(ba_spinner_open(&w.gate, drv, err));
	BA_DRIVER_TRY(drv, err, "cuEventCreate", event_create(&w.start, BA_CU_EVENT_DEFAULT));
	BA_DRIVER_TRY(drv, err, "cuEventCreate", event_create(&w.stop, BA_CU_EVENT_DEFAULT));
	*out = BA_MOVE(w);
	return 0;
}

void ba_stopwatch_close(ba_stopwatch *w)
{
	if (w->start)
		w->drv->event_destroy(w->start);
	if (w->stop)
		w->drv->event_destroy(w->stop);
	ba_spinner_close(&w->gate);
	*w = (ba_stopwatch){0};
}

cu_result ba_stopwatch_begin(ba_stopwatch *w, cu_stream stream, uint64_t gate_ns)
{
	cu_result r = ba_spinner_submit(&w->gate, stream, gate_ns);
	return r ? r : w->drv->event_record(w->start, stream);
}

cu_result ba_stopwatch_end(ba_stopwatch *w, cu_stream stream, bool *held)
{
	cu_result r = w->drv->event_record(w->stop, stream);
	if (r)
		return r;
	r = w->drv->event_query(w->start);
	*held = r == BA_CU_NOT_READY;
	return r == BA_CU_NOT_READY ? 0 : r;
}

cu_result ba_stopwatch_read(double *ns, double *mhz, ba_stopwatch *w)
{
	float ms = 0;
	cu_result r = w->drv->event_elapsed_time(&ms, w->start, w->stop);
	*ns = (double)ms * 1e6;
	*mhz = ba_spinner_read(&w->gate).mhz;
	return r;
}

/* ---- what events are made of ---- */

/* Times one pair of events; spin_ns 0: nothing between the events. */
static cu_result pair(double *ns, double *timer_ns, ba_stopwatch *w, ba_spinner *spin,
	cu_stream stream, uint64_t spin_ns)
{
	bool held;
	double mhz;
	cu_result r = ba_stopwatch_begin(w, stream, GATE_NS);
	if (r == 0 && spin_ns)
		r = ba_spinner_submit(spin, stream, spin_ns);
	r = r ? r : ba_stopwatch_end(w, stream, &held);
	r = r ? r : w->drv->stream_synchronize(stream);
	r = r ? r : ba_stopwatch_read(ns, &mhz, w);
	uint64_t tick = ba_spinner_read(&w->gate).tick_ns;
	if (tick && (*timer_ns == 0 || (double)tick < *timer_ns))
		*timer_ns = (double)tick;
	return r;
}

/* The smallest difference between two measured times. */
static double least_step(double *sorted, size_t n)
{
	double least = 0;
	ba_sort_doubles(sorted, n);
	for (size_t i = 1; i < n; i++) {
		double step = sorted[i] - sorted[i - 1];
		if (step > ROUNDING_NS && (least == 0 || step < least))
			least = step;
	}
	return round(least);
}

int ba_event_calibrate(ba_event_facts *out, ba_stopwatch *w, cu_stream stream, ba_error *err)
{
	double seen[2 * PAIRS], empty[PAIRS];
	ba_event_facts facts = {0};
	BA_AUTO(ba_spinner) ba_spinner spin = {0};
	BA_TRY(ba_spinner_open(&spin, w->drv, err));
	uint64_t random = 1;
	for (size_t i = 0; i < 2 * PAIRS; i++) {
		uint64_t ns =
			i < PAIRS ? 0 : SPIN_LEAST_NS + ba_splitmix64(&random) % SPIN_SPREAD_NS;
		cu_result r = pair(&seen[i], &facts.timer_ns, w, &spin, stream, ns);
		if (r)
			return ba_driver_fail(w->drv, err, r, "a pair of events");
		if (i < PAIRS)
			empty[i] = seen[i];
	}
	ba_sort_doubles(empty, PAIRS);
	facts.pair_ns = empty[PAIRS / 2];
	facts.tick_ns = least_step(seen, 2 * PAIRS);
	*out = facts;
	return 0;
}

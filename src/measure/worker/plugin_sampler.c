/*
 * Readings of a variant's runs, on the GPU's clock or on the host's.
 *
 *     gpu_cold    flush, gate, event, run, event; `batch` of them are one reading
 *     gpu_hot     gate, event, `batch` runs, event
 *     gpu_rotate  the same, each run on the next set of inputs
 *     wall_cold   flush and wait; clock, run, wait, clock; `batch` of them
 *     wall_hot    clock, `batch` times (run, wait), clock
 *
 * The gate is as long as queueing took, twice, and longer where it was seen not to
 * hold. Between blocks NVML tells what held the clock down.
 */

#include "worker/measurement.h"

#define GATE_LEAST_NS 20000
#define GATE_MOST_NS 50000000
#define GATE_TRIES 16u

typedef enum mode {
	GPU_COLD,
	GPU_HOT,
	GPU_ROTATE,
	WALL_COLD,
	WALL_HOT,
} mode;

static const char *const modes[] = {[GPU_COLD] = "gpu_cold",
	[GPU_HOT] = "gpu_hot",
	[GPU_ROTATE] = "gpu_rotate",
	[WALL_COLD] = "wall_cold",
	[WALL_HOT] = "wall_hot",
	NULL};

/* What went wrong in a visit. */
typedef struct fault {
	int run_rc;	     /* what run() returned */
	cu_result driver_rc; /* of anything else */
	bool waits;	     /* no gate holds: run() waits for the GPU */
} fault;

static unsigned next_set(ba_plugin_case *c, mode m)
{
	return m == GPU_ROTATE ? c->next_set++ % c->sets : 0;
}

/* ---- on the GPU's clock ---- */

/* Gate, event, runs, event, once; *held: launching stayed out of it. */
static int gated(double *ns, double *mhz, bool *held, ba_worker *w, ba_plugin_case *c, mode m,
	uint64_t batch, fault *f)
{
	ba_plugin_state *p = &w->plugin;
	if (m == GPU_COLD)
		f->driver_rc = ba_flusher_submit(&p->flusher, c->stream);
	int64_t start = ba_worker_now(w);
	if (f->driver_rc == 0)
		f->driver_rc = ba_stopwatch_begin(&p->watch, c->stream, c->gate_ns);
	for (uint64_t i = 0; i < batch && f->run_rc == 0 && f->driver_rc == 0; i++)
		f->run_rc = ba_plugin_run(w, c, next_set(c, m));
	if (f->driver_rc == 0)
		f->driver_rc = ba_stopwatch_end(&p->watch, c->stream, held);
	uint64_t queued = (uint64_t)(ba_worker_now(w) - start);
	/* also after an error: its launches must not outlive it */
	cu_result r = w->driver.stream_synchronize(c->stream);
	f->driver_rc = f->driver_rc ? f->driver_rc : r;
	if (f->run_rc || f->driver_rc)
		return -1;
	uint64_t gate = *held ? c->gate_ns - c->gate_ns / 8 : 2 * c->gate_ns;
	gate = gate > 2 * queued ? gate : 2 * queued;
	c->gate_ns = gate < GATE_LEAST_NS  ? GATE_LEAST_NS
		     : gate > GATE_MOST_NS ? GATE_MOST_NS
					   : gate;
	f->driver_rc = ba_stopwatch_read(ns, mhz, &p->watch);
	return f->driver_rc ? -1 : 0;
}

/* Until the gate has held. */
static int timed(
	double *ns, double *mhz, ba_worker *w, ba_plugin_case *c, mode m, uint64_t batch, fault *f)
{
	bool held = false;
	for (unsigned i = 0; i < GATE_TRIES && !held; i++)
		if (gated(ns, mhz, &held, w, c, m, batch, f))
			return -1;
	f->waits = !held;
	return held ? 0 : -1;
}

static int gpu_reading(
	double *ns, double *mhz, ba_worker *w, ba_plugin_case *c, mode m, uint64_t batch, fault *f)
{
	if (m != GPU_COLD)
		return timed(ns, mhz, w, c, m, batch, f);
	*ns = 0;
	for (uint64_t i = 0; i < batch; i++) {
		double one;
		if (timed(&one, mhz, w, c, m, 1, f))
			return -1;
		*ns += one;
	}
	return 0;
}

/* ---- on the host's clock ---- */

static int wall_once(double *ns, ba_worker *w, ba_plugin_case *c, fault *f)
{
	int64_t start = ba_worker_now(w);
	f->run_rc = ba_plugin_run(w, c, 0);
	f->driver_rc = w->driver.stream_synchronize(c->stream);
	*ns += (double)(ba_worker_now(w) - start);
	return f->run_rc || f->driver_rc ? -1 : 0;
}

static int wall_reading(
	double *ns, ba_worker *w, ba_plugin_case *c, mode m, uint64_t batch, fault *f)
{
	*ns = 0;
	for (uint64_t i = 0; i < batch; i++) {
		if (m == WALL_COLD) {
			f->driver_rc = ba_flusher_submit(&w->plugin.flusher, c->stream);
			if (f->driver_rc == 0)
				f->driver_rc = w->driver.stream_synchronize(c->stream);
			if (f->driver_rc)
				return -1;
		}
		if (wall_once(ns, w, c, f))
			return -1;
	}
	return 0;
}

/* ---- visits ---- */

static int visit(uint64_t *ns, uint64_t *khz, ba_worker *w, ba_plugin_case *c,
	const ba_measurement *q, fault *f)
{
	mode m = (mode)q->mode;
	double sum_mhz = 0;
	uint64_t known = 0;
	for (uint64_t i = 0; i < q->discard && f->run_rc == 0; i++)
		f->run_rc = ba_plugin_run(w, c, next_set(c, m));
	f->driver_rc = w->driver.stream_synchronize(c->stream);
	if (f->run_rc || f->driver_rc)
		return -1;
	for (uint64_t i = 0; i < q->readings; i++) {
		double took = 0, mhz = 0;
		BA_TRY(m == WALL_COLD || m == WALL_HOT
				? wall_reading(&took, w, c, m, q->batch, f)
				: gpu_reading(&took, &mhz, w, c, m, q->batch, f));
		/* a clock that did not move counts as one nanosecond */
		ns[i] = took >= 1 ? (uint64_t)llround(took) : 1;
		sum_mhz += mhz;
		known += mhz > 0;
	}
	*khz = known ? (uint64_t)llround(sum_mhz / (double)known * 1e3) : 0;
	return 0;
}

static int fault_text(ba_worker *w, const ba_plugin_case *c, const fault *f, ba_error *err)
{
	if (f->waits)
		return ba_fail(err, BA_EVARIANT,
			"run() waits for the GPU, or takes longer to submit than %.0f ms: so the time of its launches cannot be separated from the time of its work",
			GATE_MOST_NS / 1e6);
	ba_worker_look_at_context(w);
	return ba_plugin_called(w, c, "run()", f->run_rc, f->driver_rc, err);
}

static int visit_checked(uint64_t *ns, uint64_t *khz, ba_worker *w, ba_plugin_case *c,
	const ba_measurement *q, ba_error *err)
{
	fault f = {0};
	w->beacon->variant = c->variant;
	w->beacon->progress++;
	if (visit(ns, khz, w, c, q, &f))
		return fault_text(w, c, &f, err);
	return ba_worker_check_context(w, "run()", err);
}

static void note_clock(void *data, uint64_t block)
{
	ba_measuring *m = data;
	ba_measurement *q = m->q;
	uint32_t moved = ba_clock_watch_moved(&m->w->plugin.clocks);
	char *names = ba_clock_watch_names(moved);
	q->clock_events[block] = moved;
	q->unfit[block] = names != NULL;
	if (q->unfit_text)
		free(names);
	else
		q->unfit_text = names;
}

/* 1: a variant failed, which has been reported; negative: the fault is not a variant's */
static int next_visit(void *data, uint64_t index)
{
	ba_measuring *m = data;
	ba_worker *w = m->w;
	ba_measurement *q = m->q;
	ba_plugin_case *c = &w->plugin.cases[q->order[index]];
	ba_plugin_current(c);
	w->last_variant = c->variant;
	if (visit_checked(q->ns + index * q->readings, &q->khz[index], w, c, q, m->err) == 0)
		return 0;
	ba_plugin_current(NULL);
	c->absent = true;
	return ba_worker_blame(w, c->variant, m->err, m->err) ? BA_EGPU : 1;
}

static int measure(ba_worker *w, ba_measurement *q, ba_error *err)
{
	ba_measuring m = {.w = w, .q = q, .err = err};
	ba_clock_watch_begin(&w->plugin.clocks);
	w->last_phase = w->beacon->phase = BA_PHASE_MEASURE;
	BA_TRY(ba_measurement_run(&m, next_visit, note_clock));
	ba_plugin_current(NULL);
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
	return 0;
}

int ba_plugin_measure(ba_worker *w, const ba_message *m, ba_error *err)
{
	BA_AUTO(ba_measurement) ba_measurement q = {0};
	if (!w->plugin.cases)
		return ba_fail(err, BA_EPROTOCOL, "message 'measure' before 'prepare'");
	BA_AUTO_FREE bool *there = ba_xcalloc(w->lib_count, sizeof(*there));
	for (size_t i = 0; i < w->lib_count; i++)
		there[i] = !w->plugin.cases[i].absent;
	BA_TRY(ba_measurement_read(&q, m, modes, there, w->lib_count, err));
	int rc = measure(w, &q, err);
	if (rc < 0)
		return rc;
	ba_measurement_answer(w, &q, rc != 0, true);
	return 0;
}

/*
 * Benchmarks of a suite's own in an invocation: sizes from a rehearsal of each metric,
 * then the metrics.
 *
 * Sizes. A reading is one run, so that spreads are those of runs, unless a run is short
 * beside the step of the clock: then it is as many as make LEAST_TICKS of it. Runs on
 * warm memory follow one another between two events where one alone is shorter than
 * BATCHED_BELOW_NS (the gap between an event and a kernel would be a part of it). A
 * visit lasts VISIT_NS, an invocation what sizes.c gives it, and up to the first look
 * every variant has run `iterations` times at least.
 */

#include "suite/kinds.h"
#include "session/invocation.h"
#include "session/prepare.h"

#define LEAST_TICKS 50.0
#define BATCHED_BELOW_NS 20e3
#define BATCHED_TO_NS 200e3
#define VISIT_NS 2e6
#define READINGS_LEAST 4u
#define READINGS_MOST 64u
#define BLOCKS_LEAST 4u
#define BLOCKS_MOST 400u
#define HOT_DISCARD 3u
#define REHEARSAL_READINGS 3u
#define REHEARSAL_BLOCKS 2u
/* for visits timed by the host: much longer than two trips of a message */
#define FRESH_VISIT_NS 30e6
#define FRESH_BLOCKS 8u
#define REHEARSAL_RUNS 4u

/* ---- sizes ---- */

/* What a rehearsal found out about one metric. */
typedef struct seen {
	double least_ns;   /* time of a run of the fastest variant */
	double reading_ns; /* wall time of a reading of one run */
} seen;

static unsigned whole(double x, unsigned least, unsigned most)
{
	return !(x > least) ? least : x < most ? (unsigned)ceil(x) : most;
}

static unsigned batch_of(const ba_session *s, ba_metric m, const seen *x)
{
	const ba_environment *env = &s->result->run.env;
	bool on_gpu = ba_metric_get(m)->on_gpu;
	double least = LEAST_TICKS * (on_gpu ? env->event_tick_ns : env->timer_tick_ns), to = least;
	bool back_to_back = ba_metric_get(m)->back_to_back;
	if (s->spec->batch)
		return s->spec->batch;
	if (back_to_back && least < BATCHED_BELOW_NS)
		least = BATCHED_BELOW_NS;
	if (back_to_back)
		to = BATCHED_TO_NS;
	if (x->least_ns >= least)
		return 1;
	return whole(to / fmax(x->least_ns, 1), 1, ba_sizes_gated_batch_most(s));
}

/* Measuring time of a benchmark in an invocation, divided among the deciding metrics. */
static double metric_ns(const ba_session *s, const ba_task *t)
{
	unsigned deciding = 0;
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		deciding += s->spec->verdict[m] && ba_metric_is_of_runs((ba_metric)m);
	return ba_sizes_least_ns(s, t) / (deciding ? deciding : 1);
}

static ba_metric_state sizes_of(const ba_session *s, const ba_task *t, ba_metric m, const seen *x)
{
	ba_metric_state z = {
		.batch = batch_of(s, m, x), .discard = ba_metric_get(m)->cold ? 0 : HOT_DISCARD};
	double runs = ba_metric_get(m)->cold ? z.batch : 1;
	double reading = x->reading_ns * runs + (z.batch - runs) * x->least_ns;
	z.readings = whole(VISIT_NS / fmax(reading, 1), READINGS_LEAST, READINGS_MOST);
	double block = 2.0 * (double)ba_task_wanted_count(s, t) * z.readings * reading;
	double runs_in_block = 2.0 * z.readings * z.batch;
	double needed = ba_sizes_part(t) * t->suite->spec->iterations /
			(runs_in_block * (double)s->spec->design.at[0]);
	unsigned least = whole(needed, BLOCKS_LEAST, BLOCKS_MOST);
	z.blocks = s->spec->verdict[m] ? whole(metric_ns(s, t) / fmax(block, 1), least, BLOCKS_MOST)
				       : least;
	if (s->spec->blocks)
		z.blocks = s->spec->blocks;
	z.blocks_most = ba_sizes_blocks_most(s, z.blocks);
	return z;
}

/* Takes a few readings of one run; t->ns gets the fastest of each variant. */
static int rehearse_metric(ba_session *s, ba_task *t, ba_metric m, seen *out, ba_failure *f)
{
	BA_AUTO(ba_samples)
	ba_samples first = {.blocks = REHEARSAL_BLOCKS, .readings = REHEARSAL_READINGS, .batch = 1};
	unsigned discard = ba_metric_get(m)->cold ? 0 : HOT_DISCARD;
	BA_TRY(ba_session_measure_fit(s, t, m, &first, discard, f));
	size_t visits = (size_t)first.blocks * first.positions;
	out->least_ns = ba_task_take_fastest(s, t, &first);
	out->reading_ns = (double)first.wall_ns / (double)(visits * (first.readings + discard));
	return 0;
}

static bool is_due(const ba_session *s, const ba_task *t, ba_metric m)
{
	/* this lane does not measure the metric */
	if (t->series[m] == BA_NO_SERIES)
		return false;
	if (ba_task_is_settled(s, t, m))
		return false;
	/* metrics that do not decide need no more invocations than the first look */
	return s->spec->verdict[m] || s->invocation < s->spec->design.at[0];
}

/* Visits timed by the host: enough runs that the overhead is small. */
int ba_rehearse_fresh(ba_session *s, ba_task *t, ba_failure *f)
{
	BA_AUTO(ba_samples)
	ba_samples first = {.blocks = 1, .readings = 1, .batch = REHEARSAL_RUNS};
	BA_TRY(ba_session_rehearse(s, t, &first, "fresh", f));
	ba_task_take_fastest(s, t, &first);
	/* the baseline's own time, because it is trusted */
	double least = t->ns[0] > 0 ? t->ns[0] : 1;
	unsigned most = ba_engine_runs_most(t->suite->engine);
	t->rounds[BA_METRIC_FRESH] = (ba_metric_state){.readings = 1,
		.batch = s->spec->batch ? s->spec->batch
					: whole(FRESH_VISIT_NS / least, 1, most ? most : 1),
		.blocks = s->spec->blocks ? s->spec->blocks : FRESH_BLOCKS};
	ba_task_apply_absolute_to(s, t, BA_METRIC_FRESH);
	t->sized = true;
	return 0;
}

static int rehearse(ba_session *s, ba_task *t, ba_failure *f)
{
	if (ba_engine_times_visits(t->suite->engine))
		return ba_rehearse_fresh(s, t, f);
	BA_TRY(ba_session_make_sets(s, t, f));
	for (int m = 0; m < BA_METRIC_COUNT; m++) {
		seen x = {0};
		if (!s->spec->measure[m] || !ba_metric_is_of_runs((ba_metric)m) ||
			!is_due(s, t, (ba_metric)m))
			continue;
		BA_TRY(rehearse_metric(s, t, (ba_metric)m, &x, f));
		t->rounds[m] = sizes_of(s, t, (ba_metric)m, &x);
		ba_task_apply_absolute_to(s, t, (ba_metric)m);
	}
	t->sized = true;
	return 0;
}

static int measure(ba_session *s, ba_task *t, ba_metric m, ba_samples *out, ba_failure *f)
{
	const ba_metric_state *z = &t->rounds[m];
	if (ba_metric_get(m)->starts)
		return ba_session_measure_start(s, t, m, out, f);
	*out = (ba_samples){.blocks = z->blocks, .readings = z->readings, .batch = z->batch};
	return ba_session_measure_fit(s, t, m, out, z->discard, f);
}

const ba_kind_ops ba_plugin_ops = {
	.first_mode = "gpu_hot",
	.checks_once = true,
	.takes_memory = true,
	.rehearse = rehearse,
	.is_due = is_due,
	.measure = measure,
};

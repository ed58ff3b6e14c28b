/*
 * Benchmarks of a `worker` suite in an invocation.
 *
 * Nothing is known of them beforehand: a run may take 50 ns or a second, and waiting
 * for it longer or shorter than starting it. So each metric is tried by itself, with
 * more runs to a reading until that is long beside the clock's step, and gets its own
 * sizes. A visit is long beside the switch from one process to the other; what takes
 * long by itself is read once a visit, in few blocks.
 */
#include "suite/kinds.h"
#include "session/invocation.h"
#include "session/prepare.h"

#define READINGS 4u
#define VISIT_MOST_NS 4e7 /* a visit that would be longer has one reading */
#define TRY_NS 1e5	  /* a reading of that length shows the duration of a run */
#define TRY_BATCH_MOST 65536u
#define BLOCKS_LEAST 4u
#define BLOCKS_MOST 2000u
#define OTHERS_SHARE 0.25	/* share of the time for a metric that does not decide */
#define COLD_BATCH 4u		/* runs of a reading that flushes the cache before each */
#define QUANTITY_TIMES 1000000u /* what a value is multiplied by, to be a whole number */

static unsigned batch_most(const ba_session *s, ba_metric metric)
{
	if (ba_metric_get(metric)->cold)
		return COLD_BATCH;
	if (ba_metric_get(metric)->back_to_back)
		return ba_sizes_gated_batch_most(s);
	if (metric == BA_METRIC_SUBMIT)
		return ba_sizes_batch_most(s);
	return TRY_BATCH_MOST;
}

typedef struct trial {
	unsigned batch;
	double ns;	/* of a run: the fastest reading of any variant */
	double wall_ns; /* of a run, including everything around it */
} trial;

static int try_batch(ba_session *s, ba_task *t, ba_metric metric, trial *out, ba_failure *f)
{
	BA_AUTO(ba_samples)
	ba_samples first = {.blocks = 1, .readings = 2, .batch = out->batch};
	int64_t start_ns = ba_now_ns();
	BA_TRY(ba_session_rehearse(s, t, &first, ba_metric_mode(metric), f));
	size_t readings = (size_t)first.positions * first.readings;
	out->wall_ns = (double)(ba_now_ns() - start_ns) / ((double)readings * first.batch);
	out->ns = ba_task_take_fastest(s, t, &first);
	return 0;
}

static ba_metric_state sizes_from(
	const ba_session *s, const ba_task *t, ba_metric metric, const trial *q)
{
	unsigned most = batch_most(s, metric), batch = 1;
	double tick = s->result->run.env.timer_tick_ns * 20 / ba_task_threshold(s, t, metric);
	double visit = ba_sizes_visit_ns(t) / READINGS;
	double least = visit > tick ? visit : tick;
	/* the setup before each run may take much longer than the run */
	while (batch < most && batch * q->ns < least && batch * q->wall_ns < VISIT_MOST_NS)
		batch *= 2;
	if (batch > most)
		batch = most;
	batch = t->runs > batch ? t->runs : batch;
	if (s->spec->batch && !ba_metric_get(metric)->cold)
		batch = s->spec->batch;
	unsigned readings = READINGS * batch * q->wall_ns > VISIT_MOST_NS ? 1 : READINGS;
	double visits = 2.0 * (double)ba_task_wanted_count(s, t);
	double share = s->spec->verdict[metric] ? 1 : OTHERS_SHARE;
	double blocks = share * ba_sizes_least_ns(s, t) /
			(visits * readings * batch * (q->wall_ns > 1 ? q->wall_ns : 1));
	blocks = blocks < BLOCKS_LEAST ? BLOCKS_LEAST : blocks;
	blocks = blocks > BLOCKS_MOST ? BLOCKS_MOST : blocks;
	unsigned count = s->spec->blocks ? s->spec->blocks : (unsigned)blocks;
	return (ba_metric_state){.batch = batch,
		.readings = readings,
		.blocks = count,
		.blocks_most = ba_metric_get(metric)->paced ? ba_sizes_blocks_most(s, count) : 0};
}

static int size_quantity(ba_session *s, ba_task *t, ba_metric metric, ba_failure *f)
{
	trial q = {.batch = QUANTITY_TIMES};
	int rc = try_batch(s, t, metric, &q, f);
	t->rounds[metric] = (ba_metric_state){.batch = QUANTITY_TIMES, .readings = 1, .blocks = 1};
	return rc;
}

static int size_metric(ba_session *s, ba_task *t, ba_metric metric, ba_failure *f)
{
	trial q = {.batch = t->runs ? t->runs : 1};
	unsigned most = batch_most(s, metric);
	if (ba_metric_get(metric)->starts)
		return 0;
	/* determined once in a process: more readings would be equal */
	if (ba_metric_get(metric)->quantity)
		return size_quantity(s, t, metric, f);
	int rc = try_batch(s, t, metric, &q, f);
	while (rc == 0 && q.batch < most && q.batch * q.ns < TRY_NS &&
		q.batch * q.wall_ns < VISIT_MOST_NS) {
		q.batch = q.batch * 16 < most ? q.batch * 16 : most;
		rc = try_batch(s, t, metric, &q, f);
	}
	if (rc == 0)
		t->rounds[metric] = sizes_from(s, t, metric, &q);
	return rc;
}

static bool is_due(const ba_session *s, const ba_task *t, ba_metric metric)
{
	return s->spec->measure[metric] && t->series[metric] != BA_NO_SERIES;
}

/* Deciding metrics come last, so that t->ns belongs to them. */
static int rehearse(ba_session *s, ba_task *t, ba_failure *f)
{
	if (t->suite->engine_spec.tasks && ba_engine_times_visits(t->suite->engine))
		return ba_rehearse_fresh(s, t, f);
	BA_TRY(ba_session_make_sets(s, t, f));
	for (int decides = 0; decides <= 1; decides++)
		for (int m = 0; m < BA_METRIC_COUNT; m++)
			if (s->spec->verdict[m] == decides && ba_task_is_due(s, t, (ba_metric)m))
				BA_TRY(size_metric(s, t, (ba_metric)m, f));
	t->sized = true;
	ba_task_apply_absolute(s, t);
	return 0;
}

static int measure(ba_session *s, ba_task *t, ba_metric metric, ba_samples *out, ba_failure *f)
{
	const ba_metric_state *sizes = &t->rounds[metric];
	if (ba_metric_get(metric)->starts)
		return ba_session_measure_start(s, t, metric, out, f);
	/* its result was known during the rehearsal, but was withdrawn later */
	BA_TRY(sizes->batch ? 0 : size_metric(s, t, metric, f));
	*out = (ba_samples){
		.blocks = sizes->blocks, .readings = sizes->readings, .batch = sizes->batch};
	/* the GPU's clock does not affect host-only work */
	if (ba_metric_is_of_runs(metric))
		return ba_session_measure_fit(s, t, metric, out, 0, f);
	return ba_session_measure(s, t, out, ba_metric_mode(metric), sizes->discard, true, NULL, f);
}

const ba_kind_ops ba_program_ops = {
	.first_mode = "submit",
	.first_metric_decides = true,
	.discards_first = true,
	.rehearse = rehearse,
	.is_due = is_due,
	.measure = measure,
};

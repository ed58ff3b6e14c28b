/*
 * Benchmarks of a suite's own in an invocation: sizes from a rehearsal of each metric,
 * then the metrics; a block during which something held the GPU's clock down is
 * measured again, for all variants alike.
 *
 * Sizes. A reading is one run, so that spreads are those of runs, unless a run is short
 * beside the step of the clock: then it is as many as make LEAST_TICKS of it. Runs on
 * warm memory follow one another between two events where one alone is shorter than
 * BATCHED_BELOW_NS (the gap between an event and a kernel would be a part of it). A
 * visit lasts VISIT_NS, an invocation what sizes.c gives it, and up to the first look
 * every variant has run `iterations` times at least.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "host/judge.h"
#include "host/session.h"

#define LEAST_TICKS 50.0
#define BATCHED_BELOW_NS 20e3
#define BATCHED_TO_NS 200e3
#define BATCH_MOST 64u
#define BATCH_UNPROBED 16u /* where the queue's depth is not known */
#define VISIT_NS 2e6
#define READINGS_LEAST 4u
#define READINGS_MOST 64u
#define BLOCKS_LEAST 4u
#define BLOCKS_MOST 400u
#define HOT_DISCARD 3u
#define REHEARSAL_READINGS 3u
#define REHEARSAL_BLOCKS 2u
#define REPEATS_MOST 5u /* of a block that the clock spoilt */
#define SETS_MOST 256u
#define SETS_TIMES_L2 5.0

static bool is_flushed(ba_metric m)
{
	return m == BA_METRIC_GPU_COLD || m == BA_METRIC_WALL_COLD;
}

/* The unit of every metric's clock, in ns. */
static double tick_of(const ba_session *s, ba_metric m)
{
	const ba_environment *env = &s->result->env;
	return ba_metric_get(m)->on_gpu ? env->event_tick_ns : env->timer_tick_ns;
}

/* ---- again, where the clock was held down ---- */

/* Block `from` of a into block `to` of b. */
static void copy_block(ba_samples *b, size_t to, const ba_samples *a, size_t from)
{
	size_t visits = a->positions, readings = visits * a->readings;
	memcpy(b->order + to * visits, a->order + from * visits, visits);
	memcpy(b->ns + to * readings, a->ns + from * readings,
		readings * sizeof(*a->ns));
	b->block_at_ns[to] = a->block_at_ns[from];
	if (a->khz && b->khz)
		memcpy(b->khz + to * visits, a->khz + from * visits,
			visits * sizeof(*a->khz));
	if (a->clock_events && b->clock_events)
		b->clock_events[to] = a->clock_events[from];
}

static size_t count_unfit(const ba_clock_report *clocks, size_t blocks)
{
	size_t n = 0;
	for (size_t b = 0; b < blocks; b++)
		n += clocks->unfit[b];
	return n;
}

/* The unfit blocks alone, in their own order of visits, by everybody. */
static int measure_again(const ba_task *t, ba_samples *all, ba_clock_report *clocks,
	const char *mode, unsigned discard, ba_failure *f, ba_error *err)
{
	size_t n = count_unfit(clocks, all->blocks), k = 0;
	BA_AUTO(ba_samples) ba_samples part = *all;
	BA_AUTO_FREE size_t *which = ba_xcalloc(n, sizeof(*which));
	BA_AUTO_FREE bool *unfit = ba_xcalloc(n, sizeof(*unfit));
	ba_clock_report again = {.unfit = unfit};
	part.blocks = (unsigned)n;
	part.khz = part.clock_events = NULL;
	ba_samples_alloc(&part);
	for (size_t b = 0; b < all->blocks; b++)
		if (clocks->unfit[b]) {
			memcpy(part.order + k * all->positions,
				all->order + b * all->positions, all->positions);
			which[k++] = b;
		}
	int rc = ba_engine_measure(
		t->suite->engine, &part, mode, discard, &again, f, err);
	int64_t start = all->block_at_ns[all->blocks - 1];
	for (k = 0; rc == 0 && k < n; k++) {
		part.block_at_ns[k] += start;
		copy_block(all, which[k], &part, k);
		clocks->unfit[which[k]] = unfit[k];
	}
	all->repeated += (unsigned)n;
	all->wall_ns += part.wall_ns;
	free(again.text);
	return rc;
}

static int unfit_machine(const ba_task *t, const ba_clock_report *clocks, size_t left,
	size_t blocks, ba_error *err)
{
	return ba_fail(err, BA_EGPU,
		"%s: something holds the GPU's clock down (%s) during %zu of %zu "
		"blocks, and still does after %u repeats: this machine is not fit for "
		"measuring now; look after its cooling and power, and at what else "
		"runs on it ('bench-against doctor')",
		t->benchmark->id, clocks->text ? clocks->text : "unknown", left, blocks,
		REPEATS_MOST);
}

static int measure_mode(ba_session *s, ba_task *t, ba_metric m, ba_samples *out,
	unsigned discard, ba_failure *f, ba_error *err)
{
	const char *mode = ba_metric_get(m)->name;
	BA_AUTO_FREE bool *unfit = ba_xcalloc(out->blocks, sizeof(*unfit));
	ba_clock_report clocks = {.unfit = unfit};
	int rc = ba_session_measure(s, t, out, mode, discard, true, &clocks, f, err);
	for (unsigned i = 0; rc == 0 && i < REPEATS_MOST; i++)
		if (count_unfit(&clocks, out->blocks))
			rc = measure_again(t, out, &clocks, mode, discard, f, err);
	size_t left = rc == 0 ? count_unfit(&clocks, out->blocks) : 0;
	if (left)
		rc = unfit_machine(t, &clocks, left, out->blocks, err);
	free(clocks.text);
	return rc;
}

/* ---- sizes ---- */

/* What a rehearsal has seen of one metric. */
typedef struct seen {
	double least_ns;   /* of a run, the fastest variant's */
	double reading_ns; /* wall time of a reading of one run */
} seen;

static unsigned whole(double x, unsigned least, unsigned most)
{
	return !(x > least) ? least : x < most ? (unsigned)ceil(x) : most;
}

static unsigned batch_most(const ba_session *s)
{
	unsigned depth = s->result->env.queue_depth;
	return depth ? whole(depth / 8.0, 1, BATCH_MOST) : BATCH_UNPROBED;
}

static unsigned batch_of(const ba_session *s, ba_metric m, const seen *x)
{
	double least = LEAST_TICKS * tick_of(s, m), to = least;
	bool back_to_back = m == BA_METRIC_GPU_HOT || m == BA_METRIC_GPU_ROTATE;
	if (s->spec->batch)
		return s->spec->batch;
	if (back_to_back && least < BATCHED_BELOW_NS)
		least = BATCHED_BELOW_NS;
	if (back_to_back)
		to = BATCHED_TO_NS;
	if (x->least_ns >= least)
		return 1;
	return whole(to / fmax(x->least_ns, 1), 1, batch_most(s));
}

/* Measuring time of a benchmark in an invocation, shared by what decides. */
static double metric_ns(const ba_session *s)
{
	unsigned deciding = 0;
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		deciding += s->spec->verdict[m] && ba_metric_get((ba_metric)m)->runs;
	return ba_sizes_task_ns(s) / (deciding ? deciding : 1);
}

static ba_round_sizes sizes_of(
	const ba_session *s, const ba_task *t, ba_metric m, const seen *x)
{
	ba_round_sizes z = {
		.batch = batch_of(s, m, x), .discard = is_flushed(m) ? 0 : HOT_DISCARD};
	double runs = is_flushed(m) ? z.batch : 1;
	double reading = x->reading_ns * runs + (z.batch - runs) * x->least_ns;
	z.readings = whole(VISIT_NS / fmax(reading, 1), READINGS_LEAST, READINGS_MOST);
	double block = 2.0 * (double)ba_task_wanted_count(s, t) * z.readings * reading;
	double runs_in_block = 2.0 * z.readings * z.batch;
	double needed = t->suite->spec->iterations /
			(runs_in_block * (double)s->spec->design.at[0]);
	unsigned least = whole(needed, BLOCKS_LEAST, BLOCKS_MOST);
	z.blocks = s->spec->verdict[m]
			   ? whole(metric_ns(s) / fmax(block, 1), least, BLOCKS_MOST)
			   : least;
	if (s->spec->blocks)
		z.blocks = s->spec->blocks;
	z.blocks_most = ba_sizes_blocks_most(s, z.blocks);
	return z;
}

/* A few readings of one run; t->ns has the fastest of each variant afterwards. */
static int rehearse_metric(
	ba_session *s, ba_task *t, ba_metric m, seen *out, ba_failure *f, ba_error *err)
{
	BA_AUTO(ba_samples)
	ba_samples first = {
		.blocks = REHEARSAL_BLOCKS, .readings = REHEARSAL_READINGS, .batch = 1};
	unsigned discard = is_flushed(m) ? 0 : HOT_DISCARD;
	int rc = measure_mode(s, t, m, &first, discard, f, err);
	if (rc)
		return rc;
	size_t visits = (size_t)first.blocks * first.positions;
	out->least_ns = 0;
	for (size_t i = 0; i < visits * first.readings; i++) {
		double ns = (double)first.ns[i];
		double *mine = &t->ns[first.order[i / first.readings]];
		*mine = *mine == 0 || ns < *mine ? ns : *mine;
		if (out->least_ns == 0 || ns < out->least_ns)
			out->least_ns = ns;
	}
	out->reading_ns =
		(double)first.wall_ns / (double)(visits * (first.readings + discard));
	return 0;
}

/* flashinfer's rule: inputs that are used again only when five times the cache has gone
 * by */
static unsigned sets_for(const ba_session *s, const ba_task *t)
{
	double bytes = t->benchmark->bytes_read + t->benchmark->bytes_written;
	double l2 = (double)s->result->env.l2_bytes;
	if (!(bytes > 0) || !(l2 > 0))
		return 2;
	return whole(SETS_TIMES_L2 * l2 / bytes, 1, SETS_MOST - 1) + 1;
}

static int make_sets(ba_session *s, ba_task *t, ba_failure *f, ba_error *err)
{
	if (t->sets || !s->spec->measure[BA_METRIC_GPU_ROTATE] ||
		!t->benchmark->rotates)
		return 0;
	t->sets = sets_for(s, t);
	return ba_session_prepare(s, t, f, err);
}

static bool is_due(const ba_session *s, const ba_task *t, ba_metric m)
{
	if (m == BA_METRIC_GPU_ROTATE && !t->benchmark->rotates)
		return false;
	/* what decides nothing is shown after the first look as well as later */
	return s->spec->verdict[m] || s->invocation < s->spec->design.at[0];
}

static int rehearse(ba_session *s, ba_task *t, ba_failure *f, ba_error *err)
{
	int rc = make_sets(s, t, f, err);
	for (int m = 0; rc == 0 && m < BA_METRIC_COUNT; m++) {
		seen x = {0};
		if (!s->spec->measure[m] || !ba_metric_get((ba_metric)m)->runs ||
			!is_due(s, t, (ba_metric)m))
			continue;
		for (size_t v = 0; v < s->result->variant_count; v++)
			t->ns[v] = 0;
		rc = rehearse_metric(s, t, (ba_metric)m, &x, f, err);
		if (rc)
			return rc;
		t->rounds[m] = sizes_of(s, t, (ba_metric)m, &x);
		ba_task_apply_absolute_to(s, t, (ba_metric)m);
	}
	t->sized = rc == 0;
	return rc;
}

static int measure(ba_session *s, ba_task *t, ba_metric m, ba_samples *out,
	ba_failure *f, ba_error *err)
{
	const ba_round_sizes *z = &t->rounds[m];
	*out = (ba_samples){
		.blocks = z->blocks, .readings = z->readings, .batch = z->batch};
	return measure_mode(s, t, m, out, z->discard, f, err);
}

const ba_kind_ops ba_plugin_ops = {
	.first_mode = "gpu_hot",
	.rehearse = rehearse,
	.is_due = is_due,
	.measure = measure,
};

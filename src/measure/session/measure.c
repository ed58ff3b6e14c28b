#include "session/invocation.h"

#include "model/measured.h"
#include "stats/schedule.h"

/* modes have the names of their metrics */
static size_t participants(bool *takes, const ba_session *s, const ba_task *t, const char *mode)
{
	int metric = ba_metric_from_name(mode);
	size_t n = 0;
	/* on the host target, `submit` is reported as `host` */
	if (metric == BA_METRIC_SUBMIT && t->series[metric] == BA_NO_SERIES)
		metric = BA_METRIC_HOST;
	for (size_t v = 0; v < ba_session_variants(s); v++) {
		takes[v] = t->wanted[v] &&
			   (metric < 0 || ba_task_takes_part(s, t, (ba_metric)metric, v));
		n += takes[v];
	}
	return n;
}

static void fill_order(ba_samples *out, const ba_session *s, const ba_task *t, const bool *takes)
{
	uint8_t present[BA_PARTICIPANTS_MAX];
	size_t n = 0;
	for (size_t v = 0; v < ba_session_variants(s) && n < BA_PARTICIPANTS_MAX; v++)
		if (takes[v])
			present[n++] = (uint8_t)v;
	ba_order_fill(
		out, present, n, (uint8_t)ba_session_variants(s), s->spec->seed, t->benchmark->id);
}

int ba_session_measure(ba_session *s, ba_task *t, ba_samples *out, const char *mode,
	unsigned discard, bool palindrome, ba_clock_report *clocks, ba_failure *f)
{
	BA_AUTO_FREE bool *takes = ba_xcalloc(ba_session_variants(s), sizeof(*takes));
	size_t n = participants(takes, s, t, mode);
	out->invocation = s->invocation;
	out->seed = ba_schedule_seed(s->spec->seed, t->benchmark->id, s->invocation, 0);
	out->participants = (unsigned)(ba_session_variants(s) + out->has_floor);
	out->positions = (unsigned)((palindrome ? 2 * n : n) + out->has_floor);
	if (ba_engine_times_visits(t->suite->engine)) {
		out->batch *= out->readings;
		out->readings = 1;
		out->batch -= out->batch % ba_engine_bursts(t->suite->engine, mode, out->batch);
	}
	ba_samples_alloc(out);
	out->started_ns = ba_now_ns() - s->started_ns;
	fill_order(out, s, t, takes);
	int64_t start = ba_now_ns();
	int rc = ba_engine_measure(t->suite->engine, out, mode, discard, clocks, f);
	s->result->run.spent.measure += ba_seconds_since(start);
	return rc;
}

int ba_session_measure_start(ba_session *s, ba_task *t, ba_metric m, ba_samples *out, ba_failure *f)
{
	size_t size = (ba_session_variants(s) + 1) * sizeof(*t->ns);
	BA_AUTO_FREE double *before = ba_xcalloc(1, size);
	*out = (ba_samples){.blocks = 1, .readings = 1, .batch = 1};
	BA_TRY(ba_session_measure(s, t, out, ba_metric_mode(m), 0, true, NULL, f));
	memcpy(before, t->ns, size);
	ba_task_take_fastest(s, t, out);
	if (ba_metric_is_time(m) && ba_task_series(s, t, m)->sample_count == 0)
		ba_task_apply_absolute_to(s, t, m);
	memcpy(t->ns, before, size);
	return 0;
}

int ba_session_rehearse(ba_session *s, ba_task *t, ba_samples *out, const char *mode, ba_failure *f)
{
	ba_engine_rehearse(t->suite->engine, true);
	int rc = ba_session_measure(s, t, out, mode, 0, true, NULL, f);
	ba_engine_rehearse(t->suite->engine, false);
	return rc;
}

/*
 * Throttling: a block during which something held the GPU's clock down is measured
 * again, for all variants. The user's own benchmarks need this, in a library as well
 * as in a program.
 */

/* limit of repeats of a block during which the clock was held down */
#define REPEATS_MOST 5u

/* Copies block `from` of a to block `to` of b. */
static void copy_block(ba_samples *b, size_t to, const ba_samples *a, size_t from)
{
	size_t visits = a->positions, readings = visits * a->readings;
	memcpy(b->order + to * visits, a->order + from * visits, visits);
	memcpy(b->ns + to * readings, a->ns + from * readings, readings * sizeof(*a->ns));
	b->block_at_ns[to] = a->block_at_ns[from];
	if (a->khz && b->khz)
		memcpy(b->khz + to * visits, a->khz + from * visits, visits * sizeof(*a->khz));
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

/* Measures only the unfit blocks again, with all participants, in their own order of
 * visits. */
static int measure_again(const ba_task *t, ba_samples *all, ba_clock_report *clocks,
	const char *mode, unsigned discard, ba_failure *f)
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
			memcpy(part.order + k * all->positions, all->order + b * all->positions,
				all->positions);
			which[k++] = b;
		}
	int rc = ba_engine_measure(t->suite->engine, &part, mode, discard, &again, f);
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

static int unfit_machine(int device, const ba_task *t, const ba_clock_report *clocks, size_t left,
	size_t blocks, ba_error *err)
{
	return ba_fail(err, BA_EGPU,
		"%s: something holds the GPU's clock down (%s) during %zu of %zu blocks, and still does after %u repeats: this machine is not fit for measuring now; check its cooling and power, and what else runs on it (bench-against doctor --device %d)",
		t->benchmark->id, clocks->text ? clocks->text : "unknown", left, blocks,
		REPEATS_MOST, device);
}

int ba_session_measure_fit(
	ba_session *s, ba_task *t, ba_metric m, ba_samples *out, unsigned discard, ba_failure *f)
{
	const char *mode = ba_metric_get(m)->name;
	BA_AUTO_FREE bool *unfit = ba_xcalloc(out->blocks, sizeof(*unfit));
	ba_clock_report clocks = {.unfit = unfit};
	int rc = ba_session_measure(s, t, out, mode, discard, true, &clocks, f);
	for (unsigned i = 0; rc == 0 && i < REPEATS_MOST; i++)
		if (count_unfit(&clocks, out->blocks))
			rc = measure_again(t, out, &clocks, mode, discard, f);
	size_t left = rc == 0 ? count_unfit(&clocks, out->blocks) : 0;
	if (left)
		rc = unfit_machine(
			s->result->run.env.device_ordinal, t, &clocks, left, out->blocks, f->err);
	free(clocks.text);
	return rc;
}

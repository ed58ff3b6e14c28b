#include "session/invocation.h"

#include "model/order.h"
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

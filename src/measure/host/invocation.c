/* One benchmark, one invocation. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/require.h"
#include "host/estimate.h"
#include "host/order.h"
#include "host/session.h"
#include "stats/schedule.h"

size_t ba_task_wanted_count(const ba_session *s, const ba_task *t)
{
	size_t n = 0;
	for (size_t v = 0; v < ba_session_variants(s); v++)
		n += t->wanted[v];
	return n;
}

ba_series *ba_task_series(const ba_session *s, const ba_task *t, ba_metric metric)
{
	size_t i = t->series[metric];
	return i == BA_NO_SERIES ? NULL : &s->result->series[i];
}

void ba_task_set_active(ba_session *s, ba_task *t, bool active)
{
	s->active_count += active;
	s->active_count -= t->active;
	t->suite->active_count += active;
	t->suite->active_count -= t->active;
	t->active = active;
}

/* The answer is known: by a look, or without one, and its control has been measured. */
static bool is_answered(const ba_session *s, const ba_task *t, ba_metric metric, size_t candidate)
{
	/* a mode may have no series of its own */
	const ba_series *x = ba_task_series(s, t, metric);
	if (!x)
		return false;
	const ba_decision *d =
		&s->decisions.items[t->series[metric] * s->decisions.candidates + candidate - 1];
	bool judged = x->role == BA_ROLE_VERDICT && d->looks > 0;
	bool identical = x->comparisons[candidate - 1].verdict == BA_VERDICT_IDENTICAL;
	return (judged || identical) && d->verdict != BA_VERDICT_UNDECIDED;
}

/* Is the variant measured in that metric? Not if its answer is known. The baseline then
 * runs only for the others. */
static bool takes_part(const ba_session *s, const ba_task *t, ba_metric metric, size_t variant)
{
	if (variant > 0 || !t->wanted[0])
		return t->wanted[variant] && (variant == 0 || !is_answered(s, t, metric, variant));
	return !ba_task_is_settled(s, t, metric);
}

bool ba_task_needs(const ba_session *s, const ba_task *t, size_t variant)
{
	if (!t->active || !t->wanted[variant])
		return false;
	if (!t->prepared)
		return true;
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		if (t->series[m] != BA_NO_SERIES && s->spec->measure[m] &&
			!ba_metric_get((ba_metric)m)->counted &&
			takes_part(s, t, (ba_metric)m, variant))
			return true;
	return false;
}

bool ba_task_is_settled(const ba_session *s, const ba_task *t, ba_metric metric)
{
	bool any = false;
	for (size_t c = 1; c < ba_session_variants(s); c++) {
		if (t->wanted[c] && !is_answered(s, t, metric, c))
			return false;
		any = any || t->wanted[c];
	}
	return any;
}

const ba_kind_ops *ba_kind_ops_of(ba_suite_kind kind)
{
	static const ba_kind_ops *const kinds[BA_SUITE_KIND_COUNT] = {
		[BA_SUITE_LAUNCHER] = &ba_launcher_ops,
		[BA_SUITE_PLUGIN] = &ba_plugin_ops,
		[BA_SUITE_WORKER] = &ba_program_ops,
		[BA_SUITE_COMMAND] = &ba_command_ops,
	};
	return kinds[kind];
}

/* A comparison needs the baseline and another variant. */
bool ba_task_is_measurable(const ba_session *s, const ba_task *t)
{
	if (ba_session_variants(s) == 1)
		return t->wanted[0];
	/* what only one side has is measured to be shown */
	if (!t->baseline_has || t->has_count == 1)
		return ba_task_wanted_count(s, t) >= 1;
	return t->wanted[0] && ba_task_wanted_count(s, t) >= 2;
}

/* ---- one measurement ---- */

/* modes are called like their metrics */
static size_t participants(bool *takes, const ba_session *s, const ba_task *t, const char *mode)
{
	int metric = ba_metric_from_name(mode);
	size_t n = 0;
	/* on the host target, what is submitted is reported as `host` */
	if (metric == BA_METRIC_SUBMIT && t->series[metric] == BA_NO_SERIES)
		metric = BA_METRIC_HOST;
	for (size_t v = 0; v < ba_session_variants(s); v++) {
		takes[v] = t->wanted[v] && (metric < 0 || takes_part(s, t, (ba_metric)metric, v));
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

int ba_session_rehearse(
	ba_session *s, ba_task *t, ba_samples *out, const char *mode, ba_failure *f, ba_error *err)
{
	ba_engine_rehearse(t->suite->engine, true);
	int rc = ba_session_measure(s, t, out, mode, 0, true, NULL, f, err);
	ba_engine_rehearse(t->suite->engine, false);
	return rc;
}

int ba_session_measure(ba_session *s, ba_task *t, ba_samples *out, const char *mode,
	unsigned discard, bool palindrome, ba_clock_report *clocks, ba_failure *f, ba_error *err)
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
	int rc = ba_engine_measure(t->suite->engine, out, mode, discard, clocks, f, err);
	s->result->spent.measure += ba_seconds_since(start);
	return rc;
}

double ba_task_threshold(const ba_session *s, const ba_task *t, ba_metric metric)
{
	ba_run_threshold theta =
		s->spec->threshold(s->spec->threshold_data, t->benchmark->id, metric);
	double least = theta.slower < theta.faster ? theta.slower : theta.faster;
	/* with both, sizes are those of the ratio: what the time adds is not certain */
	return least > 0 ? least : ba_threshold_of(least, theta.absolute_ns, t->ns[0]);
}

void ba_task_apply_absolute_to(ba_session *s, const ba_task *t, ba_metric metric)
{
	ba_series *series = ba_task_series(s, t, metric);
	if (!series)
		return;
	bool counted = series->info->counted;
	double base = counted ? (double)t->instructions : t->ns[0];
	if (series->role != BA_ROLE_VERDICT && !counted)
		return;
	ba_run_threshold theta =
		s->spec->threshold(s->spec->threshold_data, t->benchmark->id, metric);
	if (theta.absolute_ns <= 0 || base <= 0)
		return;
	for (size_t c = 0; c + 1 < ba_session_variants(s); c++) {
		ba_comparison *k = &series->comparisons[c];
		k->threshold_slower = ba_threshold_of(theta.slower, theta.absolute_ns, base);
		k->threshold_faster = ba_threshold_of(theta.faster, theta.absolute_ns, base);
	}
}

void ba_task_apply_absolute(ba_session *s, const ba_task *t)
{
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		ba_task_apply_absolute_to(s, t, (ba_metric)m);
}

typedef struct round {
	ba_metric metric;
	ba_samples samples;
	bool due;
} round;

void ba_session_keep(ba_session *s, ba_task *t, ba_metric metric, ba_samples *samples)
{
	ba_series *series = ba_task_series(s, t, metric);
	BA_REQUIRE(series);
	ba_samples *kept = ba_series_add_samples(series);
	*kept = *samples;
	*samples = (ba_samples){0};
	if (metric == BA_METRIC_SUSTAINED)
		t->repeats_done += kept->blocks;
	ba_estimate_add(s->result, series, kept);
	s->kept++;
	if (s->spec->stored && !s->explains && !ba_resume_covers(s))
		s->spec->stored(s->spec->stored_data, s->result, series, kept);
}

bool ba_task_is_due(const ba_session *s, const ba_task *t, ba_metric m)
{
	return s->spec->measure[m] && !ba_metric_get(m)->counted &&
	       ba_benchmark_has_metric(t->benchmark, m) && !ba_task_is_settled(s, t, m) &&
	       ba_kind_ops_of(t->benchmark->kind)->is_due(s, t, m);
}

bool ba_task_is_due_now(const ba_session *s, const ba_task *t)
{
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		if (ba_task_is_due(s, t, (ba_metric)m))
			return true;
	return !t->prepared;
}

/* All times are known; counts may still be open. */
static bool is_counted_on(const ba_session *s, const ba_task *t)
{
	size_t i = t->series[BA_METRIC_INSTRUCTIONS];
	for (size_t c = 0; i != BA_NO_SERIES && c < s->decisions.candidates; c++)
		if (s->decisions.items[i * s->decisions.candidates + c].verdict ==
			BA_VERDICT_UNDECIDED)
			return true;
	return false;
}

/* All metrics, or none of them: a half invocation does not count. */
static int attempt(ba_session *s, ba_task *t, ba_failure *f, ba_error *err)
{
	const ba_kind_ops *ops = ba_kind_ops_of(t->benchmark->kind);
	int rc = ba_session_prepare(s, t, f, err);
	if (rc || !ba_task_is_measurable(s, t))
		return rc; /* skipped by those that would be compared */
	t->prepared = true;
	bool any = ba_task_is_due_now(s, t), first = any && !t->sized;
	if (first)
		rc = ops->rehearse(s, t, f, err);
	if (rc == 0 && first)
		rc = ba_session_first_blocks(s, t, f, err);
	round rounds[BA_METRIC_COUNT] = {0};
	for (int m = 0; rc == 0 && m < BA_METRIC_COUNT; m++) {
		rounds[m].metric = (ba_metric)m;
		rounds[m].due = ba_task_is_due(s, t, (ba_metric)m);
		if (rounds[m].due)
			rc = ops->measure(s, t, (ba_metric)m, &rounds[m].samples, f, err);
	}
	/* a case may hold most of the GPU's memory: it goes before the next one comes
	 */
	if (rc == 0 && ops->takes_memory)
		rc = ba_engine_release(t->suite->engine, f, err);
	for (int m = 0; m < BA_METRIC_COUNT; m++) {
		if (rc == 0 && rounds[m].due)
			ba_session_keep(s, t, (ba_metric)m, &rounds[m].samples);
		ba_samples_dispose(&rounds[m].samples);
	}
	/* prepared and checked, and all that would be measured is known */
	if (rc == 0 && !any)
		ba_task_set_active(s, t, is_counted_on(s, t));
	return rc;
}

int ba_session_invoke(ba_session *s, ba_task *t, ba_error *err)
{
	while (ba_task_is_measurable(s, t) && !s->restart) {
		BA_AUTO(ba_failure) ba_failure f = {0};
		bool reversed = ba_schedule_load_reversed(s->spec->seed, s->invocation);
		int rc = ba_session_open_engine(s, t->suite, reversed, err);
		if (rc || s->restart || !t->suite->engine)
			return rc;
		rc = attempt(s, t, &f, err);
		if (rc == 0 && ba_task_is_measurable(s, t))
			return 0;
		if (rc == BA_EVARIANT)
			rc = ba_session_settle(s, t->suite, t, &f, err);
		if (rc)
			return rc;
	}
	if (!s->restart)
		ba_task_set_active(s, t, false);
	return 0;
}

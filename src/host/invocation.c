/* One benchmark, one invocation; and what to do when a variant does not go along. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/require.h"
#include "host/estimate.h"
#include "host/order.h"
#include "host/session.h"
#include "stats/schedule.h"

#define FIRST_BATCH 16u
#define FIRST_READINGS 4u
#define FIRST_BLOCKS 4u

static size_t variants_of(const ba_session *s)
{
	return s->result->variant_count;
}

size_t ba_task_wanted_count(const ba_session *s, const ba_task *t)
{
	size_t n = 0;
	for (size_t v = 0; v < variants_of(s); v++)
		n += t->wanted[v];
	return n;
}

ba_series *ba_task_series(const ba_session *s, const ba_task *t, ba_metric metric)
{
	size_t i = t->series[metric];
	return i == BA_NO_SERIES ? NULL : &s->result->series[i];
}

/* The answer is known, and its control has been measured. */
static bool is_answered(
	const ba_session *s, const ba_task *t, ba_metric metric, size_t candidate)
{
	/* a mode may have no series of its own */
	const ba_series *x = ba_task_series(s, t, metric);
	return x && x->comparisons[candidate - 1].verdict == BA_VERDICT_IDENTICAL &&
	       s->decisions.items[t->series[metric] * s->decisions.candidates +
				   candidate - 1]
			       .verdict != BA_VERDICT_UNDECIDED;
}

bool ba_task_takes_part(
	const ba_session *s, const ba_task *t, ba_metric metric, size_t variant)
{
	if (variant > 0 || !t->wanted[0])
		return t->wanted[variant] &&
		       (variant == 0 || !is_answered(s, t, metric, variant));
	return !ba_task_is_settled(s, t, metric);
}

bool ba_task_is_settled(const ba_session *s, const ba_task *t, ba_metric metric)
{
	bool any = false;
	for (size_t c = 1; c < variants_of(s); c++) {
		if (t->wanted[c] && !is_answered(s, t, metric, c))
			return false;
		any = any || t->wanted[c];
	}
	return any;
}

static const ba_kind_ops *ops_of(const ba_task *t)
{
	static const ba_kind_ops *const kinds[BA_SUITE_KIND_COUNT] = {
		[BA_SUITE_LAUNCHER] = &ba_launcher_ops,
		[BA_SUITE_PLUGIN] = &ba_plugin_ops,
		[BA_SUITE_WORKER] = &ba_program_ops,
	};
	return kinds[t->benchmark->kind];
}

/* A comparison needs the baseline and somebody else. */
bool ba_task_is_measurable(const ba_session *s, const ba_task *t)
{
	if (variants_of(s) == 1)
		return t->wanted[0];
	/* what only one side has is measured to be shown */
	if (!t->baseline_has || t->has_count == 1)
		return ba_task_wanted_count(s, t) >= 1;
	return t->wanted[0] && ba_task_wanted_count(s, t) >= 2;
}

/* ---- failures ---- */

void ba_task_fail(ba_session *s, ba_task *t, const ba_failure *f)
{
	BA_REQUIRE(f->variant >= 0 && (size_t)f->variant < variants_of(s));
	size_t v = (size_t)f->variant;
	t->wanted[v] = false;
	free(t->failure[v]);
	free(t->output[v]);
	t->failure[v] = ba_xstrdup(f->text);
	t->output[v] = ba_xstrdup(f->output);
	ba_log_printf(s->spec->log, BA_LOG_WARNING, "%s: %s failed: %s",
		t->benchmark->id, s->result->variants[v].label, f->text);
}

static void mark_unusable(ba_session *s, ba_session_suite *suite, const ba_failure *f)
{
	suite->usable[f->variant] = false;
	for (size_t i = 0; i < s->task_count; i++)
		if (s->tasks[i].suite == suite && s->tasks[i].wanted[f->variant])
			ba_task_fail(s, &s->tasks[i], f);
}

static void drop_engine(ba_session_suite *suite)
{
	ba_engine_free(suite->engine);
	suite->engine = NULL;
}

#define SETS_AT_FIRST 1u

static ba_prepare prepare_of(
	const ba_session *s, const ba_task *t, const bool *wanted, ba_case_facts *cases)
{
	const ba_run_suite *suite = t->suite->spec;
	return (ba_prepare){.benchmark = t->benchmark,
		/* results take long to check, and are checked once */
		.check = suite->kind != BA_SUITE_PLUGIN || !t->sized,
		.seed = s->spec->seed,
		.cases = cases,
		.sets = t->sets ? t->sets : SETS_AT_FIRST,
		.warm_up = suite->warm_up,
		.wanted = wanted};
}

static int prepare_alone(ba_session *s, ba_engine *e, const ba_task *t,
	const bool *only, ba_failure *f, ba_error *err)
{
	ba_case_facts *cases = ba_xcalloc(variants_of(s), sizeof(*cases));
	const ba_prepare p = prepare_of(s, t, only, cases);
	int rc = ba_engine_prepare(e, &p, f, err);
	for (size_t v = 0; v < variants_of(s); v++)
		free(cases[v].skipped);
	free(cases);
	return rc;
}

/* Does the variant work when it is alone in a process? 1: yes; 0: no, and *f says how.
 */
static int works_alone(ba_session *s, ba_session_suite *suite, const ba_task *t,
	int variant, ba_failure *f, ba_error *err)
{
	BA_AUTO_FREE bool *only = ba_xcalloc(variants_of(s), sizeof(*only));
	only[variant] = true;
	ba_engine_spec spec = suite->engine_spec;
	spec.kind = BA_ENGINE_DUET;
	BA_AUTO_PTR(ba_engine) ba_engine *e = NULL;
	BA_AUTO(ba_samples)
	ba_samples samples = {.participants = 1,
		.positions = 2,
		.blocks = FIRST_BLOCKS,
		.readings = FIRST_READINGS,
		.batch = FIRST_BATCH};
	ba_samples_alloc(&samples);
	memset(samples.order, variant, (size_t)samples.blocks * samples.positions);
	BA_AUTO(ba_failure) ba_failure alone = {0};
	int rc = ba_engine_open(&e, &spec, only, false, NULL, &alone, err);
	if (rc == 0 && t) {
		rc = prepare_alone(s, e, t, only, &alone, err);
		rc = rc ? rc
			: ba_engine_measure(e, &samples, ops_of(t)->first_mode, 16,
				  NULL, &alone, err);
	}
	if (rc == 0 && t && suite->spec->kind == BA_SUITE_PLUGIN)
		rc = ba_engine_release(e, &alone, err);
	if (rc == 0) {
		ba_engine_close(e);
		return 1;
	}
	if (rc != BA_EVARIANT)
		return rc;
	ba_failure_dispose(f);
	*f = alone;
	alone = (ba_failure){0};
	return 0;
}

static void switch_to_split(ba_session *s, ba_session_suite *suite, const ba_failure *f)
{
	ba_result *r = s->result;
	ba_measured_suite *m = ba_result_suite(r, suite->spec->name, suite->spec->kind);
	suite->engine_spec.kind = BA_ENGINE_SPLIT;
	s->restart = true;
	free(m->engine);
	free(m->engine_reason);
	m->engine = ba_xstrdup(ba_engine_name(BA_ENGINE_SPLIT));
	m->engine_reason = ba_xprintf("%s works alone but not beside the others: %s",
		r->variants[f->variant].label, f->text);
	ba_log_printf(s->spec->log, BA_LOG_WARNING,
		"one process per variant from here on: %s", m->engine_reason);
	ba_result_sum_up_engines(r);
}

/* t is NULL for a library that cannot be opened. */
static int settle(ba_session *s, ba_session_suite *suite, ba_task *t, ba_failure *f,
	ba_error *err)
{
	BA_REQUIRE(f->variant >= 0 && (size_t)f->variant < variants_of(s));
	/* what a plugin took, memory of the GPU above all, is still taken: from the
	 * others, and from itself when it is tried alone */
	if (f->gone || !t || suite->spec->kind == BA_SUITE_PLUGIN)
		drop_engine(suite);
	bool together = suite->engine_spec.kind == BA_ENGINE_DUET && variants_of(s) > 1;
	if (together && !suite->spec->engine_forced) {
		int alone = works_alone(s, suite, t, f->variant, f, err);
		if (alone < 0)
			return alone;
		if (alone == 1) {
			drop_engine(suite);
			switch_to_split(s, suite, f);
			return 0;
		}
	}
	if (t)
		ba_task_fail(s, t, f);
	else
		mark_unusable(s, suite, f);
	return 0;
}

int ba_session_open_engine(
	ba_session *s, ba_session_suite *suite, bool reversed, ba_error *err)
{
	while (!suite->engine && !s->restart) {
		bool any = false;
		for (size_t v = 0; v < variants_of(s); v++)
			any = any || suite->usable[v];
		if (!any)
			return 0;
		BA_AUTO(ba_failure) ba_failure f = {0};
		int rc = ba_engine_open(&suite->engine, &suite->engine_spec,
			suite->usable, reversed, NULL, &f, err);
		if (rc == BA_EVARIANT)
			rc = settle(s, suite, NULL, &f, err);
		if (rc)
			return rc;
	}
	return 0;
}

/* ---- one measurement ---- */

/* modes are called like their metrics */
static size_t participants(
	bool *takes, const ba_session *s, const ba_task *t, const char *mode)
{
	int metric = ba_metric_from_name(mode);
	size_t n = 0;
	for (size_t v = 0; v < variants_of(s); v++) {
		takes[v] =
			t->wanted[v] &&
			(metric < 0 || ba_task_takes_part(s, t, (ba_metric)metric, v));
		n += takes[v];
	}
	return n;
}

static void fill_order(
	ba_samples *out, const ba_session *s, const ba_task *t, const bool *takes)
{
	uint8_t present[BA_PARTICIPANTS_MAX];
	size_t n = 0;
	for (size_t v = 0; v < variants_of(s) && n < BA_PARTICIPANTS_MAX; v++)
		if (takes[v])
			present[n++] = (uint8_t)v;
	ba_order_fill(out, present, n, (uint8_t)variants_of(s), s->spec->seed,
		t->benchmark->id);
}

int ba_session_measure(ba_session *s, ba_task *t, ba_samples *out, const char *mode,
	unsigned discard, bool palindrome, ba_clock_report *clocks, ba_failure *f,
	ba_error *err)
{
	BA_AUTO_FREE bool *takes = ba_xcalloc(variants_of(s), sizeof(*takes));
	size_t n = participants(takes, s, t, mode);
	out->invocation = s->invocation;
	out->seed = ba_schedule_seed(s->spec->seed, t->benchmark->id, s->invocation, 0);
	out->participants = (unsigned)(variants_of(s) + out->has_floor);
	out->positions = (unsigned)((palindrome ? 2 * n : n) + out->has_floor);
	ba_samples_alloc(out);
	out->started_ns = ba_now_ns() - s->started_ns;
	fill_order(out, s, t, takes);
	return ba_engine_measure(t->suite->engine, out, mode, discard, clocks, f, err);
}

double ba_task_threshold(const ba_session *s, const ba_task *t, ba_metric metric)
{
	ba_run_threshold theta =
		s->spec->threshold(s->spec->threshold_data, t->benchmark->id, metric);
	return theta.slower < theta.faster ? theta.slower : theta.faster;
}

void ba_task_apply_absolute_to(ba_session *s, const ba_task *t, ba_metric metric)
{
	ba_series *series = ba_task_series(s, t, metric);
	if (!series || series->role != BA_ROLE_VERDICT)
		return;
	ba_run_threshold theta =
		s->spec->threshold(s->spec->threshold_data, t->benchmark->id, metric);
	if (theta.absolute_ns <= 0 || t->ns[0] <= 0)
		return;
	for (size_t c = 0; c + 1 < variants_of(s); c++) {
		ba_comparison *k = &series->comparisons[c];
		k->threshold_slower =
			ba_threshold_of(theta.slower, theta.absolute_ns, t->ns[0]);
		k->threshold_faster =
			ba_threshold_of(theta.faster, theta.absolute_ns, t->ns[0]);
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
	if (s->spec->stored && !ba_resume_covers(s))
		s->spec->stored(s->spec->stored_data, s->result, series, kept);
}

static void take_cases(ba_session *s, ba_task *t, ba_case_facts *cases)
{
	bool counted = t->sized;
	for (size_t v = 0; v < variants_of(s); v++) {
		ba_case_facts *c = &cases[v];
		if (c->skipped) {
			t->wanted[v] = false;
			free(t->skipped[v]);
			t->skipped[v] = BA_TAKE(c->skipped);
			continue;
		}
		bool said = c->flop > 0 || c->bytes_read > 0 || c->bytes_written > 0 ||
			    c->items > 0;
		if (!said || !t->wanted[v])
			continue;
		ba_benchmark *b = t->benchmark;
		bool same = b->flop == c->flop && b->items == c->items &&
			    b->bytes_read == c->bytes_read &&
			    b->bytes_written == c->bytes_written;
		if (counted && !same && !t->sized)
			ba_strv_push_take(&s->result->notes,
				ba_xprintf(
					"%s: %s counts another amount of work than the variants before it; throughput is by the count of the first",
					b->id, s->result->variants[v].label));
		if (counted)
			continue;
		counted = true;
		b->flop = c->flop;
		b->bytes_read = c->bytes_read;
		b->bytes_written = c->bytes_written;
		b->items = c->items;
	}
}

/* Who says that it cannot run here takes no part from then on, and that is no failure.
 */
int ba_session_prepare(ba_session *s, ba_task *t, ba_failure *f, ba_error *err)
{
	ba_case_facts *cases = ba_xcalloc(variants_of(s), sizeof(*cases));
	const ba_prepare p = prepare_of(s, t, t->wanted, cases);
	int rc = ba_engine_prepare(t->suite->engine, &p, f, err);
	if (t->benchmark->name)
		take_cases(s, t, cases);
	for (size_t v = 0; v < variants_of(s); v++)
		free(cases[v].skipped);
	free(cases);
	return rc;
}

/* All metrics, or none of them: a half invocation is no invocation. */
static int attempt(ba_session *s, ba_task *t, ba_failure *f, ba_error *err)
{
	const ba_kind_ops *ops = ops_of(t);
	int rc = ba_session_prepare(s, t, f, err);
	if (rc || !ba_task_is_measurable(s, t))
		return rc; /* skipped by those that would be compared */
	if (!t->sized)
		rc = ops->rehearse(s, t, f, err);
	round rounds[BA_METRIC_COUNT] = {0};
	bool any = false;
	for (int m = 0; rc == 0 && m < BA_METRIC_COUNT; m++) {
		rounds[m].metric = (ba_metric)m;
		rounds[m].due = s->spec->measure[m] &&
				ba_benchmark_has_metric(t->benchmark, (ba_metric)m) &&
				!ba_task_is_settled(s, t, (ba_metric)m) &&
				ops->is_due(s, t, (ba_metric)m);
		any = any || rounds[m].due;
		if (rounds[m].due)
			rc = ops->measure(
				s, t, (ba_metric)m, &rounds[m].samples, f, err);
	}
	/* a case may hold most of the GPU's memory: it goes before the next one comes
	 */
	if (rc == 0 && t->suite->spec->kind == BA_SUITE_PLUGIN)
		rc = ba_engine_release(t->suite->engine, f, err);
	for (int m = 0; m < BA_METRIC_COUNT; m++) {
		if (rc == 0 && rounds[m].due)
			ba_session_keep(s, t, (ba_metric)m, &rounds[m].samples);
		ba_samples_dispose(&rounds[m].samples);
	}
	/* prepared and checked, and all that would be measured is known */
	if (rc == 0 && !any)
		t->active = false;
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
			rc = settle(s, t->suite, t, &f, err);
		if (rc)
			return rc;
	}
	if (!s->restart)
		t->active = false;
	return 0;
}

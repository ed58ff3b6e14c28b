#include "session/invocation.h"

#include "session/prepare.h"
#include "stats/schedule.h"

typedef struct due_round {
	ba_metric metric;
	ba_samples samples;
	bool due;
} due_round;

/* So many times its share of the budget may a benchmark take of an invocation. */
#define SHARES_MOST 20

/* Would the prepared benchmark, in as many invocations as the first look needs, take the time of
 * many others, or all of it? */
static bool is_too_long(const ba_session *s, const ba_task *t)
{
	double each = (double)s->spec->budget_ns / (double)s->spec->design.at[0], total = 0;
	size_t n = s->active_count, shares = n < SHARES_MOST ? n : SHARES_MOST;
	for (size_t v = 0; v < ba_session_variants(s); v++)
		total += t->ns[v];
	const ba_metric_state *z = &t->rounds[ba_session_paced(s)];
	bool launches = t->benchmark->kind == BA_SUITE_LAUNCHER;
	double blocks = launches ? 2.0 * z->readings * z->batch * z->blocks * total : 0;
	return s->kept && ba_session_may_leave_out(s) && s->invocation == ba_session_first(s) &&
	       t->prepare_ns + blocks > each * (double)shares / (double)n;
}

static void close_engine(ba_session_suite *suite)
{
	ba_engine_close(suite->engine);
	ba_engine_free(suite->engine);
	suite->engine = NULL;
}

/* Starting and preparing since then was for metrics of starts alone. */
static void charge_cold(ba_session *s, const ba_spent *before)
{
	ba_spent *now = &s->result->run.spent;
	now->cold += now->start - before->start + now->prepare - before->prepare;
	now->start = before->start;
	now->prepare = before->prepare;
}

/* The engine for the task, with processes in which nothing was called if it needs that. */
static int open_engine(ba_session *s, ba_task *t, bool reversed, ba_error *err)
{
	ba_session_suite *suite = t->suite;
	bool start = ba_task_needs_start(s, t);
	bool others = BA_ANY_METRIC(
		m, !(ba_metric_get(m)->starts & BA_OF_DRIVER) && ba_task_is_due(s, t, m));
	bool left = suite->engine_spec.observer; /* by a benchmark that failed */
	bool again = suite->engine && ba_engine_is_used(suite->engine) && (start || left);
	const ba_spent before = s->result->run.spent;
	if (again)
		close_engine(suite);
	/* nothing else is measured, and the check was made: at once with the observer */
	bool observed = start && !others && t->sized;
	if (!suite->engine)
		ba_session_observe(
			&suite->engine_spec, suite, observed ? suite->spec->census : NULL);
	int rc = ba_session_open_engine(s, suite, reversed, err);
	if (again)
		charge_cold(s, &before);
	return rc;
}

/* What a metric of first calls needs of its process. */
enum { WAYS = BA_OF_CACHED | BA_OF_DRIVER };

/* The first call again, in processes that find what the last ones have compiled, or that have the
 * observer, if the metric needs others than those that are open. The next benchmark gets new ones. */
static int get_ready(ba_session *s, ba_task *t, ba_metric m, unsigned *way, ba_failure *f)
{
	ba_session_suite *suite = t->suite;
	bool reversed = ba_schedule_load_reversed(s->spec->seed, s->invocation);
	unsigned needs = ba_metric_get(m)->starts & WAYS, observed = needs & BA_OF_DRIVER;
	if (!needs || needs == *way)
		return 0;
	const ba_spent before = s->result->run.spent;
	*way = needs;
	close_engine(suite);
	suite->engine_spec.keeps_caches = !observed;
	ba_session_observe(&suite->engine_spec, suite, observed ? suite->spec->census : NULL);
	int rc = ba_session_open_engine(s, suite, reversed, f->err);
	suite->engine_spec.keeps_caches = false;
	if (rc == 0)
		rc = suite->engine ? ba_session_prepare(s, t, f)
				   : ba_fail(f->err, BA_EWORKER, "no variant starts");
	charge_cold(s, &before);
	return rc;
}

/* Is it found at once that the first call has done nothing of that kind? There is no such metric
 * then: as long as something is measured, it is something in a variant. */
static bool is_without(ba_session *s, ba_task *t, ba_metric m, const ba_samples *out)
{
	size_t n = (size_t)out->blocks * out->positions;
	ba_series *series = ba_task_series(s, t, m);
	if (!(ba_metric_get(m)->starts & BA_OF_DRIVER) || series->sample_count ||
		!BA_ALL(out->ns, n, ns, *ns == 1))
		return false;
	ba_task_drop_metric(s, t, m);
	return true;
}

/* Measures all metrics or none: an incomplete invocation does not count. */
static int attempt(ba_session *s, ba_task *t, ba_failure *f)
{
	const ba_kind_ops *ops = t->suite->ops;
	int rc = ba_session_prepare(s, t, f);
	if (rc || !ba_task_is_measurable(s, t))
		return rc; /* skipped by the variants to be compared */
	t->prepared = true;
	bool any = ba_task_is_due_now(s, t), first = any && !t->sized;
	if (first)
		rc = ops->rehearse(s, t, f);
	if (rc == 0 && first && is_too_long(s, t)) {
		ba_task_leave_out(s, t);
		return ops->takes_memory ? ba_engine_release(t->suite->engine, f) : 0;
	}
	if (rc == 0 && first)
		rc = ba_session_first_blocks(s, t, f);
	due_round rounds[BA_METRIC_COUNT] = {0};
	unsigned way = t->suite->engine_spec.observer ? BA_OF_DRIVER : 0;
	for (int m = 0; rc == 0 && m < BA_METRIC_COUNT; m++) {
		rounds[m].metric = (ba_metric)m;
		rounds[m].due = ba_task_is_due(s, t, (ba_metric)m);
		if (rounds[m].due)
			rc = get_ready(s, t, (ba_metric)m, &way, f);
		if (rc == 0 && rounds[m].due)
			rc = ops->measure(s, t, (ba_metric)m, &rounds[m].samples, f);
		if (rc == 0 && rounds[m].due)
			rounds[m].due = !is_without(s, t, (ba_metric)m, &rounds[m].samples);
	}
	/* a case may hold most of the GPU's memory: release it before the next */
	if (rc == 0 && ops->takes_memory)
		rc = ba_engine_release(t->suite->engine, f);
	if (way & BA_OF_DRIVER) {
		close_engine(t->suite);
		ba_session_observe(&t->suite->engine_spec, t->suite, NULL);
	}
	for (int m = 0; m < BA_METRIC_COUNT; m++) {
		if (rc == 0 && rounds[m].due)
			ba_session_keep(s, t, (ba_metric)m, &rounds[m].samples);
		ba_samples_dispose(&rounds[m].samples);
	}
	/* it was prepared and checked, and all times are known; are counts still open? */
	if (rc == 0 && !any)
		ba_task_set_active(s, t,
			BA_ANY_METRIC(
				m, ba_metric_get(m)->counted && ba_task_is_undecided(s, t, m)));
	return rc;
}

int ba_session_invoke(ba_session *s, ba_task *t, ba_error *err)
{
	while (ba_task_is_measurable(s, t) && !s->restart) {
		BA_AUTO(ba_failure) ba_failure f = {.err = err};
		bool reversed = ba_schedule_load_reversed(s->spec->seed, s->invocation);
		int rc = open_engine(s, t, reversed, err);
		if (rc || s->restart || !t->suite->engine)
			return rc;
		rc = attempt(s, t, &f);
		if (rc == 0 && ba_task_is_measurable(s, t))
			return 0;
		if (rc == BA_EVARIANT)
			rc = ba_session_settle(s, t->suite, t, &f);
		if (rc)
			return rc;
	}
	if (!s->restart)
		ba_task_set_active(s, t, false);
	return 0;
}

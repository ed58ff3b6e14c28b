#include "experiment/invoke.h"

#include "experiment/plan.h"
#include "instructions/count.h"
#include "proc/usage.h"
#include "session/invocation.h"
#include "session/prepare.h"
#include "stats/schedule.h"

#define INVOCATIONS_MOST 4u

/* The processes of one invocation. */
typedef struct turn {
	unsigned invocation;
	ba_engine_spec spec;
	ba_engine *engine;
	bool apart;	 /* its processes prepare on other cores than the timed one */
	ba_task **tasks; /* in the order drawn */
	/* the task that its processes prepare now; NULL: none */
	ba_task *asked;
	bool *asked_of; /* [variants] */
} turn;

typedef struct rotation {
	ba_session *s;
	ba_session_suite *suite;
	size_t task_count; /* of each turn */
	turn *turns;
	size_t count;
} rotation;

/* Do the settings of the run allow it? */
static bool is_allowed(const ba_session_spec *spec)
{
	const ba_engine_spec *engine = &spec->suites[0].engine;
	bool alternates = engine->kind == BA_ENGINE_DUET || engine->kind == BA_ENGINE_SPLIT;
	return spec->suite_count == 1 && engine->programs && alternates && engine->cpu >= 0 &&
	       !engine->sandbox && !engine->times_starts && !spec->members && !spec->parts;
}

/* As many as there are processors and memory for, besides the core used for timing. Most
 * processes wait for their turn, so they may be more than the processors by a half. */
static size_t room(const ba_session_spec *spec, size_t variants, uint64_t peak_bytes)
{
	size_t most = ba_engine_workers_most(-1, 0) * 3 / 2;
	if (spec->rotation)
		return spec->rotation;
	uint64_t fit = peak_bytes ? ba_memory_available() / peak_bytes : most;
	size_t turns = (fit < most ? (size_t)fit : most) / variants;
	return turns < INVOCATIONS_MOST ? turns : INVOCATIONS_MOST;
}

size_t ba_rotation_foreseen(const ba_session_spec *spec, const ba_result *r)
{
	if (r->run.variant_count < 2 || spec->suite_count != 1 || !is_allowed(spec))
		return 1;
	for (size_t i = 0; i < r->run.benchmark_count; i++)
		for (int m = 0; m < BA_METRIC_COUNT; m++)
			if (spec->measure[m] && ba_metric_is_of_runs((ba_metric)m) &&
				ba_benchmark_has_metric(&r->run.benchmarks[i], (ba_metric)m))
				return 1;
	size_t turns = room(spec, r->run.variant_count, 0);
	return turns ? turns : 1;
}

static bool is_due(const ba_session *s, const ba_session_suite *suite, const ba_task *t)
{
	return t->suite == suite && t->active && ba_task_is_timed(t) && ba_task_is_due_now(s, t);
}

/* Metrics of runs on the GPU, and tasks without sizes, are not measured beside preparing
 * processes. */
static bool is_fit(const ba_session *s, const ba_task *t)
{
	return t->sized && t->prepared && !t->by_turns &&
	       !BA_ANY_METRIC(m, ba_metric_is_of_runs(m) && ba_task_is_due(s, t, m));
}

/* Rounds of equal size: five invocations with room for four are three and two. */
static size_t even(size_t turns, size_t most)
{
	size_t rounds = turns ? (most + turns - 1) / turns : most;
	return (most + rounds - 1) / rounds;
}

size_t ba_rotation_turns(const ba_session *s, size_t most)
{
	size_t variants = 0;
	if (most < 2 || !is_allowed(s->spec) || ba_session_candidates(s) == 0 ||
		s->invocation == ba_session_first(s))
		return 1;
	for (size_t i = 0; i < s->task_count; i++)
		if (is_due(s, s->suites, &s->tasks[i]) && !is_fit(s, &s->tasks[i]))
			return 1;
	for (size_t v = 0; v < ba_session_variants(s); v++)
		variants += s->suites[0].usable[v];
	return variants ? even(room(s->spec, variants, s->suites[0].peak_bytes), most) : 1;
}

/* ---- the processes ---- */

static void drop(turn *t)
{
	ba_engine_free(t->engine);
	t->engine = NULL;
	t->apart = false;
	t->asked = NULL;
}

static void close_all(rotation *r)
{
	for (size_t i = 0; i < r->count; i++)
		ba_engine_ask_to_end(r->turns[i].engine);
	for (size_t i = 0; i < r->count; i++) {
		ba_engine_close(r->turns[i].engine);
		drop(&r->turns[i]);
	}
}

/* Failures here will occur again when one invocation is measured alone, which handles
 * them. */
static int open_all(rotation *r, ba_error *err)
{
	BA_AUTO(ba_failure) ba_failure f = {.err = err};
	BA_AUTO_FREE bool *wanted = ba_xcalloc(ba_session_variants(r->s), sizeof(*wanted));
	int64_t start = ba_now_ns();
	int rc = 0;
	ba_session_choose_variants(wanted, r->s, r->suite);
	size_t new = 0;
	for (size_t i = 0; rc == 0 && i < r->count; i++) {
		turn *t = &r->turns[i];
		bool reversed = ba_schedule_load_reversed(r->s->spec->seed, t->invocation);
		r->s->invocation = t->invocation;
		ba_session_take_ahead(&t->engine, r->s, r->suite, &t->spec, reversed);
		t->apart = t->engine;
		new += !t->engine;
		if (!t->engine)
			rc = ba_engine_start(&t->engine, &t->spec, wanted, reversed, NULL, &f);
	}
	for (size_t i = 0; rc == 0 && i < r->count; i++)
		if (!r->turns[i].apart) {
			rc = ba_engine_started(r->turns[i].engine, NULL, &f);
			r->turns[i].apart = rc == 0;
		}
	r->s->result->run.spent.start += ba_seconds_since(start);
	if (new)
		r->suite->start_ns = (double)(ba_now_ns() - start) / (double)new;
	return rc;
}

/* ---- a step ---- */

/* Its processes prepare the task while others measure. */
static void ask(rotation *r, turn *t, ba_task *task)
{
	ba_error ignored;
	BA_AUTO(ba_failure) ba_failure f = {.err = &ignored};
	if (!t->engine || !t->apart || !is_due(r->s, r->suite, task))
		return;
	ba_task_choose_variants(t->asked_of, r->s, task);
	if (ba_task_ask_alone(r->s, t->engine, task, t->asked_of, &f))
		drop(t); /* it is opened again at its turn */
	else
		t->asked = task;
}

/* Were other processes asked than are needed now? */
static bool is_stale(const rotation *r, const turn *t, const ba_task *task)
{
	BA_AUTO_FREE bool *now = ba_xcalloc(ba_session_variants(r->s), sizeof(*now));
	ba_task_choose_variants(now, r->s, task);
	return t->asked &&
	       (t->asked != task ||
		       memcmp(now, t->asked_of, ba_session_variants(r->s) * sizeof(*now)) != 0);
}

static int step(rotation *r, turn *t, ba_task *task, ba_error *err)
{
	if (!is_due(r->s, r->suite, task))
		return 0;
	if (is_stale(r, t, task))
		drop(t);
	ba_engine *before = r->suite->engine = t->engine;
	r->s->invocation = t->invocation;
	int rc = ba_session_invoke(r->s, task, err);
	t->engine = r->suite->engine;
	r->suite->engine = NULL;
	t->asked = NULL;
	if (t->engine == before)
		return rc;
	/* opened anew, on all cores. After a failure the others may fail, too, or hold
	 * resources that it lacked. */
	t->apart = false;
	for (size_t i = 0; before && i < r->count; i++)
		if (&r->turns[i] != t)
			drop(&r->turns[i]);
	return rc;
}

static int go_round(rotation *r, ba_error *err)
{
	ba_session *s = r->s;
	for (size_t i = 0; i < r->count; i++)
		ask(r, &r->turns[i], r->turns[i].tasks[0]);
	for (size_t k = 0; k < r->task_count; k++)
		BA_EACH (turn, t, r->turns, r->count) {
			s->cut = s->cut || ba_session_is_late(s, 0);
			if (s->cut || s->restart)
				return 0;
			BA_TRY(step(r, t, t->tasks[k], err));
			if (k + 1 < r->task_count)
				ask(r, t, t->tasks[k + 1]);
		}
	return 0;
}

/* ---- the invocations ---- */

static void begin(rotation *r, turn *t, unsigned invocation, size_t number)
{
	ba_session *s = r->s;
	BA_AUTO_FREE size_t *order = ba_xcalloc(s->task_count, sizeof(*order));
	*t = (turn){.invocation = invocation,
		.spec = r->suite->engine_spec,
		.tasks = ba_xcalloc(s->task_count, sizeof(ba_task *)),
		.asked_of = ba_xcalloc(ba_session_variants(s), sizeof(*t->asked_of))};
	t->spec.starts_apart = true;
	t->spec.starts_from = number * ba_session_variants(s);
	ba_schedule_shuffle(order, s->task_count, s->spec->seed, invocation);
	r->task_count = 0;
	for (size_t i = 0; i < s->task_count; i++)
		if (is_due(s, r->suite, &s->tasks[order[i]]))
			t->tasks[r->task_count++] = &s->tasks[order[i]];
}

/* As if they had been measured one after the other. `all`: also of the last ones that are
 * not complete. */
static void keep_all(ba_session *s, ba_held *held, unsigned first, size_t count, bool all)
{
	s->held = NULL;
	s->invocation = first;
	ba_session_take_opened(s);
	if (s->restart || (s->cut && !all))
		return;
	for (size_t i = 0; i < count; i++) {
		s->invocation = first + (unsigned)i;
		for (size_t k = 0; k < held->count; k++)
			if (held->items[k].samples.invocation == s->invocation)
				ba_session_keep(s, held->items[k].task, held->items[k].metric,
					&held->items[k].samples);
		if (!s->cut)
			ba_session_checkpoint(s);
	}
}

BA_OWNS_HERE(
	ba_held, held, BA_FREE_EACH(x, held->items, held->count, ba_samples_dispose(&x->samples)))

int ba_rotation_invoke(ba_session *s, size_t count, ba_error *err)
{
	unsigned first = s->invocation;
	BA_AUTO(ba_held) ba_held held = {0};
	rotation r = {.s = s,
		.suite = s->suites,
		.count = count,
		.turns = ba_xcalloc(count, sizeof(*r.turns))};
	for (size_t i = 0; i < count; i++)
		begin(&r, &r.turns[i], first + (unsigned)i, i);
	s->held = &held;
	int rc = r.task_count ? open_all(&r, err) : 0;
	if (rc == BA_EVARIANT) {
		for (size_t i = 0; i < count; i++)
			drop(&r.turns[i]);
		rc = 0;
	}
	if (rc == 0 && r.task_count)
		rc = go_round(&r, err);
	close_all(&r);
	if (rc == 0)
		keep_all(s, &held, first, count, false);
	s->held = NULL;
	BA_FREE_EACH(t, r.turns, count, BA_FREE(t->tasks, t->asked_of));
	return rc;
}

int ba_rotation_count(ba_session *s, size_t turns, ba_error *err)
{
	BA_AUTO(ba_held) ba_held held = {0};
	s->held = &held;
	int rc = ba_session_count(s, turns, err);
	if (rc == 0)
		keep_all(s, &held, s->invocation, turns, true);
	s->held = NULL;
	return rc;
}

void ba_rotation_start(ba_session *s, size_t most)
{
	ba_session_suite *suite = s->suites;
	ba_ahead *ahead = suite->spec->ahead;
	ba_error ignored;
	BA_AUTO(ba_failure) ba_failure f = {.err = &ignored};
	BA_AUTO_FREE bool *wanted = ba_xcalloc(ba_session_variants(s), sizeof(*wanted));
	size_t variants = 0;
	if (!ahead || suite->spec->counts || most < 2 || ba_ahead_has(ahead, s->invocation) ||
		!is_allowed(s->spec) || !ba_session_choose_variants(wanted, s, suite))
		return;
	for (size_t v = 0; v < ba_session_variants(s); v++)
		variants += wanted[v];
	size_t turns = even(room(s->spec, variants, suite->peak_bytes), most);
	int64_t start = ba_now_ns();
	/* what fails here fails again at its invocation, which says so */
	if (turns > 1)
		ba_ahead_open(ahead, &suite->engine_spec, wanted, s->invocation, turns, NULL, &f);
	s->result->run.spent.start += ba_seconds_since(start);
}

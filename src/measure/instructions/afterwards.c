/* Counts instructions after the verdicts, to explain changes within a limited time. The
 * cost of a count is known before it is made. */

#include "instructions/count.h"
#include "instructions/process_set.h"
#include "session/task.h"
#include "verdict/identity.h"
#include "proc/affinity.h"

#define PROCESSES 2u /* processes of a variant: the second shows whether counts repeat */
/* without a request: a tenth of the run, which is a ninth of the time so far */
#define SHARE 9.0
#define LEAST_NS 2e9
/* if a verdict depends on it */
#define SHARE_DECIDES 2.0
#define LEAST_DECIDES_NS 1e10
/* most benchmarks of one function, because they usually have the same cause */
#define FAMILY_MOST 3u
#define PER_NS 20.0 /* assumed instructions per nanosecond before any was counted */
#define NS_UNKNOWN 20e3
#define SURE 1.3 /* safety factor for the estimated time of a count */

typedef struct explained {
	ba_task *task;
	double size;	 /* size of the largest change, as log ratio */
	double took_ns;	 /* duration of its first count; 0: not counted */
	const char *end; /* end of the benchmark's name without its axes */
	bool limited;	 /* left out because of the remaining time */
	bool decides;	 /* its count is part of a verdict (verdict/identity.h) */
} explained;

typedef struct explaining {
	ba_session *s;
	explained *items;
	size_t count;
	explained **now; /* benchmarks of the current pass */
	int64_t deadline;
	double step_ns, per_ns;
	/* the number of processes, of this run and others, that share a processor */
	double turns;
	/* time to start the processes of the pass; 0 after its first count */
	double start_ns;
	double left_ns; /* estimated time of the benchmarks left out */
	size_t left;
	bool decides; /* of any */
} explaining;

/* ---- what ---- */

static bool is_changed(const ba_session *s, const ba_task *t, size_t candidate, double *size)
{
	bool any = false;
	for (int m = 0; m < BA_METRIC_COUNT; m++) {
		if (t->series[m] == BA_NO_SERIES || ba_metric_get((ba_metric)m)->on_gpu)
			continue;
		const ba_decision *d = ba_decisions_at(&s->decisions, t->series[m], candidate);
		if (!ba_verdict_is_slower(d->verdict) && !ba_verdict_is_faster(d->verdict))
			continue;
		*size = fmax(*size, fabs(d->ybar));
		any = true;
	}
	return any;
}

/* Chooses the variants to count; false: none. */
static bool choose_variants(explained *e, const ba_session *s, ba_task *t)
{
	size_t n = ba_session_variants(s);
	bool all = s->spec->explain == BA_EXPLAIN_ALL, any = all && n == 1;
	const ba_series *series = ba_task_series(s, t, BA_METRIC_INSTRUCTIONS);
	if (!series || ba_counts_in_invocations(s, series) || !ba_task_is_measurable(s, t))
		return false;
	t->explained = ba_xcalloc(n, sizeof(*t->explained));
	t->explained[0] = true;
	for (size_t c = 1; c < n; c++) {
		bool changed = is_changed(s, t, c, &e->size);
		t->explained[c] = changed || all;
		e->decides = e->decides ||
			     (changed && ba_identity_is_elsewhere(s->result, t->benchmark, c));
		any = any || (t->explained[c] && t->wanted[0] && t->wanted[c]);
	}
	const char *axes = strrchr(t->benchmark->id, '/');
	e->task = t;
	e->end = axes ? axes : t->benchmark->id;
	return any;
}

static int by_size(const void *a, const void *b)
{
	const explained *x = a, *y = b;
	if (x->size != y->size)
		return x->size < y->size ? 1 : -1;
	return x->task->index < y->task->index ? -1 : 1;
}

static bool is_family(const explained *a, const explained *b)
{
	const char *x = a->task->benchmark->id, *y = b->task->benchmark->id;
	return a->end - x == b->end - y && strncmp(x, y, (size_t)(a->end - x)) == 0;
}

/* Chooses the largest changes first, and only a few of each function. */
static void choose(explaining *e)
{
	ba_session *s = e->s;
	size_t kept = 0;
	e->items = ba_xcalloc(s->task_count + 1, sizeof(*e->items));
	e->now = ba_xcalloc(s->task_count + 1, sizeof(explained *));
	for (size_t i = 0; i < s->task_count; i++)
		if (choose_variants(&e->items[e->count], s, &s->tasks[i]))
			e->count++;
		else
			e->items[e->count] = (explained){0};
	qsort(e->items, e->count, sizeof(*e->items), by_size);
	for (size_t i = 0; i < e->count; i++) {
		unsigned before = 0;
		for (size_t k = 0; k < kept; k++)
			before += is_family(&e->items[k], &e->items[i]);
		if (s->spec->explain == BA_EXPLAIN_AUTO && before >= FAMILY_MOST &&
			!e->items[i].decides)
			e->left++;
		else
			e->items[kept++] = e->items[i];
		e->decides = e->decides || e->items[i].decides;
	}
	e->count = kept;
}

/* ---- what it costs ---- */

/* for what no verdict depends on */
static int64_t least_deadline(const ba_session *s)
{
	int64_t now = ba_now_ns();
	return now + (int64_t)fmax((double)(now - s->started_ns) / SHARE, LEAST_NS);
}

static int64_t deadline_of(const ba_session *s, bool decides)
{
	int64_t now = ba_now_ns(), budget = s->spec->aims ? 0 : s->spec->budget_ns;
	double spent = (double)(now - s->started_ns);
	int64_t least = least_deadline(s);
	int64_t share =
		decides ? now + (int64_t)fmax(spent / SHARE_DECIDES, LEAST_DECIDES_NS) : least;
	int64_t end = budget > 0 ? s->started_ns + budget : INT64_MAX;
	if (decides && end < least)
		end = least;
	return s->spec->explain == BA_EXPLAIN_AUTO && share < end ? share : end;
}

static double cost_ns(const explaining *e, const explained *x)
{
	const ba_task *t = x->task;
	double ns = t->ns[0] > 0 ? t->ns[0] : NS_UNKNOWN;
	double steps = 2 * ns * e->per_ns * e->step_ns;
	if (x->took_ns > 0)
		return x->took_ns;
	return SURE * e->turns * (t->prepare_ns + BA_COUNT_WARM_UP * ns + steps);
}

static uint64_t most_of(void *data, size_t index)
{
	explaining *e = data;
	explained *x = e->now[index];
	uint64_t most = ba_session_count_most(e->s);
	double left = (double)(e->deadline - ba_now_ns());
	double cost = cost_ns(e, x) + e->start_ns;
	if (e->deadline == INT64_MAX)
		return most;
	if (cost > left) {
		e->left += x->took_ns <= 0;
		e->left_ns += cost;
		return 0;
	}
	double affordable = left / (2 * e->turns * e->step_ns);
	x->limited = affordable < (double)most;
	return x->limited ? (uint64_t)affordable + 1 : most;
}

/* Could a count that hit the limit have succeeded with more time? */
static bool was_cut(explaining *e, explained *x)
{
	bool any = false;
	for (size_t v = 0; v < ba_session_variants(e->s); v++) {
		if (!x->limited || !x->task->uncounted[v])
			continue;
		ba_text_own(&x->task->uncounted[v], NULL);
		any = true;
	}
	return any;
}

static void note_cost(void *data, size_t index, double ns)
{
	explaining *e = data;
	explained *x = e->now[index];
	if (was_cut(e, x)) {
		e->left++;
		e->left_ns += ns;
		return;
	}
	x->took_ns = fmax(ns, 1);
	e->start_ns = 0;
	if (x->task->instructions && x->task->ns[0] > 0)
		e->per_ns = (double)x->task->instructions / x->task->ns[0];
}

/* ---- the passes ---- */

static int make_pass(explaining *e, ba_session_suite *suite, bool again, ba_error *err)
{
	BA_AUTO_FREE ba_task **tasks = ba_xcalloc(e->count + 1, sizeof(ba_task *));
	ba_count_pass pass = {.tasks = tasks, .most = most_of, .done = note_cost, .data = e};
	BA_EACH (explained, x, e->items, e->count) {
		if (x->task->suite != suite || (again && x->took_ns <= 0))
			continue;
		e->now[pass.count] = x;
		tasks[pass.count++] = x->task;
	}
	e->start_ns = suite->start_ns;
	return pass.count ? ba_session_count_pass(e->s, suite, &pass, err) : 0;
}

static int make_passes(explaining *e, ba_error *err)
{
	ba_session *s = e->s;
	unsigned before = s->invocation;
	int rc = 0;
	s->explains = true;
	for (unsigned p = 0; rc == 0 && p < PROCESSES; p++) {
		s->invocation = ba_session_first(s) + p;
		for (size_t i = 0; rc == 0 && i < s->suite_count; i++)
			rc = make_pass(e, &s->suites[i], p > 0, err);
	}
	s->explains = false;
	s->invocation = before;
	return rc;
}

static double turns_of(const ba_session *s)
{
	ba_cpus allowed;
	double load = 0;
	double cpus = ba_affinity_allowed(&allowed, NULL) ? 1 : ba_cpus_count(&allowed) + 1;
	if (getloadavg(&load, 1) != 1)
		load = 0;
	/* most of the load caused by this run is over */
	return fmax(1, fmax(load, (double)ba_session_variants(s)) / cpus);
}

static void tell(const explaining *e)
{
	size_t all = e->count, counted = 0;
	for (size_t i = 0; i < e->count; i++)
		counted += e->items[i].took_ns > 0;
	all = all > counted + e->left ? all : counted + e->left;
	if (counted == all)
		return;
	BA_AUTO_FREE char *more =
		e->left_ns > 0 ? ba_xprintf(" (about %.0f s more)", fmax(e->left_ns * 1e-9, 1))
			       : ba_xstrdup("");
	const char *which = counted ? "the others" : "them";
	ba_strv_printf(&e->s->result->run.notes,
		"instructions were counted in %zu of the %zu benchmarks that %s; %s %s%s", counted,
		all, e->s->spec->explain == BA_EXPLAIN_ALL ? "were asked for" : "changed",
		e->s->spec->explain == BA_EXPLAIN_AUTO ? "--explain=changed counts"
						       : "a longer --budget leaves time for",
		which, more);
}

int ba_session_explain(ba_session *s, ba_error *err)
{
	explaining e = {.s = s, .per_ns = PER_NS, .turns = turns_of(s)};
	bool counts = s->spec->measure[BA_METRIC_INSTRUCTIONS];
	int way = counts ? ba_counter_way_from_name(s->spec->count_with) : -1;
	int64_t start = ba_now_ns();
	int rc = 0;
	if (way >= 0)
		choose(&e);
	e.deadline = deadline_of(s, e.decides);
	/* when the budget is over: a count that a verdict depends on may begin until then, and a tenth
	 * more names what made a start slower */
	if (ba_session_has_end(s) && (e.decides || s->spec->explains_starts))
		ba_proc_end_waits_at((e.deadline > start ? e.deadline : start) +
				     (int64_t)fmax(LEAST_NS, (double)s->spec->budget_ns / 10));
	rc = ba_session_take_census(s, e.deadline, err);
	rc = rc ? rc : ba_session_explain_starts(s, least_deadline(s), err);
	e.deadline = deadline_of(s, e.decides); /* they had a tenth of their own */
	if (rc || way < 0)
		e.count = 0;
	if (e.count && s->spec->progress)
		s->spec->progress(s->spec->progress_data, 1, "counting instructions");
	if (e.count)
		e.step_ns = ba_counter_step_ns((ba_counter_way)way);
	/* if it was requested, each benchmark says why it is not counted */
	if (e.count && (e.step_ns > 0 || s->spec->explain != BA_EXPLAIN_AUTO))
		rc = make_passes(&e, err);
	if (rc == 0 && way >= 0 && e.step_ns > 0)
		tell(&e);
	s->result->run.spent.count += ba_seconds_since(start);
	BA_FREE(e.items, e.now);
	return rc;
}

static bool is_uncounted(const ba_session *s, const ba_series *x)
{
	const ba_task *t = &s->tasks[x->benchmark];
	bool noted = x->info->census && s->spec->notes_census;
	if (noted && !ba_census_differs(s, x))
		return true;
	bool any = x->sample_count > 0 || s->spec->explain == BA_EXPLAIN_ALL ||
		   x->role == BA_ROLE_VERDICT || !x->info->counted;
	size_t n = ba_session_variants(s), first = x->info->census ? n : 0;
	return !any && !BA_ANY(t->uncounted + first, n, why, *why);
}

/* Its benchmark does nothing of that kind (session/invocation.c). */
static bool is_without(const ba_session *s, const ba_series *x)
{
	return x->info->starts && s->tasks[x->benchmark].series[x->metric] == BA_NO_SERIES;
}

static void note_without(ba_session *s, ba_metric metric)
{
	const ba_result *r = s->result;
	const ba_series *first = NULL;
	size_t n = 0;
	BA_EACH (const ba_series, x, r->series, r->series_count)
		if (x->metric == metric && is_without(s, x) && n++ == 0)
			first = x;
	if (n)
		ba_strv_printf(&s->result->run.notes,
			"no metric '%s' in %zu %s, such as %s: no first call %s", first->info->name,
			n, ba_plural(n, "benchmark", "benchmarks"),
			r->run.benchmarks[first->benchmark].id,
			metric == BA_METRIC_LOAD ? "loads a module" : "allocates device memory");
}

void ba_session_drop_uncounted(ba_session *s)
{
	ba_result *r = s->result;
	size_t kept = 0;
	for (int m = BA_METRIC_START; m < BA_METRIC_COUNT; m++)
		note_without(s, (ba_metric)m);
	for (size_t i = 0; i < r->series_count; i++) {
		ba_series x = r->series[i];
		if (is_uncounted(s, &x) || is_without(s, &x))
			ba_series_dispose(&x, r->run.variant_count);
		else
			r->series[kept++] = x;
	}
	r->series_count = kept;
}

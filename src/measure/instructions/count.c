#include "instructions/count.h"

#include "session/prepare.h"
#include "instructions/process_set.h"

/* assumed memory of a worker if it is unknown */
#define UNKNOWN_BYTES ((uint64_t)1 << 30)
#define INSTRUCTIONS_MOST 1000000u
/* invocations counted without a verdict, if the counts differ */
#define REPORTED_MOST 4u

/* ---- what is due ---- */

static bool is_exact(const ba_session *s, const ba_series *series, const ba_count_ranges *ranges)
{
	for (size_t c = 1; c < ba_session_variants(s); c++)
		if (!ba_decision_is_exact(ranges, s->result, series, c))
			return false;
	return true;
}

bool ba_counts_in_invocations(const ba_session *s, const ba_series *series)
{
	/* another process cannot be asked again once the verdicts are known */
	bool elsewhere = s->spec->members || s->spec->parts;
	return series->role == BA_ROLE_VERDICT || (elsewhere && s->spec->explain == BA_EXPLAIN_ALL);
}

static bool is_metric_due(
	const ba_session *s, const ba_task *t, const ba_count_ranges *ranges, ba_metric metric)
{
	const ba_series *series = ba_task_series(s, t, metric);
	bool census = ba_metric_get(metric)->census;
	size_t any = 0;
	if (!series || !t->active || !ba_counts_in_invocations(s, series))
		return false;
	for (size_t v = 0; v < ba_session_variants(s); v++)
		any += ba_process_set_takes(s, t, census, v);
	bool alone = ba_session_variants(s) == 1;
	if (any < (alone ? 1u : 2u) || (!alone && !ba_process_set_takes(s, t, census, 0)))
		return false;
	/* a first look after more than two invocations needs more certainty, for which
	 * three are enough */
	bool more =
		s->spec->design.at[0] > BA_EXACT_LEAST && ba_result_decides_by_counts(s->result);
	if (series->sample_count < BA_EXACT_LEAST + more)
		return true;
	if (is_exact(s, series, ranges))
		return false;
	return series->role == BA_ROLE_VERDICT || series->sample_count < REPORTED_MOST;
}

static bool is_due(
	const ba_session *s, const ba_task *t, const ba_count_ranges *ranges, bool census)
{
	return (!census || t->suite->spec->census) &&
	       BA_ANY_METRIC(m, ba_metric_get(m)->counted && ba_metric_get(m)->census == census &&
					is_metric_due(s, t, ranges, m));
}

/* ---- side by side ---- */

/* The set that has work now, or will have it first; NULL: all are finished. */
static ba_process_set *next_set(ba_process_set *sets, size_t n)
{
	const ba_engine_spec *spec = &sets->spec;
	const struct timespec moment = {.tv_nsec = 2 * BA_MS};
	int64_t start = ba_now_ns();
	for (;;) {
		ba_process_set *oldest = NULL;
		/* start with idle sets, because waiting for an answer may take a while */
		for (size_t i = 0; i < n; i++)
			if (sets[i].phase == BA_PROCESS_SET_IDLE && sets[i].index < sets[i].end)
				return &sets[i];
		BA_EACH (ba_process_set, q, sets, n) {
			if (q->phase == BA_PROCESS_SET_IDLE)
				continue;
			if (n > 1 && ba_process_set_is_ready(q))
				return q;
			if (!oldest || q->start_ns < oldest->start_ns)
				oldest = q;
		}
		/* waiting for a single worker detects whether it hangs */
		bool waits = n == 1 || (spec->stop && *spec->stop);
		if (!oldest || waits || ba_now_ns() - start > spec->idle_limit_ns)
			return oldest;
		nanosleep(&moment, NULL);
	}
}

static size_t next_due(const ba_process_set *q, size_t i, const bool *due)
{
	while (i < q->end && !due[i])
		i += q->step;
	return i;
}

static int go_on(ba_process_set *q, const ba_count_pass *pass, ba_failure *f)
{
	if (q->phase != BA_PROCESS_SET_IDLE)
		return ba_process_set_go_on(q, f);
	size_t index = q->index % pass->count;
	q->task = pass->tasks[index];
	q->invocation = q->s->invocation + (unsigned)(q->index / pass->count);
	q->most = pass->most ? pass->most(pass->data, index) : ba_session_count_most(q->s);
	return q->most ? ba_process_set_begin(q, f) : 0;
}

/* If a task fails while others run, they may be the reason: it stays due and is counted
 * alone. */
static int count_in_sets(
	ba_process_set *sets, size_t n, const ba_count_pass *pass, bool *due, ba_error *err)
{
	ba_process_set *q;
	for (size_t i = 0; i < n; i++)
		sets[i].index = next_due(&sets[i], sets[i].index, due);
	while ((q = next_set(sets, n))) {
		BA_AUTO(ba_failure) ba_failure f = {.err = err};
		int rc = go_on(q, pass, &f);
		bool opening = q->phase == BA_PROCESS_SET_OPENING;
		if (rc && rc != BA_EVARIANT)
			return rc;
		if (rc == 0 && q->phase != BA_PROCESS_SET_IDLE)
			continue;
		due[q->index] = rc != 0;
		if (rc == 0 && q->most && pass->done)
			pass->done(pass->data, q->index % pass->count,
				(double)(ba_now_ns() - q->start_ns));
		if (rc && n == 1)
			ba_process_set_blame(q, &f); /* and again, without the variant */
		else
			q->index = rc && opening ? q->end : next_due(q, q->index + q->step, due);
		if (rc)
			ba_process_set_drop(q);
		else if (q->index >= q->end)
			ba_process_set_ask_to_end(q);
	}
	for (size_t i = 0; i < n; i++) {
		ba_engine_close(sets[i].engine);
		ba_process_set_drop(&sets[i]);
	}
	return 0;
}

/* How many sets of processes have processors and memory. A GPU has memory for one case
 * only; while other processes measure, they need the processors. */
static size_t room(const ba_session *s, const ba_session_suite *suite)
{
	uint64_t each = suite->peak_bytes ? suite->peak_bytes : UNKNOWN_BYTES;
	size_t variants = 0, most = ba_engine_workers_most(suite->engine_spec.cpu, each);
	for (size_t v = 0; v < ba_session_variants(s); v++)
		variants += suite->usable[v];
	if (variants == 0 || s->spec->members || suite->ops->takes_memory)
		return 1;
	return most > variants ? most / variants : 1;
}

/* The number of sets of an invocation is the same in each, because a count may depend on
 * the earlier work of a process. */
static size_t sets_of(
	const ba_session *s, ba_session_suite *suite, size_t tasks, size_t invocations)
{
	size_t most = room(s, suite) / invocations;
	if (!suite->process_sets || most < suite->process_sets)
		suite->process_sets = most ? most : 1;
	return suite->process_sets < tasks ? suite->process_sets : tasks;
}

/* with three, a verdict on counts that do not quite repeat */
#define TOGETHER_MOST 3u

size_t ba_counts_together(const ba_session *s, size_t most)
{
	if (most < 2 || s->spec->parts || s->suite_count != 1 || ba_session_candidates(s) == 0)
		return 1;
	for (size_t i = 0; i < s->task_count; i++)
		if (s->tasks[i].active && ba_task_is_timed(&s->tasks[i]))
			return 1;
	size_t sets = s->suites[0].process_sets, fit = room(s, s->suites);
	fit = sets ? fit / sets : fit;
	fit = fit < TOGETHER_MOST ? fit : TOGETHER_MOST;
	return fit < most ? fit : most;
}

size_t ba_counts_room(const ba_suite_spec *suite, size_t variants)
{
	size_t fit = ba_engine_workers_most(suite->engine.cpu, UNKNOWN_BYTES) / variants;
	return fit ? fit : 1;
}

size_t ba_counts_foreseen(const ba_suite_spec *suite, size_t variants)
{
	size_t fit = suite->counts ? ba_counts_room(suite, variants) : 1;
	return fit < TOGETHER_MOST ? fit : TOGETHER_MOST;
}

uint64_t ba_session_count_most(const ba_session *s)
{
	return s->spec->count_most ? s->spec->count_most : INSTRUCTIONS_MOST;
}

int ba_session_count_pass(
	ba_session *s, ba_session_suite *suite, const ba_count_pass *pass, ba_error *err)
{
	size_t times = pass->invocations ? pass->invocations : 1;
	size_t each = sets_of(s, suite, pass->count, times), n = each * times;
	ba_process_set *sets = ba_xcalloc(n, sizeof(*sets));
	BA_AUTO_FREE bool *due = ba_xcalloc(pass->count * times, sizeof(*due));
	memset(due, true, pass->count * times);
	for (size_t i = 0; i < n; i++) {
		ba_process_set_init(&sets[i], s, suite, pass->census, i, n);
		/* each has every n-th task of its invocation, in the same order in all */
		sets[i].index = i / each * pass->count + i % each;
		sets[i].end = (i / each + 1) * pass->count;
		sets[i].step = each;
		sets[i].explains = times > 1 && i / each == times - 1;
	}
	int rc = count_in_sets(sets, n, pass, due, err);
	sets[0].index = 0;
	sets[0].end = pass->count * times;
	sets[0].step = 1;
	if (rc == 0 && n > 1)
		rc = count_in_sets(sets, 1, pass, due, err);
	BA_FREE_ARRAY(ba_process_set_dispose, sets, n);
	return rc;
}

static uint64_t most_in_time(void *data, size_t index)
{
	ba_session *s = data;
	s->cut = s->cut || ba_session_is_late(s, 0);
	return s->cut ? 0 : ba_session_count_most(s);
}

int ba_session_count(ba_session *s, size_t invocations, ba_error *err)
{
	BA_AUTO_FREE ba_task **due = ba_xcalloc(s->task_count + 1, sizeof(ba_task *));
	for (size_t i = 0; i < 2 * s->suite_count; i++) {
		ba_session_suite *suite = &s->suites[i / 2];
		ba_count_pass pass = {.census = i % 2,
			.tasks = due,
			.invocations = invocations,
			.most = most_in_time,
			.data = s};
		BA_AUTO(ba_count_ranges) ba_count_ranges ranges = ba_count_ranges_of(s->result);
		for (size_t k = 0; k < s->task_count; k++)
			if (s->tasks[k].suite == suite &&
				is_due(s, &s->tasks[k], &ranges, pass.census))
				due[pass.count++] = &s->tasks[k];
		if (pass.count)
			BA_TRY(ba_session_count_pass(s, suite, &pass, err));
	}
	return 0;
}

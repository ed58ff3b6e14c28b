#include "instructions/process_set.h"

#include "engine/box.h"
#include "session/prepare.h"
#include "model/measured.h"
#include "proc/affinity.h"
#include "stats/schedule.h"

/* where the task has what prevents the count of variant v */
static size_t end_of(const ba_session *s, bool census, size_t v)
{
	return census ? ba_session_variants(s) + v : v;
}

bool ba_process_set_takes(const ba_session *s, const ba_task *t, bool census, size_t v)
{
	bool explained = !t->explained || t->explained[v] || (census && !s->spec->notes_census);
	return t->wanted[v] && !t->uncounted[end_of(s, census, v)] && explained;
}

void ba_process_set_dispose(ba_process_set *q)
{
	ba_engine_free(q->engine);
	for (size_t v = 0; q->traces && v < ba_session_variants(q->s); v++)
		free(q->traces[v]);
	BA_FREE(q->traces, q->open, q->wanted);
}

void ba_process_set_init(ba_process_set *q, ba_session *s, ba_session_suite *suite, bool census,
	size_t number, size_t of)
{
	BA_AUTO_FREE char *trace = ba_xprintf("count-%zu.trace", number);
	*q = (ba_process_set){.s = s,
		.suite = suite,
		.spec = ba_ahead_counting(&suite->engine_spec),
		.census = census};
	if (census)
		ba_session_observe(&q->spec, suite, suite->spec->census);
	q->exclude[0] = q->spec.worker;
	if (of > 1)
		q->spec.at_once = 0; /* each process has a processor */
	if (!census && s->invocation == ba_session_first(s))
		q->engine = ba_ahead_take(suite->spec->ahead, (unsigned)number, &q->spec, false);
	q->open = ba_xcalloc(ba_session_variants(s), sizeof(*q->open));
	q->wanted = ba_xcalloc(ba_session_variants(s), sizeof(*q->wanted));
	q->traces = ba_xcalloc(ba_session_variants(s), sizeof(*q->traces));
	for (size_t v = 0; v < ba_session_variants(s); v++) {
		BA_AUTO_FREE char *folder = ba_box_folder(s->spec->scratch, v);
		/* a missing folder is reported when files are written */
		ba_fs_mkdirs(folder, NULL);
		q->traces[v] = ba_path_join(folder, trace);
		q->open[v] = suite->usable[v];
	}
}

static void cannot_count(ba_process_set *q, ba_task *t, size_t v, const char *why, ba_count_end end)
{
	size_t at = end_of(q->s, q->census, v);
	ba_text_replace(&t->uncounted[at], why);
	t->count_end[at] = end;
}

/* A failure is reported where the variant is timed, if it occurs there, too. */
void ba_process_set_blame(ba_process_set *q, const ba_failure *f)
{
	const ba_task *only = q->phase == BA_PROCESS_SET_OPENING ? NULL : q->task;
	q->open[f->variant] = q->open[f->variant] && only;
	BA_EACH (ba_task, t, q->s->tasks, q->s->task_count)
		if (t->suite == q->suite && (!only || t == only))
			cannot_count(q, t, (size_t)f->variant, f->text, BA_COUNT_BROKEN);
	ba_log_printf(q->s->spec->log, BA_LOG_INFO, "%s: %s cannot be counted: %s",
		only ? only->benchmark->id : q->suite->spec->name,
		q->s->result->run.variants[f->variant].label, f->text);
}

/* Starts the engine or, if it is started, waits until it is open. Nothing is timed now,
 * so the processor for timing may be used, too. */
static int open_widely(ba_process_set *q, ba_failure *f)
{
	ba_cpus own, all;
	bool wide = ba_affinity_allowed(&own, NULL) == 0 && q->suite->engine_spec.cpu >= 0;
	if (wide) {
		ba_affinity_core(&all, (unsigned)q->suite->engine_spec.cpu, "/sys");
		ba_cpus_add_all(&all, &own);
		wide = ba_affinity_set(&all) == 0;
	}
	int rc = q->engine ? ba_engine_started(q->engine, NULL, f)
			   : ba_engine_start(&q->engine, &q->spec, q->open, false, NULL, f);
	if (wide)
		ba_affinity_set(&own);
	return rc;
}

/* ---- one benchmark ---- */

ba_samples ba_process_set_samples(const ba_process_set *q, const ba_task *t, const bool *counted,
	size_t readings, unsigned batch)
{
	const ba_session *s = q->s;
	uint8_t order[BA_PARTICIPANTS_MAX];
	unsigned n = 0;
	for (size_t v = 0; v < ba_session_variants(s) && n < BA_PARTICIPANTS_MAX; v++)
		if (counted[v] && !t->uncounted[end_of(s, q->census, v)])
			order[n++] = (uint8_t)v;
	ba_samples out = {.invocation = q->invocation,
		.seed = ba_schedule_seed(s->spec->seed, t->benchmark->id, q->invocation, 0),
		.participants = (unsigned)ba_session_variants(s),
		.positions = n,
		.blocks = 1,
		.readings = (unsigned)readings,
		.batch = batch};
	if (n == 0)
		return out;
	ba_samples_alloc(&out);
	/* they count at the same time; the order is drawn like that of visits */
	ba_order_fill(
		&out, order, n, (uint8_t)ba_session_variants(s), s->spec->seed, t->benchmark->id);
	return out;
}

static void keep(ba_process_set *q, ba_task *t, const ba_call_count *all, const bool *wanted)
{
	ba_session *s = q->s;
	size_t calls = 1; /* number of calls whose readings are kept */
	for (size_t v = 0; v < ba_session_variants(s); v++)
		if (wanted[v] && !t->uncounted[v] && all[v].differ && all[v].trace.calls > calls)
			calls = all[v].trace.calls;
	BA_AUTO(ba_samples) ba_samples out = ba_process_set_samples(q, t, wanted, calls, 1);
	if (out.positions == 0)
		return;
	/* shorter lists are repeated: lists of 2 and 4 keep their mean and minimum */
	for (unsigned i = 0; i < out.positions * out.readings; i++) {
		const ba_call_count *x = &all[out.order[i / out.readings]];
		out.ns[i] = x->calls[i % out.readings % x->trace.calls];
	}
	t->instructions = wanted[0] ? all[0].count : 0;
	ba_session_keep(s, t, BA_METRIC_INSTRUCTIONS, &out);
	ba_task_apply_absolute_to(s, t, BA_METRIC_INSTRUCTIONS);
}

/* The variants with a process and a count to make in this benchmark. */
static size_t choose(ba_process_set *q)
{
	size_t n = 0;
	for (size_t v = 0; v < ba_session_variants(q->s); v++) {
		q->wanted[v] = ba_process_set_takes(q->s, q->task, q->census, v) && q->open[v];
		n += q->wanted[v];
	}
	return n;
}

/* Bytecodes are counted only if they are needed to explain counts that differ. */
static bool needs_codes(const ba_process_set *q, const ba_task *t)
{
	const ba_series *series = ba_task_series(q->s, t, BA_METRIC_INSTRUCTIONS);
	bool any = (q->s->explains || q->explains) && series->sample_count == 0;
	for (size_t c = 1; c < ba_session_variants(q->s) && series->sample_count; c++)
		any = any || !series->comparisons[c - 1].why;
	return q->spec.programs && any;
}

/* Each benchmark and candidate is explained once. */
static void explain(ba_process_set *q, ba_series *series, const ba_call_count *all,
	const ba_count_answer *answers, bool codes)
{
	for (size_t c = 1; c < ba_session_variants(q->s); c++) {
		ba_comparison *k = &series->comparisons[c - 1];
		bool now = codes || !q->spec.programs || all[0].count == all[c].count;
		if (!k->why && now)
			k->why = ba_call_counts_explain(&all[0], &all[c], &answers[0], &answers[c],
				q->spec.stop, q->s->spec->log);
	}
}

static int take_answers(ba_process_set *q, ba_task *t, const ba_count_request *request,
	ba_count_answer *answers, ba_failure *f)
{
	ba_series *series = ba_task_series(q->s, t, BA_METRIC_INSTRUCTIONS);
	size_t n = ba_session_variants(q->s), counted = 0;
	ba_call_count *all = ba_xcalloc(n, sizeof(*all));
	int rc = 0;
	for (size_t v = 0; rc == 0 && v < n; v++) {
		const ba_count_source from = {.variant = v,
			.trace = q->traces[v],
			.tree = q->s->result->run.variants[v].tree_dir,
			.exclude = q->exclude};
		if (!request->wanted[v])
			continue;
		counted += answers[v].census_calls > 0;
		if (answers[v].calls == 0 && !answers[v].census_calls)
			cannot_count(q, t, v, answers[v].why,
				answers[v].broken  ? BA_COUNT_BROKEN
				: answers[v].fault ? BA_COUNT_FAULT
						   : BA_COUNT_UNSUPPORTED);
		else if (!q->census)
			rc = ba_call_count_read(&all[v], &from, &answers[v], f);
	}
	if (rc == 0 && q->census && counted)
		(q->s->notes_launched ? ba_launched_keep : ba_census_keep)(q, t, answers);
	if (rc == 0 && !q->census) {
		keep(q, t, all, request->wanted);
		explain(q, series, all, answers, request->codes);
	}
	ba_call_counts_free(all, n);
	return rc;
}

static ba_count_request request_of(const ba_process_set *q)
{
	return (ba_count_request){.wanted = q->wanted,
		.way = q->census ? BA_COUNT_CENSUS : q->s->spec->count_with,
		.calls = q->s->notes_launched ? 1 : BA_COUNT_CALLS,
		.warm_up = q->s->notes_launched ? BA_LAUNCHED_WARM_UP
			   : q->census		? BA_CENSUS_WARM_UP
						: BA_COUNT_WARM_UP,
		.most = q->most,
		.traces = (const char *const *)q->traces,
		.codes = !q->census && needs_codes(q, q->task)};
}

static int hear_counts(ba_process_set *q, ba_failure *f)
{
	size_t n = ba_session_variants(q->s);
	ba_count_answer *answers = ba_xcalloc(n, sizeof(*answers));
	const ba_count_request request = request_of(q);
	int rc = ba_engine_counted(q->engine, &request, answers, f);
	rc = rc ? rc : take_answers(q, q->task, &request, answers, f);
	if (rc == 0)
		rc = ba_engine_release(q->engine, f);
	BA_FREE_ARRAY(ba_count_answer_dispose, answers, n);
	return rc;
}

int ba_process_set_begin(ba_process_set *q, ba_failure *f)
{
	q->phase = BA_PROCESS_SET_IDLE;
	q->start_ns = ba_now_ns();
	if (choose(q) == 0)
		return 0;
	q->phase = q->engine ? BA_PROCESS_SET_PREPARING : BA_PROCESS_SET_OPENING;
	return q->engine ? ba_task_ask_alone(q->s, q->engine, q->task, q->wanted, f)
			 : open_widely(q, f);
}

int ba_process_set_go_on(ba_process_set *q, ba_failure *f)
{
	ba_count_request request;
	int rc = 0;
	switch (q->phase) {
	case BA_PROCESS_SET_IDLE:
		return 0;
	case BA_PROCESS_SET_OPENING:
		rc = open_widely(q, f);
		return rc ? rc : ba_process_set_begin(q, f);
	case BA_PROCESS_SET_PREPARING:
		BA_TRY(ba_task_prepare_alone(q->s, q->engine, q->task, q->wanted, f));
		q->phase = BA_PROCESS_SET_COUNTING;
		request = request_of(q);
		return ba_engine_ask_count(q->engine, &request, f);
	case BA_PROCESS_SET_COUNTING:
		q->phase = BA_PROCESS_SET_IDLE;
		return hear_counts(q, f);
	}
	return 0;
}

bool ba_process_set_is_ready(const ba_process_set *q)
{
	return ba_engine_answers(
		q->engine, q->phase == BA_PROCESS_SET_OPENING ? q->open : q->wanted);
}

void ba_process_set_ask_to_end(ba_process_set *q)
{
	if (!q->engine)
		return;
	uint64_t peak = ba_engine_peak_bytes(q->engine);
	if (peak > q->suite->peak_bytes)
		q->suite->peak_bytes = peak;
	ba_engine_ask_to_end(q->engine);
}

void ba_process_set_drop(ba_process_set *q)
{
	ba_engine_free(q->engine);
	q->engine = NULL;
	q->phase = BA_PROCESS_SET_IDLE;
}

#include "host/count.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/text.h"
#include "host/box.h"
#include "host/counted.h"
#include "host/estimate.h"
#include "host/order.h"
#include "proc/affinity.h"
#include "stats/schedule.h"

#define INSTRUCTIONS_MOST 1000000u
/* invocations that are counted without a verdict, if the counts differ */
#define REPORTED_MOST 4u

bool ba_task_is_timed(const ba_task *t)
{
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		if (t->series[m] != BA_NO_SERIES && !ba_metric_get((ba_metric)m)->counted)
			return true;
	return false;
}

/* ---- what is due ---- */

static bool is_exact(const ba_session *s, const ba_series *series)
{
	for (size_t c = 1; c < ba_session_variants(s); c++)
		if (!ba_estimate_is_exact(series, (unsigned)c))
			return false;
	return true;
}

bool ba_counts_in_invocations(const ba_session *s, const ba_series *series)
{
	/* another process cannot be asked again when the verdicts are there */
	bool elsewhere = s->spec->crew || s->spec->parts;
	return series->role == BA_ROLE_VERDICT || (elsewhere && s->spec->explain == BA_EXPLAIN_ALL);
}

static bool takes_part(const ba_task *t, size_t v)
{
	return t->wanted[v] && !t->uncounted[v] && (!t->explained || t->explained[v]);
}

static bool is_due(const ba_session *s, const ba_task *t)
{
	const ba_series *series = ba_task_series(s, t, BA_METRIC_INSTRUCTIONS);
	size_t any = 0;
	if (!series || !t->active || !ba_counts_in_invocations(s, series))
		return false;
	for (size_t v = 0; v < ba_session_variants(s); v++)
		any += takes_part(t, v);
	bool alone = ba_session_variants(s) == 1;
	if (any < (alone ? 1u : 2u) || (!alone && !takes_part(t, 0)))
		return false;
	if (series->sample_count < BA_EXACT_LEAST)
		return true;
	if (is_exact(s, series))
		return false;
	return series->role == BA_ROLE_VERDICT || series->sample_count < REPORTED_MOST;
}

/* ---- one suite ---- */

typedef struct counting {
	ba_session *s;
	ba_session_suite *suite;
	ba_engine_spec spec;
	ba_engine *engine;
	bool *open; /* [variants] has a process */
	char **traces;
	const char *exclude[2]; /* objects of ours */
	uint64_t most;		/* instructions of a call of the next task */
} counting;

static void counting_dispose(counting *q)
{
	ba_engine_free(q->engine);
	for (size_t v = 0; q->traces && v < ba_session_variants(q->s); v++)
		free(q->traces[v]);
	free(q->traces);
	free(q->open);
}
BA_DEFINE_AUTO(counting, counting_dispose)

static void counting_init(counting *q, ba_session *s, ba_session_suite *suite)
{
	*q = (counting){.s = s, .suite = suite, .spec = suite->engine_spec};
	q->spec.kind = BA_ENGINE_SPLIT;
	q->spec.counts = true;
	q->spec.cpu = -1;
	q->exclude[0] = q->spec.worker;
	q->spec.pci_bus_id = NULL; /* its clock does not matter */
	q->spec.copies = NULL;
	q->open = ba_xcalloc(ba_session_variants(s), sizeof(*q->open));
	q->traces = ba_xcalloc(ba_session_variants(s), sizeof(*q->traces));
	for (size_t v = 0; v < ba_session_variants(s); v++) {
		BA_AUTO_FREE char *folder = ba_box_folder(s->spec->scratch, v);
		ba_fs_mkdirs(folder, NULL); /* what cannot be written there is reported */
		q->traces[v] = ba_path_join(folder, "count.trace");
		q->open[v] = suite->usable[v];
	}
}

static void cannot_count(ba_task *t, size_t v, const char *why, ba_count_end end)
{
	ba_text_replace(&t->uncounted[v], why);
	t->count_end[v] = end;
}

/* What the variant did wrong is said where it is timed, if it does it there, too. */
static void fail_variant(counting *q, ba_task *only, const ba_failure *f)
{
	for (size_t i = 0; i < q->s->task_count; i++) {
		ba_task *t = &q->s->tasks[i];
		if (t->suite == q->suite && (!only || t == only))
			cannot_count(t, (size_t)f->variant, f->text, BA_COUNT_BROKEN);
	}
	ba_log_printf(q->s->spec->log, BA_LOG_INFO, "%s: %s cannot be counted: %s",
		only ? only->benchmark->id : q->suite->spec->name,
		q->s->result->variants[f->variant].label, f->text);
}

/* Nothing is timed now: the processor that times are taken on may count, too. */
static int open_widely(counting *q, ba_failure *f, ba_error *err)
{
	ba_cpus own, all;
	bool wide = ba_affinity_allowed(&own, NULL) == 0 && q->suite->engine_spec.cpu >= 0;
	if (wide) {
		ba_affinity_core(&all, (unsigned)q->suite->engine_spec.cpu, "/sys");
		ba_cpus_add_all(&all, &own);
		wide = ba_affinity_set(&all, NULL) == 0;
	}
	int rc = ba_engine_open(&q->engine, &q->spec, q->open, false, NULL, f, err);
	if (wide)
		ba_affinity_set(&own, NULL);
	return rc;
}

/* Opens processes for the variants that can have one. */
static int open_engine(counting *q, ba_error *err)
{
	while (!q->engine) {
		bool any = false;
		BA_AUTO(ba_failure) ba_failure f = {0};
		for (size_t v = 0; v < ba_session_variants(q->s); v++)
			any = any || q->open[v];
		if (!any)
			return 0;
		int rc = open_widely(q, &f, err);
		if (rc != BA_EVARIANT)
			return rc;
		q->open[f.variant] = false;
		fail_variant(q, NULL, &f);
	}
	return 0;
}

/* ---- one benchmark ---- */

static void keep(counting *q, ba_task *t, const ba_counted_call *all, const bool *wanted)
{
	ba_session *s = q->s;
	uint8_t order[BA_PARTICIPANTS_MAX];
	unsigned n = 0;
	for (size_t v = 0; v < ba_session_variants(s) && n < BA_PARTICIPANTS_MAX; v++)
		if (wanted[v] && !t->uncounted[v])
			order[n++] = (uint8_t)v;
	BA_AUTO(ba_samples)
	ba_samples out = {.invocation = s->invocation,
		.seed = ba_schedule_seed(s->spec->seed, t->benchmark->id, s->invocation, 0),
		.participants = (unsigned)ba_session_variants(s),
		.positions = n,
		.blocks = 1,
		.readings = 1,
		.batch = 1};
	if (n == 0)
		return;
	ba_samples_alloc(&out);
	/* they count at the same time; the order is drawn as that of visits is */
	ba_order_fill(
		&out, order, n, (uint8_t)ba_session_variants(s), s->spec->seed, t->benchmark->id);
	for (unsigned i = 0; i < n; i++)
		out.ns[i] = all[out.order[i]].count;
	t->instructions = wanted[0] ? all[0].count : 0;
	ba_session_keep(s, t, BA_METRIC_INSTRUCTIONS, &out);
	ba_task_apply_absolute_to(s, t, BA_METRIC_INSTRUCTIONS);
}

/* Those with a process and a count to make, in this benchmark. */
static size_t choose(bool *wanted, const counting *q, const ba_task *t)
{
	size_t n = 0;
	for (size_t v = 0; v < ba_session_variants(q->s); v++) {
		wanted[v] = takes_part(t, v) && q->open[v];
		n += wanted[v];
	}
	return n;
}

/* Bytecodes are counted only for what is explained by them: counts that differ. */
static bool needs_codes(const counting *q, const ba_task *t)
{
	const ba_series *series = ba_task_series(q->s, t, BA_METRIC_INSTRUCTIONS);
	bool any = q->s->explains && series->sample_count == 0;
	for (size_t c = 1; c < ba_session_variants(q->s) && series->sample_count; c++)
		any = any || !series->comparisons[c - 1].why;
	return q->spec.programs && any;
}

/* Each benchmark and candidate is explained once. */
static void explain(counting *q, ba_series *series, const ba_counted_call *all,
	const ba_count_answer *answers, bool codes)
{
	for (size_t c = 1; c < ba_session_variants(q->s); c++) {
		ba_comparison *k = &series->comparisons[c - 1];
		bool now = codes || !q->spec.programs || all[0].count == all[c].count;
		if (!k->why && now)
			k->why = ba_counted_explain(&all[0], &all[c], &answers[0], &answers[c],
				q->spec.stop, q->s->spec->log);
	}
}

static int take_answers(counting *q, ba_task *t, const ba_count_request *request,
	const ba_count_answer *answers, ba_failure *f, ba_error *err)
{
	ba_series *series = ba_task_series(q->s, t, BA_METRIC_INSTRUCTIONS);
	size_t n = ba_session_variants(q->s);
	ba_counted_call *all = ba_xcalloc(n, sizeof(*all));
	int rc = 0;
	for (size_t v = 0; rc == 0 && v < n; v++) {
		const ba_count_source from = {.variant = (int)v,
			.trace = q->traces[v],
			.tree = q->s->result->variants[v].tree_dir,
			.exclude = q->exclude};
		if (!request->wanted[v])
			continue;
		if (answers[v].calls == 0)
			cannot_count(t, v, answers[v].why,
				answers[v].broken  ? BA_COUNT_BROKEN
				: answers[v].fault ? BA_COUNT_FAULT
						   : BA_COUNT_UNSUPPORTED);
		else
			rc = ba_counted_read(&all[v], &from, &answers[v], f, err);
	}
	if (rc == 0) {
		keep(q, t, all, request->wanted);
		explain(q, series, all, answers, request->codes);
	}
	ba_counted_free(all, n);
	return rc;
}

static int count_once(counting *q, ba_task *t, const bool *wanted, ba_failure *f, ba_error *err)
{
	size_t n = ba_session_variants(q->s);
	ba_count_answer *answers = ba_xcalloc(n, sizeof(*answers));
	const ba_count_request request = {.wanted = wanted,
		.way = q->s->spec->count_with,
		.calls = BA_COUNT_CALLS,
		.warm_up = BA_COUNT_WARM_UP,
		.most = q->most,
		.traces = (const char *const *)q->traces,
		.codes = needs_codes(q, t)};
	int rc = ba_task_prepare_alone(q->s, q->engine, t, wanted, f, err);
	rc = rc ? rc : ba_engine_count(q->engine, &request, answers, f, err);
	rc = rc ? rc : take_answers(q, t, &request, answers, f, err);
	if (rc == 0)
		rc = ba_engine_release(q->engine, f, err);
	for (size_t v = 0; v < n; v++)
		ba_count_answer_dispose(&answers[v]);
	free(answers);
	return rc;
}

static int count_task(counting *q, ba_task *t, ba_error *err)
{
	BA_AUTO_FREE bool *wanted = ba_xcalloc(ba_session_variants(q->s), sizeof(*wanted));
	for (;;) {
		BA_AUTO(ba_failure) ba_failure f = {0};
		int rc = open_engine(q, err);
		if (rc || !q->engine || choose(wanted, q, t) == 0)
			return rc;
		rc = count_once(q, t, wanted, &f, err);
		if (rc != BA_EVARIANT)
			return rc;
		fail_variant(q, t, &f);
		/* the others' answers are still to come: start anew */
		ba_engine_free(q->engine);
		q->engine = NULL;
	}
}

uint64_t ba_session_count_most(const ba_session *s)
{
	return s->spec->count_most ? s->spec->count_most : INSTRUCTIONS_MOST;
}

int ba_session_count_pass(
	ba_session *s, ba_session_suite *suite, const ba_count_pass *pass, ba_error *err)
{
	BA_AUTO(counting) counting q = {0};
	int rc = 0;
	counting_init(&q, s, suite);
	for (size_t i = 0; rc == 0 && i < pass->count; i++) {
		int64_t start = ba_now_ns();
		q.most = pass->most ? pass->most(pass->data, i) : ba_session_count_most(s);
		if (q.most)
			rc = count_task(&q, pass->tasks[i], err);
		if (q.most && rc == 0 && pass->done)
			pass->done(pass->data, i, (double)(ba_now_ns() - start));
	}
	if (rc == 0 && q.engine)
		ba_engine_close(q.engine);
	return rc;
}

static uint64_t most_in_time(void *data, size_t index)
{
	ba_session *s = data;
	(void)index;
	s->cut = s->cut || ba_session_is_late(s, 0);
	return s->cut ? 0 : ba_session_count_most(s);
}

int ba_session_count(ba_session *s, ba_error *err)
{
	BA_AUTO_FREE ba_task **due = ba_xcalloc(s->task_count + 1, sizeof(ba_task *));
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < s->suite_count; i++) {
		ba_count_pass pass = {.tasks = due, .most = most_in_time, .data = s};
		for (size_t k = 0; k < s->task_count; k++)
			if (s->tasks[k].suite == &s->suites[i] && is_due(s, &s->tasks[k]))
				due[pass.count++] = &s->tasks[k];
		if (pass.count)
			rc = ba_session_count_pass(s, &s->suites[i], &pass, err);
	}
	return rc;
}

#include "host/count.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/path.h"
#include "base/text.h"
#include "host/box.h"
#include "host/counted.h"
#include "host/estimate.h"
#include "host/order.h"
#include "stats/schedule.h"

#define CALLS 3u
/* what a warm-up changes (caches of an interpreter, bound symbols) is done by then */
#define WARM_UP 300u
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

static bool takes_part(const ba_task *t, size_t v)
{
	return t->wanted[v] && !t->uncounted[v];
}

static bool is_due(const ba_session *s, const ba_task *t)
{
	const ba_series *series = ba_task_series(s, t, BA_METRIC_INSTRUCTIONS);
	size_t any = 0;
	if (!series || !t->active)
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
		int rc = ba_engine_open(&q->engine, &q->spec, q->open, false, NULL, &f, err);
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

/* Each benchmark and candidate is explained once. */
static void explain(
	counting *q, ba_series *series, const ba_counted_call *all, const ba_count_answer *answers)
{
	ba_profile *profile = NULL;
	for (size_t c = 1; c < ba_session_variants(q->s); c++) {
		ba_comparison *k = &series->comparisons[c - 1];
		if (!k->why)
			k->why = ba_counted_explain(&profile, &all[0], &all[c], &answers[0],
				&answers[c], q->s->spec->log);
	}
	ba_profile_close(profile);
}

static int take_answers(counting *q, ba_task *t, const bool *wanted, const ba_count_answer *answers,
	ba_failure *f, ba_error *err)
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
		if (!wanted[v])
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
		keep(q, t, all, wanted);
		explain(q, series, all, answers);
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
		.calls = CALLS,
		.warm_up = WARM_UP,
		.most = q->s->spec->count_most ? q->s->spec->count_most : INSTRUCTIONS_MOST,
		.traces = (const char *const *)q->traces,
		.codes = q->spec.programs && q->s->invocation == ba_session_first(q->s)};
	int rc = ba_task_prepare_alone(q->s, q->engine, t, wanted, f, err);
	rc = rc ? rc : ba_engine_count(q->engine, &request, answers, f, err);
	rc = rc ? rc : take_answers(q, t, wanted, answers, f, err);
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

static int count_suite(ba_session *s, ba_session_suite *suite, ba_error *err)
{
	BA_AUTO(counting) counting q = {0};
	int rc = 0;
	counting_init(&q, s, suite);
	for (size_t i = 0; rc == 0 && i < s->task_count; i++)
		if (s->tasks[i].suite == suite && is_due(s, &s->tasks[i]))
			rc = count_task(&q, &s->tasks[i], err);
	if (rc == 0 && q.engine)
		ba_engine_close(q.engine);
	return rc;
}

int ba_session_count(ba_session *s, ba_error *err)
{
	for (size_t i = 0; i < s->suite_count; i++) {
		bool due = false;
		for (size_t k = 0; k < s->task_count; k++)
			due = due ||
			      (s->tasks[k].suite == &s->suites[i] && is_due(s, &s->tasks[k]));
		int rc = due ? count_suite(s, &s->suites[i], err) : 0;
		if (rc)
			return rc;
	}
	return 0;
}

/* What calls ask of the driver: keeps what workers counted, and names the callers. */
#include "instructions/count.h"
#include "instructions/process_set.h"
#include "session/task.h"

#define PROCESSES 2u /* as in afterwards.c */

static ba_metric metric_at(size_t i)
{
	return (ba_metric)(BA_CENSUS_FIRST + i);
}

/* ---- one benchmark ---- */

static size_t places_of(ba_code_count *out, const ba_count_answer *a, ba_metric metric)
{
	size_t n = 0;
	for (size_t i = 0; i < a->code_count; i++)
		if (a->codes[i].what == (unsigned)metric)
			out[n++] = a->codes[i];
	return n;
}

static ba_explanation *explanation_of(
	ba_metric metric, const ba_count_answer *a, const ba_count_answer *b)
{
	BA_AUTO_FREE ba_code_count *x = ba_xcalloc(a->code_count + 1, sizeof(*x));
	BA_AUTO_FREE ba_code_count *y = ba_xcalloc(b->code_count + 1, sizeof(*y));
	ba_explanation *e = ba_xcalloc(1, sizeof(*e));
	size_t n = places_of(x, a, metric), m = places_of(y, b, metric);
	ba_explain_code(e, x, n, y, m);
	return e;
}

/* ---- places in machine code ---- */

typedef struct places {
	ba_count_answer *answers;
	const ba_variant *variants;
	size_t count; /* of both */
} places;

/* In the child: three lines for each place. */
static void find_places(ba_buf *answer, void *data)
{
	const places *p = data;
	for (size_t v = 0; v < p->count; v++)
		BA_EACH (const ba_code_count, c, p->answers[v].codes, p->answers[v].code_count) {
			BA_AUTO_FREE char *name = NULL, *file = NULL;
			unsigned line = 0;
			if (!c->offset)
				continue;
			ba_profile_place(
				&name, &file, &line, c->file, c->offset, p->variants[v].tree_dir);
			BA_AUTO_FREE char *safe = ba_text_safe(name);
			ba_buf_printf(answer, "%s\n%s\n%u\n", safe, file, line);
		}
}

/* Without an answer the object's name has to do. */
static void name_places(const places *p, const ba_strv *found)
{
	size_t at = 0;
	for (size_t v = 0; v < p->count; v++)
		BA_EACH (ba_code_count, c, p->answers[v].codes, p->answers[v].code_count) {
			bool known = c->offset && at + 2 < found->count;
			if (!c->offset)
				continue;
			c->offset = 0;
			char *name =
				ba_xprintf("%s from %s", c->name, known ? found->items[at] : "?");
			char *file =
				ba_xstrdup(known ? found->items[at + 1] : ba_path_base(c->file));
			BA_FREE((char *)c->name, (char *)c->file);
			c->name = name;
			c->file = file;
			c->line = known ? (unsigned)strtoul(found->items[at + 2], NULL, 10) : 0;
			at += 3;
		}
}

static void look_up(const ba_process_set *q, ba_count_answer *answers)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO(ba_strv) ba_strv found = {0};
	ba_error why;
	places p = {answers, q->s->result->run.variants, ba_session_variants(q->s)};
	if (ba_explain_aside(&text, find_places, &p, q->spec.stop, &why)) {
		ba_log_printf(q->s->spec->log, BA_LOG_INFO, "no source lines: %s", why.text);
		ba_buf_truncate(&text, 0);
	}
	ba_strv_split(&found, text.data, '\n');
	name_places(&p, &found);
}

static void explain(ba_process_set *q, ba_task *t, ba_count_answer *answers)
{
	const ba_count_answer *a = &answers[0];
	bool named = false;
	for (size_t i = 0; i < BA_CENSUS_METRICS; i++) {
		ba_series *series = ba_task_series(q->s, t, metric_at(i));
		for (size_t c = 1; series && c < ba_session_variants(q->s); c++) {
			const ba_count_answer *b = &answers[c];
			ba_comparison *k = &series->comparisons[c - 1];
			if (k->why || !a->census_calls || !b->census_calls ||
				a->census[i] * b->census_calls == b->census[i] * a->census_calls)
				continue;
			if (!named)
				look_up(q, answers);
			named = true;
			k->why = explanation_of(metric_at(i), a, b);
		}
	}
}

void ba_census_keep(ba_process_set *q, ba_task *t, ba_count_answer *answers)
{
	size_t n = ba_session_variants(q->s);
	BA_AUTO_FREE bool *counted = ba_xcalloc(n, sizeof(*counted));
	uint64_t calls = 0;
	for (size_t v = 0; v < n; v++) {
		counted[v] = answers[v].census_calls > 0;
		calls = counted[v] ? answers[v].census_calls : calls;
	}
	for (size_t i = 0; i < BA_CENSUS_METRICS; i++) {
		if (!ba_task_series(q->s, t, metric_at(i)))
			continue;
		BA_AUTO(ba_samples)
		ba_samples out = ba_process_set_samples(q, t, counted, 1, (unsigned)calls);
		for (unsigned k = 0; k < out.positions; k++)
			out.ns[k] = answers[out.order[k]].census[i];
		if (out.positions)
			ba_session_keep(q->s, t, metric_at(i), &out);
	}
	explain(q, t, answers);
}

/* ---- after the verdicts ---- */

static bool is_wanted(const ba_session *s, const ba_task *t)
{
	bool any = false, explained = !s->spec->notes_census;
	for (size_t i = 0; i < BA_CENSUS_METRICS; i++) {
		const ba_series *x = ba_task_series(s, t, metric_at(i));
		any = any || (x && !ba_counts_in_invocations(s, x));
	}
	for (size_t v = 1; v < ba_session_variants(s); v++)
		explained = explained || (t->explained && t->explained[v]);
	return any && explained && t->suite->spec->census;
}

static uint64_t until(void *data, size_t index)
{
	return ba_now_ns() < *(const int64_t *)data;
}

bool ba_census_differs(const ba_session *s, const ba_series *series)
{
	return BA_ANY(series->comparisons, ba_session_candidates(s), k, k->why);
}

int ba_session_take_census(ba_session *s, int64_t deadline, ba_error *err)
{
	BA_AUTO_FREE ba_task **tasks = ba_xcalloc(s->task_count + 1, sizeof(ba_task *));
	unsigned before = s->invocation;
	int rc = 0;
	s->explains = true;
	for (size_t i = 0; rc == 0 && i < PROCESSES * s->suite_count; i++) {
		ba_session_suite *suite = &s->suites[i % s->suite_count];
		ba_count_pass pass = {
			.census = true, .tasks = tasks, .most = until, .data = &deadline};
		for (size_t k = 0; k < s->task_count; k++)
			if (s->tasks[k].suite == suite && is_wanted(s, &s->tasks[k]))
				tasks[pass.count++] = &s->tasks[k];
		s->invocation = ba_session_first(s) + (unsigned)(i / s->suite_count);
		if (pass.count)
			rc = ba_session_count_pass(s, suite, &pass, err);
	}
	s->explains = false;
	s->invocation = before;
	return rc;
}

/* What each benchmark executes of its suite's code, where only kernels differ: the kernels that it
 * launches are noted in processes of their own, before anything is measured. */

void ba_launched_keep(ba_process_set *q, ba_task *t, ba_count_answer *answers)
{
	const ba_measured_suite *m = ba_measured_suite_of(&q->s->result->run, t->benchmark);
	ba_strv_dispose(&t->benchmark->executes);
	for (size_t v = 0; v < ba_session_variants(q->s); v++) {
		char digest[65];
		ba_measured_suite_digest(digest, m, v, &answers[v].kernels);
		ba_strv_push(&t->benchmark->executes, answers[v].kernels_known ? digest : "");
	}
}

/* Has a candidate other kernels, and the same host code? */
static bool is_worth_it(const ba_session *s, const ba_session_suite *suite, const ba_task *t)
{
	const ba_measured_suite *m = ba_measured_suite_of(&s->result->run, t->benchmark);
	if (t->suite != suite || !suite->spec->census || !m || !m->host.count ||
		!m->executes.count || !*m->host.items[0] || !t->wanted[0])
		return false;
	for (size_t c = 1; c < ba_session_variants(s); c++)
		if (t->wanted[c] && strcmp(m->host.items[0], m->host.items[c]) == 0 &&
			strcmp(m->executes.items[0], m->executes.items[c]) != 0)
			return true;
	return false;
}

int ba_session_note_launched(ba_session *s, ba_error *err)
{
	BA_AUTO_FREE ba_task **tasks = ba_xcalloc(s->task_count + 1, sizeof(ba_task *));
	int rc = 0;
	if (!s->result->run.controls || s->spec->members)
		return 0;
	s->notes_launched = true;
	BA_EACH (ba_session_suite, suite, s->suites, s->suite_count) {
		ba_count_pass pass = {.census = true, .tasks = tasks};
		BA_EACH (ba_task, t, s->tasks, s->task_count)
			if (is_worth_it(s, suite, t))
				tasks[pass.count++] = t;
		if (rc == 0 && pass.count)
			rc = ba_session_count_pass(s, suite, &pass, err);
	}
	s->notes_launched = false;
	return rc;
}

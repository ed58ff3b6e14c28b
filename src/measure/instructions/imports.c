/* Why an import takes longer: which modules are loaded, and what each takes by itself. */
#include "instructions/count.h"
#include "session/task.h"

/* of a variant; a module's time is their mean */
#define PROCESSES 3u

static bool is_changed(const ba_session *s, const ba_task *t, ba_metric metric, size_t candidate)
{
	if (!ba_task_series(s, t, metric))
		return false;
	const ba_decision *d = ba_decisions_at(&s->decisions, t->series[metric], candidate);
	return ba_verdict_is_slower(d->verdict) || ba_verdict_is_faster(d->verdict);
}

/* The series whose difference is to be explained, or NULL. wanted: the variants. */
static ba_series *changed_series(bool *wanted, const ba_session *s, const ba_task *t)
{
	ba_series *x = t->benchmark->process ? ba_task_series(s, t, BA_METRIC_IMPORT) : NULL;
	wanted[0] = false;
	for (size_t c = 1; x && t->wanted[0] && c < ba_session_variants(s); c++) {
		wanted[c] = t->wanted[c] && (is_changed(s, t, BA_METRIC_IMPORT, c) ||
						    is_changed(s, t, BA_METRIC_IMPORT_CPU, c));
		wanted[0] = wanted[0] || wanted[c];
	}
	return wanted[0] ? x : NULL;
}

/* One process of each variant. */
static int ask(ba_count_answer *answers, const ba_session_suite *suite, const bool *wanted,
	const char *const *traces, ba_error *err)
{
	const ba_count_request q = {
		.wanted = wanted, .way = BA_COUNT_IMPORTS, .traces = traces, .codes = true};
	BA_AUTO(ba_failure) ba_failure f = {.err = err};
	BA_AUTO_PTR(ba_engine) ba_engine *e = NULL;
	ba_engine_spec spec = suite->engine_spec;
	spec.lists_imports = true;
	BA_TRY(ba_engine_open(&e, &spec, wanted, false, NULL, &f));
	BA_TRY(ba_engine_ask_count(e, &q, &f));
	BA_TRY(ba_engine_counted(e, &q, answers, &f));
	ba_engine_close(e);
	return 0;
}

/* The rows of a variant's processes, whose sum is their mean. */
static size_t rows_of(
	ba_code_count **out, const ba_count_answer *answers, size_t variants, size_t variant)
{
	size_t n = 0, capacity = 0;
	*out = NULL;
	for (size_t p = 0; p < PROCESSES; p++) {
		const ba_count_answer *a = &answers[p * variants + variant];
		BA_EACH (const ba_code_count, c, a->codes, a->code_count) {
			ba_code_count *mine = BA_PUSH(*out, n, capacity);
			*mine = *c;
			mine->count /= PROCESSES;
			mine->calls /= PROCESSES;
		}
	}
	return n;
}

static void explain(
	ba_series *series, const ba_count_answer *answers, const bool *wanted, size_t variants)
{
	BA_AUTO_FREE ba_code_count *base = NULL;
	size_t n = rows_of(&base, answers, variants, 0);
	for (size_t c = 1; c < variants; c++) {
		BA_AUTO_FREE ba_code_count *mine = NULL;
		size_t m = wanted[c] ? rows_of(&mine, answers, variants, c) : 0;
		if (!n || !m)
			continue;
		ba_explanation *e = ba_xcalloc(1, sizeof(*e));
		ba_explain_code(e, base, n, mine, m);
		series->comparisons[c - 1].why = e;
	}
}

int ba_session_explain_imports(ba_session *s, ba_error *err)
{
	size_t n = ba_session_variants(s);
	BA_AUTO_FREE bool *wanted = ba_xcalloc(n, sizeof(*wanted));
	BA_AUTO_FREE const char **traces = ba_xcalloc(n, sizeof(*traces));
	int rc = 0;
	for (size_t v = 0; v < n; v++)
		traces[v] = "";
	BA_EACH (ba_task, t, s->tasks, s->task_count) {
		ba_series *series = s->spec->explains_starts ? changed_series(wanted, s, t) : NULL;
		if (!series || rc || !t->suite->engine_spec.programs)
			continue;
		ba_count_answer *answers = ba_xcalloc(PROCESSES * n, sizeof(*answers));
		for (size_t p = 0; rc == 0 && p < PROCESSES && !ba_session_is_late(s, 0); p++)
			rc = ask(&answers[p * n], t->suite, wanted, traces, err);
		if (rc == 0)
			explain(series, answers, wanted, n);
		/* a worker that lists no modules has not failed */
		rc = rc == BA_EINTERRUPTED ? rc : 0;
		BA_FREE_ARRAY(ba_count_answer_dispose, answers, PROCESSES * n);
	}
	return rc;
}

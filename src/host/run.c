#include "host/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/require.h"
#include "base/text.h"
#include "host/explain.h"
#include "host/estimate.h"
#include "host/session.h"
#include "host/survey.h"
#include "stats/schedule.h"

/* ---- survey ---- */

/* Once each, in the order of the suites: what several of them load is told once. */
static bool has_artefact(const ba_variant *v, const char *path)
{
	for (size_t i = 0; i < v->artefact_count; i++)
		if (strcmp(v->artefacts[i].path, path) == 0)
			return true;
	return false;
}

static void take_artefacts(ba_result *r, const ba_survey *survey)
{
	for (size_t v = 0; v < r->variant_count; v++) {
		const ba_variant_facts *f = &survey->variants[v];
		const char *tree = r->variants[v].tree_dir;
		for (size_t i = 0; i < f->objects.count && i < f->sha256.count; i++) {
			const char *path = f->objects.items[i];
			char sum[65] = "";
			if (ba_text_starts(path, tree) && path[strlen(tree)] == '/')
				path += strlen(tree) + 1;
			snprintf(sum, sizeof(sum), "%s", f->sha256.items[i]);
			if (!has_artefact(&r->variants[v], path))
				ba_variant_add_artefact(&r->variants[v], path, sum);
		}
	}
}

static void survey_begin(ba_survey *survey, size_t count)
{
	bool known = survey->machine_known;
	ba_survey_dispose(survey);
	survey->variants = ba_xcalloc(count, sizeof(*survey->variants));
	survey->variant_count = count;
	survey->share = true;
	survey->machine_known = known;
}

/* A variant alone; `machine`: what is heard about that counts too. */
static int survey_one(ba_run_suite *suite, size_t variant, bool machine, ba_error *err)
{
	ba_survey *survey = &suite->survey;
	ba_engine_spec engine = suite->engine;
	BA_AUTO_FREE bool *only = ba_xcalloc(engine.variant_count, sizeof(*only));
	BA_AUTO_PTR(ba_engine) ba_engine *e = NULL;
	BA_AUTO(ba_failure) ba_failure f = {0};
	BA_AUTO(ba_survey)
	/* what is not asked for need not be found out */
	ba_survey scratch = {.machine_known = survey->machine_known || !machine};
	survey_begin(&scratch, engine.variant_count);
	scratch.env.event_tick_ns = survey->env.event_tick_ns;
	only[variant] = true;
	engine.kind = BA_ENGINE_DUET;
	int rc = ba_engine_open(
		&e, &engine, only, false, machine ? survey : &scratch, &f, err);
	if (rc == 0)
		ba_engine_close(e);
	if (!machine) {
		ba_variant_facts facts = survey->variants[variant];
		survey->variants[variant] = scratch.variants[variant];
		scratch.variants[variant] = facts;
	}
	if (rc != BA_EVARIANT)
		return rc;
	suite->failures[variant] = BA_TAKE(f.text);
	survey->variants[variant].output = BA_TAKE(f.output);
	return 0;
}

/* One after the other, so that a library that breaks its worker hides no other, and
 * each is seen with its own dependencies. */
static int survey_apart(ba_run_suite *suite, bool machine, ba_error *err)
{
	for (size_t v = 0; v < suite->engine.variant_count; v++) {
		if (suite->failures[v])
			continue;
		int rc = survey_one(suite, v, machine, err);
		if (rc)
			return rc;
		machine = false;
	}
	return 0;
}

static void choose_engine(ba_result *r, const ba_run_suite *suite, const char *trouble)
{
	bool all_fine = true;
	for (size_t v = 0; v < r->variant_count; v++)
		all_fine = all_fine && !suite->failures[v];
	ba_engine_kind kind = suite->engine.kind;
	const char *reason = "";
	if (suite->engine_forced) {
		reason = "asked for";
	} else if (kind == BA_ENGINE_DUET && all_fine &&
		   (trouble || !suite->survey.share)) {
		kind = BA_ENGINE_SPLIT;
		reason = trouble ? trouble : suite->survey.share_reason;
	}
	ba_measured_suite *m = ba_result_suite(r, suite->name, suite->kind);
	free(m->engine);
	free(m->engine_reason);
	m->engine = ba_xstrdup(r->variant_count == 1 ? "single" : ba_engine_name(kind));
	m->engine_reason = ba_xstrdup(reason);
	ba_result_sum_up_engines(r);
}

/* Where no library can be used there is no benchmark to hang a result on. */
static int check_usable(const ba_result *r, const ba_run_suite *suite, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	for (size_t v = 0; v < r->variant_count; v++) {
		const char *output = suite->survey.variants[v].output;
		const char *failure = suite->failures[v];
		if (!failure)
			return 0;
		if (v)
			ba_buf_putc(&text, '\n');
		if (!ba_text_starts(failure, r->variants[v].label))
			ba_buf_printf(&text, "%s: ", r->variants[v].label);
		ba_buf_puts(&text, failure);
		if (output)
			ba_buf_printf(&text, "; its last output:\n%s",
				ba_text_last_lines(output, 4));
	}
	return ba_fail(err, BA_ELIBRARY, "%s", text.data);
}

static int survey_all(
	ba_run_suite *suite, char **trouble, const ba_result *r, ba_error *err)
{
	size_t n = r->variant_count;
	BA_AUTO_FREE bool *all = ba_xcalloc(n, sizeof(*all));
	BA_AUTO_PTR(ba_engine) ba_engine *e = NULL;
	BA_AUTO(ba_failure) ba_failure f = {0};
	ba_engine_spec engine = suite->engine;
	engine.kind = BA_ENGINE_DUET;
	for (size_t v = 0; v < n; v++)
		all[v] = !suite->failures[v];
	survey_begin(&suite->survey, n);
	if (suite->engine.programs)
		return survey_apart(suite, true, err);
	int rc = ba_engine_open(&e, &engine, all, false, &suite->survey, &f, err);
	if (rc == BA_EVARIANT) {
		*trouble = ba_xprintf("%s works alone but not beside the others: %s",
			r->variants[f.variant].label, f.text);
		survey_begin(&suite->survey, n);
		return survey_apart(suite, true, err);
	}
	if (rc)
		return rc;
	ba_engine_close(e);
	/* together they were not themselves: ask again, each in a process of its own */
	bool duet = suite->engine_forced && suite->engine.kind == BA_ENGINE_DUET;
	if (!suite->survey.share && !duet)
		return survey_apart(suite, false, err);
	return 0;
}

int ba_run_survey(ba_run_suite *suite, ba_result *result, ba_error *err)
{
	BA_AUTO_FREE char *trouble = NULL;
	suite->survey.machine_known = result->suite_count > 0;
	int rc = suite->kind == BA_SUITE_COMMAND
			 ? ba_command_survey(suite, result, err)
			 : survey_all(suite, &trouble, result, err);
	rc = rc ? rc : check_usable(result, suite, err);
	if (rc)
		return rc;
	choose_engine(result, suite, trouble);
	take_artefacts(result, &suite->survey);
	if (!suite->survey.machine_known) {
		result->env = suite->survey.env;
		suite->survey.env = (ba_environment){0};
	} else if (suite->survey.env.event_tick_ns > 0) {
		ba_environment_take_timing(&result->env, &suite->survey.env);
	}
	return 0;
}

void ba_run_survey_failed(const ba_run_suite *suite, ba_result *result)
{
	choose_engine(result, suite, NULL);
}

/* ---- what is asked ---- */

static size_t candidates_of(const ba_session *s)
{
	return s->result->variant_count - 1;
}

static bool is_measured(const ba_session *s, const ba_task *t, ba_metric metric)
{
	return s->spec->measure[metric] &&
	       ba_benchmark_has_metric(t->benchmark, metric);
}

/* Where none of the metrics that decide is among a benchmark's, its first one does:
 * what is measured is measured to be decided. -1: one is among them. */
static int metric_without_verdict(const ba_session *s, const ba_task *t)
{
	int first = -1;
	for (int m = BA_METRIC_COUNT; m-- > 0;) {
		if (!is_measured(s, t, (ba_metric)m))
			continue;
		if (s->spec->verdict[m])
			return -1;
		first = m;
	}
	return t->benchmark->kind == BA_SUITE_WORKER ? first : -1;
}

/* has[v]: variant v has it, or its library is unknown and it is asked for all the same
 */
static void plan_series(ba_session *s, ba_task *t, const bool *has)
{
	int main = metric_without_verdict(s, t);
	for (int m = 0; m < BA_METRIC_COUNT; m++) {
		t->series[m] = BA_NO_SERIES;
		if (!is_measured(s, t, (ba_metric)m))
			continue;
		ba_series *series =
			ba_result_add_series(s->result, t->index, (ba_metric)m);
		t->series[m] = (size_t)(series - s->result->series);
		series->role = m == main || s->spec->verdict[m] ? BA_ROLE_VERDICT
								: BA_ROLE_REPORTED;
		for (size_t c = 1; c <= candidates_of(s); c++) {
			ba_run_threshold theta =
				s->spec->threshold(s->spec->threshold_data,
					t->benchmark->id, (ba_metric)m);
			series->comparisons[c - 1].threshold_slower = theta.slower;
			series->comparisons[c - 1].threshold_faster = theta.faster;
		}
		for (size_t v = 0; v < s->result->variant_count; v++)
			series->variants[v].present = has[v];
	}
}

static ba_session_suite *suite_of(ba_session *s, const ba_benchmark *b)
{
	for (size_t i = 0; i < s->suite_count; i++)
		if (strcmp(s->suites[i].spec->name, b->suite) == 0)
			return &s->suites[i];
	BA_REQUIRE(!"a benchmark of a suite that is not there");
	return NULL;
}

static void plan_task(ba_session *s, ba_task *t, size_t index, const bool *has)
{
	ba_result *r = s->result;
	size_t n = r->variant_count;
	ba_session_suite *suite = suite_of(s, &r->benchmarks[index]);
	char *const *failures = suite->spec->failures;
	*t = (ba_task){.benchmark = &r->benchmarks[index],
		.suite = suite,
		.index = index,
		.wanted = ba_xcalloc(n, sizeof(*t->wanted)),
		.failure = ba_xcalloc(n, sizeof(*t->failure)),
		.output = ba_xcalloc(n, sizeof(*t->output)),
		.skipped = ba_xcalloc(n, sizeof(*t->skipped)),
		.ns = ba_xcalloc(n + 1, sizeof(*t->ns)),
		.active = true};
	/* a library that cannot be used has an unknown set of paths: ask for all */
	BA_AUTO_FREE bool *known = ba_xcalloc(n, sizeof(*known));
	for (size_t v = 0; v < n; v++)
		known[v] = has[v] || failures[v];
	plan_series(s, t, known);
	for (size_t v = 0; v < n; v++) {
		t->wanted[v] = has[v] && !failures[v];
		t->failure[v] = ba_xstrdup(failures[v]);
		t->output[v] = ba_xstrdup(suite->spec->survey.variants[v].output);
		t->has_count += known[v];
	}
	t->baseline_has = known[0];
}

/* What lies in one directory need not even be run. Of two builds that are equal a
 * control is measured; other bytes with the same device code may do something else on
 * the host, and are prepared and checked. */
static bool is_worth_running(const ba_session *s, const ba_task *t, size_t candidate)
{
	if (ba_benchmark_is_same_work(t->benchmark, candidate))
		return true;
	for (int m = 0; m < BA_METRIC_COUNT; m++) {
		const ba_series *x = ba_task_series(s, t, (ba_metric)m);
		if (x && (x->comparisons[candidate - 1].verdict !=
					 BA_VERDICT_IDENTICAL ||
				 ba_identity_has_control(s->result, x, candidate)))
			return true;
	}
	return false;
}

/* What a look has to know beside the samples. */
static void note_failures(ba_session *s)
{
	ba_result *r = s->result;
	for (size_t i = 0; i < r->series_count; i++) {
		ba_series *series = &r->series[i];
		const ba_task *t = &s->tasks[series->benchmark];
		for (size_t v = 0; v < r->variant_count; v++) {
			free(series->variants[v].failure);
			free(series->variants[v].output);
			free(series->variants[v].skipped);
			series->variants[v].failure = ba_xstrdup(t->failure[v]);
			series->variants[v].output = ba_xstrdup(t->output[v]);
			series->variants[v].skipped = ba_xstrdup(t->skipped[v]);
		}
	}
}

/* What needs no measuring is not measured. */
static void settle_tasks(ba_session *s)
{
	note_failures(s);
	ba_identity_settle(s->result);
	for (size_t i = 0; i < s->task_count; i++)
		for (size_t c = 1; c <= candidates_of(s); c++)
			if (!is_worth_running(s, &s->tasks[i], c))
				s->tasks[i].wanted[c] = false;
}

static void suite_init(
	ba_session_suite *suite, const ba_run_suite *spec, const ba_result *result)
{
	size_t n = result->variant_count;
	*suite = (ba_session_suite){.spec = spec,
		.engine_spec = spec->engine,
		.usable = ba_xcalloc(n, sizeof(*suite->usable))};
	for (size_t i = 0; i < result->suite_count; i++)
		if (strcmp(result->suites[i].name, spec->name) == 0 &&
			strcmp(result->suites[i].engine, "split") == 0)
			suite->engine_spec.kind = BA_ENGINE_SPLIT;
	for (size_t v = 0; v < n; v++)
		suite->usable[v] = !spec->failures[v];
}

static bool has_metric(const ba_session *s, const ba_task *t)
{
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		if (is_measured(s, t, (ba_metric)m))
			return true;
	return false;
}

/* What has nothing to be measured is not prepared either, and is told. */
static void leave_out(ba_session *s)
{
	size_t count = 0;
	const char *first = NULL;
	for (size_t i = 0; i < s->task_count; i++) {
		ba_task *t = &s->tasks[i];
		if (has_metric(s, t))
			continue;
		first = count++ ? first : t->benchmark->id;
		for (size_t v = 0; v < s->result->variant_count; v++)
			t->wanted[v] = false;
	}
	if (!count)
		return;
	BA_AUTO_FREE char *more = ba_xprintf(" and %zu more", count - 1);
	BA_AUTO_FREE char *note = ba_xprintf(
		"not measured: %s%s, with none of the metrics that are measured here; GPU metrics need a GPU",
		first, count > 1 ? more : "");
	ba_strv_push(&s->result->notes, note);
}

static void session_init(
	ba_session *s, ba_result *result, const ba_run_spec *spec, const bool *has)
{
	size_t n = result->variant_count;
	*s = (ba_session){.result = result,
		.spec = spec,
		.suites = ba_xcalloc(spec->suite_count, sizeof(*s->suites)),
		.suite_count = spec->suite_count,
		.task_count = result->benchmark_count,
		.started_ns = ba_now_ns()};
	for (size_t i = 0; i < s->suite_count; i++)
		suite_init(&s->suites[i], &spec->suites[i], result);
	s->tasks = ba_xcalloc(s->task_count, sizeof(*s->tasks));
	for (size_t i = 0; i < s->task_count; i++)
		plan_task(s, &s->tasks[i], i, has + i * n);
	settle_tasks(s);
	leave_out(s);
}

static void session_dispose(ba_session *s)
{
	for (size_t i = 0; i < s->suite_count; i++) {
		ba_engine_free(s->suites[i].engine);
		free(s->suites[i].usable);
	}
	free(s->suites);
	for (size_t i = 0; i < s->task_count; i++) {
		ba_task *t = &s->tasks[i];
		for (size_t v = 0; v < s->result->variant_count; v++) {
			free(t->failure[v]);
			free(t->output[v]);
			free(t->skipped[v]);
		}
		free(t->wanted);
		free(t->failure);
		free(t->output);
		free(t->skipped);
		free(t->ns);
	}
	free(s->tasks);
	ba_strv_dispose(&s->opened);
	ba_openings_free(s->openings);
	ba_decisions_dispose(&s->decisions);
}

/* ---- controls ---- */

/* Is the comparison still measured, and not as a control? After the first look a
 * control is in doubt. */
static bool is_asked(
	ba_session *s, const ba_task *t, ba_metric m, size_t candidate, bool *any)
{
	const ba_series *x = ba_task_series(s, t, m);
	if (!x || !t->wanted[candidate] || x->role != BA_ROLE_VERDICT ||
		ba_decisions_at(&s->decisions, t->series[m], candidate)->verdict !=
			BA_VERDICT_UNDECIDED)
		return false;
	*any = true;
	return s->result->looks_done > 0 ||
	       !ba_identity_has_control(s->result, x, candidate);
}

/* What is not the same any more, or was not found to be, gets the time that others
 * have. */
static void set_brief(ba_session *s)
{
	for (size_t i = 0; i < s->task_count; i++) {
		ba_task *t = &s->tasks[i];
		bool was = t->brief, any = false, asked = false;
		for (int m = 0; m < BA_METRIC_COUNT; m++)
			for (size_t c = 1; c <= candidates_of(s); c++)
				asked |= is_asked(s, t, (ba_metric)m, c, &any);
		t->brief = any && !asked;
		if (was && asked)
			t->sized = false;
	}
}

/* What was opened since decides; before it counts as measured. */
static void take_openings(ba_session *s)
{
	ba_strv_dispose(&s->opened);
	if (ba_openings_look(s->openings, s->result, &s->opened) &&
		ba_identity_withdraw(s->result))
		set_brief(s);
}

/* ---- looks ---- */

static bool task_is_open(ba_session *s, const ba_task *t)
{
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		for (size_t c = 1; c <= candidates_of(s); c++)
			if (t->series[m] != BA_NO_SERIES &&
				ba_decisions_at(&s->decisions, t->series[m], c)
						->verdict == BA_VERDICT_UNDECIDED)
				return true;
	return false;
}

/* ---- the loop ---- */

static void report_progress(const ba_session *s, double done, double planned)
{
	if (!s->spec->progress)
		return;
	BA_AUTO_FREE char *text = ba_xprintf("invocation %u", s->invocation + 1);
	s->spec->progress(
		s->spec->progress_data, planned > 0 ? done / planned : 0, text);
}

/* The suite's benchmarks in the order drawn, in workers of their own. */
static int invoke_suite(ba_session *s, ba_session_suite *suite, const size_t *order,
	size_t *done, size_t planned, ba_error *err)
{
	bool reversed = ba_schedule_load_reversed(s->spec->seed, s->invocation);
	int rc = 0;
	if (suite->spec->kind == BA_SUITE_COMMAND) {
		report_progress(s, s->invocation, (double)planned);
		return ba_command_invoke(s, suite, err);
	}
	for (size_t i = 0; rc == 0 && i < s->task_count && !s->restart; i++) {
		ba_task *t = &s->tasks[order[i]];
		if (t->suite != suite)
			continue;
		double part = (double)(*done)++ / (double)s->task_count;
		report_progress(s, s->invocation + part, (double)planned);
		if (!t->active)
			continue;
		rc = ba_session_open_engine(s, suite, reversed, err);
		rc = rc ? rc : ba_session_invoke(s, t, err);
	}
	if (rc == 0 && suite->engine)
		ba_engine_close(suite->engine);
	ba_engine_free(suite->engine);
	suite->engine = NULL;
	return rc;
}

static int invoke_all(ba_session *s, size_t planned, ba_error *err)
{
	BA_AUTO_FREE size_t *order = ba_xcalloc(s->task_count, sizeof(*order));
	size_t done = 0;
	int rc = 0;
	if (ba_resume_covers(s)) {
		int repeated = ba_resume_invocation(s, err);
		set_brief(s);
		return repeated;
	}
	for (size_t i = 0; i < s->task_count; i++)
		s->tasks[i].took_part = s->tasks[i].active;
	ba_schedule_shuffle(order, s->task_count, s->spec->seed, s->invocation);
	for (size_t i = 0; rc == 0 && i < s->suite_count && !s->restart; i++)
		rc = invoke_suite(s, &s->suites[i], order, &done, planned, err);
	take_openings(s);
	if (rc == 0 && !s->restart)
		ba_session_checkpoint(s);
	return rc;
}

/* The engine was changed: what was measured with the other one does not count, and what
 * was decided from it neither. */
static void begin_again(ba_session *s)
{
	ba_result *r = s->result;
	for (size_t i = 0; i < r->series_count; i++) {
		ba_series *series = &r->series[i];
		for (size_t k = 0; k < series->sample_count; k++)
			ba_samples_dispose(&series->samples[k]);
		series->sample_count = 0;
		for (size_t c = 0; c < candidates_of(s); c++)
			series->comparisons[c].y_count = 0;
	}
	for (size_t i = 0; i < s->task_count; i++) {
		s->tasks[i].active = true;
		s->tasks[i].sized = false;
		s->tasks[i].repeats_done = 0;
	}
	ba_decisions_init(&s->decisions, r);
	s->restart = false;
	s->invocation = 0;
	s->kept = 0;
	if (s->spec->restarted)
		s->spec->restarted(s->spec->stored_data);
}

/* planned: for the progress; not before target */
static int invoke_until(ba_session *s, size_t target, size_t planned, ba_error *err)
{
	while (s->invocation < target) {
		bool any = false;
		for (size_t i = 0; i < s->task_count; i++)
			any = any || s->tasks[i].active;
		if (!any)
			return 0;
		int rc = invoke_all(s, planned, err);
		if (rc)
			return rc;
		if (s->restart)
			begin_again(s);
		else
			s->invocation++;
	}
	return 0;
}

static bool budget_ends(const ba_session *s, size_t next)
{
	if (s->spec->budget_ns <= 0 || s->invocation == 0 || ba_resume_covers(s))
		return false;
	int64_t spent = ba_now_ns() - s->started_ns;
	double each = (double)spent / s->invocation;
	return (double)spent + each * (double)(next - s->invocation) >
	       (double)s->spec->budget_ns;
}

static void stop(ba_session *s, const char *why, const char *note)
{
	free(s->result->stopped);
	s->result->stopped = ba_xstrdup(why);
	if (note)
		ba_strv_push(&s->result->notes, note);
}

/* Is there a reason to end before the design's next look? */
static bool ends_early(ba_session *s)
{
	if (s->spec->fail_fast &&
		(ba_decisions_has(&s->decisions, BA_VERDICT_REGRESSED) ||
			ba_decisions_has(&s->decisions, BA_VERDICT_TAIL_REGRESSED))) {
		stop(s, "fail-fast", "stopped at the first regression (--fail-fast)");
		return true;
	}
	if (budget_ends(s, s->spec->design.at[s->result->looks_done])) {
		stop(s, "budget",
			"stopped by the budget (--budget) before every question was decided");
		return true;
	}
	return false;
}

static void retire_decided(ba_session *s)
{
	for (size_t i = 0; i < s->task_count; i++) {
		ba_task *t = &s->tasks[i];
		t->active =
			t->active && ba_task_is_measurable(s, t) && task_is_open(s, t);
	}
}

/* One variant: no looks, nothing to decide. */
static int measure_alone(ba_session *s, ba_error *err)
{
	size_t planned = s->spec->design.at[0];
	int rc = 0;
	while (rc == 0 && s->invocation < planned) {
		size_t before = s->invocation;
		if (budget_ends(s, before + 1)) {
			stop(s, "budget",
				"stopped by the budget (--budget) before all invocations were made");
			return 0;
		}
		rc = invoke_until(s, before + 1, planned, err);
		if (s->invocation == before)
			return rc; /* nothing is left to measure */
	}
	return rc;
}

/* After a restart the looks begin anew, too: r->looks_done is 0 again. */
static int measure_looks(ba_session *s, ba_error *err)
{
	const ba_design *design = &s->spec->design;
	ba_result *r = s->result;
	if (candidates_of(s) == 0)
		return measure_alone(s, err);
	while (r->looks_done < design->looks) {
		size_t look = r->looks_done;
		int rc = invoke_until(s, design->at[look], design->at[look], err);
		if (rc)
			return rc;
		if (r->looks_done < look)
			continue;
		note_failures(s);
		size_t open = ba_decisions_look(&s->decisions, r);
		set_brief(s);
		retire_decided(s);
		if (open == 0 || r->looks_done == design->looks || ends_early(s))
			return 0;
		ba_session_escalate(s);
	}
	return 0;
}

/* ---- the end ---- */

static void finish(ba_session *s)
{
	ba_result *r = s->result;
	r->measure_seconds = (double)(ba_now_ns() - s->started_ns) / 1e9;
	note_failures(s);
	ba_decisions_finish(&s->decisions, r);
	ba_explain_run(r);
}

static void describe_design(ba_result *result, const ba_run_spec *spec)
{
	result->alpha = spec->alpha;
	result->strict = spec->strict;
	result->measure_identical = spec->measure_identical;
	result->seed = spec->seed;
	free(result->multiplicity);
	result->multiplicity = ba_xstrdup(ba_multiplicity_name(spec->multiplicity));
	result->look_count = spec->design.looks;
	for (size_t k = 0; k < spec->design.looks; k++) {
		result->looks[k] = (unsigned)spec->design.at[k];
		result->look_weights[k] = spec->design.weight[k];
	}
	free(result->stopped);
	result->stopped = ba_xstrdup("");
}

static bool is_timed_on_gpu(const ba_benchmark *b)
{
	return ba_benchmark_has_metric(b, BA_METRIC_GPU_COLD) ||
	       ba_benchmark_has_metric(b, BA_METRIC_GPU_HOT);
}

/* What was asked for and cannot be had. */
static void note_not_rotating(ba_session *s)
{
	const char *first = NULL;
	size_t count = 0;
	for (size_t i = 0; i < s->task_count; i++) {
		const ba_benchmark *b = s->tasks[i].benchmark;
		if (!s->spec->measure[BA_METRIC_GPU_ROTATE] || b->rotates ||
			!is_timed_on_gpu(b))
			continue;
		first = first ? first : b->id;
		count++;
	}
	if (count == 0)
		return;
	BA_AUTO_FREE char *others =
		count > 1 ? ba_xprintf(" (and %zu more)", count - 1) : ba_xstrdup("");
	ba_strv_push_take(&s->result->notes,
		ba_xprintf(
			"gpu_rotate was not measured of %s%s: it works on one set of inputs only",
			first, others));
}

int ba_run_measure(
	ba_result *result, const ba_run_spec *spec, const bool *has, ba_error *err)
{
	ba_session s;
	describe_design(result, spec);
	if (spec->resumed)
		ba_resume_engines(result, spec->resumed);
	ba_openings *openings =
		ba_openings_watch(result, spec->manifests, spec->irrelevant);
	session_init(&s, result, spec, has);
	s.openings = openings;
	int rc = ba_session_inspect(&s, err);
	settle_tasks(&s);
	ba_decisions_init(&s.decisions, result);
	set_brief(&s);
	ba_resume_begin(&s);
	for (size_t i = 0; i < s.task_count; i++)
		s.tasks[i].active = ba_task_is_measurable(&s, &s.tasks[i]);
	note_not_rotating(&s);
	s.notes_told = result->notes.count;
	rc = rc ? rc : measure_looks(&s, err);
	if (rc == BA_EINTERRUPTED) {
		result->interrupted = true;
		stop(&s, "signal", NULL);
		rc = 0;
	}
	if (rc == 0)
		finish(&s);
	session_dispose(&s);
	return rc;
}

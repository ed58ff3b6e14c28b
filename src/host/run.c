#include "host/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/text.h"
#include "host/judge.h"
#include "host/session.h"
#include "stats/schedule.h"

/* ---- survey ---- */

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
			ba_variant_add_artefact(&r->variants[v], path, sum);
		}
	}
}

/* One after the other, so that a library that breaks its worker hides no other. */
static int survey_alone(ba_survey *survey, char **failures, const ba_run_spec *spec,
	size_t variant, bool first, ba_error *err)
{
	ba_engine_spec engine = spec->engine;
	BA_AUTO_FREE bool *only = ba_xcalloc(engine.variant_count, sizeof(*only));
	BA_AUTO_PTR(ba_engine) ba_engine *e = NULL;
	BA_AUTO(ba_failure) ba_failure f = {0};
	BA_AUTO(ba_survey) ba_survey scratch = {.variant_count = engine.variant_count};
	scratch.variants = ba_xcalloc(engine.variant_count, sizeof(*scratch.variants));
	only[variant] = true;
	engine.kind = BA_ENGINE_DUET;
	int rc = ba_engine_open(
		&e, &engine, only, false, first ? survey : &scratch, &f, err);
	if (rc == BA_EVARIANT) {
		failures[variant] = BA_TAKE(f.text);
		rc = 0;
	} else if (rc == 0) {
		ba_engine_close(e);
	}
	if (!first) {
		ba_variant_facts facts = survey->variants[variant];
		survey->variants[variant] = scratch.variants[variant];
		scratch.variants[variant] = facts;
	}
	return rc;
}

static void choose_engine(ba_result *r, const ba_run_spec *spec,
	const ba_survey *survey, char *const *failures, const char *trouble)
{
	bool all_fine = true;
	for (size_t v = 0; v < r->variant_count; v++)
		all_fine = all_fine && !failures[v];
	ba_engine_kind kind = spec->engine.kind;
	free(r->engine_reason);
	r->engine_reason = ba_xstrdup("");
	if (spec->engine_forced) {
		free(r->engine_reason);
		r->engine_reason = ba_xstrdup("asked for");
	} else if (kind == BA_ENGINE_DUET && all_fine && (trouble || !survey->share)) {
		kind = BA_ENGINE_SPLIT;
		free(r->engine_reason);
		r->engine_reason = ba_xstrdup(trouble ? trouble : survey->share_reason);
	}
	free(r->engine);
	r->engine = ba_xstrdup(r->variant_count == 1 ? "single" : ba_engine_name(kind));
}

int ba_run_survey(ba_survey *survey, char **failures, ba_result *result,
	const ba_run_spec *spec, ba_error *err)
{
	size_t n = result->variant_count;
	survey->variants = ba_xcalloc(n, sizeof(*survey->variants));
	survey->variant_count = n;
	survey->share = true;
	BA_AUTO_FREE bool *all = ba_xcalloc(n, sizeof(*all));
	for (size_t v = 0; v < n; v++)
		all[v] = !failures[v];
	BA_AUTO_PTR(ba_engine) ba_engine *e = NULL;
	BA_AUTO(ba_failure) ba_failure f = {0};
	ba_engine_spec engine = spec->engine;
	BA_AUTO_FREE char *trouble = NULL;
	engine.kind = BA_ENGINE_DUET;
	int rc = ba_engine_open(&e, &engine, all, false, survey, &f, err);
	if (rc == 0) {
		ba_engine_close(e);
	} else if (rc == BA_EVARIANT) {
		trouble = ba_xprintf("%s works alone but not beside the others: %s",
			result->variants[f.variant].label, f.text);
		rc = 0;
		bool first = true;
		for (size_t v = 0; rc == 0 && v < n; v++) {
			if (!all[v])
				continue;
			rc = survey_alone(survey, failures, spec, v, first, err);
			first = false;
		}
	}
	if (rc)
		return rc;
	choose_engine(result, spec, survey, failures, trouble);
	take_artefacts(result, survey);
	result->env = survey->env;
	return 0;
}

/* ---- what is asked ---- */

static bool same_artefacts(const ba_variant *a, const ba_variant *b)
{
	if (a->artefact_count == 0 || a->artefact_count != b->artefact_count)
		return false;
	for (size_t i = 0; i < a->artefact_count; i++)
		if (strcmp(a->artefacts[i].path, b->artefacts[i].path) != 0 ||
			a->artefacts[i].sha256[0] == '\0' ||
			strcmp(a->artefacts[i].sha256, b->artefacts[i].sha256) != 0)
			return false;
	return true;
}

static size_t candidates_of(const ba_session *s)
{
	return s->result->variant_count - 1;
}

static void set_verdict(ba_comparison *c, ba_verdict verdict, char *reason)
{
	c->verdict = verdict;
	free(c->reason);
	c->reason = reason;
}

/* Why a pair is not to be measured at all, if so. */
static void settle_before(
	ba_session *s, ba_task *t, ba_series *series, size_t candidate, const bool *has)
{
	ba_result *r = s->result;
	ba_comparison *c = &series->comparisons[candidate - 1];
	bool base = has[0], mine = has[candidate];
	const char *label = r->variants[candidate].label;
	if (base && !mine)
		set_verdict(c, BA_VERDICT_REMOVED,
			ba_xprintf("%s has no launch path '%s'", label,
				t->benchmark->path));
	else if (!base && mine)
		set_verdict(c, BA_VERDICT_ADDED,
			ba_xprintf("%s has no launch path '%s'", r->variants[0].label,
				t->benchmark->path));
	else if (!base && !mine)
		set_verdict(c, BA_VERDICT_SKIPPED,
			ba_xprintf("neither %s nor %s has the launch path '%s'",
				r->variants[0].label, label, t->benchmark->path));
	else if (!s->spec->measure_identical &&
		 same_artefacts(&r->variants[0], &r->variants[candidate]))
		set_verdict(c, BA_VERDICT_IDENTICAL,
			ba_xprintf("%s and %s built byte-identical libraries",
				r->variants[0].label, label));
}

static void plan_series(ba_session *s, ba_task *t, const bool *has)
{
	for (int m = 0; m < BA_METRIC_COUNT; m++) {
		if (!s->spec->measure[m])
			continue;
		ba_series *series = ba_result_series(s->result, t->index, (ba_metric)m);
		series->role = s->spec->verdict[m] ? BA_ROLE_VERDICT : BA_ROLE_REPORTED;
		for (size_t c = 1; c <= candidates_of(s); c++) {
			ba_run_threshold theta =
				s->spec->threshold(s->spec->threshold_data,
					t->benchmark->id, (ba_metric)m);
			series->comparisons[c - 1].threshold_slower = theta.slower;
			series->comparisons[c - 1].threshold_faster = theta.faster;
			settle_before(s, t, series, c, has);
		}
	}
}

static void plan_task(
	ba_session *s, ba_task *t, size_t index, const bool *has, char *const *failures)
{
	ba_result *r = s->result;
	size_t n = r->variant_count;
	*t = (ba_task){.benchmark = &r->benchmarks[index],
		.index = index,
		.wanted = ba_xcalloc(n, sizeof(*t->wanted)),
		.failure = ba_xcalloc(n, sizeof(*t->failure)),
		.output = ba_xcalloc(n, sizeof(*t->output)),
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
		if (v > 0 && !s->spec->measure_identical &&
			same_artefacts(&r->variants[0], &r->variants[v]))
			t->wanted[v] = false;
	}
}

static void session_init(ba_session *s, ba_result *result, const ba_run_spec *spec,
	const ba_survey *survey, char *const *failures, const bool *has)
{
	size_t n = result->variant_count;
	*s = (ba_session){.result = result,
		.spec = spec,
		.survey = survey,
		.engine_spec = spec->engine,
		.task_count = result->benchmark_count,
		.started_ns = ba_now_ns()};
	if (strcmp(result->engine, "split") == 0)
		s->engine_spec.kind = BA_ENGINE_SPLIT;
	s->usable = ba_xcalloc(n, sizeof(*s->usable));
	for (size_t v = 0; v < n; v++)
		s->usable[v] = !failures[v];
	s->tasks = ba_xcalloc(s->task_count, sizeof(*s->tasks));
	for (size_t i = 0; i < s->task_count; i++)
		plan_task(s, &s->tasks[i], i, has + i * n, failures);
	s->decisions = ba_xcalloc(
		result->series_count * (n > 1 ? n - 1 : 1), sizeof(*s->decisions));
}

static void session_dispose(ba_session *s)
{
	ba_engine_free(s->engine);
	for (size_t i = 0; i < s->task_count; i++) {
		ba_task *t = &s->tasks[i];
		for (size_t v = 0; v < s->result->variant_count; v++) {
			free(t->failure[v]);
			free(t->output[v]);
		}
		free(t->wanted);
		free(t->failure);
		free(t->output);
		free(t->ns);
	}
	free(s->tasks);
	free(s->usable);
	free(s->decisions);
}

/* ---- looks ---- */

static ba_decision *decision_of(ba_session *s, size_t series, size_t candidate)
{
	return &s->decisions[series * candidates_of(s) + candidate - 1];
}

/* The family: every verdict metric of every benchmark and candidate that was asked
 * about, whatever becomes of it, but for those that could not change (identical bytes).
 */
static void family_init(ba_session *s)
{
	ba_result *r = s->result;
	r->family_size = 0;
	for (size_t i = 0; i < r->series_count; i++)
		for (size_t c = 1; c <= candidates_of(s); c++) {
			ba_comparison *k = &r->series[i].comparisons[c - 1];
			ba_decision *d = decision_of(s, i, c);
			ba_decision_init(d, k->threshold_slower, k->threshold_faster);
			if (r->series[i].role != BA_ROLE_VERDICT) {
				d->verdict = BA_VERDICT_REPORTED;
				continue;
			}
			d->verdict = k->verdict;
			r->family_size += k->verdict == BA_VERDICT_UNDECIDED ||
					  k->verdict == BA_VERDICT_FAILED;
		}
}

/* With an absolute floor the threshold is known once the baseline's time is. */
static void apply_absolute(ba_session *s, const ba_task *t, ba_series *series)
{
	ba_run_threshold theta = s->spec->threshold(
		s->spec->threshold_data, t->benchmark->id, series->metric);
	if (theta.absolute_ns <= 0 || t->ns[0] <= 0)
		return;
	for (size_t c = 1; c <= candidates_of(s); c++) {
		ba_comparison *k = &series->comparisons[c - 1];
		k->threshold_slower =
			ba_threshold_of(theta.slower, theta.absolute_ns, t->ns[0]);
		k->threshold_faster =
			ba_threshold_of(theta.faster, theta.absolute_ns, t->ns[0]);
		size_t index = (size_t)(series - s->result->series);
		ba_decision *d = decision_of(s, index, c);
		d->d_reg = log1p(k->threshold_slower);
		d->d_imp = log1p(k->threshold_faster);
	}
}

static double s_floor_of(const ba_session *s, const ba_task *t)
{
	double interval = t->batch * (t->ns[0] > 0 ? t->ns[0] : 1);
	return ba_s_floor(s->survey->tick_ns, interval);
}

static ba_policy policy_of(const ba_session *s, double s_floor)
{
	return (ba_policy){.alpha = s->spec->alpha,
		.s_floor = s_floor,
		.strict = s->spec->strict,
		.multiplicity = s->spec->multiplicity};
}

static bool is_in_family(const ba_session *s, size_t i)
{
	switch (s->decisions[i].verdict) {
	case BA_VERDICT_REPORTED:
	case BA_VERDICT_IDENTICAL:
	case BA_VERDICT_ADDED:
	case BA_VERDICT_REMOVED:
	case BA_VERDICT_SKIPPED:
		return false;
	default:
		return true;
	}
}

/* What cannot be compared is not of the family: the others stand together for the
 * judgement. */
static size_t decide_family(ba_session *s, bool last)
{
	size_t all = s->result->series_count * candidates_of(s), n = 0;
	BA_AUTO_FREE ba_decision *family = ba_xcalloc(all, sizeof(*family));
	for (size_t i = 0; i < all; i++)
		if (is_in_family(s, i))
			family[n++] = s->decisions[i];
	ba_policy policy = policy_of(s, 0);
	size_t open = ba_family_decide(family, n, n, &policy, last);
	n = 0;
	for (size_t i = 0; i < all; i++)
		if (is_in_family(s, i))
			s->decisions[i] = family[n++];
	return open;
}

static size_t look(ba_session *s, size_t index, bool last)
{
	ba_result *r = s->result;
	size_t need = s->spec->design.at[index];
	for (size_t i = 0; i < r->series_count; i++) {
		ba_series *series = &r->series[i];
		const ba_task *t = &s->tasks[series->benchmark];
		ba_policy policy = policy_of(s, s_floor_of(s, t));
		if (index == 0 && series->role == BA_ROLE_VERDICT)
			apply_absolute(s, t, series);
		for (size_t c = 1; c <= candidates_of(s); c++) {
			ba_decision *d = decision_of(s, i, c);
			ba_comparison *k = &series->comparisons[c - 1];
			if (d->verdict == BA_VERDICT_UNDECIDED && t->failure[c])
				d->verdict = BA_VERDICT_FAILED;
			if (d->verdict == BA_VERDICT_UNDECIDED && t->failure[0])
				d->verdict = BA_VERDICT_FAILED;
			if (k->y_count >= need)
				ba_decision_look(
					d, &policy, &s->spec->design, index, k->y);
		}
	}
	return decide_family(s, last);
}

static bool task_is_open(ba_session *s, const ba_task *t)
{
	for (size_t i = 0; i < s->result->series_count; i++)
		for (size_t c = 1; c <= candidates_of(s); c++)
			if (s->result->series[i].benchmark == t->index &&
				decision_of(s, i, c)->verdict == BA_VERDICT_UNDECIDED)
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

static int invoke_all(ba_session *s, size_t planned, ba_error *err)
{
	BA_AUTO_FREE size_t *order = ba_xcalloc(s->task_count, sizeof(*order));
	ba_schedule_shuffle(order, s->task_count, s->spec->seed, s->invocation);
	bool reversed = ba_schedule_load_reversed(s->spec->seed, s->invocation);
	int rc = ba_session_open_engine(s, reversed, err);
	for (size_t i = 0; rc == 0 && i < s->task_count && !s->restart; i++) {
		ba_task *t = &s->tasks[order[i]];
		double part = (double)i / (double)s->task_count;
		report_progress(s, s->invocation + part, (double)planned);
		if (t->active)
			rc = ba_session_invoke(s, t, err);
	}
	if (rc == 0 && s->engine)
		ba_engine_close(s->engine);
	ba_engine_free(s->engine);
	s->engine = NULL;
	return rc;
}

/* The engine was changed: what was measured with the other one does not count. */
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
	free(r->engine);
	r->engine = ba_xstrdup(ba_engine_name(s->engine_spec.kind));
	s->restart = false;
	s->invocation = 0;
}

static int invoke_until(ba_session *s, size_t target, ba_error *err)
{
	while (s->invocation < target) {
		bool any = false;
		for (size_t i = 0; i < s->task_count; i++)
			any = any || s->tasks[i].active;
		if (!any)
			return 0;
		int rc = invoke_all(s, target, err);
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
	if (s->spec->budget_ns <= 0 || s->invocation == 0)
		return false;
	int64_t spent = ba_now_ns() - s->started_ns;
	double each = (double)spent / s->invocation;
	return (double)spent + each * (double)(next - s->invocation) >
	       (double)s->spec->budget_ns;
}

static bool has_regression(const ba_session *s)
{
	for (size_t i = 0; i < s->result->series_count * candidates_of(s); i++)
		if (s->decisions[i].verdict == BA_VERDICT_REGRESSED)
			return true;
	return false;
}

static int measure_looks(ba_session *s, ba_error *err)
{
	const ba_design *design = &s->spec->design;
	for (size_t k = 0; k < design->looks; k++) {
		int rc = invoke_until(s, design->at[k], err);
		if (rc)
			return rc;
		if (candidates_of(s) == 0)
			return 0;
		bool last = k + 1 == design->looks;
		size_t open = look(s, k, false);
		for (size_t i = 0; i < s->task_count; i++)
			s->tasks[i].active = s->tasks[i].active &&
					     ba_task_is_measurable(s, &s->tasks[i]) &&
					     task_is_open(s, &s->tasks[i]);
		if (open == 0 || last)
			break;
		if (s->spec->fail_fast && has_regression(s)) {
			ba_strv_push(&s->result->notes,
				"stopped at the first regression (--fail-fast)");
			break;
		}
		if (budget_ends(s, design->at[k + 1])) {
			ba_strv_push(&s->result->notes,
				"stopped by the budget (--budget) before every "
				"question "
				"was decided");
			break;
		}
	}
	return 0;
}

/* ---- the end ---- */

static void explain_inconclusive(
	ba_session *s, ba_comparison *k, const ba_decision *d, const ba_task *t)
{
	double between = d->s, within = 0;
	if (t->blocks)
		within = k->s_within / sqrt(t->blocks);
	const char *why = s->result->interrupted ? "it was interrupted"
			  : d->looks < s->spec->design.looks
				  ? "measuring was stopped early"
			  : within > 0.7 * between
				  ? "the noise within an invocation is too large"
				  : "invocations differ too much from each other";
	free(k->reason);
	k->reason = d->invocations == 0 ? ba_xstrdup("stopped before the first look")
					: ba_xprintf("%s; it could be up to %+.1f %%",
						  why, 100 * (k->high - 1));
	ba_policy policy = policy_of(s, s_floor_of(s, t));
	ba_design full = ba_design_sequential();
	double level = ba_multiple_level(
		0, s->result->family_size, s->spec->alpha, s->spec->multiplicity);
	size_t need =
		d->invocations ? ba_decision_forecast(d, &policy, &full, level) : 0;
	free(k->hint);
	k->hint = need > d->invocations
			  ? ba_xprintf("about %zu more invocations would decide it",
				    need - d->invocations)
			  : NULL;
}

static void finish_comparison(ba_session *s, size_t index, size_t candidate)
{
	ba_series *series = &s->result->series[index];
	ba_comparison *k = &series->comparisons[candidate - 1];
	ba_decision *d = decision_of(s, index, candidate);
	const ba_task *t = &s->tasks[series->benchmark];
	bool measured_not = k->verdict != BA_VERDICT_UNDECIDED;
	if (measured_not)
		return;
	int failed = t->failure[0] ? 0 : t->failure[candidate] ? (int)candidate : -1;
	if (failed >= 0) {
		set_verdict(k, BA_VERDICT_FAILED,
			ba_xprintf("%s: %s", s->result->variants[failed].label,
				t->failure[failed]));
		return;
	}
	if (series->role == BA_ROLE_REPORTED) {
		ba_judge_reported(k, series, (unsigned)candidate);
		k->verdict = k->y_count ? BA_VERDICT_REPORTED : BA_VERDICT_SKIPPED;
		return;
	}
	ba_judge_comparison(k, series, d, (unsigned)candidate);
	k->verdict = d->verdict == BA_VERDICT_UNDECIDED ? BA_VERDICT_INCONCLUSIVE
							: d->verdict;
	if (k->verdict == BA_VERDICT_INCONCLUSIVE)
		explain_inconclusive(s, k, d, t);
	if (k->y_count == 0)
		set_verdict(k, BA_VERDICT_SKIPPED, ba_xstrdup("no samples were taken"));
}

static void finish(ba_session *s)
{
	ba_result *r = s->result;
	for (size_t i = 0; i < r->series_count; i++) {
		ba_series *series = &r->series[i];
		const ba_task *t = &s->tasks[series->benchmark];
		ba_judge_summaries(series, r->variant_count);
		for (size_t v = 0; v < r->variant_count; v++) {
			free(series->variants[v].failure);
			free(series->variants[v].output);
			series->variants[v].failure = ba_xstrdup(t->failure[v]);
			series->variants[v].output = ba_xstrdup(t->output[v]);
		}
		for (size_t c = 1; c <= candidates_of(s); c++)
			finish_comparison(s, i, c);
	}
	r->measure_seconds = (double)(ba_now_ns() - s->started_ns) / 1e9;
}

int ba_run_measure(ba_result *result, const ba_run_spec *spec, const ba_survey *survey,
	char *const *failures, const bool *has, ba_error *err)
{
	ba_session s;
	session_init(&s, result, spec, survey, failures, has);
	result->alpha = spec->alpha;
	result->strict = spec->strict;
	result->seed = spec->seed;
	free(result->multiplicity);
	result->multiplicity = ba_xstrdup(ba_multiplicity_name(spec->multiplicity));
	result->look_count = spec->design.looks;
	for (size_t k = 0; k < spec->design.looks; k++) {
		result->looks[k] = (unsigned)spec->design.at[k];
		result->look_weights[k] = spec->design.weight[k];
	}
	family_init(&s);
	for (size_t i = 0; i < s.task_count; i++)
		s.tasks[i].active = ba_task_is_measurable(&s, &s.tasks[i]);
	int rc = measure_looks(&s, err);
	if (rc == BA_EINTERRUPTED) {
		result->interrupted = true;
		rc = 0;
	}
	if (rc == 0)
		finish(&s);
	session_dispose(&s);
	return rc;
}

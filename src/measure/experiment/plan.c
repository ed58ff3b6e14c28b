#include "experiment/plan.h"

#include "model/effect.h"
#include "session/prepare.h"
#include "verdict/identity.h"
#include "devicecode/inspect.h"
#include "instructions/count.h"
#include "suite/kinds.h"
#include "experiment/opened_files.h"
#include "engine/ahead.h"

static void describe_design(ba_result *result, const ba_session_spec *spec)
{
	result->decided.alpha = spec->alpha;
	result->decided.strict = spec->strict;
	result->run.measure_identical = spec->measure_identical;
	result->run.controls = spec->controls;
	result->run.seed = spec->seed;
	ba_text_replace(&result->decided.multiplicity, ba_multiplicity_name(spec->multiplicity));
	result->decided.design = spec->design;
	for (size_t k = 0; spec->parts && k < spec->design.looks; k++)
		result->decided.design.at[k] =
			ba_part_size((unsigned)spec->design.at[k], spec->part, spec->parts);
	result->run.part = spec->part;
	result->run.parts = spec->parts;
	ba_text_replace(&result->decided.stopped, "");
}

/* ---- tasks and their series ---- */

/* In an untrusted run, tasks have one metric, and other worker suites have all but that one. */
static bool is_of_lane(const ba_engine_spec *e, ba_suite_kind kind, ba_metric metric)
{
	bool untrusted = e->kind == BA_ENGINE_UNTRUSTED;
	if (untrusted && kind == BA_SUITE_WORKER && e->tasks != (metric == BA_METRIC_FRESH))
		return false;
	return ba_metric_is_taken(metric, kind, untrusted);
}

static bool is_measured(const ba_session *s, const ba_task *t, ba_metric metric)
{
	if (metric == BA_METRIC_SIZE && !t->suite->engine_spec.sizes)
		return false;
	return s->spec->measure[metric] && ba_benchmark_has_metric(t->benchmark, metric) &&
	       is_of_lane(&t->suite->engine_spec, t->benchmark->kind, metric);
}

/* If a benchmark has none of the deciding metrics, returns its first metric, so that it
 * still gets a verdict. -1 if it has one, or if the kind of suite does not do so. */
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
	return t->suite->ops->first_metric_decides ? first : -1;
}

/* has[v]: variant v has the benchmark, or its library could not be read, so it is tried */
static void plan_series(ba_session *s, ba_task *t, const bool *has)
{
	int main = metric_without_verdict(s, t);
	for (int m = 0; m < BA_METRIC_COUNT; m++) {
		t->series[m] = BA_NO_SERIES;
		if (!is_measured(s, t, (ba_metric)m))
			continue;
		ba_series *series = ba_result_add_series(s->result, t->index, (ba_metric)m);
		t->series[m] = (size_t)(series - s->result->series);
		/* is this the elapsed time of a program whose processor time decides? */
		bool beside = m == BA_METRIC_TIME && s->spec->verdict[BA_METRIC_CPU_TIME] &&
			      ba_benchmark_has_processor_time(t->benchmark);
		bool decides = m == main || (s->spec->verdict[m] && !beside);
		series->role = decides ? BA_ROLE_VERDICT : BA_ROLE_REPORTED;
		for (size_t c = 1; c <= ba_session_candidates(s); c++) {
			ba_session_threshold theta = s->spec->threshold(
				s->spec->threshold_data, t->benchmark->id, (ba_metric)m);
			ba_comparison *k = &series->comparisons[c - 1];
			k->threshold_given = theta.slower;
			k->threshold_given_ns = theta.absolute_ns;
			k->threshold_slower = ba_threshold_of(theta.slower, theta.absolute_ns, 0);
			k->threshold_faster = ba_threshold_of(theta.faster, theta.absolute_ns, 0);
		}
		for (size_t v = 0; v < s->result->run.variant_count; v++)
			series->variants[v].present = has[v];
	}
}

static ba_session_suite *suite_of(ba_session *s, const ba_benchmark *b)
{
	ba_session_suite *suite =
		BA_FIND(s->suites, s->suite_count, one, strcmp(one->spec->name, b->suite) == 0);
	BA_REQUIRE(suite); /* a benchmark of a suite that is not there */
	return suite;
}

static void plan_task(ba_session *s, ba_task *t, size_t index, const bool *has)
{
	ba_result *r = s->result;
	size_t n = r->run.variant_count;
	ba_session_suite *suite = suite_of(s, &r->run.benchmarks[index]);
	char *const *failures = suite->spec->failures;
	*t = (ba_task){.benchmark = &r->run.benchmarks[index],
		.suite = suite,
		.index = index,
		.wanted = ba_xcalloc(n, sizeof(*t->wanted)),
		.failure = ba_xcalloc(n, sizeof(*t->failure)),
		.output = ba_xcalloc(n, sizeof(*t->output)),
		.skipped = ba_xcalloc(n, sizeof(*t->skipped)),
		.uncounted = ba_xcalloc(2 * n, sizeof(*t->uncounted)),
		.count_end = ba_xcalloc(2 * n, sizeof(*t->count_end)),
		.ns = ba_xcalloc(n + 1, sizeof(*t->ns))};
	ba_task_set_active(s, t, true);
	/* the paths of a library that cannot be used are unknown: try all */
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
	for (size_t v = 1; v < n; v++)
		if (t->wanted[v] && !t->baseline_has &&
			ba_engine_needs_baseline(&suite->engine_spec)) {
			t->wanted[v] = false;
			t->skipped[v] = ba_xstrdup(
				"the baseline has no such benchmark, and only the baseline's check() counts with --untrusted");
		}
}

/* Variants in one directory need not even be run. Equal builds are measured as a
 * control. Different builds with the same device code may behave differently on the
 * host, so they are prepared and checked. */
static bool is_worth_running(const ba_session *s, const ba_task *t, size_t candidate)
{
	if (ba_benchmark_is_same_work(t->benchmark, candidate))
		return true;
	for (int m = 0; m < BA_METRIC_COUNT; m++) {
		const ba_series *x = ba_task_series(s, t, (ba_metric)m);
		if (x && (x->comparisons[candidate - 1].verdict != BA_VERDICT_IDENTICAL ||
				 ba_identity_has_control(s->result, x, candidate)))
			return true;
	}
	return false;
}

/* Excludes tasks that need no measuring. */
static void settle_tasks(ba_session *s)
{
	ba_session_note_failures(s);
	ba_identity_settle(s->result);
	for (size_t i = 0; i < s->task_count; i++)
		for (size_t c = 1; c <= ba_session_candidates(s); c++)
			if (!is_worth_running(s, &s->tasks[i], c))
				s->tasks[i].wanted[c] = false;
}

bool ba_result_is_split(const ba_result *r, const char *suite)
{
	return BA_ANY(r->run.suites, r->run.suite_count, one,
		strcmp(one->name, suite) == 0 && strcmp(one->engine, "split") == 0);
}

static void suite_init(ba_session_suite *suite, const ba_suite_spec *spec, ba_result *result)
{
	size_t n = result->run.variant_count;
	*suite = (ba_session_suite){.spec = spec,
		.ops = ba_kind_ops_of(spec->kind),
		.engine_spec = spec->engine,
		.usable = ba_xcalloc(n, sizeof(*suite->usable))};
	if (ba_result_is_split(result, spec->name))
		suite->engine_spec.kind = BA_ENGINE_SPLIT;
	for (size_t v = 0; v < n; v++)
		suite->usable[v] = !spec->failures[v];
	if (spec->engine.kind == BA_ENGINE_UNTRUSTED) {
		suite->engine_spec.evidence = &result->run.evidence;
		result->run.evidence.untrusted = true;
	}
}

static bool has_metric(const ba_session *s, const ba_task *t)
{
	return BA_ANY_METRIC(m, is_measured(s, t, m));
}

static void note_unchecked(ba_session *s)
{
	size_t count = 0;
	for (size_t i = 0; i < s->task_count; i++)
		count += ba_task_executes_nothing(&s->tasks[i]) && has_metric(s, &s->tasks[i]);
	if (count)
		ba_strv_printf(&s->result->run.notes,
			"the results of %zu %s were not checked: the driver of the host target executes no kernels, and only the calls are measured",
			count, ba_plural(count, "GPU benchmark", "GPU benchmarks"));
}

/* Benchmarks without anything to measure are not prepared either; they are reported. */
static void leave_out(ba_session *s)
{
	size_t count = 0;
	const ba_benchmark *first = NULL;
	bool on_host = s->suite_count && ba_suite_is_on_host(s->suites[0].spec);
	BA_EACH (ba_task, t, s->tasks, s->task_count) {
		if (has_metric(s, t))
			continue;
		first = count++ ? first : t->benchmark;
		for (size_t v = 0; v < s->result->run.variant_count; v++)
			t->wanted[v] = false;
	}
	if (!count)
		return;
	BA_AUTO_FREE char *more = ba_xprintf(" and %zu more", count - 1);
	BA_AUTO_FREE char *note = ba_xprintf("not measured: %s%s, because %s", first->id,
		count > 1 ? more : "",
		on_host && first->gpu
			? "GPU metrics need a GPU; --target host measures only benchmarks that have the metric 'submit'"
			: "no metric of this run applies");
	ba_strv_push(&s->result->run.notes, note);
}

static void session_init(
	ba_session *s, ba_result *result, const ba_session_spec *spec, const bool *has)
{
	size_t n = result->run.variant_count;
	*s = (ba_session){.result = result,
		.spec = spec,
		.suites = ba_xcalloc(spec->suite_count, sizeof(*s->suites)),
		.suite_count = spec->suite_count,
		.task_count = result->run.benchmark_count,
		.is_grid = ba_grid_of(&result->run).codes > 0,
		.started_ns = ba_now_ns()};
	for (size_t i = 0; i < s->suite_count; i++)
		suite_init(&s->suites[i], &spec->suites[i], result);
	s->tasks = ba_xcalloc(s->task_count, sizeof(*s->tasks));
	for (size_t i = 0; i < s->task_count; i++)
		plan_task(s, &s->tasks[i], i, has + i * n);
	settle_tasks(s);
	leave_out(s);
	note_unchecked(s);
}

void ba_session_dispose(ba_session *s)
{
	BA_FREE_EACH(x, s->suites, s->suite_count, ba_engine_free(x->engine),
		ba_ahead_close(x->spec->ahead), ba_ready_close(x->engine_spec.ready),
		free(x->usable));
	BA_EACH (ba_task, t, s->tasks, s->task_count) {
		size_t n = s->result->run.variant_count;
		char **const texts[] = {t->failure, t->output, t->skipped, t->uncounted};
		for (size_t k = 0; k < BA_COUNT(texts); k++) {
			for (size_t v = 0; v < (texts[k] == t->uncounted ? 2 * n : n); v++)
				free(texts[k][v]);
			free(texts[k]);
		}
		BA_FREE(t->count_end, t->explained, t->wanted, t->ns);
	}
	free(s->tasks);
	free(s->left_out_note);
	ba_names_dispose(&s->ids);
	ba_strv_dispose(&s->opened);
	ba_opened_files_free(s->opened_files);
	ba_gpu_watch_free(s->watch);
	ba_decisions_dispose(&s->decisions);
}

/* ---- controls ---- */

/* Is the comparison still measured, and not as a control? After the first look, a
 * control that is still open is in doubt. */
static bool is_asked(ba_session *s, const ba_task *t, ba_metric m, size_t candidate, bool *any)
{
	const ba_series *x = ba_task_series(s, t, m);
	if (!x || x->info->counted || !t->wanted[candidate] || x->role != BA_ROLE_VERDICT ||
		ba_decisions_at(&s->decisions, t->series[m], candidate)->verdict !=
			BA_VERDICT_UNDECIDED)
		return false;
	*any = true;
	return s->result->decided.looks_done > 0 ||
	       !ba_identity_has_control(s->result, x, candidate);
}

void ba_session_set_controls(ba_session *s)
{
	BA_EACH (ba_task, t, s->tasks, s->task_count) {
		bool was = t->control_only, any = false, asked = false;
		for (int m = 0; m < BA_METRIC_COUNT; m++)
			for (size_t c = 1; c <= ba_session_candidates(s); c++)
				asked |= is_asked(s, t, (ba_metric)m, c, &any);
		t->control_only = any && !asked;
		if (was && asked)
			t->sized = false;
	}
}

void ba_session_distrust(ba_session *s)
{
	ba_identity_distrust(s->result);
	for (size_t i = 0; i < s->task_count; i++)
		for (size_t c = 1; c <= ba_session_candidates(s); c++) {
			ba_task *t = &s->tasks[i];
			bool fails = t->failure[c] || t->skipped[c];
			for (int m = 0; m < BA_METRIC_COUNT && !fails; m++) {
				const ba_series *x = ba_task_series(s, t, (ba_metric)m);
				if (x && x->variants[c].present)
					t->wanted[c] = is_worth_running(s, t, c);
			}
		}
}

void ba_session_take_opened(ba_session *s)
{
	ba_strv_dispose(&s->opened);
	if (ba_opened_files_look(s->opened_files, s->result, &s->opened) &&
		ba_identity_withdraw(s->result))
		ba_session_set_controls(s);
}

/* ---- all of it ---- */

static bool is_timed_on_gpu(const ba_benchmark *b)
{
	return ba_benchmark_has_metric(b, BA_METRIC_GPU_COLD) ||
	       ba_benchmark_has_metric(b, BA_METRIC_GPU_HOT);
}

/* Notes the benchmarks for which gpu_rotate is requested and cannot be measured. */
static void note_not_rotating(ba_session *s)
{
	const char *first = NULL;
	size_t count = 0;
	for (size_t i = 0; i < s->task_count; i++) {
		const ba_benchmark *b = s->tasks[i].benchmark;
		if (!s->spec->measure[BA_METRIC_GPU_ROTATE] || b->rotates || !is_timed_on_gpu(b))
			continue;
		first = first ? first : b->id;
		count++;
	}
	if (count == 0)
		return;
	BA_AUTO_FREE char *others =
		count > 1 ? ba_xprintf(" (and %zu more)", count - 1) : ba_xstrdup("");
	ba_strv_printf(&s->result->run.notes,
		"gpu_rotate was not measured of %s%s: it works on one set of inputs only", first,
		others);
}

int ba_session_plan(ba_session *s, ba_result *result, const ba_session_spec *spec, const bool *has,
	ba_error *err)
{
	describe_design(result, spec);
	if (spec->resumed)
		ba_resume_engines(result, spec->resumed);
	ba_opened_files *opened_files =
		ba_opened_files_watch(result, spec->manifests, spec->irrelevant);
	session_init(s, result, spec, has);
	s->invocation = ba_session_first(s);
	s->opened_files = opened_files;
	int rc = ba_session_inspect(s, err);
	rc = rc ? rc : ba_session_note_launched(s, err);
	settle_tasks(s);
	ba_decisions_init(&s->decisions, result);
	ba_session_set_controls(s);
	if (s->spec->resumed)
		s->started_ns -= ba_resumed_elapsed_ns(s->spec->resumed);
	for (size_t i = 0; i < s->task_count; i++)
		ba_task_set_active(s, &s->tasks[i], ba_task_is_measurable(s, &s->tasks[i]));
	note_not_rotating(s);
	s->notes_told = result->run.notes.count;
	return rc;
}

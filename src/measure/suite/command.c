/* A suite of kind `command` in a run: finds its benchmarks by running it once, and
 * measures an invocation. */

#include "suite/command_run.h"
#include "engine/engine.h"
#include "session/prepare.h"
#include "model/measured.h"
#include "stats/schedule.h"

/* Times become whole nanoseconds of enough operations that seven digits are kept. */
#define LEAST_NS 1e7
#define BATCH_MOST 1000000000u
#define READINGS_MOST 100u /* limit of readings of a benchmark from one run */
/* most benchmarks of a variant that keep the program's output */
#define OUTPUTS_MOST 100u

/* ---- survey -------------------------------------------------------------- */

/* The environment that our stand-in for a driver reports describes no real machine. */
static void describe_as_cpu(ba_environment *e)
{
	char **const none[] = {&e->device_uuid, &e->compute_capability, &e->driver_version,
		&e->cuda_version, &e->pci_bus_id};
	for (size_t i = 0; i < BA_COUNT(none); i++)
		ba_text_replace(none[i], "");
	ba_text_replace(&e->target, "cpu");
	ba_text_replace(&e->device_name, e->cpu_model);
}

/* Surveys the machine with a worker. A machine without a GPU is accepted, because the
 * program chooses its clock. */
static int survey_machine(ba_suite_spec *suite, ba_error *err)
{
	ba_engine_spec spec = suite->engine;
	bool gpu = spec.target && strcmp(spec.target, "host") != 0;
	int rc = ba_engine_look(&suite->survey, &spec, err);
	if (rc && rc != BA_EINTERRUPTED && gpu && suite->host_driver) {
		spec.target = "host";
		spec.driver = suite->host_driver;
		ba_survey_forget_machine(&suite->survey);
		rc = ba_engine_look(&suite->survey, &spec, err);
		gpu = false;
	}
	if (rc == 0 && !gpu)
		describe_as_cpu(&suite->survey.env);
	return rc;
}

static int survey_variant(ba_suite_spec *suite, ba_result *result, size_t variant, ba_error *err)
{
	BA_AUTO_FREE char *output = NULL, *remark = NULL;
	char *failure = NULL;
	if (suite->failures[variant])
		return 0;
	int rc = ba_command_look(&suite->found[variant], &failure, &output, &remark, suite->command,
		&suite->engine, variant, err);
	if (remark)
		ba_strv_printf(&result->run.notes, "%s: of suite '%s', %s",
			result->run.variants[variant].label, suite->name, remark);
	if (rc == 0 && remark && suite->command->must_be_known) {
		suite->failures[variant] = ba_xprintf(
			"%s; a strict gate cannot tell whether it measures its own tree", remark);
		return 0;
	}
	if (rc != BA_EVARIANT)
		return rc;
	suite->failures[variant] = failure;
	suite->survey.variants[variant].output = BA_TAKE(output);
	return 0;
}

static int survey(ba_suite_spec *suite, ba_result *result, ba_error *err)
{
	size_t n = suite->engine.variant_count;
	suite->found = ba_xcalloc(n, sizeof(*suite->found));
	suite->survey.variants = ba_xcalloc(n, sizeof(*suite->survey.variants));
	suite->survey.variant_count = n;
	suite->survey.share = false;
	suite->survey.share_reason = ba_xstrdup("whole programs");
	int rc = suite->survey.machine_known ? 0 : survey_machine(suite, err);
	for (size_t v = 0; rc == 0 && v < n; v++)
		rc = survey_variant(suite, result, v, err);
	return rc;
}

/* ---- an invocation ------------------------------------------------------- */

typedef struct turn {
	ba_session *s;
	ba_session_suite *suite;
	uint8_t order[BA_PARTICIPANTS_MAX]; /* of all variants */
	ba_outcomes *outcomes;		    /* [variants] outcomes of this invocation */
	struct starts {
		double at[BA_METRIC_COUNT - BA_METRIC_START];
		ba_replicates values[BA_METRIC_COUNT - BA_METRIC_START];
	} * starts; /* [variants] of this invocation */
} turn;

static void fail_task(
	ba_session *s, ba_task *t, size_t variant, const char *text, const char *output)
{
	ba_failure f = {
		.variant = (int)variant, .text = ba_xstrdup(text), .output = ba_xstrdup(output)};
	ba_task_fail(s, t, &f);
	ba_failure_dispose(&f);
}

static void fail_variant(turn *q, size_t variant, const char *text, const char *output)
{
	size_t told = 0;
	q->suite->usable[variant] = false;
	BA_EACH (ba_task, t, q->s->tasks, q->s->task_count) {
		if (t->suite != q->suite || !t->wanted[variant])
			continue;
		/* repeating the same output for a hundred thousand benchmarks adds
		 * nothing */
		fail_task(q->s, t, variant, text, told < OUTPUTS_MOST ? output : NULL);
		told++;
	}
}

static bool has_one_of(const ba_task *t, ba_metric one, ba_metric other)
{
	return t->series[one] != BA_NO_SERIES || t->series[other] != BA_NO_SERIES;
}

/* Does any open benchmark need a run of the variant: one that finds no caches, or another one? */
static bool is_needed(const turn *q, size_t variant, bool cold)
{
	BA_EACH (const ba_task, t, q->s->tasks, q->s->task_count) {
		bool first = has_one_of(t, BA_METRIC_FIRST_CALL, BA_METRIC_FIRST_CALL_CPU);
		bool cached =
			has_one_of(t, BA_METRIC_FIRST_CALL_CACHED, BA_METRIC_FIRST_CALL_CACHED_CPU);
		if (t->suite == q->suite && t->active && t->wanted[variant] &&
			(cold ? first : !first || cached))
			return true;
	}
	return false;
}

/* Of the process; the memory is that of the first run. */
static void note_starts(turn *q, size_t variant, bool cold)
{
	const ba_outcomes *o = &q->outcomes[variant];
	struct starts *z = &q->starts[variant];
	const uint64_t *sizes = q->suite->engine_spec.sizes;
	const struct {
		ba_metric metric;
		double value;
	} all[] = {{cold ? BA_METRIC_FIRST_CALL : BA_METRIC_FIRST_CALL_CACHED, o->wall_ns},
		{cold ? BA_METRIC_FIRST_CALL_CPU : BA_METRIC_FIRST_CALL_CACHED_CPU, o->cpu_ns},
		{BA_METRIC_HOST_PEAK, o->memory_peak},
		{BA_METRIC_SIZE, sizes ? (double)sizes[variant] : 0}};
	for (size_t i = 0; i < BA_COUNT(all); i++) {
		size_t k = all[i].metric - BA_METRIC_START;
		if (z->values[k].count)
			continue;
		z->at[k] = all[i].value;
		z->values[k] = (ba_replicates){.at = &z->at[k], .count = 1};
	}
}

static int run_all(turn *q, bool cold, ba_error *err)
{
	size_t n = q->s->result->run.variant_count;
	for (size_t k = 0; k < n; k++) {
		size_t v = q->order[k];
		BA_AUTO_FREE char *failure = NULL, *output = NULL;
		if (!q->suite->usable[v] || !is_needed(q, v, cold))
			continue;
		if (cold)
			BA_TRY(ba_engine_empty_caches(q->suite->engine_spec.caches[v], err));
		ba_outcomes_dispose(&q->outcomes[v]);
		int rc = ba_command_run(&q->outcomes[v], &failure, &output, q->suite->spec->command,
			&q->suite->engine_spec, v, err);
		if (rc == BA_EVARIANT)
			fail_variant(q, v, failure, output);
		else if (rc)
			return rc;
		note_starts(q, v, cold);
	}
	return 0;
}

static ba_outcome *outcome_of(turn *q, const ba_task *t, size_t variant)
{
	/* the output has names without the suite */
	const char *name = t->benchmark->id + strlen(q->suite->spec->name) + 1;
	return ba_outcomes_find(&q->outcomes[variant], name);
}

/* The values that it prints of a metric; NULL: none that counts. */
static const ba_replicates *values_of(turn *q, const ba_task *t, size_t variant, ba_metric metric)
{
	if (t->benchmark->process)
		return &q->starts[variant].values[metric - BA_METRIC_START];
	const ba_outcome *o = outcome_of(q, t, variant);
	bool beside = ba_benchmark_has_processor_time(t->benchmark);
	const ba_replicates *r = !o					  ? NULL
				 : beside && metric == BA_METRIC_CPU_TIME ? &o->cpu
									  : &o->values;
	return r && r->count && !o->failure && ba_replicates_value(r) > 0 ? r : NULL;
}

static const char *failure_of(turn *q, const ba_task *t, size_t variant)
{
	const ba_outcome *o = outcome_of(q, t, variant);
	if (t->benchmark->process)
		return NULL;
	if (!o)
		return "a later run of the program left it out";
	if (o->failure)
		return o->failure;
	bool lacks = BA_ANY_METRIC(m, t->series[m] != BA_NO_SERIES && !values_of(q, t, variant, m));
	return lacks ? "it has no samples" : NULL;
}

/* A benchmark that existed in the first run and is missing now has failed. */
static void check_task(turn *q, ba_task *t)
{
	for (size_t v = 0; v < q->s->result->run.variant_count; v++) {
		const char *failure = t->wanted[v] ? failure_of(q, t, v) : NULL;
		if (failure)
			fail_task(q->s, t, v, failure, NULL);
	}
}

static unsigned batch_for(double least_ns)
{
	unsigned batch = 1;
	while (batch < BATCH_MOST && least_ns * batch < LEAST_NS)
		batch *= 10;
	return batch;
}

static uint64_t whole_ns(double ns)
{
	if (ns < 1)
		return 1;
	return ns > 1e18 ? UINT64_C(1000000000000000000) : (uint64_t)llround(ns);
}

static void put_readings(uint64_t *out, size_t n, unsigned batch, const ba_replicates *r)
{
	BA_AUTO_FREE double *values = ba_xreallocarray(NULL, n, sizeof(*values));
	ba_replicates_spread(values, n, r);
	for (size_t i = 0; i < n; i++)
		out[i] = whole_ns(values[i] * batch);
}

/* Each printed value is a reading, so that the mean includes slow ones. All variants
 * get equally many, even if one prints fewer. */
static void keep(turn *q, ba_task *t, ba_metric metric)
{
	ba_session *s = q->s;
	size_t n = s->result->run.variant_count, most = 1;
	double least = INFINITY;
	ba_samples out = {.invocation = s->invocation,
		.seed = ba_schedule_seed(
			s->spec->seed, ba_order_key(t->benchmark), s->invocation, 0),
		.participants = (unsigned)n,
		.positions = (unsigned)ba_task_wanted_count(s, t),
		.blocks = 1};
	for (size_t v = 0; v < n; v++) {
		const ba_replicates *r = t->wanted[v] ? values_of(q, t, v, metric) : NULL;
		least = r ? fmin(least, ba_replicates_value(r)) : least;
		most = r && r->count > most ? r->count : most;
	}
	out.readings = most < READINGS_MOST ? (unsigned)most : READINGS_MOST;
	out.batch = t->benchmark->process ? 1 : batch_for(least);
	ba_samples_alloc(&out);
	out.started_ns = ba_now_ns() - s->started_ns;
	for (size_t k = 0, at = 0; k < n; k++) {
		size_t v = q->order[k];
		if (!t->wanted[v])
			continue;
		out.order[at] = (uint8_t)v;
		put_readings(out.ns + at++ * out.readings, out.readings, out.batch,
			values_of(q, t, v, metric));
	}
	ba_session_keep(s, t, metric, &out);
}

/* Sets the levels of the deciding metric, for thresholds in time. */
static void set_levels(turn *q, ba_task *t)
{
	for (int m = 0; m < BA_METRIC_COUNT; m++) {
		if (t->series[m] == BA_NO_SERIES)
			continue;
		for (size_t v = 0; v < q->s->result->run.variant_count; v++)
			t->ns[v] = t->wanted[v]
					   ? ba_replicates_value(values_of(q, t, v, (ba_metric)m))
					   : 0;
		if (!t->benchmark->process)
			ba_task_apply_absolute(q->s, t);
		else if (ba_metric_is_time((ba_metric)m))
			ba_task_apply_absolute_to(q->s, t, (ba_metric)m);
	}
	t->sized = true;
}

static void keep_task(turn *q, ba_task *t)
{
	check_task(q, t);
	if (!ba_task_is_measurable(q->s, t)) {
		ba_task_set_active(q->s, t, false);
		return;
	}
	if (!t->sized)
		set_levels(q, t);
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		if (t->series[m] != BA_NO_SERIES)
			keep(q, t, (ba_metric)m);
}

static int invoke(ba_session *s, ba_session_suite *suite, ba_error *err)
{
	size_t n = s->result->run.variant_count;
	BA_AUTO_FREE struct starts *starts = ba_xcalloc(n, sizeof(*starts));
	turn q = {.s = s,
		.suite = suite,
		.outcomes = ba_xcalloc(n, sizeof(*q.outcomes)),
		.starts = starts};
	ba_order_of_programs(q.order, n, s->spec->seed, suite->spec->name, s->invocation);
	int64_t start = ba_now_ns();
	int rc = run_all(&q, true, err);
	double cold = ba_seconds_since(start);
	s->result->run.spent.cold += cold;
	s->result->run.spent.measure -= cold; /* to which the caller adds all of it */
	rc = rc ? rc : run_all(&q, false, err);
	for (size_t i = 0; rc == 0 && i < s->task_count; i++) {
		if (suite->engine_spec.stop && *suite->engine_spec.stop)
			rc = ba_fail(err, BA_EINTERRUPTED, "interrupted");
		else if (s->tasks[i].suite == suite && s->tasks[i].active)
			keep_task(&q, &s->tasks[i]);
	}
	BA_FREE_ARRAY(ba_outcomes_dispose, q.outcomes, n);
	return rc;
}

const ba_kind_ops ba_command_ops = {
	.survey = survey,
	.invoke = invoke,
};

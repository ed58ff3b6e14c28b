#include "suite/kinds.h"

#include "engine/ahead.h"

const ba_kind_ops *ba_kind_ops_of(ba_suite_kind kind)
{
	static const ba_kind_ops *const kinds[BA_SUITE_KIND_COUNT] = {
		[BA_SUITE_LAUNCHER] = &ba_launcher_ops,
		[BA_SUITE_PLUGIN] = &ba_plugin_ops,
		[BA_SUITE_WORKER] = &ba_program_ops,
		[BA_SUITE_COMMAND] = &ba_command_ops,
	};
	return kinds[kind];
}

/* A file that several suites load is reported once, at the first of them. */
static void take_artefacts(ba_result *r, const ba_survey *survey)
{
	for (size_t v = 0; v < r->run.variant_count; v++) {
		const ba_variant_facts *f = &survey->variants[v];
		const char *tree = r->run.variants[v].tree_dir;
		for (size_t i = 0; i < f->objects.count && i < f->sha256.count; i++) {
			const char *path = f->objects.items[i];
			char sum[65] = "";
			if (ba_text_starts(path, tree) && path[strlen(tree)] == '/')
				path += strlen(tree) + 1;
			snprintf(sum, sizeof(sum), "%s", f->sha256.items[i]);
			if (!BA_ANY(r->run.variants[v].artefacts, r->run.variants[v].artefact_count,
				    one, strcmp(one->path, path) == 0))
				ba_variant_add_artefact(&r->run.variants[v], path, sum);
		}
	}
}

/* What variants have loaded. */
static void take_environments(const ba_suite_spec *suite, ba_result *r)
{
	ba_measured_suite *m = ba_measured_add_suite(&r->run, suite->name, suite->kind);
	for (size_t v = 0; v < r->run.variant_count; v++) {
		const ba_variant_facts *f = &suite->survey.variants[v];
		ba_variant_environment *e = &r->run.variants[v].environment;
		ba_strv_push(&m->loads, f->loads.count ? f->loads.items[0] : "");
		for (size_t i = 0; i < f->distributions.count; i++)
			if (!ba_strv_has(&e->loaded, f->distributions.items[i]))
				ba_strv_push(&e->loaded, f->distributions.items[i]);
		ba_strv_sort(&e->loaded);
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

/* Surveys one variant; `machine`: use what is reported about the machine, too. */
static int survey_one(ba_suite_spec *suite, size_t variant, bool machine, ba_error *err)
{
	ba_survey *survey = &suite->survey;
	ba_engine_spec engine = suite->engine;
	BA_AUTO_FREE bool *only = ba_xcalloc(engine.variant_count, sizeof(*only));
	BA_AUTO_PTR(ba_engine) ba_engine *e = NULL;
	BA_AUTO(ba_failure) ba_failure f = {.err = err};
	BA_AUTO(ba_survey)
	/* values that are not requested need not be measured */
	ba_survey scratch = {.machine_known = survey->machine_known || !machine};
	survey_begin(&scratch, engine.variant_count);
	scratch.env.event_tick_ns = survey->env.event_tick_ns;
	only[variant] = true;
	engine.kind = BA_ENGINE_DUET;
	int rc = ba_engine_open(&e, &engine, only, false, machine ? survey : &scratch, &f);
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

/* Of several programs, a variant may lack this one. */
static bool is_there(const ba_suite_spec *suite, size_t variant)
{
	return !suite->engine.programs || suite->engine.programs[variant].argv;
}

/* Surveys variants one after another, so that a library that breaks its worker hides no
 * other, and each is loaded with its own dependencies. */
static int survey_apart(ba_suite_spec *suite, bool machine, ba_error *err)
{
	for (size_t v = 0; v < suite->engine.variant_count; v++) {
		if (suite->failures[v] || !is_there(suite, v))
			continue;
		BA_TRY(survey_one(suite, v, machine, err));
		machine = false;
	}
	return 0;
}

static void choose_engine(ba_result *r, const ba_suite_spec *suite, const char *trouble)
{
	bool all_fine = BA_ALL(suite->failures, r->run.variant_count, failure, !*failure);
	ba_engine_kind kind = suite->engine.kind;
	const char *reason = "";
	if (suite->engine_forced) {
		reason = "asked for";
	} else if (ba_engine_shares(&suite->engine) && all_fine &&
		   (trouble || !suite->survey.share)) {
		kind = BA_ENGINE_SPLIT;
		reason = trouble ? trouble : suite->survey.share_reason;
	}
	ba_measured_suite *m = ba_measured_add_suite(&r->run, suite->name, suite->kind);
	ba_text_replace(&m->engine, r->run.variant_count == 1 ? "single" : ba_engine_name(kind));
	ba_text_replace(&m->engine_reason, reason);
	ba_measured_sum_up_engines(&r->run);
}

/* If no library can be used, there are no benchmarks to attach results to. */
static int check_usable(const ba_result *r, const ba_suite_spec *suite, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	for (size_t v = 0; v < r->run.variant_count; v++) {
		const char *output = suite->survey.variants[v].output;
		const char *failure = suite->failures[v];
		if (!failure && !is_there(suite, v))
			continue;
		if (!failure)
			return 0;
		if (text.len)
			ba_buf_putc(&text, '\n');
		if (!ba_text_starts(failure, r->run.variants[v].label))
			ba_buf_printf(&text, "%s: ", r->run.variants[v].label);
		ba_buf_puts(&text, failure);
		if (output)
			ba_buf_printf(
				&text, "; its last output:\n%s", ba_text_last_lines(output, 4));
	}
	return ba_fail(err, BA_ELIBRARY, "%s", text.data);
}

static int survey_libraries(ba_suite_spec *suite, char **trouble, const ba_result *r, ba_error *err)
{
	size_t n = r->run.variant_count;
	BA_AUTO_FREE bool *all = ba_xcalloc(n, sizeof(*all));
	BA_AUTO_PTR(ba_engine) ba_engine *e = NULL;
	BA_AUTO(ba_failure) ba_failure f = {.err = err};
	ba_engine_spec engine = suite->engine;
	bool untrusted = engine.kind == BA_ENGINE_UNTRUSTED;
	if (suite->counts)
		engine = ba_ahead_counting(&engine);
	engine.kind = BA_ENGINE_DUET;
	for (size_t v = 0; v < n; v++)
		all[v] = !suite->failures[v] && is_there(suite, v);
	survey_begin(&suite->survey, n);
	/* programs have separate processes, which start at the same time */
	bool shares = ba_engine_shares(&engine) && !ba_measured_has_environments(&r->run);
	if (!engine.programs && (untrusted || !shares))
		return survey_apart(suite, true, err);
	engine.at_once = ba_engine_workers_most(engine.cpu, 0);
	/* importing torch takes seconds: the first invocation's processes do it meanwhile */
	if (engine.ready)
		ba_ready_begin(&suite->engine, all);
	ba_ahead *ahead = shares ? NULL : suite->ahead;
	int rc = ahead ? ba_ahead_open(ahead, &engine, all, 0, ahead->wanted, &suite->survey, &f)
		       : ba_engine_open(&e, &engine, all, false, &suite->survey, &f);
	if (rc == BA_EVARIANT) {
		if (shares)
			*trouble = ba_xprintf("%s works alone but not beside the others: %s",
				r->run.variants[f.variant].label, f.text);
		survey_begin(&suite->survey, n);
		return survey_apart(suite, true, err);
	}
	if (rc || ahead)
		return rc;
	ba_engine_close(e);
	/* together they may behave differently: survey again, each in its own process */
	bool duet = suite->engine_forced && ba_engine_shares(&suite->engine);
	if (shares && !suite->survey.share && !duet)
		return survey_apart(suite, false, err);
	return 0;
}

int ba_suite_survey(ba_suite_spec *suite, ba_result *result, ba_error *err)
{
	BA_AUTO_FREE char *trouble = NULL;
	suite->survey.machine_known = result->run.suite_count > 0;
	const ba_kind_ops *ops = ba_kind_ops_of(suite->kind);
	int rc = ops->survey ? ops->survey(suite, result, err)
			     : survey_libraries(suite, &trouble, result, err);
	if (rc == 0 && suite->layouts)
		rc = ba_copies_new(&suite->copies, suite->layouts, suite->engine.libraries,
			suite->failures, result->run.variant_count, suite->scratch, err);
	if (rc == 0 && ba_measured_has_environments(&result->run))
		take_environments(suite, result);
	BA_TRY(rc ? rc : check_usable(result, suite, err));
	choose_engine(result, suite, trouble);
	take_artefacts(result, &suite->survey);
	if (!suite->survey.machine_known) {
		result->run.env = suite->survey.env;
		suite->survey.env = (ba_environment){0};
	} else if (suite->survey.env.event_tick_ns > 0) {
		ba_environment_take_timing(&result->run.env, &suite->survey.env);
	}
	return 0;
}

void ba_suite_survey_failed(const ba_suite_spec *suite, ba_result *result)
{
	choose_engine(result, suite, NULL);
}

#include "cli/measure.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/rng.h"
#include "base/text.h"
#include "cli/noise.h"
#include "gate/account.h"
#include "gate/status.h"
#include "gpu/ptxgen.h"
#include "proc/affinity.h"
#include "store/ceilings.h"
#include "suite/overhead.h"
#include "suite/plan.h"

void ba_measure_plan_dispose(ba_measure_plan *p)
{
	for (size_t i = 0; i < p->spec.suite_count; i++) {
		ba_run_suite *suite = &p->spec.suites[i];
		for (size_t v = 0; v < p->variant_count; v++) {
			free(p->libraries[i][v]);
			free(suite->failures[v]);
			if (suite->found)
				ba_outcomes_dispose(&suite->found[v]);
		}
		free(suite->found);
		free(p->libraries[i]);
		ba_programs_dispose(&p->programs[i]);
		free(suite->failures);
		ba_survey_dispose(&suite->survey);
	}
	free(p->libraries);
	free(p->programs);
	free(p->checkout);
	free(p->commands);
	free(p->spec.suites);
	ba_suite_list_dispose(&p->configs);
	free(p->has);
	free(p->fake_driver);
	free(p->pci_bus_id);
	ba_core_free(p->core);
	*p = (ba_measure_plan){0};
}

#define RULES "kernels/" BA_PTX_TEXT_VERSION " readings/" BA_READINGS_VERSION

const char *ba_plan_rules(const ba_result *r)
{
	bool writes = r->env.flush && strcmp(r->env.flush, "write") == 0;
	return writes ? RULES " flush/write" : RULES;
}

/* ---- metrics ---- */

/* What is measured where nothing is asked for. */
static const ba_metric default_metrics[] = {BA_METRIC_SUBMIT, BA_METRIC_SUSTAINED,
	BA_METRIC_ROUNDTRIP, BA_METRIC_GPU_COLD, BA_METRIC_GPU_HOT, BA_METRIC_WALL_COLD,
	BA_METRIC_WALL_HOT};

static int no_such_metric(const char *option, const char *name, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf names = BA_BUF_INIT;
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		if (m != BA_METRIC_HOST)
			ba_buf_printf(&names, "%s%s", names.len ? ", " : "",
				ba_metric_get((ba_metric)m)->name);
	return ba_fail(err, BA_EINVAL, "%s: no metric '%s'; there are %s", option, name,
		names.data);
}

static int parse_metrics(bool *out, const char *text, const char *option, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv words = {0};
	ba_strv_split(&words, text, ',');
	for (size_t i = 0; i < words.count; i++) {
		int metric = ba_metric_from_name(words.items[i]);
		if (metric < 0 || metric == BA_METRIC_HOST)
			return no_such_metric(option, words.items[i], err);
		out[metric] = true;
	}
	return 0;
}

/* The kind's own metric decides; what is measured without it is measured to be decided.
 */
static void choose_verdicts(ba_run_spec *spec, ba_suite_kind kind, ba_metric main)
{
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		if (ba_metric_is_of((ba_metric)m, kind))
			spec->verdict[m] = spec->measure[m] &&
					   (m == (int)main || !spec->measure[main]);
}

/* What other programs print is decided, unless others were asked for. */
static void choose_foreign(ba_run_spec *spec, const ba_options *o)
{
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		if (ba_metric_get((ba_metric)m)->foreign) {
			spec->measure[m] = spec->measure[m] || !o->metrics;
			spec->verdict[m] = spec->verdict[m] ||
					   (spec->measure[m] && !o->verdict_on);
		}
}

int ba_measure_choose_metrics(ba_run_spec *spec, const ba_options *o, ba_error *err)
{
	if (o->target == BA_ON_HOST) {
		if (o->metrics || o->verdict_on)
			return ba_fail(err, BA_EINVAL,
				"--target host measures the metric 'host' alone; leave out --metrics and --verdict-on");
		spec->measure[BA_METRIC_HOST] = spec->verdict[BA_METRIC_HOST] = true;
		choose_foreign(spec, o);
		return 0;
	}
	int rc = o->metrics ? parse_metrics(spec->measure, o->metrics, "--metrics", err)
			    : 0;
	for (size_t i = 0;
		!o->metrics && i < sizeof(default_metrics) / sizeof(default_metrics[0]);
		i++)
		spec->measure[default_metrics[i]] = true;
	if (rc == 0 && o->verdict_on)
		rc = parse_metrics(spec->verdict, o->verdict_on, "--verdict-on", err);
	for (int m = 0; rc == 0 && m < BA_METRIC_COUNT; m++)
		if (spec->verdict[m] && !spec->measure[m])
			rc = ba_fail(err, BA_EINVAL,
				"--verdict-on: '%s' is not among the --metrics: what is not measured decides nothing",
				ba_metric_get((ba_metric)m)->name);
	if (rc == 0)
		choose_foreign(spec, o);
	if (rc || o->verdict_on)
		return rc;
	choose_verdicts(spec, BA_SUITE_LAUNCHER, BA_METRIC_SUBMIT);
	choose_verdicts(spec, BA_SUITE_PLUGIN, BA_METRIC_GPU_COLD);
	return rc;
}

/* ---- suites ---- */

static int no_such_suite(const ba_config *config, const ba_options *o, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv names = {0};
	for (size_t i = 0; i < config->suite_count; i++)
		ba_strv_push(&names, config->suites[i].name);
	BA_AUTO_FREE char *all = ba_strv_join(&names, ", ");
	return ba_fail(err, BA_EINVAL,
		"no suite '%s' in the configuration; there is %s", o->suite, all);
}

/* Has the kind one of the metrics that are measured? */
static bool has_metrics(const ba_run_spec *spec, ba_suite_kind kind)
{
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		if (spec->measure[m] && ba_metric_is_of((ba_metric)m, kind))
			return true;
	return false;
}

static int nothing_to_measure(
	const ba_options *o, const ba_suite_config *s, ba_error *err)
{
	if (o->target == BA_ON_HOST)
		return ba_fail(err, BA_EINVAL,
			"suite '%s' is of kind '%s', which needs a GPU; --target host measures launcher and worker suites",
			s->name, ba_suite_kind_name(s->kind));
	return ba_fail(err, BA_EINVAL,
		"--metrics names none of those of suite '%s', which is of kind '%s'",
		s->name, ba_suite_kind_name(s->kind));
}

int ba_measure_choose_suites(ba_suite_list *out, const ba_config *config,
	const ba_options *o, bool listing, ba_error *err)
{
	ba_run_spec spec = {0};
	const ba_suite_config *left_out = NULL;
	if (config->suite_count == 0)
		return ba_fail(err, BA_ECONFIG,
			"%s names no suite: say what is to be measured, e.g. \"suites\": {\"launch\": {\"kind\": \"launcher\", \"library\": \"build/liblauncher.so\"}}",
			config->name ? config->name : "the configuration");
	int rc = ba_measure_choose_metrics(&spec, o, err);
	if (rc)
		return rc;
	ba_suite_list chosen = {
		.items = ba_xcalloc(config->suite_count, sizeof(*chosen.items))};
	bool named = false;
	for (size_t i = 0; rc == 0 && i < config->suite_count; i++) {
		const ba_suite_config *s = &config->suites[i];
		if (o->suite && strcmp(o->suite, s->name) != 0)
			continue;
		named = true;
		if (listing || has_metrics(&spec, s->kind))
			chosen.items[chosen.count++] = s;
		else
			left_out = s;
	}
	if (rc == 0 && !named)
		rc = no_such_suite(config, o, err);
	if (rc == 0 && chosen.count == 0)
		rc = nothing_to_measure(o, left_out, err);
	if (rc)
		ba_suite_list_dispose(&chosen);
	else
		*out = chosen;
	return rc;
}

static ba_run_threshold threshold_of(
	void *data, const char *benchmark, ba_metric metric)
{
	ba_threshold t = ba_config_threshold(data, benchmark, metric);
	/* two per cent of a host path is a fraction of a nanosecond: below what anybody
	 * would act on, and far below what a driver's launch costs */
	if (metric == BA_METRIC_HOST && t.origin.kind == BA_ORIGIN_DEFAULT)
		t.floor_ns = 1;
	return (ba_run_threshold){t.slower, t.faster, t.floor_ns};
}

static void show_progress(void *data, double done, const char *text)
{
	ba_context *c = data;
	ba_progress_set(&c->progress, done, text, ba_now_ns());
}

/* The sequential looks between the bounds asked for, their weights made to sum to 1. */
static ba_design design_of(const ba_options *o)
{
	if (o->fixed)
		return ba_design_fixed((size_t)o->fixed);
	ba_design all = ba_design_sequential(), some = {0};
	double sum = 0;
	for (size_t k = 0; k < all.looks; k++) {
		if ((o->min_invocations && all.at[k] < (size_t)o->min_invocations) ||
			(o->max_invocations && all.at[k] > (size_t)o->max_invocations))
			continue;
		some.at[some.looks] = all.at[k];
		some.weight[some.looks++] = all.weight[k];
		sum += all.weight[k];
	}
	if (some.looks == 0)
		return ba_design_fixed(
			(size_t)(o->max_invocations ? o->max_invocations
						    : o->min_invocations));
	for (size_t k = 0; k < some.looks; k++)
		some.weight[k] /= sum;
	return some;
}

static int fill_engine(ba_engine_spec *engine, ba_measure_plan *p, const ba_result *r,
	ba_context *c, ba_error *err)
{
	const ba_options *o = c->options;
	/* the words of --engine: auto, duet, split, sequential */
	static const ba_engine_kind kinds[] = {
		BA_ENGINE_DUET, BA_ENGINE_DUET, BA_ENGINE_SPLIT, BA_ENGINE_SEQUENTIAL};
	if (o->target == BA_ON_HOST && !c->host_driver)
		return ba_fail(err, BA_EIO,
			"the host target's driver is not beside this program (../lib/bench-against/host/libcuda.so.1): the installation is incomplete");
	if (o->fake_driver && !p->fake_driver)
		p->fake_driver = ba_path_absolute(o->fake_driver);
	*engine = (ba_engine_spec){.kind = kinds[o->engine],
		.target = ba_target_words[o->target],
		.worker = c->worker,
		.driver = o->target == BA_ON_HOST   ? c->host_driver
			  : o->target == BA_ON_FAKE ? p->fake_driver
						    : NULL,
		.device = o->device,
		.cpu = o->cpu,
		.flush = ba_flush_words[o->flush],
		.idle_limit_ns = o->hang_ns,
		.stop = &ba_stop_signal,
		.log = &c->log,
		.variant_count = r->variant_count,
		.variants = r->variants};
	return 0;
}

static int fill_command(ba_run_suite *suite, ba_measure_plan *p, size_t index,
	const ba_result *r, const ba_context *c, ba_error *err)
{
	const ba_suite_config *config = p->configs.items[index];
	if (!p->scratch)
		return ba_fail(err, BA_EUNSUPPORTED,
			"suite '%s' is of kind 'command': what it has is known when it is measured",
			config->name);
	int rc = ba_programs_of(&p->programs[index], config, r->variants,
		r->variant_count, c, p->scratch, err);
	p->commands[index] = (ba_command_line){.argv = config->command.items,
		.limit_ns = config->timeout_ns,
		.metric = config->metric,
		.scratch = p->scratch,
		.envs = p->programs[index].lists,
		.loads_library = c->loads,
		.start_dir = c->python_start,
		.checkout = p->checkout,
		.pythonpath = &config->pythonpath,
		.must_be_known =
			c->options->gate == BA_GATE_STRICT || p->config->gate_strict};
	suite->command = &p->commands[index];
	suite->host_driver = c->host_driver;
	/* programs share no process */
	suite->engine.kind = BA_ENGINE_SPLIT;
	return rc;
}

static int fill_suite(ba_measure_plan *p, size_t index, const ba_result *r,
	ba_context *c, char *const *failures, ba_error *err)
{
	const ba_options *o = c->options;
	const ba_suite_config *config = p->configs.items[index];
	ba_run_suite *suite = &p->spec.suites[index];
	size_t n = r->variant_count;
	*suite = (ba_run_suite){.name = config->name,
		.kind = config->kind,
		.engine_forced = o->engine != 0,
		.repeats = o->repeats > 0    ? (unsigned)o->repeats
			   : config->repeats ? (unsigned)config->repeats
					     : BA_OVERHEAD_REPEATS,
		.warm_up = o->warm_up >= 0 ? (unsigned)o->warm_up
					   : (unsigned)config->warm_up,
		.iterations = o->iterations > 0 ? (unsigned)o->iterations
						: (unsigned)config->iterations,
		.failures = ba_xcalloc(n, sizeof(*suite->failures))};
	p->libraries[index] = ba_xcalloc(n, sizeof(char *));
	for (size_t v = 0; v < n; v++) {
		if (config->library)
			p->libraries[index][v] = ba_path_join(
				r->variants[v].tree_dir ? r->variants[v].tree_dir : "",
				config->library);
		suite->failures[v] = ba_xstrdup(failures ? failures[v] : NULL);
	}
	int rc = fill_engine(&suite->engine, p, r, c, err);
	suite->engine.suite = config->kind;
	suite->engine.libraries = (const char *const *)p->libraries[index];
	if (config->kind == BA_SUITE_PLUGIN && !o->no_device_code)
		suite->observer = c->observer;
	if (rc == 0 && config->kind == BA_SUITE_COMMAND)
		return fill_command(suite, p, index, r, c, err);
	if (rc || config->kind != BA_SUITE_WORKER)
		return rc;
	rc = ba_programs_of(
		&p->programs[index], config, r->variants, n, c, p->scratch, err);
	suite->engine.programs = p->programs[index].items;
	suite->engine.checkout = p->checkout;
	/* programs share no process */
	if (suite->engine.kind == BA_ENGINE_DUET)
		suite->engine.kind = BA_ENGINE_SPLIT;
	return rc;
}

/* The folder that has the repository in it; of a bare one there is none. */
static char *checkout_of(const ba_result *r)
{
	const char *repository = r->repository ? r->repository : "";
	size_t size = strlen(repository);
	while (size > 1 && repository[size - 1] == '/')
		size--;
	BA_AUTO_FREE char *dir = ba_xstrndup(repository, size);
	return ba_text_ends(dir, "/.git") ? ba_path_dir(dir) : NULL;
}

static int fill_spec(ba_measure_plan *p, const ba_result *r, ba_context *c,
	char *const *failures, ba_error *err)
{
	const ba_options *o = c->options;
	size_t count = p->configs.count;
	p->spec = (ba_run_spec){.suites = ba_xcalloc(count, sizeof(ba_run_suite)),
		.log = &c->log,
		.seed = o->seed ? o->seed : ba_rng_entropy() >> 11,
		.batch = (unsigned)o->batch,
		.blocks = (unsigned)o->blocks,
		.alpha = o->alpha,
		.strict = o->strict,
		.multiplicity = (ba_multiplicity)o->multiplicity,
		.design = design_of(o),
		.budget_ns = o->budget_ns,
		.fail_fast = o->fail_fast,
		.measure_identical = o->measure_identical,
		.manifests = p->manifests,
		.irrelevant = &p->config->build.irrelevant,
		.threshold = threshold_of,
		.threshold_data = (void *)p->config,
		.progress = show_progress,
		.progress_data = c};
	p->libraries = ba_xcalloc(count, sizeof(*p->libraries));
	p->programs = ba_xcalloc(count, sizeof(*p->programs));
	p->checkout = checkout_of(r);
	p->commands = ba_xcalloc(count, sizeof(*p->commands));
	int rc = ba_measure_choose_metrics(&p->spec, o, err);
	for (size_t i = 0; rc == 0 && i < count; i++) {
		p->spec.suite_count++;
		rc = fill_suite(p, i, r, c, failures, err);
	}
	return rc;
}

/* Workers run on one core, near the GPU, and we keep off it. */
static void choose_cpu(ba_measure_plan *p, ba_result *r, ba_context *c)
{
	const ba_options *o = c->options;
	const char *pci = o->target == BA_ON_GPU ? r->env.pci_bus_id : NULL;
	ba_core_claim(&p->core, o->cpu, pci && *pci ? pci : NULL, c->cache_root);
	if (!p->core)
		return;
	r->env.pinned_cpu = p->core->cpu;
	if (p->core->shared)
		ba_strv_push(&r->env.warnings, p->core->shared);
	if (p->core->unlocked)
		ba_log_printf(&c->log, BA_LOG_WARNING,
			"whether another run measures on processor %d is not known: %s",
			p->core->cpu, p->core->unlocked);
	for (size_t i = 0; i < p->spec.suite_count; i++)
		p->spec.suites[i].engine.cpu = p->core->cpu;
	ba_affinity_avoid(p->core->cpu, "/sys", NULL);
}

/* Programs say nothing of what holds the GPU's clock down: the host looks there. */
static void watch_clock(ba_measure_plan *p, const ba_result *r, const ba_options *o)
{
	if (o->target == BA_ON_HOST)
		return;
	/* ours: a run that is gone on with gets the environment of then */
	p->pci_bus_id = ba_xstrdup(r->env.pci_bus_id);
	for (size_t i = 0; i < p->spec.suite_count; i++)
		p->spec.suites[i].engine.pci_bus_id = p->pci_bus_id;
}

/* Once a machine and driver; what cannot be measured is not shown. */
static void find_ceilings(ba_measure_plan *p, ba_result *r, ba_context *c)
{
	ba_error err = {0};
	const ba_engine_spec *engine = NULL;
	for (size_t i = 0; i < p->spec.suite_count; i++)
		if (p->spec.suites[i].kind == BA_SUITE_PLUGIN)
			engine = &p->spec.suites[i].engine;
	if (!engine || c->options->target == BA_ON_HOST ||
		ba_ceilings_read(&r->env, c->cache_root, &err) == 0)
		return;
	ba_progress_phase(
		&c->progress, "measuring what the GPU does at most", ba_now_ns());
	int rc = ba_engine_ceilings(&r->env, engine, &err);
	if (rc == 0 && r->env.copy_gb_per_s > 0)
		rc = ba_ceilings_write(&r->env, c->cache_root, &err);
	if (rc)
		ba_log_printf(&c->log, BA_LOG_WARNING,
			"what this GPU does at most is not known: %s", err.text);
}

/* A suite that nobody can load does not take the others with it. */
static int survey_suites(ba_measure_plan *p, ba_result *r, ba_error *err)
{
	size_t n = p->spec.suite_count, left = n;
	for (size_t i = 0; i < n; i++) {
		ba_error why = {0};
		int rc = ba_run_survey(&p->spec.suites[i], r, &why);
		if (rc == BA_ELIBRARY && --left > 0)
			p->spec.suites[i].unusable = true;
		else if (rc)
			return ba_fail(err, rc, "%s", why.text);
	}
	for (size_t i = 0; i < n; i++)
		if (p->spec.suites[i].unusable)
			ba_run_survey_failed(&p->spec.suites[i], r);
	return 0;
}

int ba_measure_survey(ba_measure_plan *p, ba_result *r, ba_context *c,
	const ba_config *config, const ba_suite_list *suites, char *const *failures,
	ba_error *err)
{
	p->config = config;
	p->variant_count = r->variant_count;
	p->configs.items = ba_xcalloc(suites->count, sizeof(*p->configs.items));
	p->configs.count = suites->count;
	memcpy(p->configs.items, suites->items, suites->count * sizeof(*suites->items));
	int rc = fill_spec(p, r, c, failures, err);
	if (rc)
		return rc;
	ba_progress_phase(&c->progress, "examining the machine", ba_now_ns());
	rc = survey_suites(p, r, err);
	if (rc == 0) {
		choose_cpu(p, r, c);
		watch_clock(p, r, c->options);
		find_ceilings(p, r, c);
	}
	return rc;
}

int ba_measure_check_loaded(const ba_measure_plan *p, const ba_result *r, ba_error *err)
{
	for (size_t i = 0; i < p->spec.suite_count; i++)
		for (size_t v = 0; v < r->variant_count; v++)
			if (p->spec.suites[i].failures[v])
				return ba_fail(err, BA_ELIBRARY, "%s: %s",
					r->variants[v].label,
					p->spec.suites[i].failures[v]);
	return 0;
}

/* What this run can be held to: with --suite, other suites are not its business. */
static void applicable(ba_strv *out, const ba_measure_plan *p, const ba_options *o)
{
	for (size_t i = 0; p->expected && i < p->expected->count; i++) {
		const char *pattern = p->expected->items[i];
		bool other = false;
		for (size_t k = 0; o->suite && k < p->config->suite_count; k++) {
			const char *name = p->config->suites[k].name;
			size_t length = strlen(name);
			other = other || (strcmp(name, o->suite) != 0 &&
						 strncmp(pattern, name, length) == 0 &&
						 pattern[length] == '/');
		}
		if (!other)
			ba_strv_push(out, pattern);
	}
}

int ba_measure_run(ba_measure_plan *p, ba_result *r, ba_context *c, ba_error *err)
{
	BA_AUTO(ba_noise_book) ba_noise_book noise = {0};
	int rc = p->calibrating ? 0 : ba_noise_plan(&noise, p, r, c, err);
	if (rc)
		return rc;
	ba_progress_phase(&c->progress, "measuring", ba_now_ns());
	rc = ba_run_measure(r, &p->spec, p->has, err);
	ba_progress_clear(&c->progress);
	if (rc)
		return rc;
	ba_noise_compare(&noise, r);
	BA_AUTO(ba_strv) ba_strv expected = {0};
	applicable(&expected, p, c->options);
	const ba_gate_policy policy = {.expected = &expected,
		.strict = c->options->gate == BA_GATE_STRICT || p->config->gate_strict,
		.undecided_fails = c->options->on_inconclusive == 1};
	ba_gate_set_status(r, &policy);
	ba_gate_account(&r->notes, r, &policy);
	if (r->interrupted && ba_stop_signal) {
		r->signal = ba_stop_signal;
		r->exit_status = 128 + ba_stop_signal;
	}
	return 0;
}

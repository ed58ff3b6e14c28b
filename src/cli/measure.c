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
#include "gate/judge.h"
#include "proc/affinity.h"
#include "suite/overhead.h"
#include "suite/plan.h"

void ba_measure_plan_dispose(ba_measure_plan *p)
{
	for (size_t v = 0; v < p->variant_count; v++) {
		free(p->libraries[v]);
		free(p->failures[v]);
	}
	free(p->libraries);
	free(p->failures);
	free(p->has);
	free(p->fake_driver);
	/* the environment went into the result */
	p->survey.env = (ba_environment){0};
	ba_survey_dispose(&p->survey);
	*p = (ba_measure_plan){0};
}

int ba_measure_choose_suite(const ba_suite_config **out, const ba_config *config,
	const ba_options *o, ba_error *err)
{
	const ba_suite_config *chosen = NULL;
	if (config->suite_count == 0)
		return ba_fail(err, BA_ECONFIG,
			"%s names no suite: say what is to be measured, e.g. "
			"\"suites\": "
			"{\"launch\": {\"kind\": \"launcher\", \"library\": "
			"\"build/liblauncher.so\"}}",
			config->name ? config->name : "the configuration");
	for (size_t i = 0; i < config->suite_count; i++) {
		const ba_suite_config *s = &config->suites[i];
		if (o->suite && strcmp(o->suite, s->name) != 0)
			continue;
		if (chosen)
			return ba_fail(err, BA_EINVAL,
				"the configuration has several suites ('%s', '%s', "
				"...) and "
				"a run measures one: choose with --suite",
				chosen->name, s->name);
		chosen = s;
	}
	if (!chosen) {
		BA_AUTO(ba_strv) ba_strv names = {0};
		for (size_t i = 0; i < config->suite_count; i++)
			ba_strv_push(&names, config->suites[i].name);
		BA_AUTO_FREE char *all = ba_strv_join(&names, ", ");
		return ba_fail(err, BA_EINVAL,
			"no suite '%s' in the configuration; there is %s", o->suite,
			all);
	}
	int rc = ba_suite_check(config, chosen, err);
	if (rc == 0)
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

static int parse_metrics(bool *out, const char *text, const char *option, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv words = {0};
	ba_strv_split(&words, text, ',');
	for (size_t i = 0; i < words.count; i++) {
		int metric = ba_metric_from_name(words.items[i]);
		if (metric < 0 || metric == BA_METRIC_HOST)
			return ba_fail(err, BA_EINVAL,
				"%s: no metric '%s'; there are submit, sustained, "
				"roundtrip",
				option, words.items[i]);
		out[metric] = true;
	}
	return 0;
}

static int choose_metrics(ba_run_spec *spec, const ba_options *o, ba_error *err)
{
	if (o->target == BA_ON_HOST) {
		if (o->metrics || o->verdict_on)
			return ba_fail(err, BA_EINVAL,
				"--target host measures the metric 'host' alone; leave "
				"out "
				"--metrics and --verdict-on");
		spec->measure[BA_METRIC_HOST] = spec->verdict[BA_METRIC_HOST] = true;
		return 0;
	}
	int rc = parse_metrics(spec->measure,
		o->metrics ? o->metrics : "submit,sustained,roundtrip", "--metrics",
		err);
	if (rc == 0 && o->verdict_on)
		rc = parse_metrics(spec->verdict, o->verdict_on, "--verdict-on", err);
	for (int m = 0; rc == 0 && m < BA_METRIC_COUNT; m++)
		if (spec->verdict[m] && !spec->measure[m])
			rc = ba_fail(err, BA_EINVAL,
				"--verdict-on: '%s' is not among the --metrics: what "
				"is "
				"not measured decides nothing",
				ba_metric_get((ba_metric)m)->name);
	if (rc || o->verdict_on)
		return rc;
	/* what is measured alone is measured to be decided */
	bool any = false;
	spec->verdict[BA_METRIC_SUBMIT] = spec->measure[BA_METRIC_SUBMIT];
	any = spec->verdict[BA_METRIC_SUBMIT];
	for (int m = 0; !any && m < BA_METRIC_COUNT; m++)
		spec->verdict[m] = spec->measure[m];
	return rc;
}

static int fill_engine(ba_measure_plan *p, ba_result *r, ba_context *c, ba_error *err)
{
	const ba_options *o = c->options;
	/* the words of --engine: auto, duet, split, sequential */
	static const ba_engine_kind kinds[] = {
		BA_ENGINE_DUET, BA_ENGINE_DUET, BA_ENGINE_SPLIT, BA_ENGINE_SEQUENTIAL};
	if (o->target == BA_ON_HOST && !c->host_driver)
		return ba_fail(err, BA_EIO,
			"the host target's driver is not beside this program "
			"(../lib/bench-against/host/libcuda.so.1): the installation is "
			"incomplete");
	if (o->fake_driver)
		p->fake_driver = ba_path_absolute(o->fake_driver);
	p->spec.engine = (ba_engine_spec){.kind = kinds[o->engine],
		.target = ba_target_words[o->target],
		.worker = c->worker,
		.driver = o->target == BA_ON_HOST   ? c->host_driver
			  : o->target == BA_ON_FAKE ? p->fake_driver
						    : NULL,
		.device = o->device,
		.cpu = o->cpu,
		.idle_limit_ns = o->hang_ns,
		.stop = &ba_stop_signal,
		.log = &c->log,
		.variant_count = r->variant_count,
		.variants = r->variants,
		.libraries = (const char *const *)p->libraries};
	p->spec.engine_forced = o->engine != 0;
	return 0;
}

static int fill_spec(ba_measure_plan *p, ba_result *r, ba_context *c,
	const ba_suite_config *suite, ba_error *err)
{
	const ba_options *o = c->options;
	p->spec = (ba_run_spec){.seed = o->seed ? o->seed : ba_rng_entropy() >> 11,
		.repeats = o->repeats > 0   ? (unsigned)o->repeats
			   : suite->repeats ? (unsigned)suite->repeats
					    : BA_OVERHEAD_REPEATS,
		.batch = (unsigned)o->batch,
		.blocks = (unsigned)o->blocks,
		.alpha = o->alpha,
		.strict = o->strict,
		.multiplicity = (ba_multiplicity)o->multiplicity,
		.design = design_of(o),
		.budget_ns = o->budget_ns,
		.fail_fast = o->fail_fast,
		.measure_identical = o->measure_identical,
		.threshold = threshold_of,
		.threshold_data = (void *)p->config,
		.progress = show_progress,
		.progress_data = c};
	int rc = choose_metrics(&p->spec, o, err);
	return rc ? rc : fill_engine(p, r, c, err);
}

/* Workers run on one core, near the GPU, and we keep off it. */
static void choose_cpu(ba_measure_plan *p, ba_result *r, const ba_options *o)
{
	bool near;
	int cpu = o->cpu;
	const char *pci = o->target == BA_ON_GPU ? r->env.pci_bus_id : NULL;
	if (cpu < 0 &&
		ba_affinity_pick(&cpu, &near, pci && *pci ? pci : NULL, "/sys", NULL))
		return;
	p->spec.engine.cpu = r->env.pinned_cpu = cpu;
	ba_affinity_avoid(cpu, "/sys", NULL);
}

int ba_measure_survey(ba_measure_plan *p, ba_result *r, ba_context *c,
	const ba_config *config, const ba_suite_config *suite, char **failures,
	ba_error *err)
{
	size_t n = r->variant_count;
	p->config = config;
	p->variant_count = n;
	p->libraries = ba_xcalloc(n, sizeof(*p->libraries));
	p->failures = ba_xcalloc(n, sizeof(*p->failures));
	for (size_t v = 0; v < n; v++) {
		p->libraries[v] = ba_path_join(
			r->variants[v].tree_dir ? r->variants[v].tree_dir : "",
			suite->library);
		p->failures[v] = failures ? BA_TAKE(failures[v]) : NULL;
	}
	int rc = fill_spec(p, r, c, suite, err);
	if (rc)
		return rc;
	ba_progress_phase(&c->progress, "examining the machine", ba_now_ns());
	rc = ba_run_survey(&p->survey, p->failures, r, &p->spec, err);
	if (rc == 0)
		choose_cpu(p, r, c->options);
	return rc;
}

static int overhead_of(ba_overhead *out, uint64_t *owned[3], const ba_options *o,
	const ba_suite_config *suite, const ba_strv *paths, ba_error *err)
{
	*out = (ba_overhead){.suite = suite->name,
		.args = suite->args.items,
		.arg_count = suite->args.count,
		.bytes = suite->bytes.items,
		.byte_count = suite->bytes.count,
		.loops = suite->loops.items,
		.loop_count = suite->loops.count,
		.paths = paths};
	if (o->args || o->bytes)
		out->arg_count = out->byte_count = 0;
	const struct {
		const char *text, *option;
		uint64_t min, max;
		const uint64_t **numbers;
		size_t *count;
	} lists[3] = {
		{o->args, "--args", 0, BA_OVERHEAD_ARGS_MOST, &out->args,
			&out->arg_count},
		{o->bytes, "--bytes", 1, BA_OVERHEAD_BYTES_MOST, &out->bytes,
			&out->byte_count},
		{o->loops, "--loops", 1, BA_OVERHEAD_LOOPS_MOST, &out->loops,
			&out->loop_count},
	};
	for (int i = 0; i < 3; i++) {
		if (!lists[i].text)
			continue;
		int rc = ba_options_numbers(&owned[i], lists[i].count, lists[i].text,
			lists[i].min, lists[i].max, lists[i].option, err);
		if (rc)
			return rc;
		*lists[i].numbers = owned[i];
	}
	return 0;
}

int ba_measure_check_options(const ba_options *o, ba_error *err)
{
	const ba_suite_config no_suite = {0};
	ba_run_spec spec = {0};
	ba_overhead overhead;
	uint64_t *owned[3] = {0};
	int rc = choose_metrics(&spec, o, err);
	rc = rc ? rc : overhead_of(&overhead, owned, o, &no_suite, NULL, err);
	for (int i = 0; i < 3; i++)
		free(owned[i]);
	return rc;
}

static void note_paths_left_out(
	ba_result *r, const ba_strv *available, const ba_strv *paths)
{
	size_t left = 0;
	for (size_t i = 0; i < available->count; i++)
		left += !ba_strv_has(paths, available->items[i]);
	if (left) {
		BA_AUTO_FREE char *note = ba_xprintf(
			"%zu other launch path%s of %s not measured (--path all)", left,
			left == 1 ? "" : "s", r->variants[0].label);
		ba_strv_push(&r->notes, note);
	}
}

int ba_measure_choose_benchmarks(ba_measure_plan *p, ba_result *r, ba_context *c,
	const ba_suite_config *suite, ba_error *err)
{
	const ba_options *o = c->options;
	BA_AUTO(ba_strv) ba_strv globs = {0};
	BA_AUTO(ba_strv) ba_strv paths = {0};
	uint64_t *owned[3] = {0};
	ba_overhead overhead;
	ba_strv_copy(&globs, o->paths.count ? &o->paths : &suite->paths);
	if (o->paths.count == 0 && suite->all_paths)
		ba_strv_push(&globs, "all");
	ba_strv *available = ba_xcalloc(p->variant_count, sizeof(*available));
	for (size_t v = 0; v < p->variant_count; v++)
		available[v] = p->survey.variants[v].paths;
	int rc = overhead_of(&overhead, owned, o, suite, &globs, err);
	rc = rc ? rc
		: ba_overhead_select_paths(
			  &paths, &overhead, available, p->variant_count, err);
	rc = rc ? rc
		: ba_overhead_expand(&r->benchmarks, &r->benchmark_count, &overhead,
			  &paths, &o->filters, err);
	for (int i = 0; i < 3; i++)
		free(owned[i]);
	ba_plan_sha256(
		r->suite_sha256, r->benchmarks, r->benchmark_count, BA_PLAN_RULES);
	if (rc == 0 && globs.count == 0)
		note_paths_left_out(r, &available[0], &paths);
	p->has = ba_xcalloc(r->benchmark_count * p->variant_count, sizeof(*p->has));
	for (size_t i = 0; i < r->benchmark_count; i++)
		for (size_t v = 0; v < p->variant_count; v++)
			p->has[i * p->variant_count + v] =
				ba_strv_has(&available[v], r->benchmarks[i].path);
	free(available);
	if (rc == 0 && r->benchmark_count == 0 && o->filters.count)
		return ba_fail(err, BA_EINVAL,
			"no benchmark matches --filter '%s'; 'bench-against list' "
			"shows "
			"what there is",
			o->filters.items[0]);
	return rc;
}

int ba_measure_run(ba_measure_plan *p, ba_result *r, ba_context *c, ba_error *err)
{
	BA_AUTO(ba_noise_book) ba_noise_book noise = {0};
	int rc = p->calibrating ? 0 : ba_noise_plan(&noise, p, r, c, err);
	if (rc)
		return rc;
	ba_progress_phase(&c->progress, "measuring", ba_now_ns());
	rc = ba_run_measure(r, &p->spec, &p->survey, p->failures, p->has, err);
	ba_progress_clear(&c->progress);
	if (rc)
		return rc;
	ba_noise_compare(&noise, r);
	const ba_gate_policy policy = {
		.strict = c->options->gate == BA_GATE_STRICT || p->config->gate_strict,
		.undecided_fails = c->options->on_inconclusive == 1};
	ba_gate_judge(r, &policy);
	if (r->interrupted && ba_stop_signal) {
		r->signal = ba_stop_signal;
		r->exit_status = 128 + ba_stop_signal;
	}
	return 0;
}

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
#include "gate/judge.h"
#include "proc/affinity.h"
#include "suite/declared.h"
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
	free(p->commands);
	free(p->spec.suites);
	ba_suite_list_dispose(&p->configs);
	free(p->has);
	free(p->fake_driver);
	*p = (ba_measure_plan){0};
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

static int choose_metrics(ba_run_spec *spec, const ba_options *o, ba_error *err)
{
	if (o->target == BA_ON_HOST) {
		if (o->metrics || o->verdict_on)
			return ba_fail(err, BA_EINVAL,
				"--target host measures the metric 'host' alone; leave "
				"out "
				"--metrics and --verdict-on");
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
				"--verdict-on: '%s' is not among the --metrics: what "
				"is "
				"not measured decides nothing",
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
			"suite '%s' is of kind '%s', which needs a GPU; --target host "
			"measures launcher and worker suites",
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
			"%s names no suite: say what is to be measured, e.g. "
			"\"suites\": "
			"{\"launch\": {\"kind\": \"launcher\", \"library\": "
			"\"build/liblauncher.so\"}}",
			config->name ? config->name : "the configuration");
	int rc = choose_metrics(&spec, o, err);
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
		rc = ba_suite_check(config, s, err);
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
			"the host target's driver is not beside this program "
			"(../lib/bench-against/host/libcuda.so.1): the installation is "
			"incomplete");
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
		.idle_limit_ns = o->hang_ns,
		.stop = &ba_stop_signal,
		.log = &c->log,
		.variant_count = r->variant_count,
		.variants = r->variants};
	return 0;
}

static int fill_command(ba_run_suite *suite, ba_measure_plan *p, size_t index,
	const ba_context *c, ba_error *err)
{
	const ba_suite_config *config = p->configs.items[index];
	if (!p->scratch)
		return ba_fail(err, BA_EUNSUPPORTED,
			"suite '%s' is of kind 'command': what it has is known when it "
			"is measured",
			config->name);
	p->commands[index] = (ba_command_line){.argv = config->command.items,
		.limit_ns = config->timeout_ns,
		.metric = config->metric,
		.scratch = p->scratch};
	suite->command = &p->commands[index];
	suite->host_driver = c->host_driver;
	/* programs share no process */
	suite->engine.kind = BA_ENGINE_SPLIT;
	return 0;
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
	if (rc == 0 && config->kind == BA_SUITE_COMMAND)
		return fill_command(suite, p, index, c, err);
	if (rc || config->kind != BA_SUITE_WORKER)
		return rc;
	rc = ba_programs_of(&p->programs[index], config, r->variants, n, c->python,
		p->scratch, err);
	suite->engine.programs = p->programs[index].items;
	/* programs share no process */
	if (suite->engine.kind == BA_ENGINE_DUET)
		suite->engine.kind = BA_ENGINE_SPLIT;
	return rc;
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
		.threshold = threshold_of,
		.threshold_data = (void *)p->config,
		.progress = show_progress,
		.progress_data = c};
	p->libraries = ba_xcalloc(count, sizeof(*p->libraries));
	p->programs = ba_xcalloc(count, sizeof(*p->programs));
	p->commands = ba_xcalloc(count, sizeof(*p->commands));
	int rc = choose_metrics(&p->spec, o, err);
	for (size_t i = 0; rc == 0 && i < count; i++) {
		p->spec.suite_count++;
		rc = fill_suite(p, i, r, c, failures, err);
	}
	return rc;
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
	r->env.pinned_cpu = cpu;
	for (size_t i = 0; i < p->spec.suite_count; i++)
		p->spec.suites[i].engine.cpu = cpu;
	ba_affinity_avoid(cpu, "/sys", NULL);
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
	for (size_t i = 0; rc == 0 && i < p->spec.suite_count; i++)
		rc = ba_run_survey(&p->spec.suites[i], r, err);
	if (rc == 0)
		choose_cpu(p, r, c->options);
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

static void add_has(ba_measure_plan *p, const ba_result *r)
{
	p->has = ba_xreallocarray(
		p->has, r->benchmark_count * p->variant_count + 1, sizeof(*p->has));
}

/* the benchmark of that id from `first` on, or the one added */
static size_t place_of(ba_result *r, size_t first, ba_benchmark *b)
{
	for (size_t i = first; i < r->benchmark_count; i++)
		if (strcmp(r->benchmarks[i].id, b->id) == 0)
			return i;
	r->benchmarks = ba_xreallocarray(
		r->benchmarks, r->benchmark_count + 1, sizeof(*r->benchmarks));
	r->benchmarks[r->benchmark_count] = *b;
	*b = (ba_benchmark){0};
	return r->benchmark_count++;
}

/* What variants declare: the baseline's, then what only others have. */
static int choose_declared(ba_measure_plan *p, size_t index, ba_result *r,
	const ba_options *o, ba_error *err)
{
	const ba_run_suite *suite = &p->spec.suites[index];
	size_t first = r->benchmark_count, n = p->variant_count;
	(void)err;
	for (size_t v = 0; v < n; v++) {
		const ba_variant_facts *f = &suite->survey.variants[v];
		ba_benchmark *mine = NULL;
		size_t count = 0;
		for (size_t d = 0; d < f->declared_count; d++)
			ba_declared_expand(&mine, &count, suite->name, suite->kind,
				&f->declared[d], &o->filters);
		for (size_t i = 0; i < count; i++) {
			size_t before = r->benchmark_count;
			size_t at = place_of(r, first, &mine[i]);
			add_has(p, r);
			if (at == before)
				memset(p->has + at * n, 0, n * sizeof(*p->has));
			p->has[at * n + v] = true;
			ba_benchmark_dispose(&mine[i]);
		}
		free(mine);
	}
	return 0;
}

static int choose_launches(ba_measure_plan *p, size_t index, ba_result *r,
	const ba_options *o, ba_error *err)
{
	const ba_suite_config *suite = p->configs.items[index];
	const ba_survey *survey = &p->spec.suites[index].survey;
	size_t first = r->benchmark_count;
	BA_AUTO(ba_strv) ba_strv globs = {0};
	BA_AUTO(ba_strv) ba_strv paths = {0};
	uint64_t *owned[3] = {0};
	ba_overhead overhead;
	ba_strv_copy(&globs, o->paths.count ? &o->paths : &suite->paths);
	if (o->paths.count == 0 && suite->all_paths)
		ba_strv_push(&globs, "all");
	BA_AUTO_FREE ba_strv *available =
		ba_xcalloc(p->variant_count, sizeof(*available));
	for (size_t v = 0; v < p->variant_count; v++)
		available[v] = survey->variants[v].paths;
	int rc = overhead_of(&overhead, owned, o, suite, &globs, err);
	rc = rc ? rc
		: ba_overhead_select_paths(
			  &paths, &overhead, available, p->variant_count, err);
	rc = rc ? rc
		: ba_overhead_expand(&r->benchmarks, &r->benchmark_count, &overhead,
			  &paths, &o->filters, err);
	for (int i = 0; i < 3; i++)
		free(owned[i]);
	if (rc == 0 && globs.count == 0)
		note_paths_left_out(r, &available[0], &paths);
	add_has(p, r);
	for (size_t i = first; i < r->benchmark_count; i++)
		for (size_t v = 0; v < p->variant_count; v++)
			p->has[i * p->variant_count + v] =
				ba_strv_has(&available[v], r->benchmarks[i].path);
	return rc;
}

static bool is_chosen(const ba_strv *filters, const char *id)
{
	for (size_t i = 0; i < filters->count; i++)
		if (ba_text_glob(filters->items[i], id))
			return true;
	return filters->count == 0;
}

/* the benchmark of that id from `first` on, or -1 */
static long find_benchmark(const ba_result *r, size_t first, const char *id)
{
	for (size_t i = first; i < r->benchmark_count; i++)
		if (strcmp(r->benchmarks[i].id, id) == 0)
			return (long)i;
	return -1;
}

static void add_outcome(ba_measure_plan *p, ba_result *r, const ba_suite_config *suite,
	const ba_outcome *o, char *id)
{
	int metric = ba_metric_from_name(o->metric);
	if (metric < 0 || !ba_metric_get((ba_metric)metric)->foreign)
		metric = o->is_time ? BA_METRIC_TIME : BA_METRIC_VALUE;
	r->benchmarks = ba_xreallocarray(
		r->benchmarks, r->benchmark_count + 1, sizeof(*r->benchmarks));
	r->benchmarks[r->benchmark_count++] =
		(ba_benchmark){.suite = ba_xstrdup(suite->name),
			.kind = BA_SUITE_COMMAND,
			.id = id,
			.name = ba_xstrdup(id + strlen(suite->name) + 1),
			.metrics = UINT32_C(1) << metric};
	add_has(p, r);
	memset(p->has + (r->benchmark_count - 1) * p->variant_count, 0,
		p->variant_count * sizeof(*p->has));
}

/* What the first run of each variant's program printed. */
static int choose_outcomes(ba_measure_plan *p, size_t index, ba_result *r,
	const ba_options *o, ba_error *err)
{
	const ba_suite_config *suite = p->configs.items[index];
	const ba_run_suite *run = &p->spec.suites[index];
	size_t first = r->benchmark_count;
	(void)err;
	for (size_t v = 0; v < p->variant_count; v++)
		for (size_t i = 0; i < run->found[v].count; i++) {
			const ba_outcome *found = &run->found[v].items[i];
			char *id = ba_xprintf("%s/%s", suite->name, found->id);
			long at = find_benchmark(r, first, id);
			if (at < 0 && is_chosen(&o->filters, id)) {
				at = (long)r->benchmark_count;
				add_outcome(p, r, suite, found, BA_TAKE(id));
			}
			if (at >= 0)
				p->has[(size_t)at * p->variant_count + v] = true;
			free(id);
		}
	return 0;
}

static bool any_matches(const ba_result *r, const char *glob)
{
	for (size_t i = 0; i < r->benchmark_count; i++)
		if (ba_text_glob(glob, r->benchmarks[i].id))
			return true;
	return false;
}

/* A misspelt glob loosens or tightens nothing, silently. A run of a part of the
 * benchmarks cannot tell. */
static void note_thresholds_of_nothing(
	ba_result *r, const ba_config *config, const ba_options *o)
{
	if (o->filters.count || o->paths.count || o->suite || o->args || o->bytes)
		return;
	for (size_t i = 0; i < config->thresholds.count; i++) {
		const ba_threshold_rule *rule = &config->thresholds.rules[i];
		if (!rule->match || any_matches(r, rule->match))
			continue;
		BA_AUTO_FREE char *note = ba_xprintf("the threshold for '%s' (line %u "
						     "of the configuration) matches "
						     "no benchmark",
			rule->match, rule->threshold.origin.line);
		ba_strv_push(&r->notes, note);
	}
}

int ba_measure_choose_benchmarks(
	ba_measure_plan *p, ba_result *r, ba_context *c, ba_error *err)
{
	const ba_options *o = c->options;
	static int (*const kinds[BA_SUITE_KIND_COUNT])(ba_measure_plan *, size_t,
		ba_result *, const ba_options *, ba_error *) = {
		[BA_SUITE_LAUNCHER] = choose_launches,
		[BA_SUITE_WORKER] = choose_declared,
		[BA_SUITE_COMMAND] = choose_outcomes,
	};
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < p->spec.suite_count; i++)
		rc = kinds[p->spec.suites[i].kind](p, i, r, o, err);
	ba_plan_sha256(
		r->suite_sha256, r->benchmarks, r->benchmark_count, BA_PLAN_RULES);
	if (rc == 0 && r->benchmark_count == 0 && o->filters.count)
		return ba_fail(err, BA_EINVAL,
			"no benchmark matches --filter '%s'; 'bench-against list' "
			"shows "
			"what there is",
			o->filters.items[0]);
	note_thresholds_of_nothing(r, p->config, o);
	return rc;
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
	ba_gate_judge(r, &policy);
	ba_gate_account(&r->notes, r, &policy);
	if (r->interrupted && ba_stop_signal) {
		r->signal = ba_stop_signal;
		r->exit_status = 128 + ba_stop_signal;
	}
	return 0;
}

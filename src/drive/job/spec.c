/* How each suite is measured: request and configuration become an experiment's specification. */

#include "engine/ahead.h"
#include "experiment/invoke.h"
#include "instructions/count.h"
#include "job/setup.h"
#include "stats/layouts.h"
#include "suite/overhead.h"

void ba_job_setup_dispose(ba_job_setup *p)
{
	for (size_t i = 0; i < p->spec.suite_count; i++) {
		ba_suite_spec *suite = &p->spec.suites[i];
		for (size_t v = 0; v < p->variant_count; v++) {
			BA_FREE(p->libraries[i][v], suite->failures[v]);
			if (suite->found)
				ba_outcomes_dispose(&suite->found[v]);
		}
		BA_FREE(suite->found, suite->failures, p->libraries[i]);
		ba_programs_dispose(&p->programs[i]);
		ba_survey_dispose(&suite->survey);
		ba_copies_free(suite->copies);
		ba_ahead_close(suite->ahead);
		free(suite->ahead);
		ba_ready_close(suite->engine.ready);
		free(suite->engine.ready);
	}
	BA_FREE(p->libraries, p->programs, p->checkout, p->commands, p->spec.suites, p->has,
		p->devices, p->fake_driver, p->pci_bus_id, p->exchange);
	ba_suite_list_dispose(&p->configs);
	ba_job_drop_programs(p);
	ba_cpu_lock_free(p->cpu_lock);
	*p = (ba_job_setup){0};
}

bool ba_job_is_strict(const ba_job_setup *p)
{
	return p->request->gate == BA_GATE_STRICT || p->config->gate_strict;
}

/* the default threshold of instructions; a change must exceed both. Four instructions
 * take about one nanosecond, the floor of host times */
#define INSTRUCTIONS_RATIO 0.01
#define INSTRUCTIONS_FLOOR 4
/* what a call asks of the driver does not change by chance, and files have one size */
#define CENSUS_RATIO 0.001
/* a start varies by some per cent, and nobody notices less */
#define START_RATIO 0.05
#define START_FLOOR_NS 1e6

static ba_session_threshold threshold_of(void *data, const char *benchmark, ba_metric metric)
{
	ba_threshold t = ba_config_threshold(data, benchmark, metric);
	/* two per cent of a host path is less than a nanosecond: far below a driver's launch */
	if (metric == BA_METRIC_HOST && t.origin.kind == BA_ORIGIN_DEFAULT)
		t.floor_ns = 1;
	const ba_metric_info *info = ba_metric_get(metric);
	if ((info->census || info->repeats) && t.origin.kind == BA_ORIGIN_DEFAULT)
		return (ba_session_threshold){CENSUS_RATIO, CENSUS_RATIO, 0};
	if (info->starts && ba_metric_is_time(metric) && t.origin.kind == BA_ORIGIN_DEFAULT)
		return (ba_session_threshold){START_RATIO, START_RATIO, START_FLOOR_NS};
	if (!info->counted)
		return (ba_session_threshold){t.slower, t.faster, t.floor_ns};
	/* counts repeat exactly: without a threshold every compiler change would be a regression */
	bool ratio = t.origin.kind != BA_ORIGIN_DEFAULT && t.slower > 0;
	return (ba_session_threshold){ratio ? t.slower : INSTRUCTIONS_RATIO,
		ratio ? t.faster : INSTRUCTIONS_RATIO,
		t.floor_count > 0 ? t.floor_count : INSTRUCTIONS_FLOOR};
}

/* Are all deciding metrics counts? Counts repeat, so they need fewer looks than times. */
static bool decides_by_counts(const ba_session_spec *spec)
{
	for (size_t i = 0; i < spec->suite_count; i++) {
		bool counts = false;
		for (int m = 0; m < BA_METRIC_COUNT; m++) {
			const ba_metric_info *info = ba_metric_get((ba_metric)m);
			if (!spec->verdict[m] ||
				!ba_metric_is_of((ba_metric)m, spec->suites[i].kind))
				continue;
			if (!info->counted && !info->quantity)
				return false;
			counts = counts || info->counted;
		}
		if (!counts)
			return false;
	}
	return spec->suite_count > 0;
}

bool ba_job_only_counts(const ba_session_spec *spec)
{
	for (size_t i = 0; i < spec->suite_count; i++)
		for (int m = 0; m < BA_METRIC_COUNT; m++)
			if (spec->measure[m] && !ba_metric_get((ba_metric)m)->counted &&
				ba_metric_is_of((ba_metric)m, spec->suites[i].kind))
				return false;
	return decides_by_counts(spec);
}

/* The sequential looks within the requested bounds, with weights scaled to the sum 1. */
static ba_design design_of(const ba_job_request *q, bool counts)
{
	if (q->fixed)
		return ba_design_fixed((size_t)q->fixed);
	ba_design all = counts ? ba_design_counts() : ba_design_sequential(), some = {0};
	double sum = 0;
	for (size_t k = 0; k < all.looks; k++) {
		if ((q->min_invocations && all.at[k] < (size_t)q->min_invocations) ||
			(q->max_invocations && all.at[k] > (size_t)q->max_invocations))
			continue;
		some.at[some.looks] = all.at[k];
		some.weight[some.looks++] = all.weight[k];
		sum += all.weight[k];
	}
	if (some.looks == 0)
		return ba_design_fixed(
			(size_t)(q->max_invocations ? q->max_invocations : q->min_invocations));
	for (size_t k = 0; k < some.looks; k++)
		some.weight[k] /= sum;
	return some;
}

/* Where invocations go on or are counted together (experiment/invoke.h), a single one is
 * dear: looks sooner than a round are left out, and the next has their share. */
void ba_job_thin_looks(ba_job_setup *p, const ba_result *r)
{
	ba_design *d = &p->spec.design;
	size_t turns = 1, n = 0;
	double share = 0;
	bool counts = decides_by_counts(&p->spec);
	if (p->device_count < 2 && !p->member && p->spec.suite_count == 1)
		turns = counts ? ba_counts_foreseen(p->spec.suites, r->run.variant_count)
			       : ba_rotation_foreseen(&p->spec, r);
	for (size_t k = 0; k < d->looks; k++) {
		share += d->weight[k];
		bool early = (n || counts) && d->at[k] - (n ? d->at[n - 1] : 0) < turns;
		if (early && k + 1 < d->looks)
			continue;
		d->at[n] = d->at[k];
		d->weight[n++] = share;
		share = 0;
	}
	d->looks = n;
}

int ba_job_check_part(unsigned *part, unsigned *parts, const ba_job_request *q, ba_error *err)
{
	int end = 0;
	*part = *parts = 0;
	if (!q->part)
		return 0;
	if (sscanf(q->part, "%4u/%4u%n", part, parts, &end) != 2 || q->part[end] || !*part ||
		*part > *parts)
		return ba_fail(err, BA_EINVAL,
			"--part %s: it must be a part and the number of parts, as in 1/4", q->part);
	if (!q->fixed || !q->seed)
		return ba_fail(err, BA_EINVAL, "--part needs %s, the same for all parts",
			!q->fixed ? "--fixed" : "--seed");
	if (ba_part_size((unsigned)q->fixed, *parts, *parts) < 2)
		return ba_fail(err, BA_EINVAL,
			"--part %s: --fixed %d leaves a part fewer than 2 invocations; at most %d parts are possible",
			q->part, q->fixed, q->fixed / 2);
	return 0;
}

static int fill_engine(ba_engine_spec *engine, ba_job_setup *p, const ba_result *r, ba_error *err)
{
	const ba_job_request *q = p->request;
	const ba_job_parts *own = p->services->parts;
	/* the words of --engine: auto, duet, split, sequential */
	static const ba_engine_kind kinds[] = {
		BA_ENGINE_DUET, BA_ENGINE_DUET, BA_ENGINE_SPLIT, BA_ENGINE_SEQUENTIAL};
	ba_target_choice target = ba_job_target(q, p->config);
	if (target == BA_ON_HOST && !own->host_driver)
		return ba_fail(err, BA_EIO,
			"the host target's driver is not beside this program (../lib/bench-against/host/libcuda.so.1): the installation is incomplete");
	if (q->fake_driver && !p->fake_driver)
		p->fake_driver = ba_path_absolute(q->fake_driver);
	*engine = (ba_engine_spec){.kind = q->untrusted ? BA_ENGINE_UNTRUSTED : kinds[q->engine],
		.target = ba_target_words[target],
		.worker = own->worker,
		.driver = target == BA_ON_HOST	 ? own->host_driver
			  : target == BA_ON_FAKE ? p->fake_driver
						 : NULL,
		/* the host target has one device */
		.device = target == BA_ON_HOST ? 0 : q->device,
		.cpu = q->cpu,
		.flush = ba_flush_words[q->flush],
		.idle_limit_ns = q->hang_ns,
		.stop = p->services->stop,
		.log = p->services->log,
		.scratch = p->scratch,
		.sandbox = p->sandbox,
		.seals = p->seals,
		.variant_count = r->run.variant_count,
		.variants = r->run.variants};
	return 0;
}

/* Is a first call measured, or one that finds what the first one compiled? */
static bool is_cold(const ba_session_spec *spec)
{
	for (int m = BA_METRIC_START; m < BA_METRIC_COUNT; m++)
		if (spec->measure[m] &&
			(ba_metric_get((ba_metric)m)->starts & ~BA_OF_CACHED) == BA_OF_CALL)
			return true;
	return false;
}

static int fill_command(
	ba_suite_spec *suite, ba_job_setup *p, size_t index, const ba_result *r, ba_error *err)
{
	const ba_job_parts *own = p->services->parts;
	const ba_suite_config *config = p->configs.items[index];
	if (!p->scratch)
		return ba_fail(err, BA_EUNSUPPORTED,
			"suite '%s' is of kind 'command': its benchmarks are known only once it runs",
			config->name);
	int rc = ba_programs_of(&p->programs[index], config, r->run.variants, r->run.variant_count,
		p->services, NULL, p->scratch, is_cold(&p->spec), err);
	p->commands[index] = (ba_command_line){.argv = config->command.items,
		.limit_ns = config->timeout_ns,
		.metric = config->metric,
		.scratch = p->scratch,
		.envs = p->programs[index].lists,
		.loads_library = own->loads,
		.start_dir = own->python_start,
		.checkout = p->checkout,
		.pythonpath = &config->pythonpath,
		.must_be_known = ba_job_is_strict(p)};
	suite->command = &p->commands[index];
	suite->host_driver = own->host_driver;
	/* programs never share a process */
	suite->engine.kind = BA_ENGINE_SPLIT;
	return rc;
}

static void fill_libraries(ba_job_setup *p, size_t index, const ba_result *r, char *const *failures)
{
	const char *library = p->configs.items[index]->library;
	p->libraries[index] = ba_xcalloc(r->run.variant_count, sizeof(char *));
	for (size_t v = 0; v < r->run.variant_count; v++) {
		const char *dir = r->run.variants[v].tree_dir;
		if (library)
			p->libraries[index][v] = ba_path_join(dir ? dir : "", library);
		p->spec.suites[index].failures[v] = ba_xstrdup(failures ? failures[v] : NULL);
	}
}

/* What the metrics of starts need. */
static int fill_starts(ba_job_setup *p, size_t index, const ba_result *r, ba_error *err)
{
	const ba_suite_config *config = p->configs.items[index];
	ba_engine_spec *engine = &p->spec.suites[index].engine;
	ba_programs *programs = &p->programs[index];
	for (int m = BA_METRIC_START; m < BA_METRIC_COUNT; m++)
		engine->times_starts |=
			p->spec.measure[m] &&
			ba_metric_is_taken((ba_metric)m, config->kind, p->request->untrusted);
	if (!engine->times_starts || !p->scratch)
		return 0;
	/* a start is that of one variant */
	if (engine->kind == BA_ENGINE_DUET)
		engine->kind = BA_ENGINE_SPLIT;
	if (!programs->count)
		programs->envs = ba_xcalloc(r->run.variant_count, sizeof(*programs->envs));
	programs->count = r->run.variant_count;
	BA_TRY(ba_programs_add_caches(programs, config->name, p->scratch, err));
	engine->caches = (const char *const *)programs->caches;
	if (!p->spec.measure[BA_METRIC_SIZE] || !config->size.count)
		return 0;
	BA_TRY(ba_programs_add_sizes(programs, config, p->manifests, r->run.variants,
		p->spec.suites[index].failures, err));
	engine->sizes = programs->sizes;
	return 0;
}

static int fill_suite(
	ba_job_setup *p, size_t index, const ba_result *r, char *const *failures, ba_error *err)
{
	const ba_job_request *q = p->request;
	const ba_suite_config *config = p->configs.items[index];
	ba_suite_spec *suite = &p->spec.suites[index];
	size_t n = r->run.variant_count;
	*suite = (ba_suite_spec){.name = config->name,
		.kind = config->kind,
		.engine_forced = q->engine != 0 || q->untrusted,
		.repeats = q->repeats > 0    ? (unsigned)q->repeats
			   : config->repeats ? (unsigned)config->repeats
					     : BA_OVERHEAD_REPEATS,
		.warm_up = q->warm_up >= 0 ? (unsigned)q->warm_up : (unsigned)config->warm_up,
		.iterations =
			q->iterations > 0 ? (unsigned)q->iterations : (unsigned)config->iterations,
		.failures = ba_xcalloc(n, sizeof(*suite->failures))};
	fill_libraries(p, index, r, failures);
	if (config->kind == BA_SUITE_LAUNCHER && q->layouts > 1) {
		suite->layouts = (unsigned)q->layouts;
		suite->scratch = p->scratch;
	}
	BA_TRY(fill_engine(&suite->engine, p, r, err));
	suite->engine.suite = config->kind;
	if (suite->engine.kind == BA_ENGINE_DUET && ba_measured_has_environments(&r->run))
		suite->engine.kind = BA_ENGINE_SPLIT;
	suite->engine.libraries = (const char *const *)p->libraries[index];
	/* an untrusted run cannot rely on an observer in the candidate's process */
	if (!q->untrusted)
		suite->census = p->services->parts->observer;
	if (config->kind == BA_SUITE_PLUGIN && !q->no_device_code)
		suite->observer = suite->census;
	if (config->kind == BA_SUITE_COMMAND)
		BA_TRY(fill_command(suite, p, index, r, err));
	if (config->kind != BA_SUITE_WORKER)
		return fill_starts(p, index, r, err);
	/* a list needs no GPU, but programs find the machine's driver if there is one */
	bool own_driver = ba_job_target(q, p->config) == BA_ON_HOST && q->purpose != BA_JOB_LIST;
	const char *driver = own_driver ? suite->engine.driver : NULL;
	BA_TRY(ba_programs_of(&p->programs[index], config, r->run.variants, n, p->services, driver,
		p->scratch, false, err));
	suite->engine.programs = p->programs[index].items;
	suite->engine.checkout = p->checkout;
	suite->engine.tasks = config->is_task;
	if (q->untrusted && config->is_task)
		suite->engine.ready = ba_xcalloc(1, sizeof(*suite->engine.ready));
	/* programs never share a process */
	if (suite->engine.kind == BA_ENGINE_DUET)
		suite->engine.kind = BA_ENGINE_SPLIT;
	return fill_starts(p, index, r, err);
}

/* The working tree of the repository; NULL if it is bare. */
static char *checkout_of(const ba_result *r)
{
	const char *repository = r->run.repository ? r->run.repository : "";
	size_t size = strlen(repository);
	while (size > 1 && repository[size - 1] == '/')
		size--;
	BA_AUTO_FREE char *dir = ba_xstrndup(repository, size);
	return ba_text_ends(dir, "/.git") ? ba_path_dir(dir) : NULL;
}

/* --layouts needs a launcher suite, and --blocks that are whole rounds of layouts. */
static int check_layouts(const ba_job_setup *p, ba_error *err)
{
	int n = p->request->layouts, blocks = p->request->blocks;
	if (n < 2)
		return 0;
	if (!BA_ANY(p->spec.suites, p->spec.suite_count, one, one->layouts))
		return ba_fail(err, BA_EINVAL,
			"--layouts: no suite of kind 'launcher' is measured; only its libraries are moved");
	if (blocks && (blocks % (2 * n) || blocks < (int)BA_LAYOUT_BLOCKS * n))
		return ba_fail(err, BA_EINVAL,
			"--blocks %d: with --layouts %d it must be a multiple of %d, at least %d",
			blocks, n, 2 * n, (int)BA_LAYOUT_BLOCKS * n);
	return 0;
}

int ba_job_fill_spec(ba_job_setup *p, const ba_result *r, char *const *failures, ba_error *err)
{
	const ba_job_request *q = p->request;
	size_t count = p->configs.count;
	p->spec = (ba_session_spec){.suites = ba_xcalloc(count, sizeof(ba_suite_spec)),
		.log = p->services->log,
		.seed = q->seed ? q->seed : ba_rng_entropy() >> 11,
		.batch = (unsigned)q->batch,
		.blocks = (unsigned)q->blocks,
		.rotation = (unsigned)q->rotation,
		.alpha = q->alpha,
		.strict = q->strict,
		.multiplicity = (ba_multiplicity)q->multiplicity,
		.budget_ns = q->budget_ns,
		.fail_fast = q->fail_fast,
		.measure_identical = q->measure_identical,
		.controls = q->only_changed ? (unsigned)q->controls : 0,
		.ncu = q->ncu,
		.count_with = ba_count_words[q->count_with],
		.count_most = q->count_most,
		.scratch = p->scratch,
		.manifests = p->manifests,
		.irrelevant = &p->config->build.irrelevant,
		.threshold = threshold_of,
		.threshold_data = (void *)p->config,
		.progress = p->services->progress,
		.progress_data = p->services->data};
	BA_TRY(ba_job_check_part(&p->spec.part, &p->spec.parts, q, err));
	p->libraries = ba_xcalloc(count, sizeof(*p->libraries));
	p->programs = ba_xcalloc(count, sizeof(*p->programs));
	p->checkout = checkout_of(r);
	p->commands = ba_xcalloc(count, sizeof(*p->commands));
	BA_TRY(ba_job_choose_metrics(&p->spec, q, p->config, ba_job_target(q, p->config), err));
	while (p->spec.suite_count < count)
		BA_TRY(fill_suite(p, p->spec.suite_count++, r, failures, err));
	if (q->metrics && p->spec.measure[BA_METRIC_SIZE] && p->scratch &&
		!BA_ANY(p->spec.suites, count, one, one->engine.sizes))
		return ba_fail(err, BA_EINVAL,
			"--metrics size: no suite names files; add to one of kind 'worker' or 'plugin' \"size\": [\"build/*.so\"]");
	p->spec.design = design_of(q, decides_by_counts(&p->spec));
	return check_layouts(p, err);
}

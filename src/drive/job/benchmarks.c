/* Determines the benchmarks, from suites, options and the survey. */

#include "job/document.h"
#include "job/setup.h"
#include "job/unused_thresholds.h"
#include "suite/overhead.h"
#include "suite/runs.h"

/* "0,1,8" into numbers; caller frees *out */
static int parse_numbers(uint64_t **out, size_t *count, const char *text, uint64_t min,
	uint64_t max, const char *what, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv words = {0};
	ba_strv_split(&words, text, ',');
	BA_AUTO_FREE uint64_t *numbers = ba_xcalloc(words.count, sizeof(*numbers));
	for (size_t i = 0; i < words.count; i++)
		BA_TRY(ba_parse_u64(&numbers[i], words.items[i], min, max, what, err));
	*count = words.count;
	*out = BA_TAKE(numbers);
	return 0;
}

static int overhead_of(ba_overhead *out, uint64_t *owned[3], const ba_job_request *q,
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
	if (q->args || q->bytes)
		out->arg_count = out->byte_count = 0;
	const struct {
		const char *text, *option;
		uint64_t min, max;
		const uint64_t **numbers;
		size_t *count;
	} lists[3] = {
		{q->args, "--args", 0, BA_OVERHEAD_ARGS_MOST, &out->args, &out->arg_count},
		{q->bytes, "--bytes", 1, BA_OVERHEAD_BYTES_MOST, &out->bytes, &out->byte_count},
		{q->loops, "--loops", 1, BA_OVERHEAD_LOOPS_MOST, &out->loops, &out->loop_count},
	};
	for (int i = 0; i < 3; i++) {
		if (!lists[i].text)
			continue;
		BA_TRY(parse_numbers(&owned[i], lists[i].count, lists[i].text, lists[i].min,
			lists[i].max, lists[i].option, err));
		*lists[i].numbers = owned[i];
	}
	return 0;
}

int ba_job_check_launches(const ba_job_request *q, ba_error *err)
{
	const ba_suite_config no_suite = {0};
	ba_overhead overhead;
	uint64_t *owned[3] = {0};
	int rc = overhead_of(&overhead, owned, q, &no_suite, NULL, err);
	for (int i = 0; i < 3; i++)
		free(owned[i]);
	return rc;
}

static void note_paths_left_out(ba_result *r, const ba_strv *available, const ba_strv *paths)
{
	size_t left =
		BA_HOW_MANY(available->items, available->count, one, !ba_strv_has(paths, *one));
	if (left)
		ba_strv_printf(&r->run.notes, "%zu other %s of %s not measured (--path all)", left,
			ba_plural(left, "launch path", "launch paths"), r->run.variants[0].label);
}

/* Makes room for `more` benchmarks, and for who has those that there are. */
static void make_room(ba_job_setup *p, ba_result *r, size_t more)
{
	size_t n = p->variant_count, all = r->run.benchmark_count + more;
	r->run.benchmarks =
		ba_xreallocarray(r->run.benchmarks, all + 1, sizeof(*r->run.benchmarks));
	p->has = ba_xreallocarray(p->has, all * n + 1, sizeof(*p->has));
	memset(p->has + r->run.benchmark_count * n, 0, more * n * sizeof(*p->has));
}

static int choose_launches(
	ba_job_setup *p, size_t index, ba_result *r, const ba_job_request *q, ba_error *err)
{
	const ba_suite_config *suite = p->configs.items[index];
	const ba_survey *survey = &p->spec.suites[index].survey;
	size_t first = r->run.benchmark_count;
	BA_AUTO(ba_strv) ba_strv globs = {0}, paths = {0};
	uint64_t *owned[3] = {0};
	ba_overhead overhead;
	ba_strv_copy(&globs, q->paths.count ? &q->paths : &suite->paths);
	if (q->paths.count == 0 && suite->all_paths)
		ba_strv_push(&globs, "all");
	BA_AUTO_FREE ba_strv *available = ba_xcalloc(p->variant_count, sizeof(*available));
	for (size_t v = 0; v < p->variant_count; v++)
		available[v] = survey->variants[v].paths;
	int rc = overhead_of(&overhead, owned, q, suite, &globs, err);
	rc = rc ? rc
		: ba_overhead_select_paths(&paths, &overhead, available, p->variant_count, err);
	rc = rc ? rc
		: ba_overhead_expand(&r->run.benchmarks, &r->run.benchmark_count, &overhead, &paths,
			  &q->filters, err);
	for (int i = 0; i < 3; i++)
		free(owned[i]);
	if (rc == 0 && globs.count == 0)
		note_paths_left_out(r, &available[0], &paths);
	make_room(p, r, 0);
	for (size_t i = first; i < r->run.benchmark_count; i++)
		for (size_t v = 0; v < p->variant_count; v++)
			p->has[i * p->variant_count + v] =
				ba_strv_has(&available[v], r->run.benchmarks[i].path);
	return rc;
}

/* The axes of the configuration; those of the command line replace them. */
static int axes_of(
	ba_axis_choices *out, const ba_suite_config *suite, const ba_job_request *q, ba_error *err)
{
	for (size_t i = 0; i < suite->axes.count; i++)
		BA_TRY(ba_axis_choices_add(out, suite->axes.items[i], err));
	for (size_t i = 0; i < q->axes.count; i++)
		BA_TRY(ba_axis_choices_add(out, q->axes.items[i], err));
	return 0;
}

/* Adds the benchmarks that one variant declares, or marks them as present in it. `ids`
 * has those of the suite so far; the first has index `first`. */
static int choose_runs_of(ba_job_setup *p, size_t index, size_t variant, size_t first,
	ba_names *ids, ba_result *r, const ba_axis_choices *axes, const ba_job_request *q,
	ba_error *err)
{
	const ba_suite_spec *suite = &p->spec.suites[index];
	const ba_variant_facts *f = &suite->survey.variants[variant];
	const ba_declarations said = {f->declared, f->declared_count};
	ba_benchmark *mine = NULL;
	size_t count = 0;
	int rc = ba_runs_expand(
		&mine, &count, suite->name, suite->kind, &said, axes, &q->filters, err);
	make_room(p, r, count);
	for (size_t i = 0; i < count; i++) {
		size_t at = ba_names_find(ids, mine[i].id);
		if (at == BA_NAMES_NONE) {
			at = ba_names_add(ids, mine[i].id);
			r->run.benchmarks[r->run.benchmark_count++] = mine[i];
			mine[i] = (ba_benchmark){0};
		}
		p->has[(first + at) * p->variant_count + variant] = true;
	}
	BA_FREE_ARRAY(ba_benchmark_dispose, mine, count);
	return rc;
}

/* The benchmarks of the baseline, then those that only other variants have. */
static int choose_runs(
	ba_job_setup *p, size_t index, ba_result *r, const ba_job_request *q, ba_error *err)
{
	const ba_survey *survey = &p->spec.suites[index].survey;
	size_t first = r->run.benchmark_count, n = p->variant_count;
	BA_AUTO(ba_axis_choices) ba_axis_choices axes = {0};
	BA_AUTO(ba_names) ba_names ids = {0};
	BA_AUTO_FREE ba_declarations *said = ba_xcalloc(n, sizeof(*said));
	for (size_t v = 0; v < n; v++)
		said[v] = (ba_declarations){
			survey->variants[v].declared, survey->variants[v].declared_count};
	BA_TRY(axes_of(&axes, p->configs.items[index], q, err));
	BA_TRY(ba_axis_choices_check(&axes, said, n, err));
	for (size_t v = 0; v < n; v++)
		BA_TRY(choose_runs_of(p, index, v, first, &ids, r, &axes, q, err));
	return 0;
}

#define BOTH_CLOCKS (UINT32_C(1) << BA_METRIC_TIME | UINT32_C(1) << BA_METRIC_CPU_TIME)

static bool has_both_clocks(const ba_suite_config *suite, const ba_outcome *o)
{
	return !suite->metric && ba_outcome_is_on_processor(o);
}

static void add_outcome(ba_result *r, const ba_suite_config *suite, const ba_outcome *o, char *id)
{
	int metric = ba_metric_from_name(o->metric);
	if (metric < 0 || !ba_metric_get((ba_metric)metric)->foreign)
		metric = o->is_time ? BA_METRIC_TIME : BA_METRIC_VALUE;
	r->run.benchmarks[r->run.benchmark_count++] =
		(ba_benchmark){.suite = ba_xstrdup(suite->name),
			.kind = BA_SUITE_COMMAND,
			.id = id,
			.name = ba_xstrdup(id + strlen(suite->name) + 1),
			.metrics = has_both_clocks(suite, o) ? BOTH_CLOCKS : UINT32_C(1) << metric};
}

/* Adds the benchmarks in the output of the first run of one variant's program. */
static int choose_outcomes_of(ba_job_setup *p, size_t index, size_t variant, size_t first,
	ba_names *ids, ba_result *r, const ba_job_request *q, ba_error *err)
{
	const ba_suite_config *suite = p->configs.items[index];
	const ba_outcomes *found = &p->spec.suites[index].found[variant];
	make_room(p, r, found->count);
	for (size_t i = 0; i < found->count; i++) {
		BA_AUTO_FREE char *id = ba_xprintf("%s/%s", suite->name, found->items[i].id);
		if (ba_job_is_stopped(p->services))
			return ba_fail(err, BA_EINTERRUPTED, "interrupted");
		size_t at = ba_names_find(ids, id);
		if (at == BA_NAMES_NONE) {
			if (!ba_runs_choose(&q->filters, id))
				continue;
			at = ba_names_add(ids, id);
			add_outcome(r, suite, &found->items[i], BA_TAKE(id));
		} else if (r->run.benchmarks[first + at].metrics == BOTH_CLOCKS &&
			   !has_both_clocks(suite, &found->items[i])) {
			r->run.benchmarks[first + at].metrics = UINT32_C(1) << BA_METRIC_TIME;
		}
		p->has[(first + at) * p->variant_count + variant] = true;
	}
	return 0;
}

static int choose_outcomes(
	ba_job_setup *p, size_t index, ba_result *r, const ba_job_request *q, ba_error *err)
{
	BA_AUTO(ba_names) ba_names ids = {0};
	size_t first = r->run.benchmark_count;
	for (size_t v = 0; v < p->variant_count; v++)
		BA_TRY(choose_outcomes_of(p, index, v, first, &ids, r, q, err));
	return 0;
}

/* A filter's beginning must match all that is known of the id. */
bool ba_job_may_choose(const ba_strv *filters, const char *suite)
{
	BA_AUTO_FREE char *known = ba_xprintf("%s/", suite);
	for (size_t i = 0; i < filters->count; i++) {
		BA_AUTO_FREE char *before = ba_xstrdup(filters->items[i]);
		if (ba_text_glob(before, suite))
			return true;
		for (size_t n = strlen(before); n > 0; before[--n] = '\0')
			if (ba_text_glob(before, known))
				return true;
	}
	return filters->count == 0;
}

/* The benchmarks of an unusable suite are unknown: one row with its name fails everywhere. */
static int stand_in(
	ba_job_setup *p, size_t index, ba_result *r, const ba_job_request *q, ba_error *err)
{
	const ba_suite_spec *suite = &p->spec.suites[index];
	if (!ba_job_may_choose(&q->filters, suite->name))
		return 0;
	make_room(p, r, 1);
	memset(p->has + r->run.benchmark_count * p->variant_count, true, p->variant_count);
	r->run.benchmarks[r->run.benchmark_count++] = (ba_benchmark){
		.suite = ba_xstrdup(suite->name),
		.kind = suite->kind,
		.id = ba_xstrdup(suite->name),
		.name = ba_xstrdup(suite->name),
		.metrics = suite->kind == BA_SUITE_COMMAND ? UINT32_C(1) << BA_METRIC_TIME : 0};
	return 0;
}

/* Is anything measured that needs a call, in a suite of this kind? */
static bool needs_calls(const ba_session_spec *spec, ba_suite_kind kind)
{
	const ba_benchmark process = {.kind = kind, .process = true};
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		if (spec->measure[m] && ba_metric_is_of((ba_metric)m, kind) &&
			!ba_benchmark_has_metric(&process, (ba_metric)m))
			return true;
	return false;
}

/* The suite's process, if something of its start is measured that needs no call. */
static void add_process(ba_job_setup *p, size_t index, ba_result *r, const ba_job_request *q)
{
	const ba_suite_spec *suite = &p->spec.suites[index];
	const ba_benchmark process = {.kind = suite->kind, .process = true};
	BA_AUTO_FREE char *id = ba_xprintf("%s/process", suite->name);
	bool any = false;
	for (int m = BA_METRIC_START; m < BA_METRIC_COUNT; m++)
		any |= p->spec.measure[m] && ba_benchmark_has_metric(&process, (ba_metric)m) &&
		       (m != BA_METRIC_SIZE || suite->engine.sizes);
	if (!any || !suite->engine.times_starts || !ba_runs_choose(&q->filters, id) ||
		BA_ANY(r->run.benchmarks, r->run.benchmark_count, b, strcmp(b->id, id) == 0))
		return;
	make_room(p, r, 1);
	memset(p->has + r->run.benchmark_count * p->variant_count, true, p->variant_count);
	r->run.benchmarks[r->run.benchmark_count++] =
		(ba_benchmark){.suite = ba_xstrdup(suite->name),
			.kind = suite->kind,
			.id = BA_TAKE(id),
			.name = ba_xstrdup("process"),
			.process = true};
}

/* An option without effect was probably misunderstood, so it is an error. */
static int check_axes(const ba_job_setup *p, const ba_job_request *q, ba_error *err)
{
	if (!q->axes.count || BA_ANY(p->spec.suites, p->spec.suite_count, one,
				      one->kind == BA_SUITE_PLUGIN || one->kind == BA_SUITE_WORKER))
		return 0;
	return ba_fail(err, BA_EINVAL,
		"--axis is for suites of the kinds 'plugin' and 'worker', and there is none; launches have --args, --bytes and --path");
}

int ba_job_choose_benchmarks(ba_job_setup *p, ba_result *r, ba_error *err)
{
	const ba_job_request *q = p->request;
	static int (*const kinds[BA_SUITE_KIND_COUNT])(
		ba_job_setup *, size_t, ba_result *, const ba_job_request *, ba_error *) = {
		[BA_SUITE_LAUNCHER] = choose_launches,
		[BA_SUITE_PLUGIN] = choose_runs,
		[BA_SUITE_WORKER] = choose_runs,
		[BA_SUITE_COMMAND] = choose_outcomes,
	};
	int rc = check_axes(p, q, err);
	for (size_t i = 0; rc == 0 && i < p->spec.suite_count; i++) {
		const ba_suite_spec *suite = &p->spec.suites[i];
		if (suite->unusable)
			rc = stand_in(p, i, r, q, err);
		else if (!suite->engine.times_starts || needs_calls(&p->spec, suite->kind))
			rc = kinds[suite->kind](p, i, r, q, err);
		if (rc == 0 && !suite->unusable)
			add_process(p, i, r, q);
	}
	ba_plan_sha256(r->run.suite_sha256, r->run.benchmarks, r->run.benchmark_count,
		ba_job_sample_rules(r));
	if (rc == 0 && r->run.benchmark_count == 0 && q->filters.count)
		return ba_fail(err, BA_EINVAL, "no benchmark matches --filter '%s'; the names: %s",
			q->filters.items[0], q->suggest.list);
	return rc ? rc
		  : ba_unused_thresholds_check(r,
			    &(ba_unused_thresholds){.config = p->config,
				    .partial = q->filters.count || q->paths.count || q->suite ||
					       q->args || q->bytes || q->axes.count,
				    .list = q->suggest.list,
				    .has = p->has,
				    .rules = p->rules,
				    .gate = p->expected &&
					    (q->gate != BA_GATE_OFF || p->config->gate_strict),
				    /* every suite has listed its benchmarks */
				    .complete = BA_ALL(p->spec.suites, p->spec.suite_count, suite,
					    !suite->unusable && !suite->failures[0] &&
						    !suite->failures[p->rules])},
			    err);
}

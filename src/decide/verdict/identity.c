#include "verdict/identity.h"

#include "stats/schedule.h"

/* ---- the same? ---- */

static bool same_text(const char *a, const char *b)
{
	return a && b && *a && strcmp(a, b) == 0;
}

bool ba_identity_same_libraries(const ba_variant *a, const ba_variant *b)
{
	if (a->artefact_count == 0 || a->artefact_count != b->artefact_count)
		return false;
	for (size_t i = 0; i < a->artefact_count; i++)
		if (strcmp(a->artefacts[i].path, b->artefacts[i].path) != 0 ||
			!same_text(a->artefacts[i].sha256, b->artefacts[i].sha256))
			return false;
	return true;
}

static bool is_program(ba_suite_kind kind)
{
	return kind == BA_SUITE_WORKER || kind == BA_SUITE_COMMAND;
}

bool ba_identity_is_elsewhere(const ba_result *r, const ba_benchmark *b, size_t candidate)
{
	const ba_variant *a = &r->run.variants[0];
	return b->kind == BA_SUITE_WORKER && a->artefact_count &&
	       !ba_identity_same_libraries(a, &r->run.variants[candidate]);
}

static bool has_digests(const ba_result *r)
{
	return r->document.schema_revision >= BA_IDENTITY_REVISION;
}

static bool is_same_of(const ba_strv *digests, const ba_result *r, size_t candidate)
{
	return digests->count == r->run.variant_count &&
	       same_text(digests->items[0], digests->items[candidate]);
}

/* The starts and the size of a process depend on files that its code does not name. */
static bool is_process(const ba_benchmark *b)
{
	return b->name && strcmp(b->name, "process") == 0;
}

/* Do processes of its suite execute the same, or what the benchmark launches of it? */
static bool has_same_code(const ba_result *r, size_t candidate, const ba_benchmark *b)
{
	const ba_measured_suite *s = r->run.controls ? ba_measured_suite_of(&r->run, b) : NULL;
	return s && s->executes.count && !is_process(b) &&
	       (is_same_of(&s->executes, r, candidate) || is_same_of(&b->executes, r, candidate));
}

static bool resolved_differs(const ba_variant *a, const ba_variant *b)
{
	return strcmp(a->environment.resolved_sha256, b->environment.resolved_sha256) != 0;
}

static bool has_same_variables(const ba_variant_environment *a, const ba_variant_environment *b)
{
	const ba_strv *lists[] = {&a->parts, &b->parts};
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < lists[k]->count; i++)
			if (ba_text_starts(lists[k]->items[i], "var:") &&
				!ba_strv_has(lists[!k], lists[k]->items[i]))
				return false;
	return true;
}

/* Equal variables; and for programs equal packages, or equal files of them that are loaded. */
static bool has_same_environment(const ba_result *r, size_t candidate, const ba_benchmark *b)
{
	const ba_variant_environment *base = &r->run.variants[0].environment;
	const ba_variant_environment *mine = &r->run.variants[candidate].environment;
	const ba_measured_suite *s = ba_measured_suite_of(&r->run, b);
	if (!has_same_variables(base, mine))
		return false;
	return !is_program(b->kind) ||
	       !resolved_differs(&r->run.variants[0], &r->run.variants[candidate]) ||
	       same_text(base->installed_sha256, mine->installed_sha256) ||
	       (s && is_same_of(&s->loads, r, candidate));
}

ba_sameness ba_identity_of(const ba_result *r, size_t candidate, const ba_benchmark *b)
{
	ba_suite_kind kind = b->kind;
	const ba_variant *base = &r->run.variants[0], *mine = &r->run.variants[candidate];
	if (!has_same_environment(r, candidate, b))
		return BA_SAME_NOT;
	/* the packages of environments that differ can be loaded later */
	if (resolved_differs(base, mine) && same_text(base->tree_dir, mine->tree_dir))
		return BA_SAME_BUILD;
	if (!has_digests(r) && !is_program(kind))
		return ba_identity_same_libraries(base, mine) ? BA_SAME_TREE : BA_SAME_NOT;
	if (same_text(base->build_key, mine->build_key) ||
		same_text(base->tree_dir, mine->tree_dir))
		return BA_SAME_TREE;
	/* A program may load any file of its tree at any time, so the files that it
	 * loaded or opened so far prove nothing about the rest. */
	bool whole = is_program(kind) || is_process(b);
	bool same = whole ? same_text(base->tree_sha256, mine->tree_sha256)
			  : same_text(base->used_sha256, mine->used_sha256) &&
				    ba_identity_same_libraries(base, mine);
	return same ? BA_SAME_BUILD : has_same_code(r, candidate, b) ? BA_SAME_CODE : BA_SAME_NOT;
}

/* Does the GPU do the same work for both? */
static bool is_same_work(
	const ba_result *r, const ba_benchmark *b, ba_metric metric, size_t candidate)
{
	return ba_metric_get(metric)->on_gpu && ba_benchmark_is_same_work(b, candidate) &&
	       has_same_environment(r, candidate, b);
}

/* ---- answered beforehand ---- */

void ba_identity_replace(ba_comparison *c, ba_verdict verdict, char *reason)
{
	c->verdict = verdict;
	ba_text_own(&c->reason, reason);
}

static char *reason_of(const ba_result *r, size_t candidate, const ba_benchmark *benchmark)
{
	const ba_variant *a = &r->run.variants[0], *b = &r->run.variants[candidate];
	ba_sameness same = ba_identity_of(r, candidate, benchmark);
	const char *what =
		"built byte-identical libraries, and nothing opened the files in which their trees differ";
	if (!has_digests(r) && !is_program(benchmark->kind))
		what = "built byte-identical libraries";
	else if (same == BA_SAME_CODE)
		what = is_same_of(&ba_measured_suite_of(&r->run, benchmark)->executes, r, candidate)
			       ? "built the same host code and kernels"
			       : "built the same host code and the same kernels for it";
	else if (same == BA_SAME_TREE)
		what = "are built from the same files";
	else if (same_text(a->tree_sha256, b->tree_sha256))
		what = "built byte-identical trees";
	return ba_xprintf("%s and %s %s%s", a->label, b->label, what,
		resolved_differs(a, b) ? ", and loaded the same files of their environments" : "");
}

static void settle(const ba_result *r, ba_series *series, size_t candidate)
{
	ba_comparison *c = &series->comparisons[candidate - 1];
	bool base = series->variants[0].present;
	bool mine = series->variants[candidate].present;
	const char *baseline = r->run.variants[0].label;
	const char *label = r->run.variants[candidate].label;
	const ba_benchmark *b = &r->run.benchmarks[series->benchmark];
	/* if code cannot be loaded, nothing shows whether it is the same */
	bool fails = series->variants[0].failure || series->variants[candidate].failure;
	BA_AUTO_FREE char *what = b->name ? ba_xprintf("benchmark '%s'", b->id)
					  : ba_xprintf("launch path '%s'", b->path ? b->path : "");
	if (base && !mine)
		ba_identity_replace(c, BA_VERDICT_REMOVED, ba_xprintf("%s has no %s", label, what));
	else if (!base && mine)
		ba_identity_replace(
			c, BA_VERDICT_ADDED, ba_xprintf("%s has no %s", baseline, what));
	else if (!base && !mine)
		ba_identity_replace(c, BA_VERDICT_SKIPPED,
			ba_xprintf("neither %s nor %s has the %s", baseline, label, what));
	else if (r->run.measure_identical)
		return;
	else if (!fails && ba_identity_of(r, candidate, b) != BA_SAME_NOT)
		ba_identity_replace(c, BA_VERDICT_IDENTICAL, reason_of(r, candidate, b));
	/* code that was examined could be loaded: a failure, if any, came later */
	else if (is_same_work(r, b, series->metric, candidate))
		ba_identity_replace(c, BA_VERDICT_IDENTICAL,
			ba_xprintf(
				"%s and %s have the GPU run the same machine code with the same launches and data",
				baseline, label));
}

/* Draws one in run.controls of the benchmarks with equal code, and at least one. */
static void draw_controls(ba_result *r)
{
	size_t *same = ba_xcalloc(r->run.benchmark_count + 1, sizeof(*same)), count = 0;
	size_t *order = ba_xcalloc(r->run.benchmark_count + 1, sizeof(*order));
	for (size_t i = 0; i < r->run.benchmark_count; i++) {
		bool any = r->run.benchmarks[i].control = false;
		for (size_t c = 1; c < r->run.variant_count; c++)
			any = any || has_same_code(r, c, &r->run.benchmarks[i]);
		same[count] = i;
		count += any;
	}
	/* invocations have lower numbers */
	ba_schedule_shuffle(order, count, r->run.seed, UINT64_MAX);
	for (size_t i = 0; r->run.controls && i * r->run.controls < count; i++)
		r->run.benchmarks[same[order[i]]].control = true;
	BA_FREE(same, order);
}

void ba_identity_settle(ba_result *r)
{
	draw_controls(r);
	for (size_t i = 0; i < r->series_count; i++)
		for (size_t c = 1; c < r->run.variant_count; c++)
			settle(r, &r->series[i], c);
}

static bool is_held(const ba_result *r, const ba_series *series, size_t candidate)
{
	const ba_benchmark *b = &r->run.benchmarks[series->benchmark];
	return ba_identity_of(r, candidate, b) != BA_SAME_NOT ||
	       is_same_work(r, b, series->metric, candidate);
}

size_t ba_identity_withdraw(ba_result *r)
{
	size_t count = 0;
	for (size_t i = 0; i < r->series_count; i++)
		for (size_t c = 1; c < r->run.variant_count; c++) {
			ba_comparison *k = &r->series[i].comparisons[c - 1];
			if (k->verdict != BA_VERDICT_IDENTICAL || is_held(r, &r->series[i], c))
				continue;
			ba_identity_replace(k, BA_VERDICT_UNDECIDED, NULL);
			count++;
		}
	return count;
}

const ba_benchmark *ba_identity_doubted(const ba_result *r)
{
	for (size_t i = 0; i < r->series_count; i++)
		for (size_t c = 1; c < r->run.variant_count; c++) {
			const ba_series *s = &r->series[i];
			const ba_benchmark *b = &r->run.benchmarks[s->benchmark];
			if (s->role == BA_ROLE_VERDICT && b->control && has_same_code(r, c, b) &&
				s->comparisons[c - 1].verdict == BA_VERDICT_UNDECIDED)
				return b;
		}
	return NULL;
}

void ba_identity_distrust(ba_result *r)
{
	for (size_t i = 0; i < r->run.suite_count; i++)
		ba_strv_dispose(&r->run.suites[i].executes);
	ba_identity_withdraw(r);
}

/* ---- the control ---- */

bool ba_identity_is_run(const ba_result *r, const ba_series *series, size_t candidate)
{
	const ba_benchmark *b = &r->run.benchmarks[series->benchmark];
	return ba_identity_of(r, candidate, b) != BA_SAME_TREE &&
	       (b->control || !has_same_code(r, candidate, b));
}

bool ba_identity_has_control(const ba_result *r, const ba_series *series, size_t candidate)
{
	return has_digests(r) && series->role == BA_ROLE_VERDICT &&
	       series->comparisons[candidate - 1].verdict == BA_VERDICT_IDENTICAL &&
	       ba_identity_is_run(r, series, candidate);
}

size_t ba_identity_look(ba_comparison *k, ba_decision *d)
{
	bool was_open = d->verdict == BA_VERDICT_UNDECIDED;
	if (k->verdict != BA_VERDICT_IDENTICAL || d->invocations == 0)
		return 0;
	/* a tail that only the mean shows contradicts, too */
	bool agrees = d->ybar < d->d_reg && d->ybar > -d->d_imp && !ba_decision_mean_is_slower(d) &&
		      !ba_decision_mean_is_faster(d);
	switch (d->verdict) {
	case BA_VERDICT_REGRESSED:
	case BA_VERDICT_TAIL_REGRESSED:
	case BA_VERDICT_IMPROVED:
	case BA_VERDICT_TAIL_IMPROVED:
		ba_identity_replace(k, BA_VERDICT_UNDECIDED, NULL);
		return 0;
	case BA_VERDICT_UNCHANGED:
		d->verdict = BA_VERDICT_IDENTICAL;
		return 0;
	case BA_VERDICT_UNDECIDED:
		if (agrees)
			d->verdict = BA_VERDICT_IDENTICAL;
		return was_open && agrees;
	default:
		return 0;
	}
}

bool ba_identity_is_contradicted(const ba_result *r, const ba_series *series, size_t candidate)
{
	return has_digests(r) && !r->run.measure_identical && is_held(r, series, candidate);
}

static const char *doubt_of(const ba_comparison *k, bool looked)
{
	if (!looked)
		return ", no control has confirmed that";
	return k->verdict == BA_VERDICT_INCONCLUSIVE
		       ? ", the control was beyond the threshold: something else may differ"
		       : "; but the control contradicts that: something other than these files differs";
}

void ba_identity_contradict(ba_comparison *k, const ba_result *r, const ba_series *series,
	size_t candidate, bool looked)
{
	const ba_benchmark *b = &r->run.benchmarks[series->benchmark];
	BA_AUTO_FREE char *build = reason_of(r, candidate, b);
	bool work = ba_identity_of(r, candidate, b) == BA_SAME_NOT;
	BA_AUTO_FREE char *control =
		ba_xprintf("%s%s%s", k->verdict == BA_VERDICT_INCONCLUSIVE ? "although " : "",
			work ? "the GPU runs the same machine code, launches and data" : build,
			doubt_of(k, looked));
	ba_identity_replace(k, k->verdict,
		k->reason ? ba_xprintf("%s; %s", k->reason, control) : ba_xstrdup(control));
}

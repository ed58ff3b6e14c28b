#include "bisect/internal.h"

double ba_bisect_sign(const ba_bisect *b)
{
	return b->request.faster ? -1 : 1;
}

const char *ba_bisect_word(const ba_bisect *b)
{
	return b->request.faster ? "faster" : "slower";
}

/* ---- the first run ---- */

/* How large the change is relative to its noise. */
static double signal_of(const ba_bisect *b, const ba_series *s)
{
	const ba_comparison *c = &s->comparisons[0];
	return ba_bisect_sign(b) * log(c->ratio) / fmax(c->s, fmax(s->s_floor, BA_S_FLOOR));
}

static const ba_series *clearest(const ba_bisect *b, const ba_result *r, size_t *count)
{
	bool (*is_it)(ba_verdict) = b->request.faster ? ba_verdict_is_faster : ba_verdict_is_slower;
	const ba_series *best = NULL;
	for (size_t i = 0; r->run.variant_count == 2 && i < r->series_count; i++) {
		const ba_series *s = &r->series[i];
		if (s->role != BA_ROLE_VERDICT || !is_it(s->comparisons[0].verdict) ||
			!(signal_of(b, s) > 0))
			continue;
		++*count;
		if (!best || signal_of(b, s) > signal_of(b, best))
			best = s;
	}
	return best;
}

static size_t count_inconclusive(const ba_result *r)
{
	return BA_HOW_MANY(r->series, r->run.variant_count == 2 ? r->series_count : 0, s,
		s->role == BA_ROLE_VERDICT && s->comparisons[0].verdict == BA_VERDICT_INCONCLUSIVE);
}

/* Nothing to search for: BAD is not slower (or faster) than GOOD, or that is inconclusive. */
static int not_bad(const ba_bisect *b, const ba_result *r, bool measured, ba_error *err)
{
	size_t last = b->commit_count - 1, open = count_inconclusive(r);
	const char *bad = b->commits[last].name, *good = b->commits[0].name;
	const char *words = b->last_words ? b->last_words : "";
	size_t length = strnlen(words, 800);
	while (length && words[length - 1] == '\n')
		length--;
	BA_AUTO_FREE char *why = ba_bisect_command(b, 0, last);
	if (!measured)
		return ba_fail(err, BA_EWORKER,
			"%s could not be compared with %s:\n%.*s%sTo see it again:\n    %s", bad,
			good, (int)length, words, length ? "\n" : "", why);
	if (open)
		return ba_fail(err, BA_EUNSUPPORTED,
			"no benchmark of %s is certainly %s than in %s, and %zu %s inconclusive. To compare the two:\n    %s",
			bad, ba_bisect_word(b), good, open, ba_plural(open, "is", "are"), why);
	return ba_fail(err, BA_EUNSUPPORTED,
		"no benchmark of %s is %s than in %s by more than its threshold, so there is no commit to find. To compare the two:\n    %s",
		bad, ba_bisect_word(b), good, why);
}

static char *system_of(const ba_result *r)
{
	const ba_environment *e = &r->run.env;
	return ba_xprintf("%s, %s, %s, driver %s", e->target ? e->target : "",
		e->cpu_model ? e->cpu_model : "", e->device_name ? e->device_name : "",
		e->driver_version ? e->driver_version : "");
}

/* the series of the benchmark that is followed; NULL: it has none */
static const ba_series *series_of(const ba_bisect *b, const ba_result *r, ba_metric metric)
{
	return BA_FIND(r->series, r->series_count, one,
		one->metric == metric &&
			strcmp(r->run.benchmarks[one->benchmark].id, b->benchmark) == 0);
}

/* The digest of the code that a benchmark runs. Programs may load any file at any time. */
static void code_of(char out[65], const ba_variant *v, ba_suite_kind kind)
{
	ba_sha256 sum;
	out[0] = '\0';
	if (kind != BA_SUITE_LAUNCHER && kind != BA_SUITE_PLUGIN) {
		memcpy(out, v->tree_sha256, sizeof(v->tree_sha256));
		return;
	}
	if (!*v->used_sha256 || v->artefact_count == 0)
		return;
	ba_sha256_init(&sum);
	ba_sha256_add_string(&sum, v->used_sha256);
	for (size_t i = 0; i < v->artefact_count; i++) {
		ba_sha256_add_string(&sum, v->artefacts[i].path);
		ba_sha256_add_string(&sum, v->artefacts[i].sha256);
	}
	ba_sha256_hex(&sum, out);
}

static void remember_build(ba_bisect_commit *c, const ba_variant *v, ba_suite_kind kind)
{
	/* all versions have one tree */
	if (v->environment.dir) {
		memcpy(c->build, v->environment.resolved_sha256, 65);
		memcpy(c->code, v->environment.installed_sha256, 65);
		return;
	}
	if (v->build_key && strlen(v->build_key) < sizeof(c->build))
		memcpy(c->build, v->build_key, strlen(v->build_key) + 1);
	code_of(c->code, v, kind);
}

/* If instructions show the step, too, they are cheaper to search; not so for GPU time. */
static void plan_phases(ba_bisect *b, const ba_result *r, const ba_series *s)
{
	const ba_series *counts = series_of(b, r, BA_METRIC_INSTRUCTIONS);
	const ba_comparison *c = &s->comparisons[0];
	ba_bisect_phase *time = &b->phases[BA_BISECT_TIMES];
	ba_bisect_phase *count = &b->phases[BA_BISECT_COUNTS];
	b->counted =
		!ba_metric_get(b->metric)->on_gpu && counts && counts->comparisons[0].y_count > 0;
	time->wanted = true;
	time->delta = ba_bisect_sign(b) * log(c->ratio);
	/* a ratio has the noise of two values */
	time->s = fmax(c->s, b->s_floor) / sqrt(2);
	if (!b->counted || counts == s || !counts->comparisons[0].exact)
		return;
	count->delta = ba_bisect_sign(b) * log(counts->comparisons[0].ratio);
	count->s = BA_S_FLOOR;
	count->wanted = count->delta > log1p(0.01);
}

int ba_bisect_follow(ba_bisect *b, const ba_result *r, int status, ba_error *err)
{
	size_t count = 0;
	const ba_series *s = clearest(b, r, &count);
	if (!s)
		return not_bad(
			b, r, status == 0 || (status == 1 && r->run.variant_count == 2), err);
	b->benchmark = ba_xstrdup(r->run.benchmarks[s->benchmark].id);
	b->metric = s->metric;
	b->kind = r->run.benchmarks[s->benchmark].kind;
	b->threshold = b->request.faster ? s->comparisons[0].threshold_faster
					 : s->comparisons[0].threshold_slower;
	b->s_floor = fmax(s->s_floor, BA_S_FLOOR);
	b->others = count - 1;
	b->system = system_of(r);
	b->invocations += r->series_count ? s->comparisons[0].invocations : 0;
	b->unit_seconds = r->run.measure_seconds / (2.0 * fmax(1, (double)b->invocations));
	for (size_t v = 0; v < 2; v++)
		remember_build(
			&b->commits[v ? b->commit_count - 1 : 0], &r->run.variants[v], b->kind);
	plan_phases(b, r, s);
	return ba_bisect_configure(b, r->run.config_path, err);
}

/* ---- a step ---- */

static const char *said_by(const ba_summary *s)
{
	return s->failure ? s->failure : s->skipped;
}

/* If a file of benchmarks cannot be imported, it is reported as one benchmark named
 * after the file, with the cause: "s/graphs" instead of "s/graphs.Shortest.time_path". */
static const char *cause_of(const ba_bisect *b, const ba_result *r, size_t variant)
{
	BA_EACH (const ba_series, s, r->series, r->series_count) {
		const char *id = r->run.benchmarks[s->benchmark].id;
		size_t length = strlen(id);
		if (strncmp(id, b->benchmark, length) == 0 && b->benchmark[length] &&
			strchr(BA_BISECT_PARTS, b->benchmark[length]) &&
			said_by(&s->variants[variant]))
			return said_by(&s->variants[variant]);
	}
	return NULL;
}

static void remember_failure(ba_bisect_commit *c, const char *label, const ba_summary *s,
	const char *cause, const char *reason)
{
	const char *text = s && said_by(s) ? said_by(s)
			   : cause	   ? cause
			   : reason	   ? reason
					   : "the benchmark has no values";
	/* without the commit's name, so that equal causes have equal texts */
	BA_AUTO_FREE char *variant = ba_xprintf("variant '%s': ", label);
	if (ba_text_starts(text, variant))
		text += strlen(variant);
	bool named = ba_text_starts(text, label) && text[strlen(label)] == ' ';
	text += named ? strlen(label) : 0;
	BA_AUTO_FREE char *first =
		ba_xprintf("%s%.*s", named ? "it" : "", (int)strcspn(text, "\n"), text);
	ba_text_own(&c->failure, ba_text_sentence(first));
}

void ba_bisect_count_row(ba_bisect_phase *p, const ba_bisect_row *row)
{
	p->measured[0]++;
	for (size_t i = 0; i < row->count; i++)
		p->measured[row->commits[i]]++;
}

/* The values of one invocation; commits without one are left out. */
static void add_invocation(ba_bisect *b, ba_bisect_phase_name phase, const ba_series *s,
	const size_t *commits, size_t count, size_t invocation)
{
	ba_bisect_phase *p = &b->phases[phase];
	ba_bisect_row row = {.commits = ba_xcalloc(count, sizeof(size_t)),
		.y = ba_xcalloc(count, sizeof(double))};
	for (size_t v = 1; v < count; v++) {
		const ba_comparison *c = &s->comparisons[v - 1];
		if (invocation >= c->y_count || !isfinite(c->y[invocation]) ||
			b->commits[commits[v]].failure)
			continue;
		row.commits[row.count] = commits[v];
		row.y[row.count++] = ba_bisect_sign(b) * c->y[invocation];
	}
	if (row.count) {
		ba_bisect_count_row(p, &row);
		*BA_PUSH(p->rows, p->row_count, p->row_capacity) = row;
		return;
	}
	BA_FREE(row.commits, row.y);
}

static int check_system(const ba_bisect *b, const ba_result *r, ba_error *err)
{
	BA_AUTO_FREE char *here = system_of(r);
	if (strcmp(here, b->system) == 0)
		return 0;
	return ba_fail(err, BA_EINVAL,
		"this search began on another system (%s; here: %s); go on there, or remove %s to begin again",
		b->system, here, b->state_path);
}

static ba_metric metric_of(const ba_bisect *b, ba_bisect_phase_name phase)
{
	return phase == BA_BISECT_COUNTS ? BA_METRIC_INSTRUCTIONS : b->metric;
}

bool ba_bisect_has_bad(const ba_bisect *b, ba_bisect_phase_name phase, const ba_result *r)
{
	const ba_series *s = series_of(b, r, metric_of(b, phase));
	size_t last = r->run.variant_count - 1;
	return s && r->run.variant_count > 1 && !s->variants[last].failure &&
	       s->comparisons[last - 1].y_count > 0;
}

int ba_bisect_learn(ba_bisect *b, ba_bisect_phase_name phase, const ba_result *r,
	const size_t *commits, size_t count, ba_error *err)
{
	BA_TRY(check_system(b, r, err));
	if (r->run.variant_count != count)
		return ba_fail(err, BA_EDATA, "a step has %zu variants, not %zu",
			r->run.variant_count, count);
	const ba_series *s = series_of(b, r, metric_of(b, phase));
	size_t invocations = 0;
	for (size_t v = 0; v < count; v++) {
		ba_bisect_commit *c = &b->commits[commits[v]];
		const ba_comparison *compared = s && v > 0 ? &s->comparisons[v - 1] : NULL;
		remember_build(c, &r->run.variants[v], b->kind);
		if (compared && compared->verdict == BA_VERDICT_IDENTICAL)
			c->same_as_good = true;
		else if (v > 0 && (!compared || compared->y_count == 0 || s->variants[v].failure))
			remember_failure(c, r->run.variants[v].label, s ? &s->variants[v] : NULL,
				cause_of(b, r, v), compared ? compared->reason : NULL);
		if (compared && compared->y_count > invocations)
			invocations = compared->y_count;
	}
	b->invocations += invocations;
	/* other invocations have the same count */
	if (s && BA_ALL(s->comparisons, count - 1, c, c->exact || !c->y_count))
		invocations = invocations ? 1 : 0;
	for (size_t i = 0; i < invocations; i++)
		add_invocation(b, phase, s, commits, count, i);
	return 0;
}

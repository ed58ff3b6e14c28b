#include "bisect/internal.h"
#include "git/commit.h"
#include "report/why.h"

/* ---- why: one more run of the commit and the one before ---- */

static bool is_followed(const ba_bisect *b, const ba_result *r, size_t benchmark)
{
	return strcmp(r->run.benchmarks[benchmark].id, b->benchmark) == 0;
}

static void put_instructions(
	ba_buf *out, const ba_bisect *b, const ba_result *r, const ba_format_options *o)
{
	BA_AUTO(ba_whys) ba_whys whys = {0};
	ba_whys_of(&whys, r);
	for (size_t i = 0; i < whys.count; i++)
		if (is_followed(b, r, whys.items[i].benchmark))
			ba_why_term(out, r, &(ba_whys){.items = &whys.items[i], .count = 1}, 0, o);
}

static void put_kernels(
	ba_buf *out, const ba_bisect *b, const ba_result *r, const ba_format_options *o)
{
	BA_AUTO(ba_code_rows) ba_code_rows rows = {0};
	if (r->run.variant_count > 1)
		ba_code_rows_of(&rows, r, 1);
	for (size_t i = 0; i < rows.count; i++)
		if (is_followed(b, r, rows.items[i].benchmark))
			ba_code_term(out, r, &(ba_code_rows){&rows.items[i], 1}, o);
}

/* Sets b->why: how the commit changes instructions or kernels, if either is known. */
static int explain_change(ba_bisect *b, ba_error *err)
{
	const size_t pair[] = {b->places[0].from - 1, b->places[0].to};
	const ba_format_options format = {.width = 80};
	bool on_gpu = ba_metric_get(b->metric)->on_gpu;
	BA_AUTO(ba_strv) ba_strv more = {0};
	BA_AUTO(ba_result) ba_result r = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	int status = 0;
	/* a commit that was not built cannot be compared */
	if ((!b->counted && !on_gpu) || b->commits[pair[0]].failure)
		return 0;
	ba_bisect_step_options(&more, b, on_gpu ? BA_BISECT_TIMES : BA_BISECT_COUNTS, 2);
	BA_TRY(ba_bisect_child(&r, &status, b, &more, pair, 2, err));
	if (on_gpu)
		put_kernels(&text, b, &r, &format);
	else
		put_instructions(&text, b, &r, &format);
	if (text.len)
		b->why = ba_buf_detach(&text);
	return 0;
}

/* The most runs of a search, and for a smaller change after the larger one is certain. */
enum { STEPS_MOST = 40, BESIDES_MOST = 3 };

BA_OWNS_HERE(ba_bisect_phase, p, BA_FREE_EACH(r, p->rows, p->row_count, BA_FREE(r->commits, r->y)),
	free(p->measured), ba_steps_dispose(&p->steps))

void ba_bisect_dispose(ba_bisect *b)
{
	if (b->builds)
		ba_bisect_end_builds(b);
	free(b->builds);
	ba_bisect_drop_results(b);
	ba_repo_free(b->repo);
	BA_FREE_EACH(x, b->commits, b->commit_count, BA_FREE(x->id, x->name, x->failure));
	for (size_t p = 0; p < BA_BISECT_PHASES; p++)
		ba_bisect_phase_dispose(&b->phases[p]);
	BA_FREE(b->tree, b->state_path, b->results, b->benchmark, b->system, b->why, b->note,
		b->last_words, b->doing);
	ba_strv_dispose(&b->options);
	*b = (ba_bisect){0};
}

/* ---- the beginning ---- */

/* Makes the folder for states and results of steps. */
static int make_folder(const char *cache_root, ba_error *err)
{
	BA_AUTO_FREE char *folder = ba_path_join(cache_root, "bisect");
	ba_error why = {0};
	int rc = ba_fs_mkdirs(folder, &why);
	return rc ? ba_fail(err, rc,
			    "the cache: %s; name a writable directory with --cache-dir or BENCH_AGAINST_CACHE",
			    why.text)
		  : 0;
}

int ba_bisect_begin(ba_bisect *b, ba_error *err)
{
	const ba_bisect_request *q = &b->request;
	bool found = false;
	if (!b->options.count)
		ba_strv_copy(&b->options, &q->options);
	b->most = BA_BISECT_COMMITS_MOST;
	b->builds = ba_bisect_builds_new();
	BA_TRY(ba_bisect_history(b, err));
	BA_TRY(make_folder(q->cache_root, err));
	b->results =
		ba_xprintf("%s/bisect/step-%016" PRIx64 ".json", q->cache_root, ba_rng_entropy());
	ba_log_printf(q->log, BA_LOG_INFO, "%zu %s between %s (%s) and %s (%s)",
		b->commit_count - 2, ba_plural(b->commit_count - 2, "commit", "commits"), q->good,
		b->commits[0].name, q->bad, b->commits[b->commit_count - 1].name);
	int rc = ba_bisect_load(&found, b, err);
	if (rc == 0 && found)
		ba_log_printf(q->log, BA_LOG_INFO,
			"resumed after %zu %s (%s; remove it to begin again)", b->runs,
			ba_plural(b->runs, "run", "runs"), b->state_path);
	return rc;
}

/* The search needs the counts of changed benchmarks, however long they take. */
static void first_options(ba_strv *out, const ba_bisect *b)
{
	ba_strv_copy(out, &b->request.first_options);
	if (!BA_ANY(b->options.items, b->options.count, one, ba_text_starts(*one, "--metrics")))
		ba_strv_push(out, "--explain=changed");
}

/* If the state cannot be saved, the search continues. */
static void save(ba_bisect *b)
{
	ba_error err = {0};
	if (b->unsaved || ba_bisect_save(b, &err) == 0)
		return;
	b->unsaved = true;
	ba_log_printf(b->request.log, BA_LOG_WARNING,
		"what was learned is not kept, so this search cannot be resumed: %s", err.text);
}

static int first_run(ba_bisect *b, ba_error *err)
{
	BA_AUTO(ba_result) ba_result r = {0};
	BA_AUTO(ba_strv) ba_strv options = {0};
	const size_t ends[] = {0, b->commit_count - 1};
	int status = 0;
	first_options(&options, b);
	ba_bisect_begin_doing(
		b, ba_xprintf("comparing %s with %s", b->request.good, b->request.bad));
	BA_TRY(ba_bisect_child(&r, &status, b, &options, ends, 2, err));
	BA_TRY(ba_bisect_follow(b, &r, status, err));
	BA_AUTO(ba_buf) ba_buf change = BA_BUF_INIT;
	ba_percent_put(&change, exp(ba_bisect_sign(b) * b->phases[BA_BISECT_TIMES].delta), 1);
	ba_log_printf(b->request.log, BA_LOG_INFO, "%s %s, %s%s", b->benchmark, change.data,
		ba_metric_get(b->metric)->name,
		!b->phases[BA_BISECT_COUNTS].wanted ? ""
		: b->request.faster ? "; it executes fewer instructions, which are searched first"
				    : "; it executes more instructions, which are searched first");
	save(b);
	return 0;
}

/* ---- a step ---- */

static void say_step(const ba_bisect *b, ba_bisect_phase_name phase, size_t commits, double seconds)
{
	const ba_bisect_phase *p = &b->phases[phase];
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_buf_printf(&text, "step %zu: ", b->runs - 1);
	ba_bisect_put_posterior(&text, b, &p->steps);
	ba_buf_printf(&text, " (%zu %s, %zu %s so far, %.1f s)", commits,
		phase == BA_BISECT_COUNTS ? "counted" : "measured", b->invocations,
		ba_plural(b->invocations, "invocation", "invocations"), seconds);
	ba_log_printf(b->request.log, BA_LOG_INFO, "%s", text.data);
}

static void say_failures(const ba_bisect *b, const size_t *commits, size_t count)
{
	BA_AUTO_FREE bool *in = ba_xcalloc(b->commit_count, sizeof(*in));
	BA_AUTO(ba_strv) ba_strv failures = {0};
	for (size_t i = 0; i < count; i++)
		in[commits[i]] = true;
	ba_bisect_failures(&failures, b, in, " cannot be measured: ");
	for (size_t i = 0; i < failures.count; i++)
		ba_log_printf(b->request.log, BA_LOG_INFO, "%s", failures.items[i]);
}

/* A benchmark measured in the first run may fail with many commits, for example for
 * lack of GPU memory. Then fewer commits are tried. */
static int not_measured(ba_bisect *b, size_t commits, ba_error *err)
{
	if (commits == 0)
		return ba_fail(err, BA_EWORKER, "%s could not be measured again:\n%s",
			b->commits[b->commit_count - 1].name, b->last_words);
	b->most = commits / 2;
	ba_log_printf(b->request.log, BA_LOG_INFO,
		"%s has no values beside %zu other %s; trying %zu",
		b->commits[b->commit_count - 1].name, commits,
		ba_plural(commits, "commit", "commits"), b->most);
	return 0;
}

/* *done: no commit is left to choose. */
static int step(bool *done, ba_bisect *b, ba_bisect_phase_name phase, ba_error *err)
{
	size_t commits[BA_BISECT_COMMITS_MOST + 2] = {0}, invocations = 2;
	int64_t began = ba_now_ns();
	size_t count = ba_bisect_choose(commits + 1, &invocations, b, phase);
	/* if one place is left, the ends determine the size of the step */
	*done = count == 0 && b->phases[phase].row_count > 0 && !ba_bisect_is_held(b);
	if (*done)
		return 0;
	if (count == 0)
		invocations = 4;
	commits[++count] = b->commit_count - 1;
	if (b->request.fixed)
		invocations = (size_t)b->request.fixed;
	if (phase == BA_BISECT_COUNTS)
		invocations = 2;
	BA_AUTO(ba_strv) ba_strv more = {0};
	BA_AUTO(ba_result) ba_result r = {0};
	int status = 0;
	ba_bisect_step_options(&more, b, phase, invocations);
	ba_bisect_begin_doing(b, ba_xprintf("step %zu: %zu %s, %zu invocations", b->runs, count - 1,
					 ba_plural(count - 1, "commit", "commits"), invocations));
	/* for values without noise, one invocation is enough */
	const ba_step_choice chosen = {commits + 1, count - 1,
		phase == BA_BISECT_COUNTS || ba_metric_get(b->metric)->counted ? 1 : invocations};
	BA_TRY(ba_bisect_build(b, phase, &chosen, err));
	BA_TRY(ba_bisect_child(&r, &status, b, &more, commits, count + 1, err));
	if (!ba_bisect_has_bad(b, phase, &r))
		return not_measured(b, count - 1, err);
	BA_TRY(ba_bisect_learn(b, phase, &r, commits, count + 1, err));
	BA_TRY(ba_bisect_look(b, phase, err));
	say_failures(b, commits + 1, count);
	say_step(b, phase, count - 1, ba_seconds_since(began));
	save(b);
	return 0;
}

static bool is_out_of_budget(const ba_bisect *b)
{
	return b->request.budget_ns && b->measure_seconds * 1e9 >= (double)b->request.budget_ns;
}

/* *besides: number of steps for a smaller change so far */
static bool is_open(const ba_bisect *b, ba_bisect_phase_name phase, size_t *besides)
{
	if (!b->phases[phase].row_count || b->outcome == BA_BISECT_OPEN)
		return true;
	return b->outcome == BA_BISECT_ONE && b->besides.probability > 0 &&
	       (*besides)++ < BESIDES_MOST;
}

static int search_phase(ba_bisect *b, ba_bisect_phase_name phase, ba_error *err)
{
	bool done = false;
	/* the places found by counting determine the first commits to be timed */
	bool counted = phase == BA_BISECT_TIMES && !b->phases[phase].row_count &&
		       b->phases[BA_BISECT_COUNTS].row_count;
	BA_TRY(counted ? 0 : ba_bisect_look(b, phase, err));
	size_t steps = 0, besides = 0;
	while (!done && !is_out_of_budget(b) && steps++ < STEPS_MOST && is_open(b, phase, &besides))
		BA_TRY(step(&done, b, phase, err));
	b->phases[phase].over = true;
	b->exhausted = done && b->outcome == BA_BISECT_OPEN;
	b->out_of_budget = is_out_of_budget(b) && b->outcome == BA_BISECT_OPEN;
	return 0;
}

int ba_bisect_search(ba_bisect *b, ba_error *err)
{
	int rc = b->benchmark ? 0 : first_run(b, err);
	for (size_t p = 0; rc == 0 && p < BA_BISECT_PHASES; p++)
		if (b->phases[p].wanted)
			rc = search_phase(b, (ba_bisect_phase_name)p, err);
	ba_bisect_end_builds(b);
	if (rc == 0 && b->outcome == BA_BISECT_ONE)
		rc = explain_change(b, err);
	return rc;
}

void ba_bisect_end(const ba_bisect *b)
{
	if (b->outcome != BA_BISECT_OPEN || b->exhausted)
		unlink(b->state_path);
}

size_t ba_bisect_parents(const ba_bisect *b)
{
	BA_AUTO(ba_commit) ba_commit c = {0};
	if (b->outcome != BA_BISECT_ONE || b->places[0].from != b->places[0].to)
		return 0;
	ba_commit_resolve(&c, b->repo, b->commits[b->places[0].to].id, NULL);
	return c.parents;
}

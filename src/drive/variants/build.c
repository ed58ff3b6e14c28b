/* Writes and builds the trees that the cache does not have. */

#include "build/build.h"
#include "git/tree.h"
#include "cluster/node.h"
#include "variants/variants.h"
#include "cluster/slurm_array.h"

/* ---- git, for filters that libgit2 has not ---- */

static int run_git(void *data, const char *const *argv, const char *cwd, const void *input,
	size_t input_size, ba_error *err)
{
	const ba_job_services *services = data;
	BA_AUTO(ba_strv) ba_strv env = {0};
	for (const char *const *e = services->env; *e; e++)
		if (!ba_text_starts(*e, "GIT_"))
			ba_strv_push(&env, *e);
	/* prevents fetching; git before 2.44 only knows the second one */
	BA_STRV_PUSH(
		&env, "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0");
	const ba_proc_spec spec = {.argv = argv,
		.env = (const char *const *)env.items,
		.dir = cwd,
		.stdin_data = input,
		.stdin_size = input_size,
		.out = {BA_OUTPUT_TAIL, 16 << 10},
		.err = {BA_OUTPUT_JOIN, 0},
		.limit_ns = 600 * BA_SECOND,
		.stop = services->stop};
	BA_AUTO(ba_proc_result) ba_proc_result result = {0};
	int rc = ba_proc_run(&result, &spec, err);
	if (rc || ba_proc_result_ok(&result))
		return rc;
	BA_AUTO(ba_buf) ba_buf how = BA_BUF_INIT;
	ba_proc_result_text(&how, &result);
	return ba_fail(err, BA_EIO, "git %s %s: %s", argv[1] ? argv[1] : "", how.data,
		ba_text_last_lines(result.out.data, 3));
}

/* ---- what has to be built ---- */

static bool needs_build(const ba_variants *t, size_t v)
{
	if (t->variants[v].kind == BA_VARIANT_PATH)
		return t->request->in_place && !t->failures[v];
	bool first = !BA_ANY(t->slots, v, before, *before == t->slots[v]);
	return first && !t->failures[v] && !t->variants[v].build_cached;
}

static int materialise(ba_variants *t, size_t v, ba_error *err)
{
	const ba_variant *variant = &t->variants[v];
	void *services = (void *)(uintptr_t)t->services;
	const ba_tree_request request = {.repo = t->repo,
		.commit = variant->commit,
		.tree = variant->tree_id,
		.objects_dir = variant->kind == BA_VARIANT_WORKTREE || t->config.overlay.count
				       ? t->objects_dir
				       : NULL,
		.own = t->overlaid ? t->overlaid[v].own : NULL,
		.laid = t->overlaid ? t->overlaid[v].laid : NULL,
		.laid_paths = &t->config.overlay,
		.dir = variant->tree_dir,
		.run_git = run_git,
		.run_git_data = services,
		.stopped = ba_job_stopped,
		.stopped_data = services,
		.leave_lfs_pointers = t->request->allow_lfs_pointers,
		.log = t->services->log};
	int rc = ba_tree_materialise(&request, err);
	return rc ? ba_fail_context(err, "%s", variant->label) : 0;
}

/* ---- the build ---- */

static int mark_complete(ba_build_job *job, ba_error *err)
{
	ba_slot *slot = job->data;
	return slot ? ba_slot_complete(slot, err) : 0;
}

static void job_changed(void *data, const ba_build_job *job, bool ended)
{
	BA_AUTO_FREE char *text = ba_xprintf("%s %s", job->label, ended ? "built" : "...");
	ba_job_progress(data, -1, text);
}

static char *log_path_of(const ba_variants *t, size_t v)
{
	const ba_variant *variant = &t->variants[v];
	const char *name =
		variant->kind == BA_VARIANT_PATH ? variant->label : ba_path_base(variant->tree_dir);
	return ba_xprintf("%s/logs/%s.log", t->services->cache_root, name);
}

typedef struct batch {
	ba_build_job *jobs;
	size_t *variants; /* of each job */
	size_t count;
} batch;

BA_OWNS_HERE(batch, b,
	BA_FREE_EACH(x, b->jobs, b->count, free((char *)x->log_path), ba_build_job_dispose(x)),
	free(b->variants))

static void add_job(
	batch *b, ba_variants *t, size_t v, const ba_build_recipe *recipe, const ba_strv *artefacts)
{
	char *log = log_path_of(t, v);
	ba_text_replace(&t->variants[v].build_log, log);
	b->variants[b->count] = v;
	b->jobs[b->count++] = (ba_build_job){.label = t->variants[v].label,
		.dir = t->variants[v].tree_dir,
		.log_path = log,
		.recipe = recipe,
		.artefacts = artefacts,
		.environment = &t->variants[v].environment,
		.frozen = t->overlaid ? &t->config.overlay : NULL,
		.complete = mark_complete,
		.data = t->slots[v]};
}

/* If the variant lacks a file that the build names, it failed because of that: adds advice. */
static void take_outcomes(ba_variants *t, const batch *b)
{
	for (size_t i = 0; i < b->count; i++) {
		const ba_build_job *job = &b->jobs[i];
		for (size_t v = 0; v < t->count; v++) {
			bool same = v == b->variants[i] ||
				    (t->slots[v] && t->slots[v] == t->slots[b->variants[i]]);
			if (!same)
				continue;
			t->variants[v].build_seconds = job->seconds;
			const char *remedy = ba_missing_find(&t->missing, v, NULL);
			if (!job->built)
				t->failures[v] = ba_xprintf("%s%s%s", job->failure,
					remedy ? "\n" : "", remedy ? remedy : "");
		}
	}
}

/* No variant failed if this machine lacks descriptors, processes or disk space. */
static int own_failure(const batch *b, int rc, const ba_error *first, ba_error *err)
{
	if (rc == BA_EINTERRUPTED)
		return ba_fail(err, rc, "interrupted while building");
	BA_EACH (const ba_build_job, job, b->jobs, b->count) {
		if (job->failure && job->code == BA_EIO)
			return ba_fail(err, BA_EIO, "%s", job->failure);
		if (!job->failure && !job->built)
			return ba_fail(err, rc, "the build was interrupted: %s", first->text);
	}
	return 0;
}

static int run_jobs(ba_variants *t, batch *b, ba_error *err)
{
	const ba_job_services *services = t->services;
	const char *scratch;
	BA_TRY(ba_workspace_scratch(&scratch, t->workspace, err));
	int asked = t->request->jobs ? t->request->jobs : (int)t->config.build.jobs;
	const ba_build_options options = {
		.parallel = asked ? (unsigned)asked : ba_build_usual_parallel(),
		.tmp_root = scratch,
		.log = services->log,
		.stop = services->stop,
		.changed = job_changed,
		.data = (void *)(uintptr_t)services};
	BA_AUTO_FREE char *phase = ba_xprintf("building %zu %s%s%s", b->count,
		ba_plural(b->count, "variant", "variants"), t->node ? " on " : "",
		t->node ? ba_node_name(t->node) : "");
	ba_job_phase(services, phase);
	ba_error first;
	int rc = t->node ? ba_node_build(t->node, b->jobs, b->count, &options, &first)
			 : ba_build_all(b->jobs, b->count, &options, &first);
	ba_job_quiet(services);
	take_outcomes(t, b);
	return own_failure(b, rc, &first, err);
}

/* An error if nothing can be measured, with the message of each variant that did not build. */
static int all_failed(const ba_variants *t, ba_error *err)
{
	bool any = BA_ANY(t->failures + 1, t->count - 1, one, !*one);
	if (!t->failures[0] && (any || t->count == 1))
		return 0;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	for (size_t v = 0; v < t->count; v++)
		if (t->failures[v])
			ba_buf_printf(&text, "%s%s", text.len ? "\n" : "", t->failures[v]);
	return ba_fail(err, BA_EBUILD, "%s", text.data);
}

static int plan_jobs(batch *b, ba_variants *t, const ba_build_recipe *recipe,
	const ba_strv *artefacts, ba_error *err)
{
	b->jobs = ba_xcalloc(t->count, sizeof(*b->jobs));
	b->variants = ba_xcalloc(t->count, sizeof(*b->variants));
	for (size_t v = 0; v < t->count; v++) {
		if (!needs_build(t, v))
			continue;
		if (t->request->no_build)
			return ba_fail(err, BA_EBUILD,
				"%s is not in the cache, and --no-build was given; run once without it",
				t->variants[v].label);
		if (t->slots[v]) {
			BA_AUTO_FREE char *what =
				ba_xprintf("writing the tree of %s", t->variants[v].label);
			ba_job_phase(t->services, what);
			BA_TRY(materialise(t, v, err));
		}
		add_job(b, t, v, recipe, artefacts);
	}
	return 0;
}

static void note_missing_pythonpath(ba_variants *t)
{
	for (size_t s = 0; s < t->config.suite_count; s++) {
		const ba_suite_config *suite = &t->config.suites[s];
		for (size_t i = 0; i < suite->pythonpath.count; i++) {
			const char *path = suite->pythonpath.items[i];
			size_t asked = 0, missing = 0;
			for (size_t v = 0; v < t->count; v++) {
				if (t->failures[v])
					continue;
				BA_AUTO_FREE char *folder =
					ba_path_join(t->variants[v].tree_dir, path);
				asked++;
				missing += !ba_fs_is_dir(folder);
			}
			if (asked && missing == asked)
				ba_strv_printf(&t->notes,
					"pythonpath of suite '%s': no variant has the folder '%s'",
					suite->name, path);
		}
	}
}

static void announce_kept(const ba_variants *t)
{
	for (size_t v = 0; v < t->count; v++)
		ba_log_printf(t->services->log, t->request->keep ? BA_LOG_INFO : BA_LOG_DEBUG,
			"%s is in %s%s", t->variants[v].label,
			t->variants[v].tree_dir ? t->variants[v].tree_dir : "no tree",
			t->variants[v].build_cached ? " (built before)" : "");
}

/* Checks that cached trees and directories of the user have the artefacts. */
static void check_present(ba_variants *t, const ba_strv *artefacts)
{
	for (size_t v = 0; v < t->count; v++) {
		const ba_variant *variant = &t->variants[v];
		ba_error missing;
		if (t->failures[v] ||
			!ba_build_check_artefacts(variant->tree_dir, artefacts, &missing))
			continue;
		bool unbuilt = variant->kind == BA_VARIANT_PATH && !needs_build(t, v);
		t->failures[v] =
			unbuilt ? ba_xprintf(
					  "variant '%s': %s in '%s'; build it there first, or let --in-place do it",
					  variant->label, missing.text, variant->tree_dir)
				: ba_xprintf("variant '%s': %s", variant->label, missing.text);
	}
}

/* A job of a cluster, if builds run in one (--build-on). */
static int borrow_node(ba_node **out, const ba_variants *t, ba_error *err)
{
	const ba_job_request *q = t->request;
	BA_AUTO(ba_slurm_spec) ba_slurm_spec options = {0};
	bool same = q->build_on && strcmp(q->build_on, "same") == 0;
	const ba_node_spec spec = {.option = same ? "--on" : "--build-on",
		.on = same ? q->on : q->build_on,
		.waiting = "waiting for a node that builds",
		.before = "before anything was built"};
	if (!q->build_on ||
		(!q->in_place && BA_ALL(t->variants, t->count, v, v->kind == BA_VARIANT_PATH)))
		return 0;
	BA_TRY(ba_slurm_spec_parse(&options, spec.option, spec.on, err));
	if (!same && options.tasks > 1)
		return ba_fail(err, BA_EINVAL,
			"--build-on: one task builds all variants; leave out --array");
	return ba_node_borrow(out, &spec, q, t->services, err);
}

static int build_missing(
	ba_variants *t, const ba_build_recipe *recipe, const ba_strv *artefacts, ba_error *err)
{
	BA_AUTO_PTR(ba_node) ba_node *node = NULL;
	BA_AUTO(batch) batch b = {0};
	int rc = borrow_node(&node, t, err);
	t->node = node;
	rc = rc ? rc : ba_variants_find_slots(t, recipe, err);
	rc = rc ? rc : plan_jobs(&b, t, recipe, artefacts, err);
	if (rc == 0 && b.count)
		rc = run_jobs(t, &b, err);
	t->node = NULL;
	return rc;
}

int ba_variants_build(ba_variants *t, const ba_suite_list *suites, ba_error *err)
{
	const ba_build_config *config = &t->config.build;
	BA_AUTO(ba_build_recipe) ba_build_recipe recipe;
	BA_AUTO(ba_strv) ba_strv artefacts = {0};
	ba_strv_copy(&artefacts, &config->artefacts);
	for (size_t i = 0; i < suites->count; i++)
		if (suites->items[i]->library)
			ba_strv_push(&artefacts, suites->items[i]->library);
	ba_build_recipe_init(&recipe, config->commands, config->command_count, &config->env,
		t->services->env, t->services->log);
	recipe.timeout_ns = config->timeout_ns;
	int rc = ba_variants_sandbox_make(
		&t->sandbox, &t->config.sandbox, t->services, t->request->untrusted, err);
	if (rc) {
		BA_AUTO(ba_buf) ba_buf where = BA_BUF_INIT;
		ba_config_origin_text(&where, &t->config, t->config.sandbox_origin);
		return ba_fail_context(err, "'sandbox' (%s)", where.data);
	}
	if (t->sandbox.on)
		ba_build_recipe_confine(&recipe, &t->sandbox.all, t->services->log);
	BA_TRY(ba_variants_environments(t, err));
	ba_variants_compare_sources(t, suites);
	BA_TRY(build_missing(t, &recipe, &artefacts, err));
	check_present(t, &artefacts);
	BA_TRY(ba_variants_digest(t, err));
	note_missing_pythonpath(t);
	announce_kept(t);
	return all_failed(t, err);
}

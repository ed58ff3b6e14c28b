/* Trees to builds: keyed by content, found in the cache or made there. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/text.h"
#include "build/artefact.h"
#include "build/build.h"
#include "build/recipe.h"
#include "build/toolchain.h"
#include "cli/trees.h"
#include "git/tree.h"
#include "proc/proc.h"

extern char **environ;

/* ---- git, for filters that libgit2 has not ---- */

static int run_git(void *data, const char *const *argv, const char *cwd,
	const void *input, size_t input_size, ba_error *err)
{
	(void)data;
	BA_AUTO(ba_strv) ba_strv env = {0};
	for (char **e = environ; *e; e++)
		if (!ba_text_starts(*e, "GIT_"))
			ba_strv_push(&env, *e);
	/* nothing is fetched; git before 2.44 knows the second one alone */
	ba_strv_push(&env, "GIT_NO_LAZY_FETCH=1");
	ba_strv_push(&env, "GIT_ALLOW_PROTOCOL=none");
	ba_strv_push(&env, "GIT_TERMINAL_PROMPT=0");
	const ba_proc_spec spec = {.argv = argv,
		.env = (const char *const *)env.items,
		.dir = cwd,
		.stdin_data = input,
		.stdin_size = input_size,
		.out = {BA_OUTPUT_TAIL, 16 << 10},
		.err = {BA_OUTPUT_JOIN, 0},
		.limit_ns = 600 * BA_SECOND,
		.stop = &ba_stop_signal};
	BA_AUTO(ba_proc_result) ba_proc_result result = {0};
	int rc = ba_proc_run(&result, &spec, err);
	if (rc || ba_proc_result_ok(&result))
		return rc;
	BA_AUTO(ba_buf) ba_buf how = BA_BUF_INIT;
	ba_proc_result_text(&how, &result);
	return ba_fail(err, BA_EIO, "git %s %s: %s", argv[1] ? argv[1] : "", how.data,
		ba_text_last_lines(result.out.data, 3));
}

/* ---- keys ---- */

static bool is_glob(const char *text)
{
	return strpbrk(text, "*?[") != NULL;
}

/* What of the tree decides: the parts that `inputs` names, or all of it. */
static int variant_key(char out[65], ba_trees *t, const ba_variant *v,
	const ba_build_recipe *recipe, const char *toolchain, ba_error *err)
{
	const ba_strv *names = &t->config.build.inputs;
	bool whole = names->count == 0;
	for (size_t i = 0; i < names->count; i++)
		whole = whole || is_glob(names->items[i]);
	/* the same files, written by the attributes of another tree, are others */
	const char *laid = t->overlaid ? t->overlaid[v - t->variants].laid : "";
	if (whole) {
		const ba_build_input all[] = {{"", v->tree_id}, {".git/overlay", laid}};
		ba_build_key(out, recipe, all, *laid ? 2 : 1, toolchain);
		return 0;
	}
	ba_build_input *inputs = ba_xcalloc(names->count + 1, sizeof(*inputs));
	char(*ids)[65] = ba_xcalloc(names->count, sizeof(*ids));
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < names->count; i++) {
		rc = ba_repo_path_id(ids[i], t->repo, v->tree_id, names->items[i], err);
		if (rc == BA_ENOTFOUND) {
			ids[i][0] = '\0';
			rc = 0;
		}
		inputs[i] = (ba_build_input){names->items[i], ids[i]};
	}
	inputs[names->count] = (ba_build_input){".git/overlay", laid};
	if (rc == 0)
		ba_build_key(
			out, recipe, inputs, names->count + (*laid != '\0'), toolchain);
	free(inputs);
	free(ids);
	return rc;
}

static int keys_of(ba_trees *t, const ba_build_recipe *recipe, ba_error *err)
{
	BA_AUTO(ba_toolchain) ba_toolchain toolchain = {0};
	BA_AUTO_FREE char *memory =
		ba_path_join(t->context->cache_root, "toolchain-hashes");
	int rc = ba_toolchain_identify(
		&toolchain, recipe, memory, &t->context->log, err);
	for (size_t v = 0; rc == 0 && v < t->count; v++) {
		if (t->variants[v].kind == BA_VARIANT_PATH)
			continue;
		char key[65];
		rc = variant_key(
			key, t, &t->variants[v], recipe, toolchain.sha256, err);
		free(t->variants[v].build_key);
		t->variants[v].build_key = ba_xstrdup(key);
	}
	return rc;
}

/* ---- slots ---- */

/* What lies in the cache is read whole before it is used: a flipped bit in a library or
 * a table would be an answer. */
static int check_slot(ba_trees *t, ba_slot *slot, ba_error *err)
{
	BA_AUTO_FREE char *damage = NULL;
	if (!ba_slot_is_complete(slot))
		return 0;
	int rc = ba_slot_check(&damage, slot, &t->config.build.irrelevant, err);
	if (rc || !damage)
		return rc;
	ba_log_printf(&t->context->log, BA_LOG_WARNING,
		"the built tree '%s' is damaged: %s; building it again (if a run writes that file, name it in build.irrelevant)",
		ba_slot_dir(slot), damage);
	return ba_slot_reset(slot, err);
}

/* The first that had it built; for `cache list`. */
static void describe_slot(const ba_trees *t, const ba_variant *v, ba_slot *slot)
{
	BA_AUTO_FREE char *about = ba_xprintf("%s %.9s%s %s, %s", v->spec, v->commit,
		v->dirty ? " with changes" : "", v->subject,
		ba_repo_common_dir(t->repo));
	ba_slot_describe(slot, about);
}

/* Equal keys share a tree, unless the same code is to be measured against itself: then
 * each has a build of its own, as two commits would. */
static int acquire(ba_trees *t, ba_error *err)
{
	BA_AUTO_FREE ba_slot_key *keys = ba_xcalloc(t->count, sizeof(*keys));
	BA_AUTO_FREE size_t *slot_of = ba_xcalloc(t->count, sizeof(*slot_of));
	BA_AUTO_FREE ba_slot **slots = ba_xcalloc(t->count, sizeof(ba_slot *));
	size_t n = 0;
	for (size_t v = 0; v < t->count; v++) {
		unsigned instance = 0;
		size_t k = 0;
		if (t->variants[v].kind == BA_VARIANT_PATH)
			continue;
		for (size_t i = 0; i < n; i++)
			if (strcmp(keys[i].key, t->variants[v].build_key) == 0) {
				instance++;
				k = i;
			}
		if (instance && !t->context->options->measure_identical) {
			slot_of[v] = k;
			continue;
		}
		slot_of[v] = n;
		keys[n++] = (ba_slot_key){t->variants[v].build_key, instance};
	}
	int rc = n ? ba_workspace_acquire_all(slots, t->workspace, keys, n, err) : 0;
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = check_slot(t, slots[i], err);
	for (size_t v = 0; rc == 0 && v < t->count; v++) {
		ba_variant *variant = &t->variants[v];
		if (variant->kind == BA_VARIANT_PATH)
			continue;
		t->slots[v] = slots[slot_of[v]];
		free(variant->tree_dir);
		variant->tree_dir = ba_xstrdup(ba_slot_dir(t->slots[v]));
		variant->build_cached = ba_slot_is_complete(t->slots[v]);
		if (!variant->build_cached)
			describe_slot(t, variant, t->slots[v]);
	}
	return rc;
}

/* the variant whose slot this is, the first of those that share it */
static bool is_first_of_slot(const ba_trees *t, size_t v)
{
	for (size_t i = 0; i < v; i++)
		if (t->slots[i] == t->slots[v])
			return false;
	return true;
}

static bool needs_build(const ba_trees *t, size_t v)
{
	if (t->variants[v].kind == BA_VARIANT_PATH)
		return t->context->options->in_place;
	return is_first_of_slot(t, v) && !t->variants[v].build_cached;
}

static int materialise(ba_trees *t, size_t v, ba_error *err)
{
	const ba_variant *variant = &t->variants[v];
	const ba_tree_request request = {.repo = t->repo,
		.commit = variant->commit,
		.tree = variant->tree_id,
		.objects_dir =
			variant->kind == BA_VARIANT_WORKTREE || t->config.overlay.count
				? t->objects_dir
				: NULL,
		.own = t->overlaid ? t->overlaid[v].own : NULL,
		.laid = t->overlaid ? t->overlaid[v].laid : NULL,
		.laid_paths = &t->config.overlay,
		.dir = variant->tree_dir,
		.run_git = run_git,
		.stopped = ba_context_stopped,
		.leave_lfs_pointers = t->context->options->allow_lfs_pointers,
		.log = &t->context->log};
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
	ba_context *c = data;
	BA_AUTO_FREE char *text =
		ba_xprintf("%s %s", job->label, ended ? "built" : "...");
	ba_progress_set(&c->progress, -1, text, ba_now_ns());
}

static char *log_path_of(const ba_trees *t, size_t v)
{
	const ba_variant *variant = &t->variants[v];
	const char *name = variant->kind == BA_VARIANT_PATH
				   ? variant->label
				   : ba_path_base(variant->tree_dir);
	return ba_xprintf("%s/logs/%s.log", t->context->cache_root, name);
}

typedef struct batch {
	ba_build_job *jobs;
	size_t *variants; /* of each job */
	size_t count;
} batch;

static void batch_dispose(batch *b)
{
	for (size_t i = 0; i < b->count; i++) {
		free((char *)b->jobs[i].log_path);
		ba_build_job_dispose(&b->jobs[i]);
	}
	free(b->jobs);
	free(b->variants);
}
BA_DEFINE_AUTO(batch, batch_dispose)

static void add_job(batch *b, ba_trees *t, size_t v, const ba_build_recipe *recipe,
	const ba_strv *artefacts)
{
	char *log = log_path_of(t, v);
	free(t->variants[v].build_log);
	t->variants[v].build_log = ba_xstrdup(log);
	b->variants[b->count] = v;
	b->jobs[b->count++] = (ba_build_job){.label = t->variants[v].label,
		.dir = t->variants[v].tree_dir,
		.log_path = log,
		.recipe = recipe,
		.artefacts = artefacts,
		.complete = mark_complete,
		.data = t->slots[v]};
}

static void take_outcomes(ba_trees *t, const batch *b)
{
	for (size_t i = 0; i < b->count; i++) {
		const ba_build_job *job = &b->jobs[i];
		for (size_t v = 0; v < t->count; v++) {
			bool same = v == b->variants[i] ||
				    (t->slots[v] &&
					    t->slots[v] == t->slots[b->variants[i]]);
			if (!same)
				continue;
			t->variants[v].build_seconds = job->seconds;
			if (!job->built)
				t->failures[v] = ba_xstrdup(job->failure);
		}
	}
}

static unsigned parallel_of(const ba_trees *t)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	if (t->context->options->jobs)
		return (unsigned)t->context->options->jobs;
	if (t->config.build.jobs)
		return (unsigned)t->config.build.jobs;
	/* a build usually knows itself how to use the cores; a few at a time hide its
	 * serial parts */
	return cores > 4 ? 4 : cores > 1 ? 2 : 1;
}

/* What this machine did not give us (a descriptor, a process, room on the disk) is no
 * variant's failure: the run cannot answer. */
static int own_failure(const batch *b, int rc, const ba_error *first, ba_error *err)
{
	if (rc == BA_EINTERRUPTED)
		return ba_fail(err, rc, "interrupted while building");
	for (size_t i = 0; i < b->count; i++) {
		const ba_build_job *job = &b->jobs[i];
		if (job->failure && job->code == BA_EIO)
			return ba_fail(err, BA_EIO, "%s", job->failure);
		if (!job->failure && !job->built)
			return ba_fail(
				err, rc, "the build was interrupted: %s", first->text);
	}
	return 0;
}

static int run_jobs(ba_trees *t, batch *b, ba_error *err)
{
	ba_context *c = t->context;
	const char *scratch;
	int rc = ba_workspace_scratch(&scratch, t->workspace, err);
	if (rc)
		return rc;
	const ba_build_options options = {.parallel = parallel_of(t),
		.tmp_root = scratch,
		.log = &c->log,
		.stop = &ba_stop_signal,
		.changed = job_changed,
		.data = c};
	BA_AUTO_FREE char *phase = ba_xprintf(
		"building %zu variant%s", b->count, b->count == 1 ? "" : "s");
	ba_progress_phase(&c->progress, phase, ba_now_ns());
	ba_error first;
	rc = ba_build_all(b->jobs, b->count, &options, &first);
	ba_progress_clear(&c->progress);
	take_outcomes(t, b);
	return own_failure(b, rc, &first, err);
}

/* Nothing to measure: the whole story of each variant that did not build. */
static int all_failed(const ba_trees *t, ba_error *err)
{
	bool any = false;
	for (size_t v = 1; v < t->count; v++)
		any = any || !t->failures[v];
	if (!t->failures[0] && (any || t->count == 1))
		return 0;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	for (size_t v = 0; v < t->count; v++)
		if (t->failures[v])
			ba_buf_printf(
				&text, "%s%s", text.len ? "\n" : "", t->failures[v]);
	return ba_fail(err, BA_EBUILD, "%s", text.data);
}

static int refuse_to_build(ba_trees *t, size_t v, ba_error *err)
{
	return ba_fail(err, BA_EBUILD,
		"%s is not in the cache, and --no-build was given; run once without it",
		t->variants[v].label);
}

static int plan_jobs(batch *b, ba_trees *t, const ba_build_recipe *recipe,
	const ba_strv *artefacts, ba_error *err)
{
	b->jobs = ba_xcalloc(t->count, sizeof(*b->jobs));
	b->variants = ba_xcalloc(t->count, sizeof(*b->variants));
	for (size_t v = 0; v < t->count; v++) {
		int rc = 0;
		if (!needs_build(t, v))
			continue;
		if (t->context->options->no_build)
			return refuse_to_build(t, v, err);
		if (t->slots[v]) {
			BA_AUTO_FREE char *what = ba_xprintf(
				"writing the tree of %s", t->variants[v].label);
			ba_progress_phase(&t->context->progress, what, ba_now_ns());
			rc = materialise(t, v, err);
		}
		if (rc)
			return rc;
		add_job(b, t, v, recipe, artefacts);
	}
	return 0;
}

/* A directory of the user's has none: it may change at any time. */
static void digest_trees(ba_trees *t)
{
	for (size_t v = 0; v < t->count; v++) {
		ba_variant *variant = &t->variants[v];
		if (!t->slots[v] || t->failures[v])
			continue;
		t->manifests[v] = ba_slot_manifest(t->slots[v]);
		ba_manifest_digest(variant->tree_sha256, t->manifests[v],
			&t->config.build.irrelevant, NULL);
		memcpy(variant->used_sha256, variant->tree_sha256, 65);
	}
}

static void announce_kept(const ba_trees *t)
{
	for (size_t v = 0; v < t->count; v++)
		ba_log_printf(&t->context->log,
			t->context->options->keep ? BA_LOG_INFO : BA_LOG_DEBUG,
			"%s is in %s%s", t->variants[v].label, t->variants[v].tree_dir,
			t->variants[v].build_cached ? " (built before)" : "");
}

/* What was there before, or is the user's own: are the files still there? */
static void check_present(ba_trees *t, const ba_strv *artefacts)
{
	for (size_t v = 0; v < t->count; v++) {
		const ba_variant *variant = &t->variants[v];
		ba_error missing;
		if (t->failures[v] || !ba_build_check_artefacts(
					      variant->tree_dir, artefacts, &missing))
			continue;
		bool unbuilt = variant->kind == BA_VARIANT_PATH && !needs_build(t, v);
		t->failures[v] =
			unbuilt ? ba_xprintf(
					  "variant '%s': %s in '%s'; build it there first, or let --in-place do it",
					  variant->label, missing.text,
					  variant->tree_dir)
				: ba_xprintf("variant '%s': %s", variant->label,
					  missing.text);
	}
}

int ba_trees_build(ba_trees *t, const ba_suite_list *suites, ba_error *err)
{
	const ba_build_config *config = &t->config.build;
	BA_AUTO(ba_build_recipe) ba_build_recipe recipe;
	BA_AUTO(ba_strv) ba_strv artefacts = {0};
	BA_AUTO(batch) batch b = {0};
	ba_strv_copy(&artefacts, &config->artefacts);
	for (size_t i = 0; i < suites->count; i++)
		if (suites->items[i]->library)
			ba_strv_push(&artefacts, suites->items[i]->library);
	ba_build_recipe_init(&recipe, config->commands, config->command_count,
		&config->env, (const char *const *)environ, &t->context->log);
	recipe.timeout_ns = config->timeout_ns;
	int rc = ba_trees_overlay(t, err);
	if (rc == 0)
		ba_trees_compare_sources(t, suites);
	rc = rc ? rc : keys_of(t, &recipe, err);
	rc = rc ? rc : acquire(t, err);
	rc = rc ? rc : plan_jobs(&b, t, &recipe, &artefacts, err);
	if (rc == 0 && b.count)
		rc = run_jobs(t, &b, err);
	if (rc)
		return rc;
	check_present(t, &artefacts);
	digest_trees(t);
	announce_kept(t);
	return all_failed(t, err);
}

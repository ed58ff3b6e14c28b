/* Resolves variants to commits, snapshots and directories; finds the configuration. */
#include "variants/variants.h"

#include "git/commit.h"
#include "git/snapshot.h"
#include "proc/procfs.h"

static void seal_free(ba_seal **seal)
{
	if (*seal)
		ba_seal_dispose(*seal);
	free(*seal);
}

void ba_variants_dispose(ba_variants *t)
{
	BA_FREE_EACH(text, t->failures, t->count, free(*text));
	BA_FREE_ARRAY(seal_free, t->seals, t->count);
	BA_FREE_ARRAY(ba_manifest_dispose, t->kept, t->count);
	ba_overlay_source_dispose(&t->overlay);
	ba_missing_list_dispose(&t->missing);
	ba_workspace_free(t->workspace);
	ba_repo_free(t->repo);
	/* the workspace owns the slots themselves */
	BA_FREE(t->overlaid, t->manifests, t->slots, t->objects_dir, t->config_path, t->repository);
	if (t->config_loaded)
		ba_config_dispose(&t->config);
	BA_DISPOSE(ba_strv, &t->expected, &t->notes);
	ba_variants_sandbox_dispose(&t->sandbox);
	*t = (ba_variants){0};
}

void ba_variants_tidy(ba_variants *t)
{
	ba_error ignored;
	if (t->workspace)
		ba_workspace_tidy(t->workspace, &ignored);
}

static const char *directory_of(const ba_variants *t)
{
	return t->request->directory ? t->request->directory : ".";
}

static int open_repo(ba_variants *t, ba_error *err)
{
	return t->repo ? 0 : ba_repo_open(&t->repo, directory_of(t), err);
}

static int add_spec(ba_variant **variants, size_t *count, const char *text, ba_error *err)
{
	ba_variant v;
	BA_TRY(ba_variant_parse(&v, text, err));
	*BA_APPEND(*variants, *count) = v;
	return 0;
}

/* HEAD against WORKTREE if that differs, else HEAD~ against HEAD; if one is enough, the newer. */
static int add_defaults(
	ba_variants *t, ba_variant **variants, size_t *count, size_t least, ba_error *err)
{
	bool dirty = false;
	BA_TRY(open_repo(t, err));
	BA_TRY(ba_repo_is_dirty(&dirty, t->repo, err));
	if (least == 1)
		return add_spec(variants, count, dirty ? "WORKTREE" : "HEAD", err);
	BA_TRY(add_spec(variants, count, dirty ? "HEAD" : "HEAD~", err));
	return add_spec(variants, count, dirty ? "WORKTREE" : "HEAD", err);
}

static void take_commit(ba_variant *v, ba_commit *c)
{
	memcpy(v->commit, c->commit, sizeof(v->commit));
	memcpy(v->tree_id, c->tree, sizeof(v->tree_id));
	BA_FREE(v->describe, v->subject);
	v->describe = BA_TAKE(c->describe);
	v->subject = BA_TAKE(c->subject);
}

static int resolve_rev(ba_variants *t, ba_variant *v, ba_error *err)
{
	BA_AUTO(ba_commit) ba_commit commit = {0};
	BA_TRY(open_repo(t, err));
	BA_AUTO_FREE char *spec = ba_variant_tree_spec(v);
	BA_TRY(ba_commit_resolve(&commit, t->repo, spec, err));
	take_commit(v, &commit);
	return 0;
}

int ba_variants_snapshot(ba_variants *t, ba_variant *v, ba_error *err)
{
	BA_AUTO(ba_commit) ba_commit head = {0};
	ba_snapshot snapshot;
	const char *scratch;
	BA_TRY(open_repo(t, err));
	BA_TRY(ba_commit_resolve(&head, t->repo, "HEAD", err));
	BA_TRY(ba_workspace_scratch(&scratch, t->workspace, err));
	if (!t->objects_dir)
		t->objects_dir = ba_path_join(scratch, "objects");
	BA_TRY(ba_repo_snapshot(&snapshot, t->repo, t->objects_dir, t->services->log, err));
	take_commit(v, &head);
	memcpy(v->tree_id, snapshot.tree, sizeof(v->tree_id));
	memcpy(v->diff_sha256, snapshot.diff_sha256, sizeof(v->diff_sha256));
	v->dirty = snapshot.dirty;
	return 0;
}

static int resolve_path(ba_variant *v, ba_error *err)
{
	char resolved[PATH_MAX];
	BA_AUTO_FREE char *spec = ba_variant_tree_spec(v);
	if (!realpath(spec + 5, resolved))
		return ba_fail_errno(err, BA_ENOTFOUND, "no directory '%s'", spec + 5);
	if (!ba_fs_is_dir(resolved))
		return ba_fail(err, BA_ENOTFOUND, "'%s' is not a directory", spec + 5);
	v->tree_dir = ba_xstrdup(resolved);
	return 0;
}

static int resolve_one(ba_variants *t, ba_variant *v, ba_error *err)
{
	switch (v->kind) {
	case BA_VARIANT_PATH:
		return resolve_path(v, err);
	case BA_VARIANT_WORKTREE:
		return ba_variants_snapshot(t, v, err);
	default:
		return resolve_rev(t, v, err);
	}
}

static int count_fits(const ba_job_request *q, size_t count, ba_error *err)
{
	if (count < q->least)
		return ba_fail(err, BA_EINVAL, "%zu %s too few: at least %zu", count,
			ba_plural(count, "variant is", "variants are"), q->least);
	if (count > q->most)
		return ba_fail(
			err, BA_EINVAL, "%zu variants are too many: at most %zu", count, q->most);
	return 0;
}

/* Builds continue after their bench-against was killed, and would disturb measurements. */
static void end_builds_of(void *data, const char *scratch)
{
	const ba_job_services *services = data;
	BA_AUTO_FREE char *prefix = ba_xprintf("TMPDIR=%s/", scratch);
	unsigned n = ba_orphans_kill(prefix);
	if (n)
		ba_log_printf(services->log, BA_LOG_WARNING,
			"a run that was killed had left %u %s of its builds running; bench-against stopped %s",
			n, ba_plural(n, "process", "processes"), ba_plural(n, "it", "them"));
}

static int open_workspace(ba_variants *t, ba_error *err)
{
	void *services = (void *)(uintptr_t)t->services;
	BA_TRY(ba_workspace_open(&t->workspace, t->services->cache_root, t->services->log, err));
	ba_workspace_set_stop(t->workspace, ba_job_stopped, services);
	ba_workspace_set_died(t->workspace, end_builds_of, services);
	return ba_workspace_sweep(t->workspace, err);
}

static int name_variants(ba_variants *t, ba_variant **variants, size_t *count,
	const ba_strv *operands, ba_error *err)
{
	if (operands->count)
		BA_TRY(count_fits(t->request, operands->count, err));
	else
		BA_TRY(add_defaults(t, variants, count, t->request->least, err));
	for (size_t i = 0; i < operands->count; i++)
		BA_TRY(add_spec(variants, count, operands->items[i], err));
	return ba_variants_label(*variants, *count, err);
}

static void take_variants(ba_variants *t, ba_variant *variants, size_t count)
{
	t->variants = variants;
	t->count = count;
	t->slots = ba_xcalloc(t->count, sizeof(ba_slot *));
	t->manifests = ba_xcalloc(t->count, sizeof(*t->manifests));
	t->failures = ba_xcalloc(t->count, sizeof(*t->failures));
}

int ba_variants_resolve(ba_variants *t, ba_variant **variants, size_t *count,
	const ba_strv *operands, ba_error *err)
{
	BA_TRY(name_variants(t, variants, count, operands, err));
	BA_TRY(open_workspace(t, err));
	for (size_t v = 0; v < *count; v++)
		if (resolve_one(t, &(*variants)[v], err))
			return ba_fail_context(err, "%s", v == 0 ? "baseline" : "candidate");
	if (t->request->in_place && !BA_ANY(*variants, *count, v, v->kind == BA_VARIANT_PATH))
		return ba_fail(
			err, BA_EINVAL, "--in-place needs a path:DIR variant, and there is none");
	take_variants(t, *variants, *count);
	return 0;
}

int ba_variants_adopt(ba_variants *t, ba_variant *variants, size_t count, ba_error *err)
{
	take_variants(t, variants, count);
	return open_workspace(t, err);
}

/* ---- configuration ---- */

static int load_file(ba_variants *t, const char *path, ba_error *err)
{
	t->config_path = ba_path_absolute(path);
	return ba_config_load(&t->config, path, err);
}

int ba_variants_read(ba_buf *out, const ba_variants *t, const ba_variant *v, const char *path,
	size_t ceiling, ba_error *err)
{
	if (v->kind != BA_VARIANT_PATH)
		return ba_repo_read_file(out, t->repo, v->tree_id, path, ceiling, err);
	BA_AUTO_FREE char *file = ba_path_join(v->tree_dir, path);
	return ba_fs_read(out, file, ceiling, err);
}

static int load_from_variant(ba_variants *t, const ba_variant *v, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_text_own(&t->config_path, ba_xprintf("%s:%s", v->label, BA_CONFIG_FILE));
	t->rules = v;
	if (v->kind == BA_VARIANT_PATH) {
		BA_AUTO_FREE char *path = ba_path_join(v->tree_dir, BA_CONFIG_FILE);
		return ba_config_load(&t->config, path, err);
	}
	BA_TRY(ba_variants_read(&text, t, v, BA_CONFIG_FILE, BA_CONFIG_CEILING, err));
	return ba_config_load_text(&t->config, t->config_path, text.data, text.len, err);
}

static char *worktree_file(const ba_variants *t)
{
	const char *workdir = t->repo ? ba_repo_workdir(t->repo) : NULL;
	return ba_path_join(workdir ? workdir : directory_of(t), BA_CONFIG_FILE);
}

/* The file of the working tree, else that of the first variant that has one. */
static int load_default(ba_variants *t, ba_error *err)
{
	BA_AUTO_FREE char *path = worktree_file(t);
	if (ba_fs_exists(path) && !(t->repo && !ba_repo_workdir(t->repo)))
		return load_file(t, path, err);
	for (size_t v = 0; v < t->count; v++) {
		int rc = load_from_variant(t, &t->variants[v], err);
		if (rc != BA_ENOTFOUND)
			return rc;
	}
	return ba_fail(err, BA_ECONFIG,
		"no '%s' here or in any variant: it says how to build and what to measure; see docs/configuration.md, or start with 'bench-against demo DIR'",
		BA_CONFIG_FILE);
}

static int load_named(ba_variants *t, const char *from, ba_error *err)
{
	if (strcmp(from, "worktree") == 0) {
		BA_AUTO_FREE char *path = worktree_file(t);
		return load_file(t, path, err);
	}
	for (size_t v = 0; v < t->count; v++)
		if (strcmp(from, t->variants[v].label) == 0 ||
			(v == 0 && strcmp(from, "baseline") == 0)) {
			int rc = load_from_variant(t, &t->variants[v], err);
			if (rc == BA_ENOTFOUND)
				return ba_fail(err, BA_ECONFIG, "%s has no '%s'%s",
					t->variants[v].label, BA_CONFIG_FILE,
					t->request->config_from
						? ""
						: ", and in a gate the baseline's rules; for the change that brings it, name that with --config-from");
			return rc;
		}
	return ba_fail(err, BA_EINVAL,
		"--config-from: no variant is labelled '%s'; give a label, 'baseline' or 'worktree'",
		from);
}

static int apply_request(ba_variants *t, ba_error *err)
{
	const ba_job_request *o = t->request;
	if (o->threshold)
		BA_TRY(ba_config_set_threshold(&t->config, o->threshold, err));
	BA_TRY(ba_config_add_overlay(&t->config, &o->overlay, err));
	if (o->sandbox)
		ba_config_set_sandbox(&t->config);
	return 0;
}

int ba_variants_configure_as(ba_variants *t, const char *name, const char *text, ba_error *err)
{
	ba_config_init(&t->config);
	t->config_loaded = true;
	t->config_path = ba_xstrdup(name);
	BA_TRY(ba_config_load_text(&t->config, name, text, strlen(text), err));
	return apply_request(t, err);
}

int ba_variants_configure(ba_variants *t, ba_error *err)
{
	const ba_job_request *o = t->request;
	ba_config_init(&t->config);
	t->config_loaded = true;
	BA_TRY(o->config		 ? load_file(t, o->config, err)
		: o->config_from	 ? load_named(t, o->config_from, err)
		: o->gate != BA_GATE_OFF ? load_named(t, "baseline", err)
					 : load_default(t, err));
	return apply_request(t, err);
}

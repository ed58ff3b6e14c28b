/* One version of the benchmark code for every variant: paths of the configuration's
 * overlay, or of --overlay, taken from one of them or from the working tree. */

#include "git/repo.h"
#include "variants/variants.h"

static bool is_gate(const ba_variants *t)
{
	return t->request->gate != BA_GATE_OFF;
}

/* In a gate, the overlay is neither the candidate's nor the checkout's, unless an option
 * chooses the checkout's configuration, and so its overlay. */
static ba_overlay_from rank_of(const ba_variants *t)
{
	const char *named = t->request->config_from;
	if (!is_gate(t) || (named && strcmp(named, "worktree") == 0 &&
				   t->config.overlay_from == BA_OVERLAY_WORKTREE))
		return t->config.overlay_from;
	return BA_OVERLAY_BASELINE;
}

static const ba_variant *variant_of(const ba_variants *t)
{
	bool last = rank_of(t) == BA_OVERLAY_CANDIDATE && t->count > 1;
	return is_gate(t) && t->rules ? t->rules : &t->variants[last ? 1 : 0];
}

/* Fills *s: the variant or working tree whose files all variants get. */
static int find_source(ba_variants *t, ba_overlay_source *s, ba_error *err)
{
	BA_AUTO(ba_variant) ba_variant taken = {0};
	bool working = rank_of(t) == BA_OVERLAY_WORKTREE;
	const ba_variant *v =
		working ? BA_FIND(t->variants, t->count, one, one->kind == BA_VARIANT_WORKTREE)
			: variant_of(t);
	if (!v) {
		taken.label = ba_xstrdup("the working tree");
		v = &taken;
		if (ba_variants_snapshot(t, &taken, err))
			return ba_fail_context(err, "overlay");
	}
	s->from = ba_xstrdup(working ? "worktree" : "variant");
	s->label = ba_xstrdup(v->label);
	memcpy(s->commit, v->commit, sizeof(s->commit));
	memcpy(s->tree_id, v->tree_id, sizeof(s->tree_id));
	memcpy(s->diff_sha256, v->diff_sha256, sizeof(s->diff_sha256));
	s->dirty = v->dirty;
	ba_strv_copy(&s->paths, &t->config.overlay);
	return 0;
}

static void say_changed(
	ba_variants *t, const ba_strv *paths, const ba_strv *labels, const char *source)
{
	BA_AUTO_FREE char *joined = ba_strv_join(paths, ", ");
	BA_AUTO_FREE char *safe = ba_text_safe(joined);
	BA_AUTO_FREE char *variants = ba_strv_join(labels, " and ");
	ba_strv_printf(&t->notes, "benchmark sources differ: %s of %s %s taken from %s (overlay%s)",
		safe, variants, ba_plural(paths->count, "is", "are"), source,
		is_gate(t) ? "; in a gate, from the variant whose configuration applies" : "");
}

static int lay_over(ba_strv *paths, ba_strv *labels, ba_variants *t, ba_variant *v,
	const ba_overlay_source *source, ba_error *err)
{
	ba_overlaid *overlaid = &t->overlaid[v - t->variants];
	int rc = ba_repo_overlay(overlaid, paths, t->repo, t->objects_dir, v->tree_id,
		source->tree_id, &source->paths, err);
	if (rc)
		return ba_fail_context(err, "%s", v->label);
	if (strcmp(v->tree_id, overlaid->tree) != 0)
		ba_strv_push(labels, v->label);
	memcpy(v->tree_id, overlaid->tree, sizeof(v->tree_id));
	if (overlaid->laid[0])
		ba_strv_printf(&t->notes,
			"overlay: the .gitattributes of %s and %s differ; the overlaid files are written by those of %s",
			v->label, source->label, source->label);
	return 0;
}

/* ---- what can be taken ---- */

static bool has(const ba_variants *t, const char *tree, const char *path)
{
	char id[65];
	return ba_repo_path_id(id, t->repo, tree, path, NULL) == 0;
}

static bool any_has(const ba_variants *t, const char *path)
{
	char id[65];
	for (size_t v = 0; v < t->count; v++)
		if (ba_variants_path_id(id, t, v, path))
			return true;
	return false;
}

/* The working tree has the path, but a gate's source lacks it: the suite would be missing. */
static int lacks(const ba_variants *t, const ba_overlay_source *s, const char *path, ba_error *err)
{
	const char *workdir = ba_repo_workdir(t->repo);
	BA_AUTO_FREE char *safe = ba_text_safe(path);
	BA_AUTO_FREE char *file = ba_path_join(workdir ? workdir : "", path);
	if (strcmp(s->from, "worktree") != 0)
		return ba_fail(err, BA_ECONFIG,
			"overlay: in a gate the benchmarks come from %s, and it has no '%s'; add them there first, or name the variant that brings its own rules with --config-from",
			s->label, safe);
	return ba_fail(err, BA_ECONFIG, "overlay: the working tree has no '%s'%s", safe,
		workdir && ba_fs_exists(file)
			? " that git would add: it is ignored (see 'git check-ignore -v')"
			: "; paths are from the top of the repository");
}

/* A path that no variant has is probably misspelt. */
static int check_paths(const ba_variants *t, const ba_overlay_source *s, ba_error *err)
{
	bool working = t->config.overlay_from == BA_OVERLAY_WORKTREE;
	for (size_t i = 0; i < s->paths.count; i++) {
		const char *path = s->paths.items[i];
		BA_AUTO_FREE char *safe = ba_text_safe(path);
		if (working && !has(t, s->tree_id, path))
			return lacks(t, s, path, err);
		if (!any_has(t, path) && !has(t, s->tree_id, path))
			return ba_fail(err, BA_ECONFIG, "overlay: no variant has '%s'", safe);
	}
	return 0;
}

/* The target of a link out of the overlay would be each variant's own file. In a gate,
 * this would bring in the candidate's benchmarks. */
static int check_links(ba_variants *t, const ba_overlay_source *s, ba_error *err)
{
	BA_AUTO_FREE char *link = NULL;
	int rc = ba_repo_link_out(&link, t->repo, s->tree_id, &s->paths, err);
	if (rc || !link)
		return rc;
	if (is_gate(t))
		return ba_fail(err, BA_ECONFIG,
			"overlay: in %s %s, which the overlay lacks, so that each variant would bring its own; name it there, too",
			s->label, link);
	ba_strv_printf(&t->notes,
		"overlay: in %s %s, which the overlay lacks: each variant has its own", s->label,
		link);
	return 0;
}

/* ---- what pytest loads beside the tests ---- */

int ba_variants_overlay_lacks(ba_strv *notes, bool gate, const char *path, const char *first,
	const char *second, ba_error *err)
{
	BA_AUTO_FREE char *safe = ba_text_safe(path);
	BA_AUTO_FREE char *said = ba_xprintf(
		"overlay: pytest loads each variant's own '%s', which differs between %s and %s; name it in the overlay, too",
		safe, first, second);
	if (gate)
		return ba_fail(err, BA_ECONFIG, "%s", said);
	if (!ba_strv_has(notes, said))
		ba_strv_push(notes, said);
	return 0;
}

static int compare_conftest(ba_variants *t, const char *folder, ba_error *err)
{
	BA_AUTO_FREE char *path = strcmp(folder, ".") == 0 ? ba_xstrdup("conftest.py")
							   : ba_path_join(folder, "conftest.py");
	char first[65], other[65];
	ba_variants_path_id(first, t, 0, path);
	for (size_t v = 1; v < t->count; v++) {
		ba_variants_path_id(other, t, v, path);
		if (strcmp(first, other) != 0)
			BA_TRY(ba_variants_overlay_lacks(&t->notes, is_gate(t), path,
				t->variants[0].label, t->variants[v].label, err));
	}
	return 0;
}

/* Checks the conftest.py files above the tests before anything is built. Other plugins
 * are known only when pytest has loaded them (job/survey.c). */
static int check_conftests(ba_variants *t, ba_error *err)
{
	bool runs = BA_ANY(t->config.suites, t->config.suite_count, one,
		ba_strv_has(&one->command, "--pytest") || ba_strv_has(&one->command, "pytest"));
	for (size_t i = 0; runs && i < t->config.overlay.count; i++) {
		BA_AUTO_FREE char *folder = ba_path_dir(t->config.overlay.items[i]);
		BA_TRY(compare_conftest(t, folder, err));
		while (strcmp(folder, ".") != 0) {
			ba_text_own(&folder, ba_path_dir(folder));
			BA_TRY(compare_conftest(t, folder, err));
		}
	}
	return 0;
}

/* A directory has no overlay: against commits with one it would run other benchmarks. */
static int check_directories(const ba_variants *t, bool *all, ba_error *err)
{
	size_t count = 0;
	const ba_variant *last = NULL;
	for (size_t v = 0; v < t->count; v++)
		if (t->variants[v].kind == BA_VARIANT_PATH) {
			last = &t->variants[v];
			count++;
		}
	*all = count == t->count;
	bool asked = t->request->overlay.count > 0;
	if (!last || (!asked && *all))
		return 0;
	return ba_fail(err, BA_EUNSUPPORTED,
		"overlay: %s is a directory, whose files bench-against does not change; take 'overlay' out of the configuration, or name a commit",
		last->label);
}

int ba_variants_overlay(ba_variants *t, ba_error *err)
{
	const char *scratch;
	ba_overlay_source *s = &t->overlay;
	bool directories;
	BA_AUTO(ba_strv) ba_strv paths = {0}, labels = {0};
	if (t->config.overlay.count == 0)
		return 0;
	BA_TRY(check_directories(t, &directories, err));
	if (directories)
		return 0;
	BA_TRY(ba_workspace_scratch(&scratch, t->workspace, err));
	if (!t->objects_dir)
		t->objects_dir = ba_path_join(scratch, "objects");
	BA_TRY(find_source(t, s, err));
	BA_TRY(check_paths(t, s, err));
	BA_TRY(check_links(t, s, err));
	t->overlaid = ba_xcalloc(t->count, sizeof(*t->overlaid));
	for (size_t v = 0; v < t->count; v++)
		BA_TRY(lay_over(&paths, &labels, t, &t->variants[v], s, err));
	if (labels.count)
		say_changed(t, &paths, &labels, s->label);
	return check_conftests(t, err);
}

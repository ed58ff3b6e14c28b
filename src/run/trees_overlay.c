/* One version of the benchmark code for every variant: paths of the configuration's
 * overlay, taken from one of them. */
#include <string.h>

#include "base/mem.h"
#include "base/path.h"
#include "base/text.h"
#include "run/trees.h"
#include "git/overlay.h"

static int refuse_directory(const ba_variant *v, ba_error *err)
{
	return ba_fail(err, BA_EUNSUPPORTED,
		"overlay: %s is a directory of its own, and its files are left alone; take 'overlay' out of the configuration, or name a commit",
		v->label);
}

static bool is_gate(const ba_trees *t)
{
	return t->request->gate != BA_GATE_OFF;
}

/* In a gate the candidate does not bring what it is measured with. */
static const ba_variant *source_of(const ba_trees *t)
{
	if (is_gate(t))
		return t->rules ? t->rules : &t->variants[0];
	bool last = t->config.overlay_from == BA_OVERLAY_CANDIDATE && t->count > 1;
	return &t->variants[last ? 1 : 0];
}

static void say_changed(ba_trees *t, const ba_variant *v, const ba_variant *source,
	const ba_strv *changed)
{
	BA_AUTO_FREE char *paths = ba_strv_join(changed, ", ");
	BA_AUTO_FREE char *safe = ba_text_safe(paths);
	BA_AUTO_FREE char *note = ba_xprintf(
		"benchmark sources differ: %s of %s %s taken from %s (overlay%s)", safe,
		v->label, changed->count == 1 ? "is" : "are", source->label,
		is_gate(t) ? "; in a gate from the variant whose configuration rules"
			   : "");
	ba_strv_push(&t->notes, note);
	ba_log_printf(t->services->log, BA_LOG_INFO, "%s", note);
}

static int lay_over(ba_trees *t, ba_variant *v, const ba_variant *source,
	const char *source_tree, ba_error *err)
{
	ba_overlaid *overlaid = &t->overlaid[v - t->variants];
	BA_AUTO(ba_strv) ba_strv changed = {0};
	int rc = ba_repo_overlay(overlaid, &changed, t->repo, t->objects_dir,
		v->tree_id, source_tree, &t->config.overlay, err);
	if (rc)
		return ba_fail_context(err, "%s", v->label);
	memcpy(v->tree_id, overlaid->tree, sizeof(v->tree_id));
	if (changed.count)
		say_changed(t, v, source, &changed);
	if (overlaid->laid[0])
		ba_strv_push_take(&t->notes,
			ba_xprintf(
				"overlay: the .gitattributes of %s and %s differ; the overlaid files are written by those of %s",
				v->label, source->label, source->label));
	return 0;
}

/* A path that nobody has is a typing mistake. */
static int check_paths(ba_trees *t, ba_error *err)
{
	for (size_t i = 0; i < t->config.overlay.count; i++) {
		const char *path = t->config.overlay.items[i];
		bool found = false;
		for (size_t v = 0; v < t->count && !found; v++) {
			char id[65];
			found = ba_repo_path_id(id, t->repo, t->variants[v].tree_id,
					path, NULL) == 0;
		}
		BA_AUTO_FREE char *safe = ba_text_safe(path);
		if (!found)
			return ba_fail(
				err, BA_ECONFIG, "overlay: no variant has '%s'", safe);
	}
	return 0;
}

int ba_trees_overlay(ba_trees *t, ba_error *err)
{
	const char *scratch;
	char source_tree[65];
	if (t->config.overlay.count == 0)
		return 0;
	const ba_variant *source = source_of(t);
	for (size_t v = 0; v < t->count; v++)
		if (t->variants[v].kind == BA_VARIANT_PATH)
			return refuse_directory(&t->variants[v], err);
	int rc = check_paths(t, err);
	rc = rc ? rc : ba_workspace_scratch(&scratch, t->workspace, err);
	if (rc)
		return rc;
	if (!t->objects_dir)
		t->objects_dir = ba_path_join(scratch, "objects");
	memcpy(source_tree, source->tree_id, sizeof(source_tree));
	t->overlaid = ba_xcalloc(t->count, sizeof(*t->overlaid));
	for (size_t v = 0; rc == 0 && v < t->count; v++)
		if (&t->variants[v] != source)
			rc = lay_over(t, &t->variants[v], source, source_tree, err);
	return rc;
}

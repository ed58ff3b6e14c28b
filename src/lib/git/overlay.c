#include "git/snapshot.h"

#include "git/internal.h"

/* NULL: the tree has no such path. */
static int entry_of(git_tree_entry **out, const git_tree *tree, const char *path, ba_error *err)
{
	int rc = git_tree_entry_bypath(out, tree, path);
	if (rc == 0)
		return 0;
	*out = NULL;
	return rc == GIT_ENOTFOUND ? 0
				   : ba_git_fail(err, BA_EIO, "overlay: '%s' cannot be read", path);
}

/* NULL equals NULL: neither tree has the path. */
static bool is_same(const git_tree_entry *a, const git_tree_entry *b)
{
	if (!a || !b)
		return a == b;
	return git_oid_equal(git_tree_entry_id(a), git_tree_entry_id(b)) &&
	       git_tree_entry_filemode(a) == git_tree_entry_filemode(b);
}

/* Puts the entry at a path of the tree `id`, which becomes the changed tree; NULL: removes
 * the path. */
static int update(git_oid *id, git_repository *handle, const char *path,
	const git_tree_entry *entry, ba_error *err)
{
	BA_AUTO_PTR(git_tree) git_tree *tree = NULL;
	git_tree_update change = {.action = GIT_TREE_UPDATE_REMOVE, .path = path};
	if (entry) {
		change.action = GIT_TREE_UPDATE_UPSERT;
		change.id = *git_tree_entry_id(entry);
		change.filemode = git_tree_entry_filemode(entry);
	}
	if (git_tree_lookup(&tree, handle, id) ||
		git_tree_create_updated(id, handle, tree, 1, &change))
		return ba_git_fail(err, BA_EIO, "overlay: '%s' cannot be put into a tree", path);
	return 0;
}

/* One path: the tree's own content is replaced with that of the source. */
static int lay_over(git_oid *id, ba_strv *changed, git_repository *handle, const git_tree *source,
	const char *path, ba_error *err)
{
	BA_AUTO_PTR(git_tree) git_tree *tree = NULL;
	BA_AUTO_PTR(git_tree_entry) git_tree_entry *mine = NULL, *theirs = NULL;
	if (git_tree_lookup(&tree, handle, id))
		return ba_git_fail(err, BA_EIO, "overlay: the tree of the variant cannot be read");
	BA_TRY(entry_of(&mine, tree, path, err));
	BA_TRY(entry_of(&theirs, source, path, err));
	if (is_same(mine, theirs))
		return 0;
	if (!ba_strv_has(changed, path))
		ba_strv_push(changed, path);
	/* removes the entry first, because one may be a file and the other a folder */
	BA_TRY(mine ? update(id, handle, path, NULL, err) : 0);
	return theirs ? update(id, handle, path, theirs, err) : 0;
}

/* ---- the attributes that a path is written with ---- */

/* ".gitattributes", "a/.gitattributes" and so on above "a/b/c"; caller frees */
static void attribute_files(ba_strv *out, const ba_strv *paths)
{
	for (size_t i = 0; i < paths->count; i++) {
		const char *path = paths->items[i];
		for (const char *slash = path; slash; slash = strchr(slash, '/')) {
			slash += slash != path;
			BA_AUTO_FREE char *name =
				ba_xprintf("%.*s.gitattributes", (int)(slash - path), path);
			if (!ba_strv_has(out, name))
				ba_strv_push(out, name);
		}
	}
}

static int all_are_same(
	bool *out, const git_tree *a, const git_tree *b, const ba_strv *files, ba_error *err)
{
	*out = true;
	for (size_t i = 0; *out && i < files->count; i++) {
		BA_AUTO_PTR(git_tree_entry) git_tree_entry *mine = NULL;
		BA_AUTO_PTR(git_tree_entry) git_tree_entry *theirs = NULL;
		BA_TRY(entry_of(&mine, a, files->items[i], err));
		BA_TRY(entry_of(&theirs, b, files->items[i], err));
		*out = is_same(mine, theirs);
	}
	return 0;
}

static int empty_tree(git_oid *out, git_repository *handle, ba_error *err)
{
	git_treebuilder *builder = NULL;
	int rc = git_treebuilder_new(&builder, handle, NULL) || git_treebuilder_write(out, builder);
	git_treebuilder_free(builder);
	return rc ? ba_git_fail(err, BA_EIO, "overlay: no tree can be written") : 0;
}

/* For each of the names that `from` has: puts its entry into the tree `id`, or removes the name
 * there. */
static int update_all(git_oid *id, git_repository *handle, const git_tree *from,
	const ba_strv *names, bool put, ba_error *err)
{
	for (size_t i = 0; i < names->count; i++) {
		BA_AUTO_PTR(git_tree_entry) git_tree_entry *entry = NULL;
		const char *name = names->items[i];
		BA_TRY(entry_of(&entry, from, name, err));
		BA_TRY(entry ? update(id, handle, name, put ? entry : NULL, err) : 0);
	}
	return 0;
}

static int split(ba_overlaid *out, git_repository *handle, const git_oid *whole_id,
	const git_tree *from, const ba_strv *paths, ba_error *err)
{
	BA_AUTO_PTR(git_tree) git_tree *whole = NULL;
	BA_AUTO(ba_strv) ba_strv files = {0};
	/* where submodules among the paths are searched */
	BA_AUTO(ba_strv) ba_strv modules = {0};
	git_oid own = *whole_id, laid;
	bool same;
	ba_strv_push(&modules, ".gitmodules");
	attribute_files(&files, paths);
	if (git_tree_lookup(&whole, handle, whole_id))
		return ba_git_fail(err, BA_EIO, "overlay: the tree of the variant cannot be read");
	BA_TRY(all_are_same(&same, whole, from, &files, err));
	if (same)
		return 0;
	BA_TRY(update_all(&own, handle, whole, paths, false, err));
	BA_TRY(empty_tree(&laid, handle, err));
	BA_TRY(update_all(&laid, handle, whole, &modules, true, err));
	BA_TRY(update_all(&laid, handle, from, paths, true, err));
	BA_TRY(update_all(&laid, handle, from, &files, true, err));
	git_oid_tostr(out->own, sizeof(out->own), &own);
	git_oid_tostr(out->laid, sizeof(out->laid), &laid);
	return 0;
}

int ba_repo_overlay(ba_overlaid *out, ba_strv *changed, ba_repo *repo, const char *objects_dir,
	const char *tree, const char *source, const ba_strv *paths, ba_error *err)
{
	BA_AUTO_PTR(git_repository) git_repository *handle = NULL;
	BA_AUTO_PTR(git_tree) git_tree *from = NULL;
	BA_AUTO(ba_strv) ba_strv trimmed = {0};
	ba_overlaid made = {0};
	git_oid id;
	BA_TRY(ba_fs_mkdirs(objects_dir, err));
	BA_TRY(ba_git_open_beside(&handle, repo, objects_dir, err));
	BA_TRY(ba_git_tree_of(&from, handle, source, err));
	BA_TRY(ba_git_oid(&id, tree, err));
	for (size_t i = 0; i < paths->count; i++) {
		ba_strv_push_take(&trimmed, ba_git_trim_slash(paths->items[i]));
		BA_TRY(lay_over(&id, changed, handle, from, trimmed.items[i], err));
	}
	BA_TRY(split(&made, handle, &id, from, &trimmed, err));
	BA_TRY(ba_repo_add_objects(repo, objects_dir, err));
	git_oid_tostr(made.tree, sizeof(made.tree), &id);
	*out = made;
	return 0;
}

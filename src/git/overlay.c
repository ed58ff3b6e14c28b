#include "git/overlay.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/path.h"
#include "git/internal.h"

/* NULL: the tree has no such path. */
static int entry_of(
	git_tree_entry **out, const git_tree *tree, const char *path, ba_error *err)
{
	int rc = git_tree_entry_bypath(out, tree, path);
	if (rc == 0)
		return 0;
	*out = NULL;
	return rc == GIT_ENOTFOUND
		       ? 0
		       : ba_git_fail(err, BA_EIO, "overlay: '%s' cannot be read", path);
}

static bool is_same(const git_tree_entry *a, const git_tree_entry *b)
{
	return git_oid_equal(git_tree_entry_id(a), git_tree_entry_id(b)) &&
	       git_tree_entry_filemode(a) == git_tree_entry_filemode(b);
}

static int update(git_oid *id, git_repository *handle, const char *path,
	git_tree_update_t action, const git_tree_entry *entry, ba_error *err)
{
	BA_AUTO_PTR(git_tree) git_tree *tree = NULL;
	git_tree_update change = {.action = action, .path = path};
	if (entry) {
		change.id = *git_tree_entry_id(entry);
		change.filemode = git_tree_entry_filemode(entry);
	}
	if (git_tree_lookup(&tree, handle, id) ||
		git_tree_create_updated(id, handle, tree, 1, &change))
		return ba_git_fail(
			err, BA_EIO, "overlay: '%s' cannot be put into a tree", path);
	return 0;
}

/* One path: what was there goes, what the source has comes. */
static int lay_over(git_oid *id, ba_strv *changed, git_repository *handle,
	const git_tree *source, const char *path, ba_error *err)
{
	BA_AUTO_PTR(git_tree) git_tree *tree = NULL;
	BA_AUTO_PTR(git_tree_entry) git_tree_entry *mine = NULL;
	BA_AUTO_PTR(git_tree_entry) git_tree_entry *theirs = NULL;
	if (git_tree_lookup(&tree, handle, id))
		return ba_git_fail(err, BA_EIO, "overlay: no tree to lay over");
	int rc = entry_of(&mine, tree, path, err);
	rc = rc ? rc : entry_of(&theirs, source, path, err);
	if (rc)
		return rc;
	if (mine == theirs || (mine && theirs && is_same(mine, theirs)))
		return 0; /* NULL both: neither has it */
	ba_strv_push(changed, path);
	if (mine)
		rc = update(id, handle, path, GIT_TREE_UPDATE_REMOVE, NULL, err);
	if (rc == 0 && theirs)
		rc = update(id, handle, path, GIT_TREE_UPDATE_UPSERT, theirs, err);
	return rc;
}

int ba_repo_overlay(char out[65], ba_strv *changed, ba_repo *repo,
	const char *objects_dir, const char *tree, const char *source,
	const ba_strv *paths, ba_error *err)
{
	BA_AUTO_PTR(git_repository) git_repository *handle = NULL;
	BA_AUTO_PTR(git_tree) git_tree *from = NULL;
	git_oid id;
	int rc = ba_fs_mkdirs(objects_dir, err);
	rc = rc ? rc : ba_git_open_beside(&handle, repo, objects_dir, err);
	rc = rc ? rc : ba_git_tree_of(&from, handle, source, err);
	rc = rc ? rc : ba_git_oid(&id, tree, err);
	for (size_t i = 0; rc == 0 && i < paths->count; i++) {
		BA_AUTO_FREE char *path = ba_git_trim_slash(paths->items[i]);
		rc = lay_over(&id, changed, handle, from, path, err);
	}
	rc = rc ? rc : ba_repo_add_objects(repo, objects_dir, err);
	if (rc == 0)
		git_oid_tostr(out, 65, &id);
	return rc;
}

/* Objects of a repository: trees by id, and the entry of a tree at a path. */

#include "git/internal.h"
#include "git/repo.h"

int ba_git_oid(git_oid *out, const char *hex, ba_error *err)
{
	if (strlen(hex) != GIT_OID_HEXSZ || git_oid_fromstr(out, hex))
		return ba_fail(err, BA_EINVAL, "'%s' is not an object id", hex);
	return 0;
}

bool ba_git_has(git_repository *handle, const git_oid *tip, const git_oid *id)
{
	return git_oid_equal(tip, id) || git_graph_descendant_of(handle, tip, id) == 1;
}

int ba_git_tree_of(git_tree **out, git_repository *handle, const char *hex, ba_error *err)
{
	git_oid id;
	BA_TRY(ba_git_oid(&id, hex, err));
	int rc = git_tree_lookup(out, handle, &id);
	/* a commit names the object, so the user's text is not the cause */
	if (rc == GIT_ENOTFOUND)
		return ba_fail(err, BA_EUNSUPPORTED,
			"the tree %s is not in the repository; in a partial clone, `git ls-tree -r %s` fetches it; otherwise see `git fsck`",
			hex, hex);
	return rc ? ba_git_fail(err, BA_EIO, "the tree %s cannot be read", hex) : 0;
}

static int entry_at(
	git_tree_entry **out, ba_repo *repo, const char *tree_hex, const char *path, ba_error *err)
{
	BA_AUTO_PTR(git_tree) git_tree *tree = NULL;
	BA_TRY(ba_git_tree_of(&tree, repo->handle, tree_hex, err));
	int rc = git_tree_entry_bypath(out, tree, path);
	/* "object not found" means that a folder's object is missing, not the path */
	if (rc == GIT_ENOTFOUND && git_error_last() && git_error_last()->klass == GIT_ERROR_ODB)
		return ba_git_fail(
			err, BA_EIO, "'%s' cannot be read in tree %.12s", path, tree_hex);
	if (rc == GIT_ENOTFOUND)
		return ba_fail(err, BA_ENOTFOUND, "there is no '%s' in tree %.12s", path, tree_hex);
	return rc ? ba_git_fail(err, BA_EIO, "'%s' cannot be read", path) : 0;
}

int ba_repo_read_file(ba_buf *out, ba_repo *repo, const char *tree, const char *path,
	size_t ceiling, ba_error *err)
{
	BA_AUTO_PTR(git_tree_entry) git_tree_entry *entry = NULL;
	BA_AUTO_PTR(git_blob) git_blob *blob = NULL;
	BA_TRY(entry_at(&entry, repo, tree, path, err));
	if (git_tree_entry_type(entry) != GIT_OBJECT_BLOB)
		return ba_fail(err, BA_ENOTFOUND, "'%s' is not a file in tree %.12s", path, tree);
	if (git_tree_entry_filemode(entry) == GIT_FILEMODE_LINK)
		return ba_fail(err, BA_EDATA,
			"'%s' is a symbolic link; put the file itself in its place", path);
	if (git_blob_lookup(&blob, repo->handle, git_tree_entry_id(entry)))
		return ba_git_fail(err, BA_EIO, "'%s' cannot be read", path);
	if ((uint64_t)git_blob_rawsize(blob) > ceiling)
		return ba_fail(
			err, BA_EDATA, "'%s' is larger than the limit of %zu bytes", path, ceiling);
	ba_buf_put(out, git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob));
	return 0;
}

int ba_repo_path_id(char out[65], ba_repo *repo, const char *tree, const char *path, ba_error *err)
{
	if (path[0] == '\0' || strcmp(path, ".") == 0) {
		BA_AUTO_PTR(git_tree) git_tree *whole = NULL;
		int rc = ba_git_tree_of(&whole, repo->handle, tree, err);
		if (rc == 0)
			git_oid_tostr(out, 65, git_tree_id(whole));
		return rc;
	}
	BA_AUTO_PTR(git_tree_entry) git_tree_entry *entry = NULL;
	BA_AUTO_FREE char *trimmed = ba_git_trim_slash(path);
	BA_TRY(entry_at(&entry, repo, tree, trimmed, err));
	git_oid_tostr(out, 65, git_tree_entry_id(entry));
	return 0;
}

#include "git/create.h"

#include "git/internal.h"

static void free_signature(git_signature **s)
{
	git_signature_free(*s);
}

/* git_repository_open_ext would look at the folders above, too: only `dir` counts. */
static int open_or_init(git_repository **out, const char *dir, ba_error *err)
{
	BA_AUTO_FREE char *dot_git = ba_path_join(dir, ".git");
	ba_git_start();
	if (ba_fs_exists(dot_git))
		return ba_git_open_at(out, dir, err);
	git_repository_init_options options = GIT_REPOSITORY_INIT_OPTIONS_INIT;
	options.flags = GIT_REPOSITORY_INIT_NO_REINIT | GIT_REPOSITORY_INIT_MKPATH;
	if (git_repository_init_ext(out, dir, &options))
		return ba_git_fail(err, BA_EIO, "no repository can be made in '%s'", dir);
	return 0;
}

static int add_file(git_index *index, git_repository *repo, const ba_git_file *file, ba_error *err)
{
	git_index_entry entry = {
		.path = file->path,
		.mode = file->executable ? GIT_FILEMODE_BLOB_EXECUTABLE : GIT_FILEMODE_BLOB,
	};
	if (git_blob_create_from_buffer(&entry.id, repo, file->data, file->size) ||
		git_index_add(index, &entry))
		return ba_git_fail(err, BA_EIO, "'%s' cannot be committed", file->path);
	return 0;
}

static int find_parent(git_commit **out, git_repository *repo, const char *branch, ba_error *err)
{
	BA_AUTO_PTR(git_reference) git_reference *ref = NULL;
	if (git_branch_lookup(&ref, repo, branch, GIT_BRANCH_LOCAL) ||
		git_reference_peel((git_object **)out, ref, GIT_OBJECT_COMMIT))
		return ba_git_fail(err, BA_ENOTFOUND, "no branch '%s' to build on", branch);
	return 0;
}

/* ref NULL: on no branch; parent NULL: the first commit */
static int commit_index(git_oid *id, git_repository *repo, const char *ref, git_index *index,
	const git_commit *parent, const char *message, int64_t time, ba_error *err)
{
	BA_CLEANUP(free_signature) git_signature *author = NULL;
	BA_AUTO_PTR(git_tree) git_tree *tree = NULL;
	if (git_index_write_tree_to(id, index, repo) || git_tree_lookup(&tree, repo, id) ||
		git_signature_new(
			&author, "bench-against demo", "demo@bench-against.invalid", time, 0) ||
		git_commit_create(id, repo, ref, author, author, NULL, message, tree,
			parent ? 1 : 0, &parent))
		return ba_git_fail(
			err, BA_EIO, "no commit can be made in '%s'", git_repository_path(repo));
	return 0;
}

int ba_git_create_commit(const char *dir, const char *branch, const char *parent_branch,
	const ba_git_file *files, size_t count, const char *message, int64_t time, ba_error *err)
{
	BA_AUTO_PTR(git_repository) git_repository *repo = NULL;
	BA_AUTO_PTR(git_commit) git_commit *parent = NULL;
	BA_AUTO_PTR(git_reference) git_reference *existing = NULL;
	BA_AUTO_PTR(git_index) git_index *index = NULL;
	BA_AUTO_FREE char *ref = ba_xprintf("refs/heads/%s", branch);
	BA_TRY(open_or_init(&repo, dir, err));
	if (git_branch_lookup(&existing, repo, branch, GIT_BRANCH_LOCAL) == 0)
		return ba_fail(err, BA_EREPO, "'%s' has a branch '%s' already", dir, branch);
	if (git_index_new(&index))
		return ba_git_fail(err, BA_EIO, "no index can be made");
	for (size_t i = 0; i < count; i++)
		BA_TRY(add_file(index, repo, &files[i], err));
	BA_TRY(parent_branch ? find_parent(&parent, repo, parent_branch, err) : 0);
	git_oid id;
	return commit_index(&id, repo, ref, index, parent, message, time, err);
}

int ba_git_commit_files(
	char commit[65], const char *dir, const ba_strv *paths, const ba_strv *from, ba_error *err)
{
	BA_AUTO_PTR(git_repository) git_repository *repo = NULL;
	BA_AUTO_PTR(git_index) git_index *index = NULL;
	git_oid id;
	BA_TRY(open_or_init(&repo, dir, err));
	if (git_index_new(&index))
		return ba_git_fail(err, BA_EIO, "no index can be made");
	for (size_t i = 0; i < paths->count; i++) {
		bool program = access(from->items[i], X_OK) == 0;
		git_index_entry entry = {.path = paths->items[i],
			.mode = program ? GIT_FILEMODE_BLOB_EXECUTABLE : GIT_FILEMODE_BLOB};
		if (git_blob_create_from_disk(&entry.id, repo, from->items[i]) ||
			git_index_add(index, &entry))
			return ba_git_fail(err, BA_EIO, "'%s' cannot be committed", from->items[i]);
	}
	BA_TRY(commit_index(&id, repo, NULL, index, NULL, "files", 1, err));
	git_oid_tostr(commit, 65, &id);
	return 0;
}

int ba_git_create_checkout(const char *dir, const char *branch, ba_error *err)
{
	BA_AUTO_PTR(git_repository) git_repository *repo = NULL;
	BA_AUTO_FREE char *ref = ba_xprintf("refs/heads/%s", branch);
	ba_git_start();
	BA_TRY(ba_git_open_at(&repo, dir, err));
	git_checkout_options options = GIT_CHECKOUT_OPTIONS_INIT;
	options.checkout_strategy = GIT_CHECKOUT_FORCE;
	if (git_repository_set_head(repo, ref) || git_checkout_head(repo, &options))
		return ba_git_fail(err, BA_EIO, "'%s' cannot be checked out in '%s'", branch, dir);
	return 0;
}

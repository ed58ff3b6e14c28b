#include "git/tree.h"

#include "git/checkout.h"

/* deeper than any project nests its submodules; stops cycles */
#define DEEPEST 16

static int prepare_dir(const char *dir, ba_error *err)
{
	if (dir[0] != '/')
		return ba_fail(err, BA_EINVAL, "'%s' is not an absolute path", dir);
	if (mkdir(dir, 0777) == 0)
		return 0;
	if (errno != EEXIST)
		return ba_fail_errno(err, BA_EIO, "cannot create '%s'", dir);
	BA_AUTO(ba_strv) ba_strv names = {0};
	BA_TRY(ba_fs_names(&names, dir, err));
	if (names.count)
		return ba_fail(err, BA_EIO, "'%s' is not empty", dir);
	return 0;
}

/* the tree to write: the requested one, or the commit's own */
static int tree_of_commit(char out[65], git_repository *handle, const char *commit_hex,
	const char *tree_hex, ba_error *err)
{
	BA_AUTO_PTR(git_commit) git_commit *commit = NULL;
	git_oid id;
	BA_TRY(ba_git_oid(&id, commit_hex, err));
	int rc = git_commit_lookup(&commit, handle, &id);
	if (rc == GIT_ENOTFOUND)
		return ba_fail(err, BA_EUNSUPPORTED,
			"the commit %.12s is not in the repository; see `git fsck`", commit_hex);
	if (rc)
		return ba_git_fail(err, BA_EIO, "the commit %.12s cannot be read", commit_hex);
	if (tree_hex && tree_hex[0])
		memcpy(out, tree_hex, strlen(tree_hex) + 1);
	else
		git_oid_tostr(out, 65, git_commit_tree_id(commit));
	return 0;
}

/* Lets git write the files that need a filter program or an encoding; the private repository
 * has no hooks. */
static int run_filters(
	const ba_tree_request *req, const char *dir, const ba_strv *paths, ba_error *err)
{
	static const char *const argv[] = {
		"git", "checkout-index", "-f", "-u", "-z", "--stdin", NULL};
	BA_AUTO(ba_buf) ba_buf input = BA_BUF_INIT;
	if (paths->count == 0)
		return 0;
	for (size_t i = 0; i < paths->count; i++)
		ba_buf_put(&input, paths->items[i], strlen(paths->items[i]) + 1);
	/* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): without it none are left */
	int rc = req->run_git(req->run_git_data, argv, dir, input.data, input.len, err);
	if (rc == 0)
		return 0;
	BA_AUTO_FREE char *safe = ba_text_safe(paths->items[0]);
	return ba_fail_context(err,
		"'%s'%s through a filter program or an encoding, which needs git", safe,
		paths->count > 1 ? " and others go" : " goes");
}

static int materialise(const ba_tree_request *req, const ba_repo *source, const char *commit,
	const char *tree, const char *objects_dir, const char *dir, unsigned depth, ba_error *err);

static int write_submodule(const ba_tree_request *req, const ba_repo *source, const char *dir,
	const ba_gitlink *link, unsigned depth, ba_error *err)
{
	BA_AUTO_PTR(ba_repo) ba_repo *inner = NULL;
	BA_AUTO_FREE char *target = ba_path_join(dir, link->path);
	bool wanted = true;
	if (depth == DEEPEST)
		return ba_fail(err, BA_EDATA, "submodules are nested more than %d deep", DEEPEST);
	int rc = ba_submodule_find(&inner, &wanted, source, dir, link, err);
	if (rc == 0 && !wanted) {
		ba_log_printf(req->log, BA_LOG_DEBUG,
			"the submodule '%s' is not active, so its folder stays empty", link->path);
		return 0;
	}
	if (rc)
		return rc;
	rc = materialise(req, inner, link->commit, NULL, NULL, target, depth + 1, err);
	return rc ? ba_fail_context(err, "submodule '%s'", link->path) : 0;
}

static int materialise(const ba_tree_request *req, const ba_repo *source, const char *commit,
	const char *tree, const char *objects_dir, const char *dir, unsigned depth, ba_error *err)
{
	BA_AUTO(ba_checkout) ba_checkout rest = {0};
	BA_AUTO_FREE char *storage = ba_lfs_storage(source->handle, source->common_dir);
	char tree_hex[65];
	BA_TRY(tree_of_commit(tree_hex, source->handle, commit, tree, err));
	BA_TRY(prepare_dir(dir, err));
	BA_TRY(ba_private_create(&(ba_private_request){.source = source->handle,
					 .git_dir = source->git_dir,
					 .common_dir = source->common_dir,
					 .objects_dir = objects_dir,
					 .commit = commit,
					 .dir = dir},
		err));
	int rc = ba_checkout_write(&rest,
		&(ba_checkout_request){.dir = dir,
			.commit = commit,
			.tree = tree_hex,
			.lfs_storage = storage,
			.leave_lfs_pointers = req->leave_lfs_pointers,
			.has_git = req->run_git != NULL,
			.threads = req->threads,
			.stopped = req->stopped,
			.stopped_data = req->stopped_data,
			.log = req->log},
		err);
	rc = rc ? rc : run_filters(req, dir, &rest.filtered, err);
	if (rc == 0 && rest.filtered.count)
		rc = ba_checkout_settle(dir, commit, err);
	for (size_t i = 0; rc == 0 && i < rest.gitlink_count; i++)
		rc = write_submodule(req, source, dir, &rest.gitlinks[i], depth, err);
	return rc;
}

/* ---- an overlay whose attributes are others ---- */

/* Opens a folder in `from`, made if missing, never through a link. -1 with errno */
static int step_into(int from, const char *name)
{
	if (mkdirat(from, name, 0777) && errno != EEXIST)
		return -1;
	return openat(from, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static int move_path(const char *to, const char *from, const char *path, ba_error *err)
{
	BA_AUTO_FREE char *source = ba_path_join(from, path);
	BA_AUTO_FREE char *rest = ba_xstrdup(path);
	BA_AUTO_FD int dir = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char *name = rest, *slash;
	if (!ba_fs_exists(source))
		return 0;
	while (dir >= 0 && (slash = strchr(name, '/'))) {
		*slash = '\0';
		int inner = step_into(dir, name);
		close(dir);
		dir = inner;
		name = slash + 1;
	}
	if (dir < 0 || renameat(AT_FDCWD, source, dir, name)) {
		BA_AUTO_FREE char *safe = ba_text_safe(path);
		return ba_fail_errno(err, BA_EIO, "cannot write '%s/%s'", to, safe);
	}
	return 0;
}

/* Writes the paths into a separate folder, where no other attributes apply, and moves
 * them. */
static int lay(const ba_tree_request *req, ba_error *err)
{
	BA_AUTO_FREE char *side = ba_path_join(req->dir, ".git/overlay");
	int rc =
		materialise(req, req->repo, req->commit, req->laid, req->objects_dir, side, 0, err);
	for (size_t i = 0; rc == 0 && i < req->laid_paths->count; i++) {
		BA_AUTO_FREE char *path = ba_git_trim_slash(req->laid_paths->items[i]);
		rc = move_path(req->dir, side, path, err);
	}
	return rc ? ba_fail_context(err, "overlay") : ba_fs_remove_tree(side, err);
}

int ba_tree_materialise(const ba_tree_request *req, ba_error *err)
{
	bool laid = req->laid && req->laid[0];
	int rc = materialise(req, req->repo, req->commit, laid ? req->own : req->tree,
		req->objects_dir, req->dir, 0, err);
	return rc || !laid ? rc : lay(req, err);
}

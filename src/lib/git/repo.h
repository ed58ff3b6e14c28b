/*
 * The user's repository, opened to be read and never written: this module changes no
 * reference, index, configuration or working file of it.
 *
 *     BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
 *     int rc = ba_repo_open(&repo, ".", err);
 *
 * A handle belongs to one thread at a time; open another for another thread.
 */
#pragma once

#include "base/base.h"

/* Runs `argv` (NULL-terminated, argv[0] is "git") in `cwd` with `input` on standard
 * input. GIT_DIR and its kin are not in the environment. Returns 0 if git exited with
 * 0, BA_ENOTFOUND if there is no git, else another BA_E code, with git's last words.
 * The caller supplies it, because this module starts no processes. */
typedef int ba_git_runner(void *data, const char *const *argv, const char *cwd, const void *input,
	size_t input_size, ba_error *err);

typedef struct ba_repo ba_repo;

/* Finds the repository of `start_dir`, which may be its top, a folder in it, a linked
 * worktree or a bare repository. BA_EREPO, with what to do: not a repository; SHA-256
 * or reftable format; an unknown extension; it belongs to another user. */
int ba_repo_open(ba_repo **out, const char *start_dir, ba_error *err);
BA_DECLARE_FREE(ba_repo)

/* Absolute, without a trailing '/'; valid as long as the handle. */
const char *ba_repo_workdir(const ba_repo *repo); /* NULL for a bare repository */
const char *ba_repo_common_dir(const ba_repo *repo);

/* Where git looks for hooks: core.hooksPath, else hooks/ of the common directory.
 * Caller frees. */
int ba_repo_hooks_dir(char **out, const ba_repo *repo, ba_error *err);

/* The content of the file `path` in the tree `tree` (hex). BA_ENOTFOUND if the tree has
 * no such file, BA_EDATA if it is larger than `ceiling` bytes or a symbolic link. */
int ba_repo_read_file(ba_buf *out, ba_repo *repo, const char *tree, const char *path,
	size_t ceiling, ba_error *err);

/* The object id (hex) of a file, folder or submodule in a tree, for caches keyed by
 * content. "" and "." are the tree itself. BA_ENOTFOUND as above. */
int ba_repo_path_id(char out[65], ba_repo *repo, const char *tree, const char *path, ba_error *err);

/* Lets this handle see the objects of a snapshot, too (git/snapshot.h). */
int ba_repo_add_objects(ba_repo *repo, const char *objects_dir, ba_error *err);

/* Finds a symbolic link in or below one of `paths` of the tree `tree` (hex) whose target is in
 * none of them, so that a copy of the paths (inputs of a build, an overlay) would lack it. *out
 * is "'a' is a link to 'b'", safe to print, which the caller frees; NULL: there is none. Paths
 * that the tree lacks are left out. A target that cannot be told from the text of the link alone
 * counts as out. */
int ba_repo_link_out(
	char **out, ba_repo *repo, const char *tree, const ba_strv *paths, ba_error *err);

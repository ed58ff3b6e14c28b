/*
 * The user's repository, opened to be read and never written: no reference, index,
 * configuration or working file of it changes through this module.
 *
 *     BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
 *     int rc = ba_repo_open(&repo, ".", err);
 *
 * A handle belongs to one thread at a time; open another for another thread.
 */
#ifndef GIT_REPO_H
#define GIT_REPO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"

/* Runs `argv` (NULL-terminated, argv[0] is "git") in `cwd` with `input` on standard
 * input, without GIT_DIR and its kin in the environment. 0 if it exited with 0;
 * BA_ENOTFOUND if there is no such program; any other BA_E code, with its last words,
 * otherwise. This module starts no process of its own. */
typedef int ba_git_runner(void *data, const char *const *argv, const char *cwd,
	const void *input, size_t input_size, ba_error *err);

typedef struct ba_repo ba_repo;

/* Finds the repository `start_dir` is in: its top, a folder inside, a linked worktree,
 * a bare one. BA_EREPO, with what to do, for: not a repository, one in SHA-256 or
 * reftable format or with an unknown extension, one that belongs to another user. */
int ba_repo_open(ba_repo **out, const char *start_dir, ba_error *err);
void ba_repo_free(ba_repo *repo);
BA_DEFINE_AUTO_PTR(ba_repo, ba_repo_free)

/* Absolute, without a trailing '/'; good as long as the handle. */
const char *ba_repo_workdir(const ba_repo *repo); /* NULL for a bare repository */
const char *ba_repo_git_dir(
	const ba_repo *repo); /* of the linked worktree, if it is one */
const char *ba_repo_common_dir(const ba_repo *repo);

/* Where git looks for hooks: core.hooksPath, else hooks/ of the common directory.
 * Caller frees. */
int ba_repo_hooks_dir(char **out, const ba_repo *repo, ba_error *err);

/* The content of the file `path` in the tree `tree` (hex). BA_ENOTFOUND if the tree has
 * no such file, BA_EDATA if it is larger than `ceiling` bytes. */
int ba_repo_read_file(ba_buf *out, ba_repo *repo, const char *tree, const char *path,
	size_t ceiling, ba_error *err);

/* The object id (hex) of a file, folder or submodule in a tree: what a cache keyed by
 * content needs. "" and "." are the tree itself. BA_ENOTFOUND as above. */
int ba_repo_path_id(
	char out[65], ba_repo *repo, const char *tree, const char *path, ba_error *err);

/* Let this handle also see the objects of a snapshot (git/snapshot.h). */
int ba_repo_add_objects(ba_repo *repo, const char *objects_dir, ba_error *err);

#endif

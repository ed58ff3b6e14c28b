/*
 * A commit's tree on disk, as `git worktree add --detach` would write it, with a
 * private
 * `.git` of its own.
 *
 * That `.git` borrows the objects of the user's repository (objects/info/alternates),
 * holds a copy of its references and a detached HEAD, and includes its configuration
 * with hooks switched off. So `git describe`, `git rev-parse HEAD` and `git status`
 * answer as in a checkout, nothing is registered in the user's repository, which may be
 * read-only, and nothing needs pruning. What it answers is as of now: later tags are
 * not seen.
 *
 * Content: attributes of the tree itself decide (eol, ident, ...); files in Git LFS get
 * their real content from the local LFS store; other filter programs run through
 * `git checkout-index`; submodules are written the same way, recursively, from what is
 * on this machine. The network and the user's hooks are never used.
 */
#ifndef GIT_TREE_H
#define GIT_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/log.h"
#include "base/strv.h"
#include "git/repo.h"

typedef struct ba_tree_request {
	ba_repo *repo;
	const char *commit; /* hex: HEAD of the private .git */
	const char *tree;   /* hex; NULL or "": the commit's own, else a snapshot's */
	const char *objects_dir; /* of the snapshot; NULL if none */
	/* of an overlay (git/overlay.h), "" or NULL where it needs no care of its own:
	 * the tree without the paths is written first, then the paths as in their tree
	 */
	const char *own, *laid;
	const ba_strv *laid_paths;
	const char *dir;	/* absolute; exists and is empty, or does not exist */
	ba_git_runner *run_git; /* NULL: trees that need a filter program are refused */
	void *run_git_data;
	bool (*stopped)(
		void *data); /* NULL: never; asked often, from several threads */
	void *stopped_data;
	bool leave_lfs_pointers; /* a pointer without content: a warning, no error */
	bool leave_missing_submodules; /* an empty folder and a warning, no error */
	unsigned threads;	       /* 0: as many as help */
	const ba_log *log;
} ba_tree_request;

/* On failure the directory holds part of the tree: throw it away. BA_EUNSUPPORTED:
 * content that is not on this machine (LFS, submodule, partial clone), named, with the
 * command that fetches it. BA_EDATA: a tree that git itself refuses to check out. */
int ba_tree_materialise(const ba_tree_request *req, ba_error *err);

#endif

/*
 * Writes a commit's tree to disk as `git worktree add --detach` would, with a private
 * `.git` of its own.
 *
 * The private `.git`
 *
 *  - borrows the objects of the user's repository (objects/info/alternates);
 *  - has a copy of its references and a detached HEAD;
 *  - includes its configuration, with hooks switched off.
 *
 * So `git describe`, `git rev-parse HEAD` and `git status` answer as in a checkout. The
 * user's repository may be read-only: nothing is registered there, and nothing needs
 * pruning. The answers are as of now; later tags are not seen.
 *
 * Content:
 *
 *  - The attributes of the tree itself apply (eol, ident, ...).
 *  - Files in Git LFS get their real content from the local LFS store.
 *  - Other filter programs run through `git checkout-index`.
 *  - Submodules are written in the same way, recursively, from repositories on this
 *    machine.
 *
 * The network and the user's hooks are never used.
 */
#pragma once

#include "git/repo.h"

typedef struct ba_tree_request {
	ba_repo *repo;
	const char *commit; /* hex: HEAD of the private .git */
	/* hex; NULL or "": the commit's own tree; otherwise a snapshot's */
	const char *tree;
	const char *objects_dir; /* objects of the snapshot; NULL if none */
	/* from an overlay (git/snapshot.h); "" or NULL without an overlay, or if its
	 * attributes do not differ. The tree without the paths is written first, then
	 * the paths as in their tree */
	const char *own, *laid;
	const ba_strv *laid_paths;
	const char *dir; /* absolute; exists and is empty, or does not exist */
	/* NULL: a tree that needs a filter program is an error */
	ba_git_runner *run_git;
	void *run_git_data;
	/* NULL: never; called often, from several threads */
	bool (*stopped)(void *data);
	void *stopped_data;
	bool leave_lfs_pointers; /* a pointer without content is a warning */
	unsigned threads;	 /* 0: as many as are useful */
	const ba_log *log;
} ba_tree_request;

/* On failure the directory holds part of the tree: throw it away. BA_EUNSUPPORTED:
 * content that is not on this machine (LFS, submodule, partial clone); the sentence
 * names it and the command that fetches it. BA_EDATA: git itself would not check the
 * tree out. */
int ba_tree_materialise(const ba_tree_request *req, ba_error *err);

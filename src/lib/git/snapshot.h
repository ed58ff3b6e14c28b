/*
 * The uncommitted state of the user's working tree as a tree object: tracked files as
 * they are on disk, and untracked files that are not ignored.
 *
 * New objects go into a directory of ours; the user's object database, index and files
 * are only read.
 *
 *  - Left out, each with a warning in the log: repositories inside the working tree
 *    that are not submodules.
 *  - An error (BA_EUNSUPPORTED): a submodule with uncommitted changes; a changed file
 *    that needs a filter program or an encoding.
 */
#pragma once

#include "git/repo.h"

typedef struct ba_snapshot {
	char commit[65]; /* HEAD */
	char tree[65];	 /* HEAD's tree if nothing differs */
	bool dirty;
	/* digest of the sorted (path, modes, ids) that differ; "" if clean */
	char diff_sha256[65];
	size_t changed; /* how many paths differ from HEAD */
} ba_snapshot;

/* Would `git status` report a change? Staged, unstaged, or untracked and not ignored.
 * Stops at the first one. A bare repository is never dirty. */
int ba_repo_is_dirty(bool *out, ba_repo *repo, ba_error *err);

/* `objects_dir` (made if missing) receives the new objects. Keep it as long as you use
 * out->tree with this handle, and until ba_tree_materialise has copied what it
 * needs. */
int ba_repo_snapshot(
	ba_snapshot *out, ba_repo *repo, const char *objects_dir, const ba_log *log, ba_error *err);

/*
 * The uncommitted state of the user's working tree as a tree object: tracked files as
 * they are on disk, and untracked ones that are not ignored.
 *
 * New objects go into a directory of ours; the user's object database, index and files
 * are only read. Not part of it, each with a warning in the log: repositories inside
 * the working tree that are not submodules. Refused (BA_EUNSUPPORTED): a submodule with
 * uncommitted changes, a changed file that goes through a filter program or an
 * encoding.
 */
#ifndef GIT_SNAPSHOT_H
#define GIT_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/log.h"
#include "git/repo.h"

typedef struct ba_snapshot {
	char commit[65]; /* HEAD */
	char tree[65];	 /* HEAD's tree, where nothing differs */
	bool dirty;
	char diff_sha256[65]; /* of the sorted (path, modes, ids) that differ; "" if
				 clean */
	size_t changed;	      /* paths that differ from HEAD */
} ba_snapshot;

/* Does `git status` have anything to say? Staged, unstaged, untracked and not ignored.
 * Stops at the first difference. A bare repository is never dirty. */
int ba_repo_is_dirty(bool *out, ba_repo *repo, ba_error *err);

/* `objects_dir` (made if missing) receives the new objects. It must outlive the use of
 * out->tree with this handle, and of ba_tree_materialise, which copies what it needs.
 */
int ba_repo_snapshot(ba_snapshot *out, ba_repo *repo, const char *objects_dir,
	const ba_log *log, ba_error *err);

#endif

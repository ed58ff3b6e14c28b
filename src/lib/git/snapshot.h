/*
 * Trees that no commit has. New objects go into a directory of ours; the user's object database,
 * index and files are only read.
 *
 * A snapshot is the uncommitted state of the user's working tree: tracked files as they are on
 * disk, and untracked files that are not ignored.
 *
 *  - Left out, each with a warning in the log: repositories inside the working tree
 *    that are not submodules.
 *  - An error (BA_EUNSUPPORTED): a submodule with uncommitted changes; a changed file
 *    that needs a filter program or an encoding.
 *
 * An overlay is a tree with some of its paths taken from another tree: so every variant gets the
 * same version of the benchmark code.
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

/* Trees in hex. `own` and `laid` are "" unless the two trees have different attribute
 * files above the paths. Then the paths must be written by the attributes of the tree
 * that they come from (git/tree.h), not by those of the other tree. */
typedef struct ba_overlaid {
	char tree[65]; /* the whole tree */
	char own[65];  /* without the paths */
	/* the paths, with the attribute files above them in their tree */
	char laid[65];
} ba_overlaid;

/* out->tree is `tree`, but with each of `paths` as in `source` (both in hex): replaced,
 * added, or removed if the source lacks it. Appends the paths that differed to
 * *changed, each once; if there are none, out->tree is `tree`. `objects_dir` (made if
 * missing) receives new objects, and `repo` sees them from then on. */
int ba_repo_overlay(ba_overlaid *out, ba_strv *changed, ba_repo *repo, const char *objects_dir,
	const char *tree, const char *source, const ba_strv *paths, ba_error *err);

/*
 * A tree with some of its paths taken from another: the same version of the benchmark
 * code in every variant. New tree objects go into a directory of ours, as a snapshot's
 * do; the user's object database is only read.
 */
#ifndef GIT_OVERLAY_H
#define GIT_OVERLAY_H

#include "base/error.h"
#include "base/strv.h"
#include "git/repo.h"

/* Trees in hex. `own` and `laid` are "" unless the attribute files above the paths are
 * others in the two trees: then the paths have to be written as in the tree that they
 * are from (git/tree.h), and not by what the rest of the tree says of them. */
typedef struct ba_overlaid {
	char tree[65]; /* all of it */
	char own[65];  /* without the paths */
	char laid[65]; /* the paths, and the attribute files above them in their tree */
} ba_overlaid;

/* out->tree: `tree` with each of `paths` as in `source` (trees in hex): replaced,
 * added, or removed where the source has it not. Paths that differed are appended to
 * *changed; where none did, out->tree is `tree`. `objects_dir` (made if missing)
 * receives new objects, and `repo` sees them from then on. */
int ba_repo_overlay(ba_overlaid *out, ba_strv *changed, ba_repo *repo,
	const char *objects_dir, const char *tree, const char *source,
	const ba_strv *paths, ba_error *err);

#endif

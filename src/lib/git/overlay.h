/*
 * A tree with some of its paths taken from another tree: so every variant gets the same
 * version of the benchmark code. New tree objects go into a directory of ours, like
 * those of a snapshot; the user's object database is only read.
 */
#pragma once

#include "git/repo.h"

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

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

/* out: hex of `tree` with each of `paths` as in `source` (trees in hex): replaced,
 * added, or removed where the source has it not. Paths that differed are appended to
 * *changed; where none did, out is `tree`. `objects_dir` (made if missing) receives new
 * objects, and `repo` sees them from then on. */
int ba_repo_overlay(char out[65], ba_strv *changed, ba_repo *repo,
	const char *objects_dir, const char *tree, const char *source,
	const ba_strv *paths, ba_error *err);

#endif

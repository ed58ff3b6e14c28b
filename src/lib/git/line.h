/* The first-parent line of a commit: the commits that a branch pointed to, merge by
 * merge, newest first. */
#pragma once

#include "git/repo.h"

/* Appends the ids (hex) of `tip` and its first parents, newest first, at most `most`.
 * With `until` (hex, or NULL) it ends with that commit. BA_ENOTFOUND if `until` is not
 * on the line: it is reached only through a merge, is not an ancestor, or lies beyond a
 * shallow history or beyond `most`. */
int ba_git_line(ba_strv *out, ba_repo *repo, const char *tip, const char *until, size_t most,
	ba_error *err);

/* The tree (hex) of a commit (hex). */
int ba_git_commit_tree(char out[65], ba_repo *repo, const char *commit, ba_error *err);

/* Of a merge (hex): what its parent `n` (2 or more) brought. *tip is that parent, *base the
 * newest commit of its first-parent line that the first parent has, too; the caller frees
 * both. NULL: there is no such parent, it brought nothing, or there is no such commit. */
int ba_git_merged(
	char **base, char **tip, ba_repo *repo, const char *merge, size_t n, ba_error *err);

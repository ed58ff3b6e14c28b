/* The first-parent line of a commit: the commits that a branch was at, merge by merge,
 * in the order in which it was there. */
#ifndef GIT_LINE_H
#define GIT_LINE_H

#include <stddef.h>

#include "base/error.h"
#include "base/strv.h"
#include "git/repo.h"

/* Appends the ids (hex) of `tip` and its first parents, newest first, at most `most`;
 * with `until` (hex, or NULL) it ends with that one. BA_ENOTFOUND where `until` is not
 * on the line: it is reached through a merge, is no ancestor, or lies beyond a shallow
 * history or `most`. */
int ba_git_line(ba_strv *out, ba_repo *repo, const char *tip, const char *until,
	size_t most, ba_error *err);

#endif

/* The first-parent line of a commit: the commits that a branch pointed to, merge by
 * merge, newest first. */
#ifndef GIT_LINE_H
#define GIT_LINE_H

#include <stddef.h>

#include "base/error.h"
#include "base/strv.h"
#include "git/repo.h"

/* Appends the ids (hex) of `tip` and its first parents, newest first, at most `most`.
 * With `until` (hex, or NULL) it ends with that commit. BA_ENOTFOUND if `until` is not
 * on the line: it is reached only through a merge, is not an ancestor, or lies beyond a
 * shallow history or beyond `most`. */
int ba_git_line(ba_strv *out, ba_repo *repo, const char *tip, const char *until,
	size_t most, ba_error *err);

#endif

/* refs/replace: where an object is replaced, git reads the replacement, and libgit2 1.5
 * does not. */
#ifndef GIT_REPLACE_H
#define GIT_REPLACE_H

#include <git2.h>

#include "base/error.h"

/* The id of the tree that git checks out for the commit `id`. `spec` is the user's
 * text, and `base` its part before the first operator. BA_EUNSUPPORTED if libgit2
 * walked over a commit whose parents are replaced, or if a file or folder of the tree
 * is replaced. */
int ba_git_replaced_tree(git_oid *out, git_repository *handle, const git_oid *id, const char *spec,
	const char *base, ba_error *err);

#endif

/* Which names a tree may hold: those git itself checks out. */
#ifndef GIT_NAMES_H
#define GIT_NAMES_H

#include <git2.h>

#include "base/error.h"

/* BA_EDATA, with the path, for a tree that would write into `.git` here or on a file
 * system that takes another spelling for it, out of its directory, or a link for
 * .gitmodules. */
int ba_names_check(const git_tree *tree, ba_error *err);

#endif

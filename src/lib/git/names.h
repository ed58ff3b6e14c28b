/* Which names a tree may have: those that git itself checks out. */
#ifndef GIT_NAMES_H
#define GIT_NAMES_H

#include <git2.h>

#include "base/error.h"

/* BA_EDATA, with the path, for a tree that git would not check out. It writes into
 * `.git` (here, or on a file system with another spelling for it) or out of its
 * directory, or it has a link for .gitmodules. */
int ba_names_check(const git_tree *tree, ba_error *err);

#endif

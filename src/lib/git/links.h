/* Finds symbolic links that lead out of a set of paths (the inputs of a build, an overlay): a
 * copy of the paths would lack their targets. */
#pragma once

#include "git/repo.h"

/* Finds a link in or below one of `paths` of the tree `tree` (hex) whose target is in
 * none of them: *out is "'a' is a link to 'b'", safe to print, which the caller frees;
 * NULL: there is none. Paths that the tree lacks are left out. A target that cannot be
 * told from the text of the link alone counts as out. */
int ba_repo_link_out(
	char **out, ba_repo *repo, const char *tree, const ba_strv *paths, ba_error *err);

/* Where on this machine a submodule's commit can be read from. */
#ifndef GIT_SUBMODULE_H
#define GIT_SUBMODULE_H

#include <stdbool.h>

#include <git2.h>

#include "base/auto.h"
#include "base/error.h"
#include "git/checkout.h"

/* A repository that trees are read from. */
typedef struct ba_source {
	git_repository *handle;
	char *git_dir;
	char *common_dir;
	char *workdir; /* NULL if bare, or a module directory without a checkout */
} ba_source;

void ba_source_dispose(ba_source *source);
BA_DEFINE_AUTO(ba_source, ba_source_dispose)

/* Looks in the module directories of `outer` and in its working tree for a repository
 * that has the commit of `link`; `dir` is the superproject's tree as written, whose
 * .gitmodules names it. *wanted is false (and *out untouched) where the user switched
 * it off. */
int ba_submodule_find(ba_source *out, bool *wanted, const ba_source *outer,
	const char *dir, const ba_gitlink *link, ba_error *err);

#endif

/* Finds a repository on this machine that has a submodule's commit. */
#pragma once

#include "git/checkout.h"

/* A repository that trees are read from. */
typedef struct ba_source {
	git_repository *handle;
	char *git_dir, *common_dir;
	char *workdir; /* NULL if bare, or a module directory without a checkout */
} ba_source;

BA_DECLARE_DISPOSE(ba_source)

/* Searches the module directories of `outer` and its working tree for a repository with
 * the commit of `link`. `dir` has the files of the superproject; its .gitmodules names
 * the submodule. *wanted is false (and *out untouched) if the user switched it off. */
int ba_submodule_find(ba_source *out, bool *wanted, const ba_source *outer, const char *dir,
	const ba_gitlink *link, ba_error *err);

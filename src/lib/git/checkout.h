/* Writes the files of one tree into a directory that already has its private `.git`. */
#pragma once

#include "git/writer.h"

typedef struct ba_gitlink {
	char *path;
	char commit[65];
} ba_gitlink;

/* What the caller must still do. */
typedef struct ba_checkout {
	ba_strv filtered; /* not written: `git checkout-index` must write them */
	ba_gitlink *gitlinks;
	size_t gitlink_count;
} ba_checkout;

BA_DECLARE_DISPOSE(ba_checkout)

/* If files are left to git, the index is the tree's, and ba_checkout_settle() turns it into
 * what a checkout of the commit leaves. Otherwise it already is that. */
int ba_checkout_write(ba_checkout *out, const ba_checkout_request *req, ba_error *err);

/* checkout_index.c: the index of a tree that was checked out. It agrees with the files, so that
 * `git status` reads none of them again. */

/* Opens the private repository of a directory of ours, even if a network file system
 * says that it belongs to another user. */
int ba_checkout_open_private(git_repository **out, const char *dir, ba_error *err);

/* The mode that git uses for `mode`: its early versions committed 100664 and others. */
uint32_t ba_canonical_mode(uint32_t mode);

/* Writes the index after the files: with what stat() said about each of them. */
int ba_checkout_write_index(git_repository *repo, git_index *index, const ba_item *items,
	size_t count, const ba_checkout_request *req, ba_error *err);
/* After git has written the files that were left to it: the index as a checkout of the commit
 * leaves it. */
int ba_checkout_settle(const char *dir, const char *commit, ba_error *err);

/* A repository that trees are read from. */
typedef struct ba_source {
	git_repository *handle;
	char *git_dir, *common_dir;
	char *workdir; /* NULL if bare, or a module directory without a checkout */
} ba_source;

BA_DECLARE_DISPOSE(ba_source)

/* Finds a repository on this machine that has a submodule's commit. Searches the module directories of `outer` and its working tree for a repository with
 * the commit of `link`. `dir` has the files of the superproject; its .gitmodules names
 * the submodule. *wanted is false (and *out untouched) if the user switched it off. */
int ba_submodule_find(ba_source *out, bool *wanted, const ba_source *outer, const char *dir,
	const ba_gitlink *link, ba_error *err);

/* The index of a tree that was checked out: it agrees with the files, so that `git
 * status` reads none of them again. Inside the module only. */
#pragma once

#include <git2.h>

#include "git/writer.h"

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

/*
 * Makes new repositories from files in memory, for `bench-against demo` and for tests.
 * No other part of this module writes to a repository, and this one writes only where
 * its caller says. It reads no configuration of the user; author and dates are fixed.
 * So the same files give the same commit ids.
 *
 *     ba_git_create_commit(dir, "main", NULL, files, n, "first", 1, err);
 *     ba_git_create_commit(dir, "topic", "main", ...);
 *     ba_git_create_checkout(dir, "topic", err);
 */
#pragma once

#include "base/base.h"

typedef struct ba_git_file {
	const char *path; /* relative, '/' between folders */
	const void *data;
	size_t size;
	bool executable;
} ba_git_file;

/*
 * A commit whose tree is exactly these files, on `branch`, which must not exist yet.
 * Its parent is the tip of parent_branch (NULL: none). If `dir` is not a repository, it
 * becomes one. time is in seconds since 1970, UTC.
 */
int ba_git_create_commit(const char *dir, const char *branch, const char *parent_branch,
	const ba_git_file *files, size_t count, const char *message, int64_t time, ba_error *err);

/* Points HEAD at the branch and writes its files to the working tree, over others. */
int ba_git_create_checkout(const char *dir, const char *branch, ba_error *err);

/*
 * Makes new repositories from files, for `bench-against demo`, `judge` and for tests.
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

/* A commit on no branch whose tree is exactly the files from[i] of the disk, at paths[i]. The
 * same files give the same id. `dir` becomes a repository as above. */
int ba_git_commit_files(
	char commit[65], const char *dir, const ba_strv *paths, const ba_strv *from, ba_error *err);

/* Points HEAD at the branch and writes its files to the working tree, over others. */
int ba_git_create_checkout(const char *dir, const char *branch, ba_error *err);

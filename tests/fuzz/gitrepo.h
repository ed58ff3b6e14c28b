/* A repository below a temporary directory, whose files a fuzz target replaces. */
#ifndef TESTS_FUZZ_GITREPO_H
#define TESTS_FUZZ_GITREPO_H

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/base.h"
#include "git/create.h"

typedef struct gitrepo {
	char *top;  /* removed at the end; HOME is in it */
	char *repo; /* one commit on "main": a.txt, b.id */
} gitrepo;

static gitrepo fuzz_repo;

static inline void gitrepo_must(int rc, const ba_error *err)
{
	if (rc == 0)
		return;
	fprintf(stderr, "%s\n", err->text);
	_exit(3);
}

static inline void gitrepo_remove(void)
{
	ba_fs_remove_tree(fuzz_repo.top, NULL);
	free(fuzz_repo.top);
	free(fuzz_repo.repo);
	fuzz_repo = (gitrepo){0};
}

/* made with the first call */
static inline const gitrepo *gitrepo_get(void)
{
	static const ba_git_file files[] = {
		{"a.txt", "one\n", 4, false},
		{"b.id", "$Id$ $Id$\n", 10, false},
		{".gitattributes", "*.id ident\n*.txt text\n*.x filter=x\n", 34, false},
	};
	if (fuzz_repo.top)
		return &fuzz_repo;
	ba_error err = {0};
	bool memory = access("/dev/shm", W_OK) == 0;
	char name[] = "/dev/shm/ba-fuzz-XXXXXX", other[] = "/tmp/ba-fuzz-XXXXXX";
	char *made = mkdtemp(memory ? name : other);
	if (!made)
		abort();
	fuzz_repo.top = ba_xstrdup(made);
	fuzz_repo.repo = ba_path_join(made, "repo");
	BA_AUTO_FREE char *home = ba_path_join(made, "home");
	gitrepo_must(ba_fs_mkdirs(home, &err), &err);
	/* libgit2 looks for the user's files once, at its start */
	setenv("HOME", home, 1);
	unsetenv("XDG_CONFIG_HOME");
	gitrepo_must(
		ba_git_create_commit(fuzz_repo.repo, "main", NULL, files, 3, "x", 1700000000, &err),
		&err);
	atexit(gitrepo_remove);
	return &fuzz_repo;
}

static inline void gitrepo_put(const char *path, const void *data, size_t size)
{
	ba_error err = {0};
	gitrepo_must(ba_fs_write(path, data, size, 0600, &err), &err);
}

#endif

/* A tree of ours against the one that git writes, and trees that git would not make. */
#ifndef TESTS_SUPPORT_AS_GIT_H
#define TESTS_SUPPORT_AS_GIT_H

#include <stdio.h>

#include "base/buf.h"
#include "materialise.h"

/* Equal, or the first lines that differ are printed. */
static inline void expect_text(const char *a, const char *b)
{
	size_t i = 0, line = 0;
	for (; a[i] && a[i] == b[i]; i++)
		if (a[i] == '\n')
			line = i + 1;
	if (a[i] != b[i])
		print_message("%.*s\n%.*s\n", (int)strcspn(a + line, "\n"), a + line,
			(int)strcspn(b + line, "\n"), b + line);
	assert_true(a[i] == b[i]);
}

/* The same files, whatever git says of their state. */
static inline void expect_files_as_git(const char *dir, const char *spec)
{
	char *scratch = tmp_make();
	BA_AUTO_FREE char *ours = at("%s/ours", scratch);
	BA_AUTO_FREE char *theirs = at("%s/theirs", scratch);
	materialise(dir, spec, ours);
	git(dir, "worktree", "add", "-q", "--detach", theirs, spec);
	BA_AUTO_FREE char *a = manifest(ours, false);
	BA_AUTO_FREE char *b = manifest(theirs, false);
	expect_text(a, b);
	git(dir, "worktree", "remove", "--force", theirs);
	tmp_remove(scratch);
}

/* What we write is what `git worktree add` writes, and git finds nothing to say about
 * it. */
static inline void expect_as_git(const char *dir, const char *spec)
{
	char *scratch = tmp_make();
	BA_AUTO_FREE char *ours = at("%s/ours", scratch);
	BA_AUTO_FREE char *theirs = at("%s/theirs", scratch);
	BA_AUTO_FREE char *before = manifest(dir, true);
	materialise(dir, spec, ours);
	BA_AUTO_FREE char *after = manifest(dir, true);
	expect_text(before, after);
	git(dir, "worktree", "add", "-q", "--detach", theirs, spec);
	BA_AUTO_FREE char *a = manifest(ours, false);
	BA_AUTO_FREE char *b = manifest(theirs, false);
	expect_text(a, b);
	BA_AUTO_FREE char *status = git_says(ours, "status", "--porcelain");
	assert_string_equal(status, "");
	BA_AUTO_FREE char *head = git_says(ours, "rev-parse", "HEAD");
	BA_AUTO_FREE char *their_head = git_says(theirs, "rev-parse", "HEAD");
	assert_string_equal(head, their_head);
	BA_AUTO_FREE char *fsck = git_says(ours, "fsck", "--connectivity-only");
	assert_null(strstr(fsck, "missing"));
	git(dir, "worktree", "remove", "--force", theirs);
	tmp_remove(scratch);
}

/* a tree object git would not make itself; path components as they come */
static inline void put_raw_tree(const char *dir, const char *entries, size_t size, char out[65])
{
	BA_AUTO_FREE char *text = NULL;
	const char *hash[] = {
		"git", "hash-object", "-t", "tree", "-w", "--literally", "--stdin", NULL};
	assert_int_equal(run_program(&text, dir, hash, entries, size), 0);
	snprintf(out, 65, "%.40s", text);
}

static inline void raw_entry(ba_buf *tree, const char *mode, const char *name, const char *hex)
{
	ba_buf_printf(tree, "%s %s", mode, name);
	ba_buf_putc(tree, '\0');
	for (size_t i = 0; i < 40; i += 2) {
		unsigned byte;
		assert_int_equal(sscanf(hex + i, "%2x", &byte), 1);
		ba_buf_putc(tree, (char)byte);
	}
}

#endif

/*
 * Real repositories in temporary directories, made with the git program.
 *
 *     TEST_GROUP(tmprepo_isolate, NULL);
 *
 *     char *dir = tmp_make();
 *     git(dir, "init", "-q");                 fails the test if git does
 *     put(dir, "a/b.txt", "hello\n");         makes folders as needed
 *     ...
 *     tmp_remove(dir);                        frees too
 *
 * What does not work ends the test at once, with the reason: a test's own ground is
 * firm.
 */
#ifndef TESTS_SUPPORT_TMPREPO_H
#define TESTS_SUPPORT_TMPREPO_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* No configuration of the person who runs the tests: HOME is a new directory, identity
 * and dates are fixed. Before anything else. */
int tmprepo_isolate(void **state);

char *tmp_make(void); /* a new directory; absolute and resolved */
void tmp_remove(char *dir);

/* printf into a path; caller frees */
char *at(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Run `git ARGS...` in dir; output (both streams) without its last newline, caller
 * frees. */
char *git_out(const char *dir, const char *first, ...) __attribute__((sentinel));
void git_run(const char *dir, const char *first, ...) __attribute__((sentinel));
#define git(...) git_run(__VA_ARGS__, NULL)
#define git_says(...) git_out(__VA_ARGS__, NULL)
/* exit status, 127 if there is no such program; *output may be NULL */
int run_program(
	char **output, const char *dir, const char *const *argv, const void *input, size_t size);
bool have_program(const char *name);

void put(const char *dir, const char *path, const char *text);
void put_bytes(const char *dir, const char *path, const void *data, size_t size);
char *slurp(const char *dir, const char *path);
void commit_all(const char *dir, const char *message);
/* the same, with its name as message and tag; in this process, which is sooner than
 * programs start */
void commit_tagged(const char *dir, const char *name);
/* an initialised repository with one commit: a.txt, "one\n" */
char *repo_make(void);

/* Every path below dir, one a line, sorted: kind and permission bits, SHA-256 or
 * target.
 * `.git` of dir itself is left out unless asked for; times are not in it. Caller frees.
 */
char *manifest(const char *dir, bool with_git);

/* A ba_git_runner. */
int run_git_for_tests(void *data, const char *const *argv, const char *cwd, const void *input,
	size_t size, ba_error *err);

#endif

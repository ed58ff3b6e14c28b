/*
 * The built tool as a user meets it: a child process, on a real repository whose
 * commits carry prebuilt launcher libraries (tests/suites) of known cost, with the fake
 * driver and its virtual clock, so that every figure is known beforehand.
 *
 *     e2e t = e2e_begin();
 *     e2e_commit(&t, "old", "cost100");        a commit, tagged "old"
 *     e2e_commit(&t, "new", "cost110");
 *     e2e_against(&t, "old", "new");           runs to its end
 *     assert_int_equal(t.status, 1);
 *     assert_string_equal(e2e_verdict(&t, 1), "regressed");
 *     e2e_end(&t);
 */
#ifndef TESTS_E2E_H
#define TESTS_E2E_H

#include "test.h"

#include <sys/types.h>

#include "json/json.h"
#include "tmprepo.h"

typedef struct e2e {
	char *dir;	  /* everything below is in it */
	char *repo;	  /* the user's repository, where the tool is started */
	char *cache;	  /* the tool's */
	char *json;	  /* what --output of e2e_against names */
	bool on_terminal; /* are the next children? Their standard error is one */
	/* of the last child */
	pid_t pid;
	int terminal; /* this side of it */
	int status;   /* as a shell shows it: 128 + N after signal N */
	int signal;   /* that it died of; 0: it exited */
	char *out, *err;
	double seconds;
	ba_json *doc; /* the results document, NULL if none was written */
} e2e;

/* An empty repository; its configuration has one suite "launch", args 0, whose library
 * each commit brings. */
e2e e2e_begin(void);
/* Removes everything; fails the test if a process of the tool is still there. */
void e2e_end(e2e *t);

/* The commit that the tag `name` will name. `library` is a name of tests/suites; its
 * build is a copy. */
void e2e_commit(e2e *t, const char *name, const char *library);
/* the same, not committed */
void e2e_put_library(e2e *t, const char *library);
/* The configuration in the working tree. `build` is JSON, of commands or with more
 * keys: "\"commands\": [[...]]"; `args` is JSON, "[0, 1]". */
void e2e_configure(e2e *t, const char *build, const char *args);
/* path of a library of tests/suites */
char *e2e_library(const char *name);
/* what e2e_configure is given where nothing else is asked for */
#define E2E_BUILD "\"commands\": [[\"cp\", \"variant.so\", \"launcher.so\"]]"

/* bench-against --fake-driver ... --metrics submit, few invocations, results to
 * t->json, and what is given: variants, options. */
#define e2e_against(t, ...) e2e_run((t), true, __VA_ARGS__, NULL)
/* bench-against and what is given, nothing else */
#define e2e_tool(t, ...) e2e_run((t), false, __VA_ARGS__, NULL)
void e2e_run(e2e *t, int measure, ...) __attribute__((sentinel));

/* The same in two steps. e2e_wait also reads what came of it. */
#define e2e_start_against(t, ...) e2e_start((t), true, __VA_ARGS__, NULL)
#define e2e_start_tool(t, ...) e2e_start((t), false, __VA_ARGS__, NULL)
void e2e_start(e2e *t, int measure, ...) __attribute__((sentinel));
void e2e_wait(e2e *t);

/* The next child gets the signal as soon as so many invocations are in the journal of
 * its run. */
void e2e_stop_at(size_t invocations, int number);
/* Waits for a run that measures into t->json and ends by that signal. The journal's
 * path; caller frees. */
char *e2e_stopped(e2e *t, int number);

/* Waits until the file (made by a build or a library) is there, at most ten minutes: a
 * machine may be busy. */
void e2e_wait_for(const char *path);
/* a number of seconds for `sleep` that no other test on the machine names */
const char *e2e_ages(void);
/* processes with that text in their environment or command line, besides ourselves */
size_t e2e_processes(const char *text);
/* how many processes of this test there are */
size_t e2e_left(const e2e *t);

/* An environment variable of the children that follow; NULL: not there. */
void e2e_env(const char *name, const char *value);

/* ---- the results document; absent values fail the test ---- */

/* text at a path such as "engine" or "series.0.comparisons.1.reason"; "" for null */
const char *e2e_text(const e2e *t, const char *path);
double e2e_number(const e2e *t, const char *path);
size_t e2e_count(const e2e *t, const char *path);
/* of the first benchmark's only metric */
const char *e2e_verdict(const e2e *t, unsigned candidate);
double e2e_ratio(const e2e *t, unsigned candidate);
const char *e2e_failure(const e2e *t, unsigned variant);

/* ---- a variant that misbehaves ---- */

typedef struct e2e_misdeed {
	const char *library;
	const char *sentence; /* in the failure of the candidate */
	const char *output;   /* in its last output, or NULL */
} e2e_misdeed;

/* Of good, bad and slow, the middle one misbehaved: it alone failed and with that
 * sentence, the third was compared all the same, in one process as before. */
void e2e_check_misdeed(const e2e *t, const e2e_misdeed *m);

/* `bench-against verify` on what the last run wrote, which the next child's results
 * would replace: it agrees. */
void e2e_check_verifies(e2e *t);

/* ---- files as text ---- */

char *e2e_text_of(const char *path); /* caller frees */
size_t e2e_occurrences(const char *text, const char *what);

/* ---- what must not change ---- */

/* the repository as the user has it: refs, index, configuration, working tree, status
 */
char *e2e_users_view(const e2e *t);

/* The last child ended with that status; shows its output where not. */
#define assert_status(t, expected) assert_status_at((t), (expected), __FILE__, __LINE__)
void assert_status_at(const e2e *t, int expected, const char *file, int line);

int e2e_set_up(void **state); /* before the tests: isolation, signals */

#endif

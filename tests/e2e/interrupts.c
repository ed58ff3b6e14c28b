/* Ctrl-C, SIGTERM and kill -9, while building and while measuring: nothing of the
 * user's has changed, nobody is left, and what lies about is cleaned by the next run.
 */
#include "e2e.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/base.h"

TEST_GROUP(e2e_set_up, NULL);

/* builds that say that they run and then take for ever */
static e2e endless_build(void)
{
	e2e t = e2e_begin();
	BA_AUTO_FREE char *build = at("\"commands\": [[\"sh\", \"-c\", \"touch %s/building; sleep "
				      "%s\"]]",
		t.dir, e2e_ages());
	e2e_configure(&t, build, "[0]");
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	return t;
}

/* a build that works */
static void mend(e2e *t)
{
	e2e_configure(t, E2E_BUILD, "[0]");
}

/* Trees that are not complete, scratch of runs, trash: none after a run. */
static void check_cache_is_clean(const e2e *t)
{
	const char *const find[] = {"sh", "-c",
		"find run trash -mindepth 1 ! -name .lock ! -name '.*' 2>/dev/null; "
		"for d in trees/*-?; do test -d \"$d\" && ! test -e \"$d.complete\" "
		"&& echo \"$d\"; done; true",
		NULL};
	char *left = NULL;
	assert_int_equal(run_program(&left, t->cache, find, NULL, 0), 0);
	assert_string_equal(left, "");
	free(left);
}

static void wait_for_building(const e2e *t)
{
	BA_AUTO_FREE char *path = at("%s/building", t->dir);
	e2e_wait_for(path);
}

TEST(ctrl_c_in_a_build)
{
	e2e t = endless_build();
	BA_AUTO_FREE char *before = e2e_users_view(&t);
	e2e_start_against(&t, "old", "new");
	wait_for_building(&t);
	kill(t.pid, SIGINT);
	e2e_wait(&t);
	assert_status(&t, 130);
	assert_int_equal(t.signal, SIGINT);
	assert_has(t.err, "interrupted while building (SIGINT)");
	BA_AUTO_FREE char *after = e2e_users_view(&t);
	assert_string_equal(after, before);
	assert_int_equal(e2e_processes(e2e_ages()), 0);
	check_cache_is_clean(&t);
	assert_false(ba_fs_exists(t.json));
	e2e_end(&t);
}

/* a search ends its step in order: the step removes its trees and scratch itself */
TEST(ctrl_c_in_a_search)
{
	e2e t = endless_build();
	e2e_start_tool(&t, "bisect", "--target", "host", "HEAD~", "HEAD");
	wait_for_building(&t);
	kill(t.pid, SIGINT);
	e2e_wait(&t);
	assert_status(&t, 130);
	assert_int_equal(t.signal, SIGINT);
	assert_int_equal(e2e_processes(e2e_ages()), 0);
	check_cache_is_clean(&t);
	e2e_end(&t);
}

static size_t built_trees(const e2e *t)
{
	size_t n = 0;
	BA_AUTO_FREE char *trees = at("%s/trees", t->cache);
	if (!ba_fs_is_dir(trees))
		return 0;
	const char *const ls[] = {"ls", trees, NULL};
	char *names = NULL;
	assert_int_equal(run_program(&names, "/", ls, NULL, 0), 0);
	for (const char *p = names; (p = strstr(p, ".complete\n")); p++)
		n++;
	free(names);
	return n;
}

/* `sustained` of so many launches is no matter of seconds */
static void start_long_measurement(e2e *t)
{
	e2e_start_against(t, "--metrics", "sustained", "--loops", "90000000", "old", "new");
	/* the journal begins after the libraries were looked at, and then the worker
	 * that measures is started */
	BA_AUTO_FREE char *journal = at("%s.journal", t->json);
	BA_AUTO_FREE char *mark = at("BENCH_AGAINST_E2E=%s", t->dir);
	e2e_wait_for(journal);
	while (e2e_processes(mark) < 2)
		usleep(10000);
	assert_int_equal(built_trees(t), 2);
}

static void check_signal_while_measuring(int number)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	BA_AUTO_FREE char *before = e2e_users_view(&t);
	start_long_measurement(&t);
	kill(t.pid, number);
	e2e_wait(&t);
	assert_status(&t, 128 + number);
	/* 129 as a status would be a wrong command line */
	assert_int_equal(t.signal, number);
	BA_AUTO_FREE char *after = e2e_users_view(&t);
	assert_string_equal(after, before);
	check_cache_is_clean(&t);
	/* what was built stays built */
	e2e_against(&t, "--no-build", "old", "new");
	assert_status(&t, 1);
	e2e_end(&t);
}

TEST(ctrl_c_while_measuring)
{
	check_signal_while_measuring(SIGINT);
}

TEST(sigterm_and_a_closed_terminal_are_the_same)
{
	check_signal_while_measuring(SIGTERM);
	check_signal_while_measuring(SIGHUP);
}

TEST(kill_9_in_a_build_is_cleaned_by_the_next_run)
{
	e2e t = endless_build();
	BA_AUTO_FREE char *before = e2e_users_view(&t);
	e2e_start_against(&t, "old", "new");
	wait_for_building(&t);
	kill(t.pid, SIGKILL);
	e2e_wait(&t);
	assert_status(&t, 128 + SIGKILL);
	BA_AUTO_FREE char *after = e2e_users_view(&t);
	assert_string_equal(after, before);
	mend(&t);
	e2e_against(&t, "old", "new");
	assert_status(&t, 1);
	check_cache_is_clean(&t);
	assert_has(t.err, "of its builds running; bench-against stopped");
	e2e_end(&t);
}

TEST(kill_9_while_measuring_leaves_no_worker)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	start_long_measurement(&t);
	kill(t.pid, SIGKILL);
	e2e_wait(&t);
	assert_status(&t, 128 + SIGKILL);
	e2e_against(&t, "old", "new");
	assert_status(&t, 1);
	check_cache_is_clean(&t);
	e2e_end(&t);
}

TEST(a_reader_that_goes_away_is_no_success)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost100_only_direct");
	const char *const argv[] = {"sh", "-c",
		"trap '' PIPE; { " BA_BINARY_DIR "/bin/bench-against --fake-driver " BA_BINARY_DIR
		"/tests/fakecuda/lib/libcuda.so.1 --metrics submit "
		"--fixed 4 --blocks 8 old new; echo $? >../status; } | true",
		NULL};
	setenv("BENCH_AGAINST_CACHE", t.cache, 1);
	assert_int_equal(run_program(NULL, t.repo, argv, NULL, 0), 0);
	unsetenv("BENCH_AGAINST_CACHE");
	BA_AUTO_FREE char *status = slurp(t.dir, "status");
	assert_string_equal(status, "125\n");
	e2e_end(&t);
}

/* RLIMIT_FSIZE: the file is not written, which is said; its signal would say nothing.
 */
TEST(a_limit_of_file_sizes_is_an_error_with_a_sentence)
{
	struct rlimit before, tight;
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	e2e_against(&t, "old", "new");
	assert_status(&t, 1);
	assert_false(getrlimit(RLIMIT_FSIZE, &before));
	tight = (struct rlimit){4096, before.rlim_max};
	assert_false(setrlimit(RLIMIT_FSIZE, &tight));
	e2e_start_against(&t, "-q", "old", "new");
	assert_false(setrlimit(RLIMIT_FSIZE, &before));
	e2e_wait(&t);
	assert_int_equal(t.signal, 0);
	assert_true(t.status == 1 || t.status == 125);
	assert_has(t.err, "File too large");
	assert_false(ba_fs_exists(t.json));
	e2e_end(&t);
}

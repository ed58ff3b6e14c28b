/* Real builds of small trees: what becomes of them, and what is told. */
#include "test.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/base.h"
#include "base/text.h"
#include "build/build.h"

#define JOBS 3

typedef struct bench {
	char *root;
	char *dirs[JOBS], *logs[JOBS];
	ba_strv commands[4];
	ba_strv artefacts;
	ba_build_recipe recipe;
	ba_build_job jobs[JOBS];
	ba_strv warnings;
	ba_log log;
	ba_build_options options;
	unsigned changes, running, most_running;
} bench;

static void keep_warning(void *data, ba_log_level level, const char *text)
{
	bench *b = data;
	if (level == BA_LOG_WARNING)
		ba_strv_push(&b->warnings, text);
}

static void on_change(void *data, const ba_build_job *job, bool ended)
{
	bench *b = data;
	assert_non_null(job->label);
	b->changes++;
	b->running += ended ? -1 : 1;
	if (b->running > b->most_running)
		b->most_running = b->running;
}

static int set_up(void **state)
{
	static const char *const labels[JOBS] = {"one", "two", "three"};
	bench *b = ba_xcalloc(1, sizeof(*b));
	b->root = ba_xstrdup("/tmp/ba-build-test-XXXXXX");
	if (!mkdtemp(b->root))
		return -1;
	for (size_t i = 0; i < JOBS; i++) {
		b->dirs[i] = ba_xprintf("%s/trees/%zu", b->root, i);
		b->logs[i] = ba_xprintf("%s/logs/%zu.log", b->root, i);
		if (ba_fs_mkdirs(b->dirs[i], NULL))
			return -1;
		b->jobs[i] = (ba_build_job){.label = labels[i],
			.dir = b->dirs[i],
			.log_path = b->logs[i],
			.recipe = &b->recipe,
			.artefacts = &b->artefacts};
	}
	b->log = (ba_log){keep_warning, b};
	b->options = (ba_build_options){.parallel = 2,
		.tmp_root = b->root,
		.log = &b->log,
		.changed = on_change,
		.data = b};
	*state = b;
	return 0;
}

static int tear_down(void **state)
{
	bench *b = *state;
	ba_fs_remove_tree(b->root, NULL);
	for (size_t i = 0; i < JOBS; i++) {
		free(b->dirs[i]);
		free(b->logs[i]);
		ba_build_job_dispose(&b->jobs[i]);
	}
	for (size_t i = 0; i < 4; i++)
		ba_strv_dispose(&b->commands[i]);
	ba_strv_dispose(&b->artefacts);
	ba_strv_dispose(&b->warnings);
	ba_build_recipe_dispose(&b->recipe);
	free(b->root);
	free(b);
	return 0;
}

static void argv(ba_strv *out, const char *const *words)
{
	for (; *words; words++)
		ba_strv_push(out, *words);
}

/* commands for a shell, as a project's own script would be */
static void recipe(bench *b, const char *const *scripts)
{
	const char *const environment[] = {
		"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/nonexistent", "NOT_ALLOWED=1", NULL};
	size_t n = 0;
	for (; scripts[n]; n++)
		argv(&b->commands[n], (const char *const[]){"sh", "-e", "-c", scripts[n], NULL});
	ba_build_recipe_init(&b->recipe, b->commands, n, NULL, environment, NULL);
}
#define RECIPE(b, ...) recipe(b, (const char *const[]){__VA_ARGS__, NULL})

static void in_file(bench *b, size_t job, const char *name, const char *text)
{
	BA_AUTO_FREE char *path = ba_path_join(b->dirs[job], name);
	assert_false(ba_fs_write(path, text, strlen(text), 0755, NULL));
}

static char *contents(const char *path)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (ba_fs_read(&text, path, 1 << 30, NULL))
		fail_msg("%s cannot be read", path);
	return ba_buf_detach(&text);
}

TEST_WITH(a_build_runs_its_commands_in_the_tree_in_order, set_up, tear_down)
{
	bench *b = *state;
	ba_error err = {0};
	RECIPE(b, "mkdir -p build; echo first", "pwd; echo content > build/libx.so");
	ba_strv_push(&b->artefacts, "build/libx.so");
	assert_false(ba_build_all(b->jobs, 1, &b->options, &err));
	assert_true(b->jobs[0].built && !b->jobs[0].failure && b->jobs[0].seconds > 0);
	BA_AUTO_FREE char *log = contents(b->logs[0]);
	BA_AUTO_FREE char *expected =
		ba_xprintf("$ sh -e -c 'mkdir -p build; echo first'\nfirst\n\n"
			   "$ sh -e -c 'pwd; echo content > build/libx.so'\n%s\n",
			b->dirs[0]);
	assert_string_equal(log, expected);
	assert_int_equal(b->changes, 2);
	assert_int_equal(b->warnings.count, 0);
}

TEST_WITH(a_build_sees_the_environment_made_for_it, set_up, tear_down)
{
	bench *b = *state;
	ba_error err = {0};
	RECIPE(b, "env | grep -v '^_=\\|^PWD=\\|^OLDPWD=\\|^SHLVL=' | sed "
		  "'s/=.*ba-build-.*/=private/; s/CHILD=.*/CHILD=tag/' | sort; "
		  "test -d \"$TMPDIR\"; touch \"$TMPDIR/left\"; cat");
	assert_false(ba_build_all(b->jobs, 1, &b->options, &err));
	BA_AUTO_FREE char *log = contents(b->logs[0]);
	assert_has(log, "BENCH_AGAINST_CHILD=tag\nGIT_CEILING_DIRECTORIES=private\n"
			"HOME=/nonexistent\nLANG=C\nPATH=/usr/local/bin:/usr/bin:/bin\n"
			"TMPDIR=private\n");
	/* and its temporary directory is gone with what it held */
	BA_AUTO_FREE char *pattern = ba_xprintf("ls -d %s/ba-build-* 2>/dev/null", b->root);
	FILE *ls = popen(pattern, "r");
	assert_int_equal(fgetc(ls), EOF);
	pclose(ls);
}

TEST_WITH(a_failure_tells_variant_command_status_lines_and_log, set_up, tear_down)
{
	bench *b = *state;
	ba_error err = {0};
	RECIPE(b, "true",
		"for i in $(seq 1 30); do echo line $i; done; "
		"printf '\\033[31mred\\033[0m\\n'; exit 3",
		"touch never");
	assert_int_equal(ba_build_all(b->jobs, 1, &b->options, &err), BA_EBUILD);
	const char *story = b->jobs[0].failure;
	assert_has(story, "variant 'one': the build failed: 'sh -e -c ");
	assert_has(story, "exited with status 3\n  its last lines:\n    line 12\n");
	assert_null(strstr(story, "line 11\n"));
	assert_has(story, "    line 30\n    \\x1b[31mred\\x1b[0m\n  the whole log: ");
	assert_true(ba_text_ends(story, b->logs[0]));
	assert_has(err.text, "variant 'one': the build failed");
	assert_null(strchr(err.text, '\n'));
	BA_AUTO_FREE char *never = ba_path_join(b->dirs[0], "never");
	assert_false(ba_fs_exists(never));
	assert_false(b->jobs[0].built);
}

TEST_WITH(a_crash_is_told_with_its_signal, set_up, tear_down)
{
	bench *b = *state;
	ba_error err = {0};
	RECIPE(b, "kill -SEGV $$");
	assert_int_equal(ba_build_all(b->jobs, 1, &b->options, &err), BA_EBUILD);
	assert_has(b->jobs[0].failure,
		"killed by signal 11 (SIGSEGV) and printed nothing\n  the whole log: ");
}

TEST_WITH(a_missing_program_is_named, set_up, tear_down)
{
	bench *b = *state;
	ba_error err = {0};
	RECIPE(b, "true");
	ba_strv_dispose(&b->commands[0]);
	argv(&b->commands[0], (const char *const[]){"no-such-cmake", "-S", ".", NULL});
	assert_int_equal(ba_build_all(b->jobs, 1, &b->options, &err), BA_EBUILD);
	assert_string_equal(b->jobs[0].failure,
		"variant 'one': the build cannot start: no program 'no-such-cmake' in "
		"PATH "
		"('/usr/local/bin:/usr/bin:/bin')");
}

TEST_WITH(a_script_of_the_tree_can_be_a_command, set_up, tear_down)
{
	bench *b = *state;
	ba_error err = {0};
	RECIPE(b, "true");
	ba_strv_dispose(&b->commands[0]);
	argv(&b->commands[0], (const char *const[]){"./make.sh", "$HOME;x", NULL});
	in_file(b, 0, "make.sh", "#!/bin/sh\necho \"got $1\"\n");
	assert_false(ba_build_all(b->jobs, 1, &b->options, &err));
	BA_AUTO_FREE char *log = contents(b->logs[0]);
	assert_has(log, "got $HOME;x\n"); /* no shell has seen it */
}

TEST_WITH(a_build_past_its_limit_is_stopped_and_told_the_whole_limit, set_up, tear_down)
{
	bench *b = *state;
	ba_error err = {0};
	/* the limit is for all commands together: each alone is within it */
	RECIPE(b, "sleep 2.5", "echo compiling; sleep 2.5");
	b->recipe.timeout_ns = 4 * BA_SECOND;
	assert_int_equal(ba_build_all(b->jobs, 1, &b->options, &err), BA_ETIMEOUT);
	assert_has(b->jobs[0].failure, "'sh -e -c 'echo compiling; sleep 2.5'' ran past "
				       "its limit of 4s\n  its last lines:\n    compiling");
}

TEST_WITH(a_build_that_floods_its_log_goes_on, set_up, tear_down)
{
	bench *b = *state;
	ba_error err = {0};
	struct stat st;
	RECIPE(b, "yes | head -c 200000000; echo the end", "echo second");
	b->recipe.log_ceiling = 1000000;
	assert_false(ba_build_all(b->jobs, 1, &b->options, &err));
	assert_true(b->jobs[0].built);
	assert_true(b->jobs[0].log_dropped > 198000000);
	assert_false(stat(b->logs[0], &st));
	assert_true(st.st_size < 1400000);
	BA_AUTO_FREE char *log = contents(b->logs[0]);
	assert_has(log, "more were not kept");
	assert_has(log, "\nthe end\n");
	assert_true(b->warnings.count >= 1);
	assert_has(b->warnings.items[0], "variant 'one': the build printed 199.0 MB more");
}

TEST_WITH(children_left_running_are_stopped_and_mentioned, set_up, tear_down)
{
	bench *b = *state;
	ba_error err = {0};
	RECIPE(b, "setsid sleep 71 & sleep 0.1; echo $! > pid");
	assert_false(ba_build_all(b->jobs, 1, &b->options, &err));
	assert_int_equal(b->jobs[0].left_running, 1);
	assert_int_equal(b->warnings.count, 1);
	assert_string_equal(b->warnings.items[0],
		"variant 'one': the build left 1 process running (sleep); bench-against "
		"ended it, so that the measurement is not disturbed");
	BA_AUTO_FREE char *path = ba_path_join(b->dirs[0], "pid");
	BA_AUTO_FREE char *pid = contents(path);
	assert_true(kill(atoi(pid), 0) && errno == ESRCH);
}

TEST_WITH(a_missing_artefact_is_told_with_what_there_is, set_up, tear_down)
{
	bench *b = *state;
	static const struct {
		const char *script, *told;
	} rows[] = {
		{"mkdir -p build/lib; touch build/lib/libx.so",
			"the build succeeded but made no 'build/libx.so'; there is "
			"'build/lib/libx.so'\n"},
		{"touch b.so a.so", "made no 'build/libx.so'; there is 'a.so', 'b.so'\n"},
		{"touch a.so b.so c.so d.so", "there is 'a.so', 'b.so', 'c.so' and 1 more\n"},
		{"true", "made no 'build/libx.so', nor any other file '*.so'\n"},
		{"mkdir -p build/libx.so", "made no regular file 'build/libx.so'\n"},
		{"mkdir build; ln -s nowhere build/libx.so",
			"made no 'build/libx.so'; there is 'build/libx.so', a link "
			"that leads "
			"nowhere\n"},
	};
	RECIPE(b, ". ./script");
	ba_strv_push(&b->artefacts, "build/libx.so");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		ba_error err = {0};
		assert_false(ba_fs_remove_tree(b->dirs[0], NULL));
		assert_false(ba_fs_mkdirs(b->dirs[0], NULL));
		in_file(b, 0, "script", rows[i].script);
		assert_int_equal(ba_build_all(b->jobs, 1, &b->options, &err), BA_EBUILD);
		assert_has(b->jobs[0].failure, rows[i].told);
		assert_has(b->jobs[0].failure, b->logs[0]);
		ba_build_job_dispose(&b->jobs[0]);
	}
}

/* A file of the overlay, and one below a folder of it: changed, replaced by a pipe, gone;
 * more files beside them are the build's own. */
TEST_WITH(a_build_that_changes_a_frozen_file_has_failed, set_up, tear_down)
{
	static const struct {
		const char *script, *named;
	} rows[] = {{"echo more >>bench/in/a", "/bench/in/a'"}, {"rm one; mkfifo one", "/one'"},
		{"rm bench/in/link; ln -s b bench/in/link", "/bench/in/link'"},
		{"mv bench away", "/bench/in/a'"}, {"echo new >bench/in/c; touch one", NULL}};
	bench *b = *state;
	BA_AUTO(ba_strv) ba_strv frozen = {0};
	ba_strv_push(&frozen, "one");
	ba_strv_push(&frozen, "bench");
	ba_strv_push(&frozen, "absent");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ba_error err;
		const char *const scripts[] = {rows[i].script, NULL};
		BA_AUTO_FREE char *make = ba_xprintf(
			"cd '%s' && rm -rf * && mkdir -p bench/in && echo 1 >one && echo a >bench/in/a && ln -s a bench/in/link",
			b->dirs[0]);
		assert_int_equal(system(make), 0);
		recipe(b, scripts);
		b->jobs[0].frozen = &frozen;
		int rc = ba_build_all(b->jobs, 1, &b->options, &err);
		assert_int_equal(rc, rows[i].named ? BA_EBUILD : 0);
		if (rows[i].named) {
			assert_has(b->jobs[0].failure, "the build changed '");
			assert_has(b->jobs[0].failure, rows[i].named);
		}
		ba_build_job_dispose(&b->jobs[0]);
		ba_build_recipe_dispose(&b->recipe);
		ba_strv_dispose(&b->commands[0]);
	}
}

TEST_WITH(variants_are_built_side_by_side_within_the_limit, set_up, tear_down)
{
	bench *b = *state;
	ba_error err = {0};
	int64_t start = ba_now_ns();
	RECIPE(b, "sleep 0.5");
	assert_false(ba_build_all(b->jobs, 3, &b->options, &err));
	double seconds = (double)(ba_now_ns() - start) / 1e9;
	assert_int_equal(b->most_running, 2);
	assert_int_equal(b->running, 0);
	assert_int_equal(b->changes, 6);
	assert_true(seconds > 0.95);
	for (size_t i = 0; i < 3; i++)
		assert_true(b->jobs[i].built);
}

TEST_WITH(one_failure_does_not_keep_others_from_being_built, set_up, tear_down)
{
	bench *b = *state;
	ba_error err = {0};
	RECIPE(b, ". ./script");
	in_file(b, 0, "script", "sleep 0.2; exit 1");
	in_file(b, 1, "script", "exit 2");
	in_file(b, 2, "script", "sleep 0.3");
	assert_int_equal(ba_build_all(b->jobs, 3, &b->options, &err), BA_EBUILD);
	/* told in the order of the variants, not in that of time */
	assert_has(err.text, "variant 'one'");
	assert_has(b->jobs[1].failure, "exited with status 2");
	assert_true(b->jobs[2].built && !b->jobs[2].failure);
}

static int refuse(ba_build_job *job, ba_error *err)
{
	++*(int *)job->data;
	return ba_fail(err, BA_EIO, "the cache is full");
}

TEST_WITH(completion_is_called_for_what_was_built_and_may_fail, set_up, tear_down)
{
	bench *b = *state;
	ba_error err = {0};
	int calls = 0;
	RECIPE(b, ". ./script");
	in_file(b, 0, "script", "true");
	in_file(b, 1, "script", "false");
	for (size_t i = 0; i < 2; i++) {
		b->jobs[i].complete = refuse;
		b->jobs[i].data = &calls;
	}
	assert_int_equal(ba_build_all(b->jobs, 2, &b->options, &err), BA_EIO);
	assert_int_equal(calls, 1);
	assert_string_equal(b->jobs[0].failure, "variant 'one': the cache is full");
}

TEST_WITH(a_log_that_cannot_be_written_is_an_error, set_up, tear_down)
{
	bench *b = *state;
	ba_error err = {0};
	RECIPE(b, "true");
	b->jobs[0].log_path = "/proc/no/such.log";
	assert_int_equal(ba_build_all(b->jobs, 1, &b->options, &err), BA_EIO);
	assert_has(err.text, "variant 'one': ");
	assert_has(err.text, "/proc/no");
}

TEST_WITH(a_full_disk_under_the_log_is_mentioned, set_up, tear_down)
{
	bench *b = *state;
	ba_error err = {0};
	BA_AUTO_FREE char *log = ba_path_join(b->root, "full.log");
	/* the first line is written by us and must fail too: an error, not a hang */
	assert_false(symlink("/dev/full", log));
	b->jobs[0].log_path = log;
	RECIPE(b, "true");
	assert_int_equal(ba_build_all(b->jobs, 1, &b->options, &err), BA_EIO);
	b->jobs[0].log_path = "/dev/full";
	ba_build_job_dispose(&b->jobs[0]);
	assert_int_equal(ba_build_all(b->jobs, 1, &b->options, &err), BA_EIO);
	assert_has(err.text, "No space left on device");
}

static volatile sig_atomic_t stop;

static void on_alarm(int number)
{
	(void)number;
	stop = 1;
}

TEST_WITH(a_stop_request_kills_every_build, set_up, tear_down)
{
	bench *b = *state;
	ba_error err = {0};
	RECIPE(b, "echo $$ > pid; sleep 72");
	b->options.stop = &stop;
	b->options.parallel = 3;
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {0, 500000}}, NULL);
	assert_int_equal(ba_build_all(b->jobs, 3, &b->options, &err), BA_EINTERRUPTED);
	stop = 0;
	for (size_t i = 0; i < 3; i++) {
		BA_AUTO_FREE char *path = ba_path_join(b->dirs[i], "pid");
		BA_AUTO_FREE char *pid = contents(path);
		assert_true(kill(atoi(pid), 0) && errno == ESRCH);
	}
}

TEST_WITH(nothing_to_build_is_built, set_up, tear_down)
{
	bench *b = *state;
	ba_error err = {0};
	assert_false(ba_build_all(NULL, 0, NULL, &err));
	ba_build_recipe_init(&b->recipe, NULL, 0, NULL, NULL, NULL);
	assert_false(ba_build_all(b->jobs, 1, NULL, &err));
	assert_true(b->jobs[0].built);
}

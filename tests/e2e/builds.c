/* Building through the whole tool: what is built again, and what is said when it does
 * not work. */
#include "e2e.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/base.h"

TEST_GROUP(e2e_set_up, NULL);

/* a build that leaves a line in a file outside its tree */
static char *counting_build(const e2e *t, const char *more)
{
	return at("\"commands\": [[\"sh\", \"-c\", \"echo built >>%s/builds; cp "
		  "variant.so launcher.so\"]]%s",
		t->dir, more);
}

static size_t builds_so_far(const e2e *t)
{
	size_t n = 0;
	BA_AUTO_FREE char *path = at("%s/builds", t->dir);
	if (!ba_fs_exists(path))
		return 0;
	BA_AUTO_FREE char *text = slurp(t->dir, "builds");
	for (const char *p = text; *p; p++)
		n += *p == '\n';
	return n;
}

static int files_in(const char *path)
{
	int count = 0;
	DIR *dir = opendir(path);
	assert_non_null(dir);
	for (struct dirent *e; (e = readdir(dir));)
		count += e->d_name[0] != '.';
	closedir(dir);
	return count;
}

static void check_builds(e2e *t, size_t more)
{
	size_t before = builds_so_far(t);
	e2e_against(t, "old", "new");
	assert_status(t, 1);
	assert_int_equal(builds_so_far(t) - before, more);
}

static e2e two_variants(void)
{
	e2e t = e2e_begin();
	BA_AUTO_FREE char *build = counting_build(&t, "");
	e2e_configure(&t, build, "[0]");
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	return t;
}

TEST(a_second_run_builds_nothing)
{
	e2e t = two_variants();
	check_builds(&t, 2);
	check_builds(&t, 0);
	assert_close(e2e_ratio(&t, 1), 1.1, 1e-6);
	/* also under another name, and with --no-build */
	e2e_against(&t, "--no-build", "old~0", "x=new");
	assert_status(&t, 1);
	assert_int_equal(builds_so_far(&t), 2);
	e2e_end(&t);
}

/* one bit of the library's code, where it lies in the cache */
static void flip_bit(const char *path)
{
	BA_AUTO(ba_buf) ba_buf data = BA_BUF_INIT;
	ba_error err = {0};
	assert_int_equal(ba_fs_read(&data, path, 1 << 24, &err), 0);
	data.data[data.len / 2] ^= 1;
	assert_int_equal(ba_fs_write(path, data.data, data.len, 0755, &err), 0);
}

TEST(a_tree_of_the_cache_that_was_damaged_is_built_again)
{
	e2e t = two_variants();
	check_builds(&t, 2);
	BA_AUTO_FREE char *library = at("%s/launcher.so", e2e_text(&t, "variants.1.tree_dir"));
	flip_bit(library);
	check_builds(&t, 1);
	assert_has(t.err, "is damaged: 'launcher.so' was changed");
	assert_close(e2e_ratio(&t, 1), 1.1, 1e-6);
	check_builds(&t, 0);
	assert_null(strstr(t.err, "no longer"));
	/* --no-build says what is the matter */
	flip_bit(library);
	e2e_against(&t, "--no-build", "old", "new");
	assert_status(&t, 125);
	assert_has(t.err, "'launcher.so' was changed");
	e2e_end(&t);
}

TEST(what_goes_into_a_build_builds_again)
{
	e2e t = two_variants();
	check_builds(&t, 2);
	/* a variable that is not in `env` does not count, nor reach the build */
	e2e_env("BA_E2E_FLAGS", "-O2");
	check_builds(&t, 0);
	BA_AUTO_FREE char *with_env = counting_build(&t, ", \"env\": [\"BA_E2E_FLAGS\"]");
	e2e_configure(&t, with_env, "[0]");
	check_builds(&t, 2);
	e2e_env("BA_E2E_FLAGS", "-O3");
	check_builds(&t, 2);
	e2e_env("BA_E2E_FLAGS", "-O2");
	check_builds(&t, 0);
	/* the command */
	BA_AUTO_FREE char *other = at("\"commands\": [[\"sh\", \"-c\", \"echo built "
				      ">>%s/builds; cp -f variant.so launcher.so\"]]",
		t.dir);
	e2e_configure(&t, other, "[0]");
	check_builds(&t, 2);
	/* the tree: of one variant */
	put(t.repo, "source.c", "int x;\n");
	e2e_commit(&t, "newer", "cost110");
	e2e_against(&t, "old", "newer");
	assert_status(&t, 1);
	assert_int_equal(builds_so_far(&t), 9);
	e2e_end(&t);
}

TEST(a_change_outside_the_inputs_builds_nothing)
{
	e2e t = e2e_begin();
	BA_AUTO_FREE char *build = counting_build(&t, ", \"inputs\": [\"variant.so\"]");
	e2e_configure(&t, build, "[0]");
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	check_builds(&t, 2);
	put(t.repo, "README", "x\n");
	git(t.repo, "add", "-A");
	git(t.repo, "commit", "-q", "-m", "readme");
	e2e_against(&t, "old", "HEAD");
	assert_status(&t, 1);
	assert_int_equal(builds_so_far(&t), 2);
	/* nor does a glob of irrelevant files that matches none */
	BA_AUTO_FREE char *loose = counting_build(&t, ", \"irrelevant\": [\"READM?\", \"*.oo\"]");
	e2e_configure(&t, loose, "[0]");
	e2e_against(&t, "old", "HEAD");
	assert_has(t.out, "build.irrelevant: no built tree has a file that matches '*.oo'");
	assert_null(strstr(t.out, "'READM?'"));
	/* an input that no variant has decides nothing, and that is said */
	BA_AUTO_FREE char *wrong =
		counting_build(&t, ", \"inputs\": [\"variant.so\", \"varaint.c\"]");
	e2e_configure(&t, wrong, "[0]");
	e2e_against(&t, "old", "HEAD");
	assert_has(t.out, "build.inputs: no variant has 'varaint.c'");
	assert_null(strstr(t.out, "has 'variant.so'"));
	e2e_end(&t);
}

/* as two CI jobs that start together do */
TEST(two_runs_at_once_do_not_collide)
{
	e2e t = two_variants();
	e2e other = t;
	other.dir = at("%s/other", t.dir);
	other.json = at("%s/other.json", t.dir);
	other.out = other.err = NULL;
	other.doc = NULL;
	assert_int_equal(ba_fs_mkdirs(other.dir, NULL), 0);
	BA_AUTO_FREE char *before = e2e_users_view(&t);
	e2e_start_against(&t, "old", "new");
	e2e_start_against(&other, "old", "new");
	e2e_wait(&t);
	e2e_wait(&other);
	assert_status(&t, 1);
	assert_status(&other, 1);
	assert_close(e2e_ratio(&other, 1), 1.1, 1e-6);
	/* one waited for the other's builds */
	assert_int_equal(builds_so_far(&t), 2);
	BA_AUTO_FREE char *after = e2e_users_view(&t);
	assert_string_equal(after, before);
	free(other.dir);
	free(other.json);
	free(other.out);
	free(other.err);
	ba_json_free(other.doc);
	e2e_end(&t);
}

TEST(a_failing_build_shows_what_one_wants_to_know)
{
	e2e t = e2e_begin();
	e2e_configure(&t,
		"\"commands\": [[\"sh\", \"-c\", \"seq 1 100; echo oops: no such "
		"header >&2; test ! -e broken || exit 3; cp variant.so "
		"launcher.so\"]]",
		"[0]");
	e2e_commit(&t, "good", "cost100");
	put(t.repo, "broken", "");
	e2e_commit(&t, "bad", "cost100");
	git(t.repo, "rm", "-q", "broken");
	e2e_commit(&t, "slow", "cost110");
	e2e_against(&t, "good", "bad");
	assert_status(&t, 125);
	assert_has(t.err, "'bad'");
	assert_has(t.err, "exited with status 3");
	assert_has(t.err, "oops: no such header");
	assert_null(strstr(t.err, "    42\n"));
	const char *path = strstr(t.err, "the whole log: ");
	assert_non_null(path);
	BA_AUTO_FREE char *log = ba_xstrdup(path + strlen("the whole log: "));
	log[strcspn(log, "\n")] = '\0';
	BA_AUTO_FREE char *text = slurp("/", log);
	assert_has(text, "\n42\n");
	/* the others are measured all the same */
	e2e_against(&t, "good", "bad", "slow");
	assert_status(&t, 1);
	assert_string_equal(e2e_verdict(&t, 1), "failed");
	assert_has(e2e_failure(&t, 1), "exited with status 3");
	assert_string_equal(e2e_verdict(&t, 2), "regressed");
	/* and it is not taken for built the next time */
	e2e_against(&t, "good", "bad");
	assert_status(&t, 125);
	assert_has(t.err, "exited with status 3");
	e2e_end(&t);
}

/* The mark of a finished tree cannot be written: something is in its place, as on a
 * disk that is full. */
TEST(what_this_machine_refuses_is_no_variants_failure)
{
	e2e t = e2e_begin();
	e2e_configure(&t,
		"\"commands\": [[\"sh\", \"-c\", \"cp variant.so launcher.so; "
		"test ! -e bad || mkdir $PWD.complete\"]]",
		"[0]");
	e2e_commit(&t, "good", "cost100");
	put(t.repo, "bad", "");
	e2e_commit(&t, "bad", "cost101");
	git(t.repo, "rm", "-q", "bad");
	e2e_commit(&t, "slow", "cost110");
	e2e_against(&t, "--gate=strict", "good", "bad", "slow");
	assert_status(&t, 125);
	assert_has(t.err, "cannot write");
	e2e_end(&t);
}

TEST(a_program_that_is_not_there_is_named)
{
	e2e t = e2e_begin();
	e2e_configure(&t, "\"commands\": [[\"no-such-compiler\", \"-c\"]]", "[0]");
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	e2e_against(&t, "old", "new");
	assert_status(&t, 125);
	assert_has(t.err, "no-such-compiler");
	e2e_end(&t);
}

TEST(a_build_that_does_not_end_is_ended)
{
	e2e t = e2e_begin();
	BA_AUTO_FREE char *build =
		at("\"commands\": [[\"sh\", \"-c\", \"echo still working; sleep %s\"]], "
		   "\"timeout\": \"1s\"",
			e2e_ages());
	e2e_configure(&t, build, "[0]");
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	e2e_against(&t, "old", "new");
	assert_status(&t, 125);
	assert_has(t.err, "ran past its limit of 1s");
	assert_has(t.err, "still working");
	e2e_end(&t);
}

TEST(two_hundred_megabytes_of_output_fill_no_disk)
{
	e2e t = e2e_begin();
	e2e_configure(&t,
		"\"commands\": [[\"sh\", \"-c\", \"head -c 200000000 /dev/zero | tr "
		"'\\\\\\\\0' x | fold -w 100; echo the end; cp variant.so "
		"launcher.so\"]]",
		"[0]");
	e2e_commit(&t, "old", "cost100");
	e2e_against(&t, "run", "old");
	assert_status(&t, 0);
	assert_has(t.err, "more than its log holds");
	BA_AUTO_FREE char *logs = at("%s/logs", t.cache);
	uint64_t bytes = 0;
	assert_int_equal(ba_fs_tree_bytes(&bytes, logs), 0);
	assert_true(bytes > (60u << 20) && bytes < (80u << 20));
	e2e_end(&t);
}

TEST(what_a_build_leaves_running_is_ended_and_told)
{
	e2e t = e2e_begin();
	BA_AUTO_FREE char *build =
		at("\"commands\": [[\"sh\", \"-c\", \"setsid sleep %s & sleep 0.1; cp "
		   "variant.so launcher.so\"]]",
			e2e_ages());
	e2e_configure(&t, build, "[0]");
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	e2e_against(&t, "old", "new");
	assert_status(&t, 1);
	assert_has(t.err, "left 1 process running (sleep)");
	assert_int_equal(e2e_processes(e2e_ages()), 0);
	e2e_end(&t);
}

TEST(a_build_without_the_library_is_told)
{
	e2e t = e2e_begin();
	e2e_configure(&t, "\"commands\": [[\"true\"]]", "[0]");
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	e2e_against(&t, "old", "new");
	assert_status(&t, 125);
	assert_has(t.err, "launcher.so");
	assert_has(t.err, "'old'");
	e2e_end(&t);
}

TEST(a_library_that_is_something_else_is_told)
{
	e2e t = e2e_begin();
	e2e_configure(
		&t, "\"commands\": [[\"sh\", \"-c\", \"echo no library >launcher.so\"]]", "[0]");
	e2e_commit(&t, "old", "cost100");
	e2e_against(&t, "run", "old");
	assert_status(&t, 125);
	assert_has(t.err, "cannot be loaded");
	e2e_end(&t);
}

TEST(a_build_sees_its_own_commit_and_not_the_users_environment)
{
	e2e t = e2e_begin();
	e2e_configure(&t,
		"\"commands\": [[\"sh\", \"-c\", \"git rev-parse HEAD >head; env >env; "
		"cp variant.so launcher.so\"]]",
		"[0]");
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	e2e_env("BA_E2E_SECRET", "do not tell");
	BA_AUTO_FREE char *other = at("%s/.git", t.dir);
	e2e_env("GIT_INDEX_FILE", other);
	e2e_against(&t, "old", "new");
	assert_status(&t, 1);
	const char *tree = e2e_text(&t, "variants.0.tree_dir");
	BA_AUTO_FREE char *head = slurp(tree, "head");
	BA_AUTO_FREE char *env = slurp(tree, "env");
	BA_AUTO_FREE char *commit = git_says(t.repo, "rev-parse", "old");
	assert_int_equal(strncmp(head, commit, 40), 0);
	assert_null(strstr(env, "do not tell"));
	assert_null(strstr(env, "GIT_INDEX_FILE"));
	assert_int_equal(strlen(tree), strlen(e2e_text(&t, "variants.1.tree_dir")));
	e2e_end(&t);
}

TEST(the_cache_lists_and_forgets)
{
	e2e t = two_variants();
	check_builds(&t, 2);
	e2e_tool(&t, "cache");
	assert_status(&t, 0);
	assert_has(t.out, "2 built trees");
	/* what each is: the name that was given, its commit and its subject */
	BA_AUTO_FREE char *tip = git_out(t.repo, "rev-parse", "new", NULL);
	BA_AUTO_FREE char *what = at("  new %.9s new, %s/.git", tip, t.repo);
	assert_has(t.out, what);
	assert_has(t.out, "  old ");
	e2e_tool(&t, "cache", "prune");
	assert_status(&t, 129);
	e2e_tool(&t, "cache", "prune", "--max-size", "0");
	assert_status(&t, 0);
	assert_has(t.out, "removed 2 built trees");
	check_builds(&t, 2);
	/* logs of builds stay a day after prune, and journals of runs that live, which
	 * is told by their locks: a number of a process is another one's in another
	 * container
	 */
	BA_AUTO_FREE char *logs = at("%s/logs", t.cache);
	BA_AUTO_FREE char *journals = at("%s/journals", t.cache);
	const char *mine = "1-999999999.jsonl";
	BA_AUTO_FREE char *dead = at("1-%ld.jsonl", (long)getpid());
	BA_AUTO_FREE char *locked = at("%s/%s", journals, mine);
	/* a step of a search that was killed; its state stays */
	BA_AUTO_FREE char *searches = at("%s/bisect", t.cache);
	put(searches, "step-1.json.journal", "{}\n");
	put(searches, "2.json", "{}\n");
	put(journals, dead, "{}\n");
	put(journals, mine, "{}\n");
	BA_AUTO_FD int lock = open(locked, O_RDONLY | O_CLOEXEC);
	assert_int_equal(flock(lock, LOCK_EX), 0);
	assert_int_equal(files_in(logs), 2);
	e2e_tool(&t, "cache", "clear");
	assert_status(&t, 0);
	assert_int_equal(files_in(logs), 0);
	assert_int_equal(files_in(journals), 1);
	assert_int_equal(files_in(searches), 1);
	BA_AUTO_FREE char *left = slurp(journals, mine);
	assert_string_equal(left, "{}\n");
	e2e_against(&t, "--no-build", "old", "new");
	assert_status(&t, 125);
	assert_has(t.err, "--no-build");
	e2e_tool(&t, "cache", "empty");
	assert_status(&t, 129);
	assert_has(t.err, "no action 'empty'");
	e2e_end(&t);
}

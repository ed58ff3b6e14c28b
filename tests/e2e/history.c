/* The history: what runs add, what it shows, and that it never stands in a run's way.
 */
#include "e2e.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/base.h"

TEST_GROUP(e2e_set_up, NULL);

enum { COMMITS = 14, STEP = 8 }; /* from the commit STEP on it costs 10 % more */

static char *name_of(int i)
{
	return at("c%d", i);
}

/* a line of commits; on a side branch that was merged, one that costs much more */
static void make_line(e2e *t)
{
	for (int i = 0; i < COMMITS; i++) {
		BA_AUTO_FREE char *name = name_of(i);
		put(t->repo, "number", name);
		e2e_commit(t, name, i < STEP ? "cost100" : "cost110");
		if (i != 3)
			continue;
		git(t->repo, "checkout", "-q", "-b", "side");
		put(t->repo, "side", "x");
		e2e_commit(t, "detour", "cost90");
		git(t->repo, "checkout", "-q", "-");
		git(t->repo, "merge", "-q", "--no-ff", "-m", "merge", "side");
		git(t->repo, "checkout", "-q", "c3", "--", "variant.so");
	}
}

/* all of them in one run */
static void measure_line(e2e *t)
{
	e2e_against(t, "--measure-identical", "--quiet", "c0", "c1", "c2", "c3", "c4", "c5", "c6",
		"c7", "c8", "c9", "c10", "c11", "c12", "c13", "detour");
	assert_status(t, 1);
	if (strstr(t->err, "history"))
		fail_msg("%s", t->err);
}

TEST(a_change_is_found_where_it_was_made)
{
	e2e t = e2e_begin();
	make_line(&t);
	measure_line(&t);
	BA_AUTO_FREE char *guilty = git_says(t.repo, "rev-parse", "--short=9", "c8");
	BA_AUTO_FREE char *before = git_says(t.repo, "rev-parse", "--short=9", "c7");
	BA_AUTO_FREE char *view = e2e_users_view(&t);
	e2e_tool(&t, "history", "--target", "fake", "launch/*");
	assert_status(&t, 0);
	BA_AUTO_FREE char *sentence = at("+10 %% at %s: the level went from", guilty);
	assert_has(t.out, sentence);
	BA_AUTO_FREE char *command =
		at("bench-against --filter launch/args=0,path=direct %s %s\n", before, guilty);
	assert_has(t.out, command);
	assert_has(t.out, "1 measured commit that is not among the first parents");
	assert_has(t.out, "A test driver with a simulated clock produced these times");
	e2e_tool(&t, "history", "--target", "fake");
	assert_status(&t, 0);
	BA_AUTO_FREE char *line = at("+10 %% at %s", guilty);
	assert_has(t.out, line);
	BA_AUTO_FREE char *after = e2e_users_view(&t);
	assert_string_equal(after, view);
	/* the branch that never was slow */
	e2e_tool(&t, "history", "--target", "fake", "--branch", "c7", "launch/*");
	assert_status(&t, 0);
	assert_null(strstr(t.out, "the level went"));
	/* whose figures are a test's is not shown to those who do not ask */
	e2e_tool(&t, "history");
	assert_status(&t, 129);
	assert_has(t.err, "the history has no results;");
	e2e_tool(&t, "history", "--target", "fake", "--device", "nothing*");
	assert_status(&t, 129);
	assert_has(t.err, "no results with that --metric, --target or --device");
	e2e_end(&t);
}

TEST(every_form_tells_the_same)
{
	e2e t = e2e_begin();
	make_line(&t);
	measure_line(&t);
	e2e_tool(&t, "history", "--target", "fake", "--format", "csv");
	assert_status(&t, 0);
	size_t lines = 0;
	for (const char *c = t.out; *c; c++)
		lines += *c == '\n';
	assert_int_equal(lines, 1 + COMMITS);
	assert_has(t.out, ",100,0,,,,");
	e2e_tool(&t, "history", "--target", "fake", "--format", "json");
	assert_status(&t, 0);
	assert_has(t.out, "\"schema\": \"bench-against.history/1\"");
	assert_has(t.out, "\"index\": 8");
	e2e_tool(&t, "history", "-C", "..", "--by-date", "--target", "fake", "--plot", "a.svg",
		"launch/*");
	assert_status(&t, 0);
	BA_AUTO_FREE char *text = slurp(t.dir, "a.svg");
	assert_has(text, "<svg xmlns=");
	assert_has(text, "1 change of the level");
	assert_has(text, "+10.0 % at ");
	e2e_end(&t);
}

TEST(uncommitted_work_is_no_point)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_put_library(&t, "cost110");
	e2e_against(&t, "HEAD", "WORKTREE");
	assert_status(&t, 1);
	e2e_against(&t, "--no-history", "HEAD", "WORKTREE");
	e2e_tool(&t, "history", "--target", "fake", "--format", "csv");
	assert_status(&t, 0);
	assert_has(t.out, ",1,100,0,"); /* one run, and not the 110 */
	assert_null(strstr(t.out, ",110,"));
	e2e_end(&t);
}

/* whatever is at its place: a file that was asked for is refused before it is measured */
TEST(a_history_that_cannot_be_written_is_refused)
{
	e2e t = e2e_begin();
	BA_AUTO_FREE char *path = at("%s/history.sqlite", t.dir);
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	e2e_against(&t, "-q", "old", "new");
	/* copies of a good one with a number changed: user_version is at byte 60,
	 * application_id at 68 of the file */
	static const struct {
		long offset;
		const char *file;
	} edits[] = {{63, "newer"}, {71, "other"}};
	for (size_t i = 0; i < 2; i++) {
		BA_AUTO_FREE char *copy = at("%s/%s", t.dir, edits[i].file);
		assert_int_equal(ba_fs_copy(copy, path, NULL), 0);
		FILE *f = fopen(copy, "r+");
		assert_int_equal(fseek(f, edits[i].offset, SEEK_SET), 0);
		fputc(99, f);
		fclose(f);
	}
	put(t.dir, "text",
		"this is no database, and long enough to be looked at as "
		"one: it has more than a hundred bytes, as SQLite wants.\n");
	put(t.dir, "half", "SQLite format 3");
	static const struct {
		const char *at, *says;
	} rows[] = {
		{"newer", "is of version 99, and this program knows version 1"},
		{"other", "is an SQLite file of another program"},
		{"text", "is not an SQLite file"},
		{"half", "is not an SQLite file"},
		{"", "cannot be opened"}, /* a directory */
		{"text/below", "text"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO_FREE char *place = at("%s/%s", t.dir, rows[i].at);
		BA_AUTO_FREE char *held = slurp(t.dir, "text");
		e2e_env("BENCH_AGAINST_HISTORY", place);
		e2e_against(&t, "old", "new");
		assert_true(t.status == 125 || t.status == 129);
		assert_has(t.err, "BENCH_AGAINST_HISTORY: ");
		assert_has(t.err, rows[i].says);
		assert_string_equal(t.out, "");
		assert_null(t.doc);
		BA_AUTO_FREE char *still = slurp(t.dir, "text");
		assert_string_equal(still, held);
		e2e_tool(&t, "history");
		assert_status(&t, i == 4 ? 125 : 129);
		assert_null(strstr(t.err, "warning"));
	}
	e2e_against(&t, "--no-history", "old", "new");
	assert_status(&t, 1);
	assert_has(t.out, "got slower");
	e2e_end(&t);
}

TEST(a_full_disk_loses_the_row_and_not_the_run)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	/* a device that takes nothing, in the place that nobody named */
	BA_AUTO_FREE char *state_home = at("%s/bench-against", t.dir);
	BA_AUTO_FREE char *place = at("%s/history.sqlite", state_home);
	assert_int_equal(ba_fs_mkdirs(state_home, NULL), 0);
	assert_int_equal(symlink("/dev/full", place), 0);
	e2e_env("BENCH_AGAINST_HISTORY", NULL);
	e2e_env("XDG_STATE_HOME", t.dir);
	e2e_against(&t, "old", "new");
	assert_status(&t, 1);
	assert_has(t.err, "warning: this run is not in the history: ");
	e2e_end(&t);
}

TEST(runs_side_by_side_all_get_in)
{
	enum { RUNS = 4 };
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_against(&t, "run", "old"); /* the build */
	pid_t pids[RUNS];
	for (int i = 0; i < RUNS; i++) {
		BA_AUTO_FREE char *json = at("%s/r%d.json", t.dir, i);
		e2e_start_against(&t, "run", "old", "--output", json);
		pids[i] = t.pid;
	}
	for (int i = 0; i < RUNS; i++) {
		t.pid = pids[i];
		free(t.out); /* of the one before: they were started together */
		free(t.err);
		e2e_wait(&t);
		assert_status(&t, 0);
	}
	e2e_tool(&t, "history", "--target", "fake", "--format", "csv");
	assert_status(&t, 0);
	assert_has(t.out, ",5,100,0,");
	e2e_end(&t);
}

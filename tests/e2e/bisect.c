/* bisect: the commit that made it slower is found, also past commits that do not build,
 * among merges and after a kill; two steps are two; and what cannot be answered is not
 * answered. Costs are those of the fake driver's clock, so that no load of the machine
 * decides. */
#include "e2e.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/base.h"

TEST_GROUP(e2e_set_up, NULL);

/* The child's options go through to every step. What a step measures depends on what builds cost,
 * which a busy machine changes: all of a step side by side, they cost the same for each choice. */
#define FAKE BA_BINARY_DIR "/tests/fakecuda/lib/libcuda.so.1"
#define OPTIONS                                                                                 \
	"--fake-driver", FAKE, "--metrics", "submit", "--blocks", "8", "--seed", "7", "--jobs", \
		"64", "--no-build-ahead"
#define bisect(t, ...) e2e_tool((t), "bisect", OPTIONS, __VA_ARGS__)

/* A commit and tag whose launches cost so much besides the driver's call. Each differs a
 * little, as commits do. */
static void commit_cost(e2e *t, const char *name, int cost)
{
	BA_AUTO_FREE char *table = at("%d\n", cost);
	put(t->repo, "table", table);
	put(t->repo, "number", name);
	commit_tagged(t->repo, name);
}

/* c0 .. c(n-1), ten per cent slower from `step` on, and again from `second` on (0: not) */
static void make_line(e2e *t, int n, int step, int second)
{
	e2e_configure(t, E2E_BUILD, "[0]");
	e2e_put_library(t, "cost_from_tree");
	for (int i = 0; i < n; i++) {
		BA_AUTO_FREE char *name = at("c%d", i);
		commit_cost(t, name,
			1000 + (i >= step ? 100 : 0) + (second && i >= second ? 110 : 0) + i % 2);
	}
}

/* The commit has no library; those after it have it again. */
static void break_commits(e2e *t, int n, const char *broken)
{
	git(t->repo, "checkout", "-q", "-b", "broken", "c0");
	for (int i = 1; i < n; i++) {
		BA_AUTO_FREE char *name = at("c%d", i);
		BA_AUTO_FREE char *tag = at("b%d", i);
		git(t->repo, "checkout", "-q", name, "--", ".");
		if (strchr(broken, 'a' + i))
			git(t->repo, "rm", "-q", "-f", "variant.so");
		commit_tagged(t->repo, tag);
	}
}

static char *first_bad(const e2e *t, const char *name)
{
	BA_AUTO_FREE char *id = git_says(t->repo, "rev-parse", name);
	return at("%s is the first bad commit\n    %s\n", id, name);
}

/* The change of the answer, and its interval: how many steps there are depends on how long
 * builds take. */
static void assert_change(const char *out, double percent)
{
	static const char words[] = "\nlaunch/args=0,path=direct ";
	double change = 0, low = 0, high = 0;
	const char *at = strstr(out, words);
	assert_non_null(at);
	assert_int_equal(sscanf(at + sizeof(words) - 1, "%lf %% (95 %% interval %lf .. %lf %%)",
				 &change, &low, &high),
		3);
	assert_true(fabs(change - percent) < 0.2 && low < percent && percent < high);
}

/* A search that was killed after its first run leaves its state at `path`: what a budget
 * lets a first run say depends on how fast the machine is. */
#define first_run(t, path, ...)                                                   \
	(e2e_start_tool((t), "bisect", OPTIONS, "--resume", (path), __VA_ARGS__), \
		kill_with_state((t), (path)))

static void kill_with_state(e2e *t, const char *path)
{
	e2e_wait_for(path);
	kill(t->pid, SIGKILL);
	e2e_wait(t);
	while (e2e_left(t))
		nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

TEST(one_of_64_commits_is_named)
{
	e2e t = e2e_begin();
	make_line(&t, 64, 37, 0);
	BA_AUTO_FREE char *line = first_bad(&t, "c37");
	BA_AUTO_FREE char *view = e2e_users_view(&t);
	bisect(&t, "c0", "c63");
	assert_status(&t, 0);
	assert_has(t.out, line);
	assert_change(t.out, 10);
	assert_has(t.out, ", submit; probability ");
	assert_has(t.out, " invocations, ");
	assert_has(t.out, "To compare it with the commit before:\n    bench-against -");
	assert_has(t.out, "For an issue:\n    ");
	assert_has(t.err, "62 commits between c0 (");
	assert_has(t.err, "step 1: ");
	assert_has(t.err, " of 63 commits share 95 %: ");
	BA_AUTO_FREE char *after = e2e_users_view(&t);
	assert_string_equal(after, view);
	/* one that is answered leaves no state: it is asked anew */
	bisect(&t, "c0", "c63");
	assert_status(&t, 0);
	assert_null(strstr(t.err, "resumed"));
	/* from elsewhere, where a step has to find the way, too */
	bisect(&t, "-C", "../repo", "c36", "c37");
	assert_status(&t, 0);
	assert_has(t.out, line);
	e2e_end(&t);
}

/* a release on a branch of its own: fast enough is where it left the line */
TEST(good_on_another_branch_begins_where_the_two_part)
{
	e2e t = e2e_begin();
	make_line(&t, 12, 7, 0);
	git(t.repo, "checkout", "-q", "-b", "side", "c3");
	commit_cost(&t, "release", 1000);
	BA_AUTO_FREE char *line = first_bad(&t, "c7");
	BA_AUTO_FREE char *fork = git_says(t.repo, "rev-parse", "c3");
	BA_AUTO_FREE char *from = at("; searching from %.9s, where the two part\n", fork);
	bisect(&t, "release", "c11");
	assert_status(&t, 0);
	assert_has(t.out, line);
	assert_has(t.err, "GOOD (release, ");
	assert_has(t.err, from);
	assert_has(t.err, "7 commits between ");
	/* the change is the branch's own: nothing on the line is slower */
	bisect(&t, "release", "c6");
	assert_status(&t, 125);
	assert_has(t.err, from);
	assert_has(t.err, "there is no commit to find");
	e2e_end(&t);
}

TEST(what_does_not_build_is_passed_over)
{
	e2e t = e2e_begin();
	make_line(&t, 16, 7, 0);
	break_commits(&t, 16, "fj"); /* 5, 9: not beside the guilty one */
	bisect(&t, "c0", "b15");
	assert_status(&t, 0);
	assert_has(t.out, " is the first bad commit\n    b7\n");
	/* one line for one cause */
	assert_has(t.out, "Not measured: 2 commits from ");
	assert_int_equal(e2e_occurrences(t.out, "Not measured: "), 1);
	assert_has(t.err, " cannot be measured: ");
	e2e_end(&t);
	t = e2e_begin();
	make_line(&t, 16, 7, 0);
	break_commits(&t, 16, "g"); /* 6, right before it */
	bisect(&t, "c0", "b15");
	assert_status(&t, 125);
	assert_has(t.out, "The first bad commit is one of these");
	assert_has(t.out, "To compare the ends of this range:\n");
	assert_has(t.out, "    b6\n");
	assert_has(t.out, "    b7\n");
	assert_null(strstr(t.out, "    c5\n"));
	e2e_end(&t);
}

TEST(two_steps_are_told_as_two)
{
	e2e t = e2e_begin();
	make_line(&t, 24, 7, 17);
	bisect(&t, "c0", "c23");
	assert_status(&t, 0);
	assert_has(t.out, "Two commits changed it:\n");
	assert_has(t.out, "\n    c7\n");
	assert_has(t.out, "\n    c17\n");
	assert_int_equal(e2e_occurrences(t.out, ") changed launch/args=0,"), 2);
	e2e_end(&t);
}

/* Each commit a little slower, and c9 much, if that is said; no two commits explain it. */
TEST(many_small_changes_have_no_commit)
{
	for (int step = 0; step <= 200; step += 200) {
		e2e t = e2e_begin();
		e2e_configure(&t, E2E_BUILD, "[0]");
		e2e_put_library(&t, "cost_from_tree");
		for (int i = 0; i < 24; i++) {
			BA_AUTO_FREE char *name = at("c%d", i);
			commit_cost(&t, name, 1000 + 6 * i + i * i % 7 + (i >= 9 ? step : 0));
		}
		bisect(&t, "c0", "c23");
		if (step) {
			assert_status(&t, 0);
			assert_has(t.out, " is the first bad commit\n    c9\n");
			assert_has(t.out, "Another commit may have changed it, too (");
			assert_has(t.out, "; no commit has 95 % of that.");
		} else {
			assert_status(&t, 125);
			assert_has(
				t.out, "Many small changes made launch/args=0,path=direct slower");
			assert_has(t.out, ": together +1");
			assert_has(t.out, "it changed most from ");
			assert_null(strstr(t.out, "--resume"));
		}
		/* where the evidence is in, no more is measured */
		assert_true(e2e_occurrences(t.err, "\nstep ") <= 8);
		e2e_end(&t);
	}
}

/* c3 costs that because of s2, which a merge brought (-1: nothing of it can be measured);
 * `first`, `last`: a branch that is not slower is merged, too, before or after it. */
static void make_merge(e2e *t, int cost, int merged_cost, bool first, bool last)
{
	e2e_configure(t, E2E_BUILD, "[0]");
	e2e_put_library(t, "cost_from_tree");
	commit_cost(t, "c0", 1000);
	commit_cost(t, "c1", 1001);
	git(t->repo, "branch", "trunk");
	commit_cost(t, "s1", 1000);
	commit_cost(t, "s2", merged_cost);
	if (merged_cost < 0) /* the tip has no library */
		git(t->repo, "rm", "-q", "-f", "variant.so");
	commit_cost(t, "s3", merged_cost + 1);
	git(t->repo, "branch", "side");
	git(t->repo, "checkout", "-q", "-b", "other", "trunk");
	commit_cost(t, "o1", 1001);
	git(t->repo, "checkout", "-q", "trunk");
	commit_cost(t, "c2", 1000);
	if (first || last)
		git(t->repo, "merge", "-q", "-s", "ours", "--no-commit", first ? "other" : "side",
			first ? "side" : "other");
	else
		git(t->repo, "merge", "-q", "-s", "ours", "--no-commit", "side");
	commit_cost(t, "c3", cost);
	commit_cost(t, "c4", cost + 1);
	commit_cost(t, "c5", cost);
}

/* c9 is the commit that made it faster, past one that made it slower. */
TEST(the_first_faster_commit_is_named)
{
	e2e t = e2e_begin();
	BA_AUTO_FREE char *path = ba_path_join(t.dir, "state");
	e2e_configure(&t, E2E_BUILD, "[0]");
	e2e_put_library(&t, "cost_from_tree");
	for (int i = 0; i < 16; i++) {
		BA_AUTO_FREE char *name = at("c%d", i);
		commit_cost(&t, name, 1100 - (i >= 9 ? 200 : 0) + i % 2);
	}
	bisect(&t, "--faster", "c0", "c15");
	assert_status(&t, 0);
	assert_has(t.out, " is the first faster commit\n    c9\n");
	assert_has(t.out, "\nlaunch/args=0,path=direct -1"); /* as measured, not turned */
	assert_has(t.out, " % (95 % interval -");
	assert_has(t.err, "launch/args=0,path=direct -1");
	bisect(&t, "--faster", "c9", "c15");
	assert_status(&t, 125);
	assert_has(t.err, " is faster than in ");
	bisect(&t, "c0", "c15");
	assert_status(&t, 125);
	assert_has(t.err, " is slower than in ");
	/* a state has a direction */
	first_run(&t, path, "--faster", "c0", "c15");
	bisect(&t, "--faster", "--budget", "1ms", "--resume", path);
	assert_status(&t, 125);
	assert_has(t.out, " --faster --budget TIME\n");
	bisect(&t, "--resume", path);
	assert_status(&t, 129);
	assert_has(t.err, "is the state of a search for an improvement; continue it with --faster");
	bisect(&t, "--faster", "--resume", path, "--format", "json");
	assert_status(&t, 0);
	assert_has(t.out, "\"direction\": \"faster\"");
	assert_has(t.out, "\"ratio\": 0.8");
	e2e_end(&t);
	t = e2e_begin();
	make_merge(&t, 900, 900, false, false);
	bisect(&t, "--faster", "--into-merges", "c0", "c5");
	assert_status(&t, 0);
	assert_has(t.out, " is the first faster commit\n    s2\n");
	e2e_end(&t);
}

TEST(a_merge_is_gone_into_on_request)
{
	e2e t = e2e_begin();
	make_merge(&t, 1100, 1100, false, false);
	bisect(&t, "c0", "c5");
	assert_status(&t, 0);
	assert_has(t.out, " is the first bad commit\n    c3\n");
	assert_has(t.out, ", a merge\n");
	assert_has(t.out, "--into-merges searches the commits that it brought");
	bisect(&t, "--into-merges", "c0", "c5");
	assert_status(&t, 0);
	assert_has(t.out, " is the first bad commit\n    s2\n");
	assert_has(t.out, "It came with the merge ");
	e2e_end(&t);
	/* what it brought is not slower by itself */
	t = e2e_begin();
	make_merge(&t, 1100, 1000, false, false);
	bisect(&t, "--into-merges", "c0", "c5");
	assert_status(&t, 0);
	assert_has(t.out, " is the first bad commit\n    c3\n");
	assert_has(t.out, "were not found slower by themselves");
	e2e_end(&t);
	/* what it brought cannot be measured: the merge is still the answer */
	t = e2e_begin();
	make_merge(&t, 1100, -1, false, false);
	bisect(&t, "--into-merges", "c0", "c5");
	assert_status(&t, 0);
	assert_has(t.out, " is the first bad commit\n    c3\n");
	assert_has(t.out, "that it brought could not be searched: ");
	e2e_end(&t);
	/* of several branches, each is searched until one has the commit */
	for (int last = 0; last < 2; last++) {
		t = e2e_begin();
		make_merge(&t, 1100, 1100, !last, last);
		bisect(&t, "--into-merges", "c0", "c5");
		assert_status(&t, 0);
		assert_has(t.out, " is the first bad commit\n    s2\n");
		assert_has(t.out, "It came with the merge ");
		assert_true(!strstr(t.out, "parents of that merge were not searched") == !last);
		e2e_end(&t);
	}
}

/* Is there a second run in the state, so that a step is lost with it? */
static bool has_a_step(const char *path)
{
	ba_json *doc = NULL;
	uint64_t runs = 0;
	bool steps = ba_json_read(&doc, path, NULL, NULL) == 0 &&
		     ba_json_get_u64(&runs, ba_json_root(doc), "runs", 0, 99, NULL) == 0;
	ba_json_free(doc);
	return steps && runs >= 2;
}

static void is_refused(e2e *t, const char *path, const char *why)
{
	e2e_tool(t, "bisect", "--fake-driver", FAKE, "--resume", path);
	assert_status(t, 129);
	assert_has(t->err, why);
}

/* A state that somebody else made or changed is not resumed, nor are options that load
 * code taken from one. */
static void check_refusals(e2e *t, const char *path)
{
	BA_AUTO_FREE char *text = e2e_text_of(path);
	e2e_tool(t, "bisect", "--resume", path);
	assert_status(t, 129);
	assert_has(t->err, "has options that count only if you repeat them: bench-against bisect ");
	assert_has(t->err, " --fake-driver ");
	chmod(path, 0620);
	is_refused(t, path, "can be written by other users; if you trust it, run: chmod go-w '");
	chmod(path, 0600);
	if (chown(path, 1, (gid_t)-1) == 0) {
		is_refused(t, path, "belongs to user 1, and a search or run is resumed only ");
		assert_int_equal(chown(path, geteuid(), (gid_t)-1), 0);
	}
	BA_AUTO_FREE char *changed = ba_xstrdup(text);
	char *seed = strstr(changed, "\"7\"");
	assert_non_null(seed);
	seed[1] = '8';
	assert_int_equal(ba_fs_write(path, changed, strlen(changed), 0600, NULL), 0);
	is_refused(t, path, "was damaged or changed: its digest does not agree");
	assert_int_equal(ba_fs_write(path, text, strlen(text), 0600, NULL), 0);
}

TEST(a_killed_search_goes_on)
{
	const struct timespec moment = {.tv_nsec = 5000000};
	e2e t = e2e_begin();
	make_line(&t, 64, 37, 0);
	BA_AUTO_FREE char *path = at("%s/search.json", t.dir);
	BA_AUTO_FREE char *line = first_bad(&t, "c37");
	e2e_start_tool(&t, "bisect", OPTIONS, "--fixed", "4", "--resume", path, "c0", "c63");
	e2e_wait_for(path);
	while (!has_a_step(path))
		nanosleep(&moment, NULL);
	kill(t.pid, SIGKILL);
	e2e_wait(&t);
	assert_int_equal(t.signal, SIGKILL);
	while (e2e_left(&t))
		nanosleep(&moment, NULL);
	check_refusals(&t, path);
	e2e_tool(&t, "bisect", "--fake-driver", FAKE, "--resume", path);
	assert_status(&t, 0);
	assert_has(t.err, "resumed after ");
	assert_has(t.out, line);
	/* the state of another search is no state of this one */
	put(t.repo, "state.json", "{\"schema\": \"x\"}");
	bisect(&t, "--resume", "state.json", "c0", "c63");
	assert_status(&t, 129);
	assert_has(t.err, "not a state of bisect");
	e2e_end(&t);
}

/* A step that would take for ever ends with the search, whatever ends that. */
TEST(a_step_ends_with_the_search)
{
	const struct timespec moment = {.tv_nsec = 5000000};
	e2e t = e2e_begin();
	BA_AUTO_FREE char *build = at(
		"\"commands\": [[\"sh\", \"-c\", \"touch ../../../begun; sleep %s\"]]", e2e_ages());
	e2e_configure(&t, build, "[0]");
	e2e_put_library(&t, "cost_from_tree");
	commit_cost(&t, "c0", 1000);
	commit_cost(&t, "c1", 1100);
	BA_AUTO_FREE char *begun = at("%s/begun", t.dir);
	e2e_start_tool(&t, "bisect", OPTIONS, "c0", "c1");
	e2e_wait_for(begun);
	/* meanwhile it says what it does */
	BA_AUTO_FREE char *said = at("%s/stderr", t.dir);
	for (bool told = false; !told; nanosleep(&moment, NULL)) {
		BA_AUTO_FREE char *text = e2e_text_of(said);
		told = strstr(text, "comparing c0 with c1 (0:0") != NULL;
	}
	kill(t.pid, SIGKILL);
	e2e_wait(&t);
	while (e2e_left(&t) || e2e_processes(e2e_ages()))
		nanosleep(&moment, NULL);
	e2e_end(&t);
}

/* Its directory is gone when the first run ends. */
TEST(a_state_that_cannot_be_written_is_a_warning)
{
	e2e t = e2e_begin();
	e2e_configure(&t,
		"\"commands\": [[\"cp\", \"variant.so\", \"launcher.so\"], "
		"[\"rm\", \"-rf\", \"../../../gone\"]]",
		"[0]");
	e2e_put_library(&t, "cost_from_tree");
	for (int i = 0; i < 4; i++) {
		BA_AUTO_FREE char *name = at("c%d", i);
		commit_cost(&t, name, i < 2 ? 1000 + i : 1100 + i);
	}
	BA_AUTO_FREE char *path = at("%s/gone/state.json", t.dir);
	bisect(&t, "--resume", path, "c0", "c3");
	assert_status(&t, 0);
	assert_has(t.out, " is the first bad commit\n    c2\n");
	assert_int_equal(e2e_occurrences(t.err, "this search cannot be resumed: "), 1);
	e2e_end(&t);
}

/* One file of the folder that begins so; NULL: there is none. The caller frees it. */
static char *one_of(const char *folder, const char *begin)
{
	char *found = NULL;
	DIR *dir = opendir(folder);
	for (struct dirent *e; dir && !found && (e = readdir(dir));)
		if (strncmp(e->d_name, begin, strlen(begin)) == 0)
			found = at("%s/%s", folder, e->d_name);
	if (dir)
		closedir(dir);
	return found;
}

/* the journal of a step that was stopped while it measured */
TEST(a_search_that_is_stopped_leaves_its_state_alone)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	e2e t = e2e_begin();
	make_line(&t, 12, 7, 0);
	BA_AUTO_FREE char *folder = at("%s/bisect", t.cache);
	char *step = NULL;
	e2e_start_tool(&t, "bisect", OPTIONS, "--fixed", "1000", "c0", "c11");
	while (!step) {
		nanosleep(&moment, NULL);
		step = one_of(folder, "step-");
	}
	kill(t.pid, SIGINT);
	e2e_wait(&t);
	assert_int_equal(t.signal, SIGINT);
	free(step);
	assert_null(one_of(folder, "step-"));
	e2e_end(&t);
}

TEST(the_budget_leaves_a_set)
{
	e2e t = e2e_begin();
	make_line(&t, 64, 37, 0);
	BA_AUTO_FREE char *path = ba_path_join(t.dir, "state");
	first_run(&t, path, "--fixed", "2", "c0", "c63");
	bisect(&t, "--budget", "1ms", "--fixed", "2", "--resume", path);
	assert_status(&t, 125);
	assert_has(t.out, "No commit has 95 % yet: the budget is over. These 60 ");
	assert_has(t.out, "  c37\n");
	assert_has(t.out, "To go on with a larger budget:\n");
	bisect(&t, "--fixed", "2", "--resume", path);
	assert_status(&t, 0);
	assert_has(t.err, "resumed after ");
	assert_has(t.out, " is the first bad commit\n    c37\n");
	e2e_end(&t);
}

TEST(json_has_the_answer)
{
	e2e t = e2e_begin();
	make_line(&t, 16, 7, 0);
	BA_AUTO_FREE char *guilty = git_says(t.repo, "rev-parse", "c7");
	bisect(&t, "-q", "--device", "0", "--format", "json", "c0", "c15");
	assert_status(&t, 0);
	assert_string_equal(t.err, "");
	assert_int_equal(ba_json_parse(&t.doc, t.out, strlen(t.out), NULL, NULL), 0);
	assert_string_equal(e2e_text(&t, "schema"), "bench-against.bisect/1");
	assert_string_equal(e2e_text(&t, "answer"), "one");
	assert_string_equal(e2e_text(&t, "metric"), "submit");
	assert_string_equal(e2e_text(&t, "steps.0.commits.0.commit"), guilty);
	assert_string_equal(e2e_text(&t, "steps.0.commits.0.subject"), "c7");
	assert_true(e2e_number(&t, "steps.0.probability") >= 0.95);
	assert_true(e2e_number(&t, "steps.0.low") < 1.1 && e2e_number(&t, "steps.0.high") > 1.09);
	assert_true(e2e_count(&t, "candidates") >= 1);
	assert_true(e2e_number(&t, "cost.invocations") >= 6);
	ba_json_free(t.doc);
	t.doc = NULL;
	bisect(&t, "-q", "--format", "verdict", "c0", "c15");
	assert_status(&t, 0);
	assert_true(strlen(t.out) <= 2048);
	assert_int_equal(ba_json_parse(&t.doc, t.out, strlen(t.out), NULL, NULL), 0);
	assert_string_equal(e2e_text(&t, "schema"), "bench-against.verdict/1");
	assert_string_equal(e2e_text(&t, "verdict"), "slower");
	assert_string_equal(e2e_text(&t, "commits.0.commit"), guilty);
	assert_has(e2e_text(&t, "next"), "bench-against ");
	e2e_end(&t);
}

/* Equal trees and equal builds count as one: nothing between them is measured. */
TEST(what_is_the_same_is_not_measured)
{
	e2e t = e2e_begin();
	e2e_configure(&t, E2E_BUILD, "[0]");
	for (int i = 0; i < 12; i++) {
		BA_AUTO_FREE char *name = at("c%d", i);
		put(t.repo, "number", name);
		e2e_commit(&t, name, i < 7 ? "cost100" : "cost110");
	}
	bisect(&t, "c0", "c11");
	assert_status(&t, 0);
	assert_has(t.out, " is the first bad commit\n    c7\n");
	assert_change(t.out, 10);
	assert_has(t.out, "probability more than 99.9 %");
	/* a commit that is undone: the trees before and after are one */
	git(t.repo, "checkout", "-q", "-b", "undone", "c0");
	e2e_commit(&t, "u1", "cost90");
	git(t.repo, "revert", "--no-edit", "u1");
	git(t.repo, "tag", "u2");
	e2e_commit(&t, "u3", "cost110");
	bisect(&t, "c0", "u3");
	assert_status(&t, 0);
	assert_has(t.out, " is the first bad commit\n    u3\n");
	assert_has(t.out, ", 2 of 4 commits built, ");
	/* and so are commits that change no input of the build */
	git(t.repo, "checkout", "-q", "-b", "inputs", "c0");
	e2e_configure(&t, E2E_BUILD ", \"inputs\": [\"table\", \"variant.so\"]", "[0]");
	e2e_put_library(&t, "cost_from_tree");
	for (int i = 0; i < 12; i++) {
		BA_AUTO_FREE char *name = at("i%d", i);
		commit_cost(&t, name, i < 5 ? 1000 : 1100);
	}
	bisect(&t, "i0", "i11");
	assert_status(&t, 0);
	assert_has(t.out, " is the first bad commit\n    i5\n");
	assert_has(t.out, ", 2 of 12 commits built, ");
	e2e_end(&t);
}

/* Commits that differ by an instruction, and from c9 on by many. */
static void make_counted_line(e2e *t, const char *slower)
{
	for (int i = 0; i < 16; i++) {
		BA_AUTO_FREE char *name = at("c%d", i);
		e2e_configure(t, E2E_BUILD, "[0]");
		put(t->repo, "number", name);
		e2e_commit(t, name, i < 9 ? i % 2 ? "cost100" : "more1" : slower);
	}
}

/* Instructions are exact, and say why. */
TEST(executed_instructions_are_enough)
{
	e2e t = e2e_begin();
	make_counted_line(&t, "more20");
	e2e_tool(&t, "bisect", "--target", "host", "--metrics", "instructions", "--threshold", "5%",
		"c0", "c15");
	if (strstr(t.err, "could not be compared")) { /* no trap flag here */
		e2e_end(&t);
		skip();
	}
	assert_status(&t, 0);
	assert_has(t.out, " is the first bad commit\n    c9\n");
	assert_has(t.out, "\nWhy:\n");
	assert_has(t.out, "my_launch");
	e2e_end(&t);
}

/* Where the time and the instructions grew, the instructions say which commits to time. */
TEST(instructions_are_searched_before_times)
{
	e2e t = e2e_begin();
	make_counted_line(&t, "cost130_more20");
	e2e_tool(&t, "bisect", "--fake-driver", FAKE, "--metrics", "submit,instructions",
		"--blocks", "8", "--seed", "7", "c0", "c15");
	assert_status(&t, 0);
	assert_has(t.out, " is the first bad commit\n    c9\n");
	assert_has(t.out, ", submit; probability ");
	if (!strstr(t.err, "it executes more instructions, which are searched first")) {
		e2e_end(&t);
		skip(); /* no trap flag here */
	}
	assert_has(t.err, " counted, ");
	assert_has(t.err, " measured, ");
	assert_has(t.out, "\nWhy:\n");
	e2e_end(&t);
}

/* A program that measures only where it has at most three others beside it: in each run,
 * whose process is the parent of all, by a log. */
#define CROWDED                                                                                           \
	"echo \"$PPID %s\" >>'%s/log'\n"                                                                  \
	"[ %s != bad ] || [ $(grep \"^$PPID \" '%s/log' | sort -u | wc -l) -le 4 ] || exit 3\n"           \
	"n=$(($$ %% 7))\n"                                                                                \
	"echo '{\"schema\": \"bench-against.samples/1\", \"benchmarks\": [{\"id\": \"a\", \"values\":'\n" \
	"echo \"[%d.$n, %d.${n}5, %d.${n}2]}]}\"\n"

TEST(too_many_beside_each_other_become_fewer)
{
	enum { COMMITS = 24, STEP = 9 };
	e2e t = e2e_begin();
	put(t.repo, ".bench-against.json",
		"{\"suites\": {\"own\": {\"kind\": \"command\", \"command\": [\"sh\", \"bench.sh\"]}}}");
	for (int i = 0; i < COMMITS; i++) {
		int cost = i < STEP ? 1000 : 1200;
		const char *role = i + 1 < COMMITS ? "other" : "bad";
		BA_AUTO_FREE char *name = at("c%d", i);
		BA_AUTO_FREE char *script = at(CROWDED, name, t.dir, role, t.dir, cost, cost, cost);
		put(t.repo, "bench.sh", script);
		commit_tagged(t.repo, name);
	}
	e2e_tool(&t, "bisect", "--target", "host", "c0", "c23");
	assert_status(&t, 0);
	assert_has(t.err, " has no values beside ");
	assert_has(t.out, " is the first bad commit\n    c9\n");
	assert_null(strstr(t.out, "Not measured"));
	e2e_end(&t);
}

TEST(questions_without_an_answer_are_refused)
{
	e2e t = e2e_begin();
	make_line(&t, 12, 7, 0);
	break_commits(&t, 3, "b");
	git(t.repo, "checkout", "-q", "--orphan", "stranger");
	git(t.repo, "commit", "-q", "-m", "stranger");
	git(t.repo, "checkout", "-q", "c11");
	const struct {
		const char *good, *bad, *says;
		int status;
	} rows[] = {
		{"c0", "c5", "there is no commit to find. To compare the two:\n    bench-against -",
			125},
		{"c0", "b1", "could not be compared with", 125},
		/* and why */
		{"c0", "b1", "launcher.so", 125},
		{"c3", "c3", "are the same commit", 129},
		{"c11", "c0",
			"GOOD (c11) is newer than BAD (c0); the older commit comes first: bench-against bisect c0 c11",
			129},
		{"stranger", "c11", "and the two share none of their newest ", 129},
		{"c0..c11", "", "'c0..c11' is a range; name the two ends instead", 129},
		{"a0", "c11", "no such ref 'a0'", 129},
		{"c0", "nowhere", "no such ref 'nowhere'", 129},
		{"c0", "WORKTREE",
			"bisect searches commits; commit the changes first, or compare them: bench-against c0 WORKTREE",
			129},
		{"path:.", "c11", "'path:.' is a directory, and bisect searches commits", 129},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (*rows[i].bad)
			bisect(&t, rows[i].good, rows[i].bad);
		else
			bisect(&t, rows[i].good);
		assert_status(&t, rows[i].status);
		assert_has(t.err, rows[i].says);
		assert_string_equal(t.out, "");
	}
	/* the state of another search, which is said once */
	BA_AUTO_FREE char *named = ba_path_join(t.dir, "named.json");
	first_run(&t, named, "c0", "c11");
	bisect(&t, "--resume", named, "c0", "c10");
	assert_status(&t, 129);
	assert_has(t.err, "' is the state of the search from ");
	assert_has(t.err, "continue that search: bench-against bisect --resume ");
	assert_null(strstr(t.err, "the same command continues"));
	bisect(&t, "--filter", "launch/*", "c0", "c5");
	assert_status(&t, 125);
	assert_has(t.err, " --filter 'launch/*' ");
	/* a folder that is a file */
	bisect(&t, "--cache-dir", "table", "c0", "c11");
	assert_status(&t, 125);
	assert_has(t.err, "name a writable directory with --cache-dir");
	bisect(&t, "--device", "0,2", "c0", "c11");
	assert_status(&t, 129);
	assert_has(t.err, "--device 0,2: this command measures on one GPU");
	e2e_tool(&t, "bisect", "c0");
	assert_status(&t, 129);
	assert_has(t.err, "bench-against bisect GOOD BAD");
	/* what is wrong with every step is said once */
	bisect(&t, "--suite", "nonsense", "c0", "c11");
	assert_status(&t, 129);
	assert_has(t.err, "no suite 'nonsense'");
	e2e_end(&t);
}

/* The budget is over before a verdict, and before the first run was confirmed. */
TEST(a_budget_that_ends_at_once_gives_no_answer)
{
	e2e t = e2e_begin();
	e2e_configure(&t, E2E_BUILD, "[0, 1, 2, 3]");
	e2e_put_library(&t, "cost_from_tree");
	commit_cost(&t, "c0", 1000);
	commit_cost(&t, "c1", 1100);
	/* after four invocations no p-value is below 1.01 / 4^4 / .2, which is 2 %; a slow machine
	 * has no invocation by then */
	bisect(&t, "--budget", "1ms", "--alpha", "0.01", "c0", "c1");
	assert_status(&t, 125);
	if (!strstr(t.err, " could not be compared with "))
		assert_has(t.err, " is certainly slower than in ");
	BA_AUTO_FREE char *path = ba_path_join(t.dir, "state");
	first_run(&t, path, "c0", "c1");
	bisect(&t, "--budget", "1ms", "--resume", path);
	assert_status(&t, 125);
	assert_has(t.out, "No commit has 95 % yet: the budget is over. This one ");
	e2e_end(&t);
}

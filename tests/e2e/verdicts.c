/* Variants of known cost, and what is to be said of them. */
#include "e2e.h"

#include "base/mem.h"
#include "base/base.h"

TEST_GROUP(e2e_set_up, NULL);

#define FAKE BA_BINARY_DIR "/tests/fakecuda/lib/libcuda.so.1"

TEST(equal_cost_is_unchanged)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_put_library(&t, "cost100_only_direct");
	e2e_commit(&t, "new", "cost100_only_direct");
	e2e_against(&t, "old", "new");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	assert_string_equal(e2e_text(&t, "verdict"), "unchanged");
	assert_close(e2e_ratio(&t, 1), 1.0, 1e-9);
	assert_string_equal(e2e_text(&t, "engine"), "duet");
	assert_has(t.out, "TEST DRIVER with a simulated clock");
	e2e_end(&t);
}

TEST(ten_per_cent_more_is_regressed)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "a", "cost100");
	e2e_commit(&t, "b", "cost100_only_direct");
	e2e_commit(&t, "c", "cost110");
	e2e_against(&t, "a", "b", "c");
	assert_status(&t, 1);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	assert_string_equal(e2e_verdict(&t, 2), "regressed");
	assert_string_equal(e2e_text(&t, "verdict"), "regressed");
	assert_close(e2e_ratio(&t, 2), 1.1, 1e-6);
	assert_close(e2e_number(&t, "series.0.variants.0.trimmed_ns"), 100, 1e-6);
	assert_close(e2e_number(&t, "series.0.variants.2.trimmed_ns"), 110, 1e-6);
	assert_close(e2e_number(&t, "series.0.comparisons.1.delta_ns"), 10, 1e-6);
	assert_true(e2e_number(&t, "series.0.comparisons.1.low") > 1.09);
	assert_true(e2e_number(&t, "series.0.comparisons.1.high") < 1.11);
	assert_int_equal(e2e_number(&t, "exit_status"), 1);
	e2e_end(&t);
}

/* Four invocations show that b is unchanged. At an error rate of 2 % they cannot show that c
 * is slower: six can. */
TEST(what_is_decided_is_not_measured_again)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "a", "cost100");
	e2e_commit(&t, "b", "cost100_only_direct");
	e2e_commit(&t, "c", "cost110");
	e2e_tool(&t, "--fake-driver", FAKE, "--metrics", "submit", "--blocks", "8", "--seed", "7",
		"--alpha", "0.02", "--output", t.json, "a", "b", "c");
	assert_status(&t, 1);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	assert_string_equal(e2e_verdict(&t, 2), "regressed");
	assert_int_equal(e2e_number(&t, "series.0.comparisons.0.invocations"), 4);
	assert_int_equal(e2e_number(&t, "series.0.comparisons.1.invocations"), 6);
	assert_int_equal(e2e_count(&t, "series.0.samples"), 6);
	assert_int_equal(e2e_number(&t, "series.0.samples.3.positions"), 7);
	assert_int_equal(e2e_number(&t, "series.0.samples.4.positions"), 5);
	e2e_check_verifies(&t);
	e2e_end(&t);
}

/* At 0.5 %, four invocations show no change: it is only likely. The gate fails for that if it
 * is asked to. */
TEST(what_is_likely_fails_on_request)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "a", "cost100");
	e2e_commit(&t, "c", "cost110");
	static const struct {
		const char *from, *to, *fail_on, *answer, *row;
		int status;
	} rows[] = {
		{"a", "c", "regressed", "Probably regressed: ", "probably slower", 0},
		{"a", "c", "likely", "Probably regressed: ", "probably slower", 1},
		{"c", "a", "likely", "Probably improved: ", "probably faster", 0},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		e2e_against(&t, "--fixed", "4", "--alpha", "0.005", "--fail-on", rows[i].fail_on,
			rows[i].from, rows[i].to);
		assert_status(&t, rows[i].status);
		assert_int_equal(e2e_number(&t, "exit_status"), rows[i].status);
		assert_string_equal(e2e_verdict(&t, 1), "inconclusive");
		assert_string_equal(e2e_text(&t, "verdict"), "inconclusive");
		assert_ptr_equal(
			strstr(e2e_text(&t, "answer"), rows[i].answer), e2e_text(&t, "answer"));
		assert_has(t.out, rows[i].row);
		e2e_check_verifies(&t);
	}
	e2e_end(&t);
}

/* Its median launch costs what it did; the mean is 40 % more. */
TEST(slow_in_a_fifth_of_its_visits_is_regressed)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost100_tail");
	e2e_against(&t, "--fixed", "8", "--blocks", "20", "old", "new");
	assert_status(&t, 1);
	assert_string_equal(e2e_verdict(&t, 1), "tail-regressed");
	assert_string_equal(e2e_text(&t, "verdict"), "regressed");
	assert_close(e2e_ratio(&t, 1), 1, 1e-6);
	assert_close(e2e_number(&t, "series.0.comparisons.0.mean_ratio"), 1.4, 1e-3);
	assert_has(e2e_text(&t, "series.0.comparisons.0.reason"), "the mean changed by +40.00 %");
	assert_has(t.out, "tail-regressed");
	assert_has(e2e_text(&t, "answer"), "in the mean (typical time 0.000 %)");
	/* the next child's results would replace it */
	BA_AUTO_FREE char *kept = at("%s/kept.json", t.dir);
	assert_int_equal(rename(t.json, kept), 0);
	e2e_tool(&t, "verify", kept);
	assert_status(&t, 0);
	static const char *const formats[] = {"term", "markdown", "csv", "html", "junit", "github"};
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		e2e_tool(&t, "report", kept, "--format", formats[i]);
		assert_status(&t, 0);
		assert_has(t.out, "tail-regressed");
		assert_has(t.out, "+40.00 %");
	}
	/* the mirror image */
	e2e_against(&t, "--fixed", "8", "--blocks", "20", "new", "old");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "tail-improved");
	/* not enough invocations to confirm it: no green */
	e2e_against(&t, "--blocks", "20", "--gate=strict", "old", "new");
	assert_status(&t, 125);
	assert_string_equal(e2e_verdict(&t, 1), "inconclusive");
	assert_has(e2e_text(&t, "series.0.comparisons.0.reason"), "the mean moved by +40");
	e2e_end(&t);
}

TEST(less_is_improved_and_passes)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost90");
	e2e_against(&t, "old", "new");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "improved");
	assert_close(e2e_ratio(&t, 1), 0.9, 1e-6);
	e2e_end(&t);
}

TEST(one_per_cent_is_within_the_default_threshold_and_not_within_a_smaller)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost101");
	e2e_against(&t, "old", "new");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	assert_close(e2e_ratio(&t, 1), 1.01, 1e-6);
	e2e_against(&t, "--threshold", "0.5%", "old", "new");
	assert_status(&t, 1);
	assert_string_equal(e2e_verdict(&t, 1), "regressed");
	/* both parts of a threshold must be exceeded */
	e2e_against(&t, "--threshold", "0.5% and 5ns", "old", "new");
	assert_status(&t, 0);
	e2e_end(&t);
}

TEST(every_sample_is_in_the_document)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	e2e_against(&t, "old", "new");
	assert_string_equal(e2e_text(&t, "schema"), "bench-against.results/1");
	assert_int_equal(e2e_count(&t, "series.0.samples"), 4);
	double blocks = e2e_number(&t, "series.0.samples.0.blocks");
	double positions = e2e_number(&t, "series.0.samples.0.positions");
	double readings = e2e_number(&t, "series.0.samples.0.readings");
	double batch = e2e_number(&t, "series.0.samples.0.batch");
	size_t count = (size_t)(blocks * positions * readings);
	assert_int_equal(blocks, 8);
	assert_int_equal(positions, 5); /* two variants, twice, and the bare call */
	assert_int_equal(e2e_count(&t, "series.0.samples.0.ns"), count);
	/* each reading is of the variant that the order names */
	for (size_t i = 0; i < count; i++) {
		static const double cost[] = {100, 110};
		BA_AUTO_FREE char *ns = at("series.0.samples.0.ns.%zu", i);
		BA_AUTO_FREE char *who = at("series.0.samples.0.order.%zu", i / (size_t)readings);
		double variant = e2e_number(&t, who);
		if (variant < 2)
			assert_close(e2e_number(&t, ns), cost[(int)variant] * batch, 1e-9);
	}
	BA_AUTO_FREE char *head = git_says(t.repo, "rev-parse", "new");
	assert_string_equal(e2e_text(&t, "variants.1.commit"), head);
	BA_AUTO_FREE char *sum = git_says(t.repo, "rev-parse", "new^{tree}");
	assert_string_equal(e2e_text(&t, "variants.1.tree_id"), sum);
	assert_string_equal(e2e_text(&t, "variants.1.artefacts.0.path"), "launcher.so");
	assert_int_equal(strlen(e2e_text(&t, "variants.1.artefacts.0.sha256")), 64);
	e2e_end(&t);
}

TEST(identical_builds_are_said_and_measured_as_a_control)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	put(t.repo, "README", "a change that the library does not see\n");
	commit_all(t.repo, "readme");
	e2e_against(&t, "old", "HEAD");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "identical");
	assert_int_equal(e2e_count(&t, "series.0.samples"), 4);
	assert_has(t.out, "byte for byte");
	assert_has(t.out, "as a control");
	/* of one tree there is nothing to measure */
	e2e_against(&t, "a=old", "b=old");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "identical");
	assert_int_equal(e2e_count(&t, "series.0.samples"), 0);
	assert_has(t.out, "nothing to measure");
	e2e_against(&t, "--measure-identical", "old", "HEAD");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	assert_int_equal(e2e_count(&t, "series.0.samples"), 4);
	/* also the very same commit: two builds */
	e2e_against(&t, "--measure-identical", "a=old", "b=old");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	assert_string_not_equal(
		e2e_text(&t, "variants.0.tree_dir"), e2e_text(&t, "variants.1.tree_dir"));
	e2e_end(&t);
}

TEST(a_path_that_only_one_has_is_added_or_removed)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "two", "cost100");
	e2e_commit(&t, "one", "cost100_only_direct");
	e2e_against(&t, "--path", "all", "two", "one");
	assert_status(&t, 0);
	assert_int_equal(e2e_count(&t, "series"), 2);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	assert_string_equal(e2e_text(&t, "series.1.comparisons.0.verdict"), "removed");
	assert_has(
		e2e_text(&t, "series.1.comparisons.0.reason"), "one has no launch path 'second'");
	e2e_against(&t, "--path", "all", "--gate=strict", "two", "one");
	assert_status(&t, 1);
	e2e_against(&t, "--path", "all", "--gate=strict", "one", "two");
	assert_status(&t, 0);
	assert_string_equal(e2e_text(&t, "series.1.comparisons.0.verdict"), "added");
	e2e_end(&t);
}

TEST(nothing_measured_is_never_green)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "two", "cost100");
	e2e_commit(&t, "one", "cost100_only_direct");
	/* the only benchmark is not in the candidate */
	e2e_against(&t, "--path", "second", "two", "one");
	assert_status(&t, 125);
	e2e_against(&t, "--path", "second", "one", "two");
	assert_status(&t, 125);
	/* nobody has it */
	e2e_against(&t, "--path", "third", "one", "two");
	assert_true(t.status == 125 || t.status == 129);
	assert_has(t.err, "third");
	e2e_against(&t, "--filter", "no/such", "one", "two");
	assert_status(&t, 129);
	assert_has(t.err, "no/such");
	e2e_end(&t);
}

TEST(run_measures_one_variant)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost110");
	e2e_against(&t, "run", "old");
	assert_status(&t, 0);
	assert_close(e2e_number(&t, "series.0.variants.0.trimmed_ns"), 110, 1e-6);
	assert_string_equal(e2e_text(&t, "engine"), "single");
	assert_int_equal(e2e_count(&t, "series.0.samples"), 4);
	e2e_against(&t, "run", "old", "HEAD");
	assert_status(&t, 129);
	e2e_end(&t);
}

TEST(the_target_of_the_configuration_holds)
{
	e2e t = e2e_begin();
	e2e_configure(
		&t, E2E_BUILD " }, \"target\": \"host\", \"gate\": { \"mode\": \"default\"", "[0]");
	e2e_commit(&t, "old", "cost100");
	e2e_tool(&t, "run", "old", "--fixed", "2", "--output", t.json);
	assert_status(&t, 0);
	assert_string_equal(e2e_text(&t, "environment.target"), "host");
	e2e_tool(&t, "run", "old", "--metrics", "submit");
	assert_status(&t, 129);
	assert_has(t.err, "or measure with --target gpu");
	/* the command line overrides it */
	e2e_against(&t, "run", "old");
	assert_status(&t, 0);
	assert_string_equal(e2e_text(&t, "environment.target"), "fake");
	e2e_end(&t);
}

/* 100 and 110 ns: what a limit in ns comes to is known */
TEST(a_threshold_may_be_a_time_alone)
{
	static const struct {
		const char *limit, *verdict;
		double ratio;
	} rows[] = {{"5ns", "regressed", .05}, {"9.5 ns", "regressed", .095},
		{"40ns", "unchanged", .4}, {"2 % and 40 ns", "unchanged", .4},
		{"40ns+2%", "unchanged", .4}, {"40 %+1 ns", "unchanged", .4}};
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		e2e_against(&t, "--threshold", rows[i].limit, "old", "new");
		assert_string_equal(e2e_verdict(&t, 1), rows[i].verdict);
		assert_close(e2e_number(&t, "series.0.comparisons.0.threshold_slower"),
			rows[i].ratio, 1e-6);
		BA_AUTO_FREE char *copy = at("%s/copy.json", t.dir);
		assert_int_equal(ba_fs_copy(copy, t.json, NULL), 0);
		e2e_tool(&t, "verify", copy);
		assert_status(&t, 0);
	}
	e2e_end(&t);
}

/* of the first benchmark that the budget left time for */
static double first_blocks(e2e *t)
{
	for (size_t i = 0; i < 20; i++) {
		BA_AUTO_FREE char *samples = at("series.%zu.samples", i);
		BA_AUTO_FREE char *blocks = at("%s.0.blocks", samples);
		if (e2e_count(t, samples) > 0)
			return e2e_number(t, blocks);
	}
	fail_msg("nothing was measured");
	return 0;
}

TEST(a_small_budget_makes_invocations_short)
{
	e2e t = e2e_begin();
	double blocks[2];
	const char *const budgets[] = {"5m", "4s"};
	const char *const args[] = {"0", "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19"};
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	for (int i = 0; i < 2; i++) {
		e2e_tool(&t, "old", "new", "--target", "host", "--budget", budgets[i], "--args",
			args[i], "--output", t.json);
		assert_true(t.doc != NULL);
		blocks[i] = first_blocks(&t);
		if (i == 0)
			assert_has(t.err, "--budget: about ");
	}
	/* 0.6 s of measuring in an invocation, or 40 ms; never below 20 blocks */
	assert_true(blocks[1] < blocks[0] / 2 || blocks[1] == 20);
	assert_true(blocks[0] > 20);
	e2e_end(&t);
}

TEST(list_names_the_benchmarks)
{
	e2e t = e2e_begin();
	e2e_configure(&t, E2E_BUILD, "[0, 3]");
	e2e_commit(&t, "old", "cost100");
	e2e_tool(&t, "list", "old");
	assert_status(&t, 0);
	assert_string_equal(t.out, "launch/args=0,path=direct\nlaunch/args=3,path=direct\n");
	e2e_tool(&t, "list", "--path", "all", "--filter", "*args=3*", "old");
	assert_status(&t, 0);
	assert_string_equal(t.out, "launch/args=3,path=direct\nlaunch/args=3,path=second\n");
	/* the first commit has nothing to be compared with, and can be listed */
	e2e_tool(&t, "--target", "host");
	assert_status(&t, 129);
	e2e_tool(&t, "list");
	assert_status(&t, 0);
	assert_has(t.out, "launch/args=3,path=direct\n");
	/* nor does it matter that the commit before had no benchmarks yet: who has just
	 * written the first one lists it */
	git(t.repo, "rm", "-q", "-r", "--cached", ".");
	git(t.repo, "commit", "-q", "-m", "nothing");
	e2e_tool(&t, "list");
	assert_status(&t, 0);
	git(t.repo, "add", ".");
	git(t.repo, "commit", "-q", "-m", "benchmarks");
	e2e_tool(&t, "list");
	assert_status(&t, 0);
	assert_has(t.out, "launch/args=3,path=direct\n");
	e2e_end(&t);
}

TEST(a_clean_tree_compares_the_last_two_commits)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "first", "cost90");
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	e2e_against(&t, "--quiet");
	assert_status(&t, 1);
	assert_string_equal(e2e_text(&t, "variants.0.spec"), "HEAD~");
	assert_string_equal(e2e_text(&t, "variants.1.spec"), "HEAD");
	assert_close(e2e_ratio(&t, 1), 1.1, 1e-6);
	e2e_end(&t);
}

TEST(a_dirty_tree_is_compared_with_its_commit)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_put_library(&t, "cost110");
	put(t.repo, "untracked", "too\n");
	BA_AUTO_FREE char *before = e2e_users_view(&t);
	e2e_against(&t, "--quiet");
	assert_status(&t, 1);
	assert_string_equal(e2e_text(&t, "variants.0.spec"), "HEAD");
	assert_string_equal(e2e_text(&t, "variants.1.kind"), "worktree");
	assert_int_equal(strlen(e2e_text(&t, "variants.1.diff_sha256")), 64);
	assert_close(e2e_ratio(&t, 1), 1.1, 1e-6);
	BA_AUTO_FREE char *after = e2e_users_view(&t);
	assert_string_equal(after, before);
	/* an ignored file alone is no change */
	git(t.repo, "add", "-A");
	git(t.repo, "commit", "-q", "-m", "all");
	put(t.repo, "ignored", "x\n");
	e2e_against(&t, "--quiet");
	assert_string_equal(e2e_text(&t, "variants.0.spec"), "HEAD~");
	e2e_end(&t);
}

TEST(labels_and_directories_are_variants_too)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_put_library(&t, "cost110");
	BA_AUTO_FREE char *dir = at("%s/elsewhere", t.dir);
	BA_AUTO_FREE char *spec = at("mine=path:%s", dir);
	BA_AUTO_FREE char *library = e2e_library("cost110");
	const char *const copy[] = {"cp", library, "launcher.so", NULL};
	put(dir, ".keep", "");
	/* not built yet: nothing is built in a directory of the user unasked */
	e2e_against(&t, "theirs=old", spec);
	assert_status(&t, 125);
	assert_has(t.err, "variant 'mine': no 'launcher.so'");
	assert_has(t.err, "build it there first, or let --in-place do it");
	assert_int_equal(run_program(NULL, dir, copy, NULL, 0), 0);
	e2e_against(&t, "theirs=old", spec);
	assert_status(&t, 1);
	assert_string_equal(e2e_text(&t, "variants.0.label"), "theirs");
	assert_string_equal(e2e_text(&t, "variants.1.label"), "mine");
	assert_close(e2e_ratio(&t, 1), 1.1, 1e-6);
	e2e_end(&t);
}

TEST(the_baselines_configuration_rules_in_a_gate)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	put(t.repo, ".bench-against.json",
		"{ \"build\": { \"commands\": [[\"cp\", \"variant.so\", "
		"\"launcher.so\"]] },\n"
		"\"thresholds\": { \"default\": \"50%\", \"benchmarks\": [\n"
		"{ \"match\": \"lanch/*\", \"threshold\": \"1%\" } ] },\n"
		"\"suites\": { \"launch\": { \"kind\": \"launcher\", \"library\": "
		"\"launcher.so\", \"args\": [0] } } }\n");
	e2e_commit(&t, "new", "cost110");
	e2e_against(&t, "old", "new");
	assert_status(&t, 0);
	assert_has(t.out, "the threshold for 'lanch/*' (line 3 of the configuration) "
			  "matches no benchmark");
	e2e_against(&t, "--filter", "*args=0*", "old", "new");
	assert_null(strstr(t.out, "matches no benchmark"));
	e2e_against(&t, "--gate", "old", "new");
	assert_status(&t, 1);
	/* and those of the one that is named, where its slip is no green */
	e2e_against(&t, "--gate", "--config-from", "new", "old", "new");
	assert_status(&t, 129);
	assert_has(t.err, "the threshold for 'lanch/*' (line 3) matches no benchmark");
	e2e_against(&t, "--gate", "--config-from", "new", "--threshold", "50%", "old", "new");
	assert_status(&t, 0);
	e2e_end(&t);
}

TEST(every_engine_finds_the_same_truth)
{
	static const char *const engines[] = {"duet", "split", "sequential"};
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	for (size_t i = 0; i < 3; i++) {
		e2e_against(&t, "--engine", engines[i], "old", "new");
		assert_status(&t, 1);
		assert_string_equal(e2e_text(&t, "engine"), engines[i]);
		assert_string_equal(e2e_text(&t, "engine_reason"), "asked for");
		assert_close(e2e_ratio(&t, 1), 1.1, 1e-6);
	}
	e2e_end(&t);
}

TEST(all_metrics_tell_the_cost)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	e2e_against(&t, "--metrics", "submit,sustained,roundtrip", "--loops", "2000", "--repeats",
		"4", "old", "new");
	assert_status(&t, 1);
	assert_int_equal(e2e_count(&t, "series"), 3);
	assert_string_equal(e2e_text(&t, "series.1.role"), "reported");
	for (int i = 0; i < 3; i++) {
		BA_AUTO_FREE char *name = at("series.%d.metric", i);
		BA_AUTO_FREE char *delta = at("series.%d.comparisons.0.delta_ns", i);
		const char *metric = e2e_text(&t, name);
		/* the fake's kernels take 900 ns on the device: that hides the launch's
		 * own cost in the classic loop, and adds to it in a round trip */
		if (strcmp(metric, "sustained") != 0)
			assert_close(e2e_number(&t, delta), 10, 1e-6);
	}
	e2e_end(&t);
}

/* What it plans is said after two invocations; no verdict comes before the fourth. */
TEST(a_run_on_a_terminal_aims_at_a_minute)
{
	static const struct {
		bool on_terminal;
		const char *ci, *option, *value;
		bool aims;
	} rows[] = {
		{true, NULL, "--gate=off", "--blocks=8", true},
		{true, "true", "--gate=off", "--blocks=8", false},
		{false, NULL, "--gate=off", "--blocks=8", false},
		{true, NULL, "--gate=on", "--blocks=8", false},
		{true, NULL, "--blocks=8", "--max-invocations=4", false},
		{true, NULL, "--blocks=8", "--fixed=4", false},
		{true, NULL, "--blocks=8", "--budget=5m", false},
	};
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		t.on_terminal = rows[i].on_terminal;
		e2e_env("CI", rows[i].ci);
		e2e_tool(&t, "old", "new", "--fake-driver", FAKE, "--metrics", "submit", "--seed",
			"7", rows[i].option, rows[i].value);
		assert_true(t.status == 0 || t.status == 1);
		assert_true(!strstr(t.err, "without --budget: about ") == !rows[i].aims);
	}
	e2e_env("CI", NULL);
	e2e_end(&t);
}

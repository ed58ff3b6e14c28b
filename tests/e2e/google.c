/* Suites of kind `google-benchmark`, with a stand-in for the library (tests/fakegoogle): its times
 * follow from the file `cost` of a commit. The library itself: google_library.sh. */
#include "e2e.h"

#include "base/mem.h"
#include "base/fs.h"

TEST_GROUP(e2e_set_up, NULL);

#define PROGRAM BA_BINARY_DIR "/tests/fakegoogle/fake_google"

static e2e begin_built(const char *command, const char *build)
{
	e2e t = e2e_begin();
	BA_AUTO_FREE char *text =
		ba_xprintf("{ \"target\": \"host\", \"suites\": { \"g\": {\n"
			   "  \"kind\": \"google-benchmark\", \"command\": %s } },\n"
			   "  \"build\": { \"command\": [\"sh\", \"-c\", \"%s\"] } }\n",
			command, build);
	put(t.repo, ".bench-against.json", text);
	return t;
}

static e2e begin(const char *command)
{
	return begin_built(command, "cp " PROGRAM " bench");
}

static void commit(e2e *t, const char *name, const char *cost)
{
	put(t->repo, "cost", cost);
	commit_tagged(t->repo, name);
}

#define against(t, ...)                                                                    \
	e2e_tool((t), "--metrics", "host", "--fixed", "4", "--blocks", "4", "--seed", "7", \
		"--output", (t)->json, __VA_ARGS__)

TEST(names_are_those_of_the_program)
{
	e2e t = begin("[\"./bench\"]");
	commit(&t, "old", "1000");
	e2e_tool(&t, "list", "old");
	assert_status(&t, 0);
	assert_string_equal(t.out,
		"g/BM_plain/8\ng/BM_pair<int, long>/real_time\ng/BM_cpu/process_time\n"
		"g/BM_pausing\ng/BM_threads/threads:2\ng/BM_fixed/iterations:100\ng/BM_setup\n"
		"g/BM_error\ng/BM_skip\n");
	e2e_end(&t);
}

/* What the program reports decides: of BM_cpu the processor time, of the others the elapsed time. */
TEST(what_the_program_reports_is_compared)
{
	static const char *const ids[] = {"g/BM_plain/8", "g/BM_pair<int, long>/real_time",
		"g/BM_cpu/process_time", "g/BM_threads/threads:2", "g/BM_fixed/iterations:100"};
	e2e t = begin("[\"./bench\"]");
	commit(&t, "old", "1000");
	commit(&t, "slow", "1100");
	for (size_t i = 0; i < BA_COUNT(ids); i++) {
		against(&t, "--filter", ids[i], "old", "slow");
		assert_status(&t, 1);
		assert_int_equal(e2e_count(&t, "benchmarks"), 1);
		assert_string_equal(e2e_text(&t, "benchmarks.0.id"), ids[i]);
		assert_string_equal(e2e_verdict(&t, 1), "regressed");
		assert_close(e2e_ratio(&t, 1), 1.1, 1e-9);
		assert_close(e2e_number(&t, "series.0.variants.0.mean_ns"), 1000, 1e-9);
		/* those that are equal in two runs; a sum is that of one iteration, if it can be */
		assert_has(t.out,
			strstr(ids[i], "iterations:100")
				? "in slow: rows 110, not 100 (+10 %); sum 110000, not 100000"
				: "in slow: rows 110, not 100 (+10 %); sum 1100, not 1000");
		assert_null(strstr(t.out, "wander"));
	}
	assert_close(e2e_number(&t, "benchmarks.0.items"), 5, 1e-9);
	e2e_check_verifies(&t);
	e2e_end(&t);
}

/* Sizes are chosen for the fastest variant, and visits of the other are long. */
TEST(a_candidate_that_takes_a_hundred_times_as_long_has_its_verdict)
{
	e2e t = begin("[\"./bench\"]");
	commit(&t, "old", "1000");
	commit(&t, "slow", "100000");
	e2e_tool(&t, "--metrics", "host", "--budget", "20s", "--filter", "g/BM_plain/8", "--output",
		t.json, "old", "slow");
	assert_status(&t, 1);
	assert_string_equal(e2e_verdict(&t, 1), "regressed");
	assert_close(e2e_ratio(&t, 1), 100, 1e-6);
	e2e_end(&t);
}

/* If set-up takes long: one run is tried, and its process is copied for all others. */
TEST(one_set_up_serves_many_runs)
{
	e2e t = begin("[\"./bench\"]");
	BA_AUTO_FREE char *path = ba_path_join(t.repo, "setups");
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	size_t setups = 0;
	commit(&t, "old", "1000");
	commit(&t, "slow", "1100");
	setenv("SETUPS", path, 1);
	against(&t, "--filter", "g/BM_setup", "old", "slow");
	unsetenv("SETUPS");
	assert_status(&t, 1);
	assert_string_equal(e2e_verdict(&t, 1), "regressed");
	assert_close(e2e_ratio(&t, 1), 1.1, 1e-9);
	assert_int_equal(ba_fs_read(&text, path, 1 << 20, NULL), 0);
	for (const char *at = text.data; (at = strchr(at, '\n')); at++)
		setups++;
	/* four invocations of two processes, each of which takes 32 readings or more; where a
	 * copy takes longer than set-up, each reading sets up */
	assert_in_range(setups, 8, 128);
	e2e_check_verifies(&t);
	e2e_end(&t);
}

TEST(what_ends_itself_has_its_reason)
{
	e2e t = begin("[\"sh\", \"-c\", \"exec ./bench\"]");
	commit(&t, "old", "1000");
	commit(&t, "slow", "1100");
	against(&t, "--filter", "g/BM_error", "old", "slow");
	assert_has(t.out, "it cannot \"run\" here");
	against(&t, "--filter", "g/BM_skip", "old", "slow");
	assert_has(t.out, "it needs more");
	e2e_end(&t);
}

/* A loop with one more iteration executes so much more. */
TEST(instructions_of_an_iteration_are_counted)
{
	static const char *const ids[] = {"g/BM_plain/8", "g/BM_pausing"};
	e2e t = begin("[\"./bench\"]");
	double counts[2], more[2];
	commit(&t, "old", "1000");
	commit(&t, "slow", "1100");
	for (size_t i = 0; i < BA_COUNT(ids); i++) {
		e2e_tool(&t, "--metrics", "instructions", "--filter", ids[i], "--output", t.json,
			"old", "slow");
		if (strstr(t.out, "does not step through instructions"))
			skip();
		assert_status(&t, 1);
		counts[i] = e2e_number(&t, "series.0.variants.0.mean_ns");
		more[i] = e2e_number(&t, "series.0.variants.1.mean_ns") - counts[i];
	}
	assert_close(more[0] / counts[0], 0.1, 0.05);
	assert_true(more[1] == more[0]);
	/* what is paused executes as much again */
	assert_true(counts[1] - counts[0] < counts[0] / 2);
	e2e_end(&t);
}

/* By the observer before the driver, in a process that times nothing. */
TEST(what_an_iteration_asks_of_the_driver_is_counted)
{
	e2e t = begin("[\"sh\", \"-c\", \"exec ./bench\"]");
	commit(&t, "old", "1000 100 1");
	commit(&t, "same", "1001 100 1");
	commit(&t, "more", "1000 100 3");
	e2e_tool(&t, "--metrics", "census", "--filter", "g/BM_plain/8", "--output", t.json, "old",
		"more");
	assert_status(&t, 1);
	assert_has(t.out, "synchronisations +2 per call");
	assert_has(t.out, "cuStreamSynchronize from wait_for_driver");
	assert_has(t.out, "fake_google.c:");
	e2e_check_verifies(&t);
	/* one process takes it of several benchmarks */
	e2e_tool(&t, "--metrics", "census", "--filter", "g/BM_p*", "old", "more");
	assert_has(t.out, "synchronisations +2 per call");
	assert_null(strstr(t.err, "cannot be counted"));
	e2e_tool(&t, "--metrics", "census", "--filter", "g/BM_plain/8", "old", "same");
	assert_status(&t, 0);
	e2e_end(&t);
}

/* A program that loads its kernels from a file: only benchmarks that launch another kernel are
 * measured. */
TEST(what_launches_equal_kernels_is_not_measured)
{
	static const char kernels[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
				      ".visible .entry plain()\n{\n\tret;\n}\n"
				      ".visible .entry pausing()\n{\n\t%sret;\n}\n";
	static const char *const ids[] = {"g/BM_plain/8", "g/BM_cpu/process_time", "g/BM_pausing"};
	e2e t = begin_built("[\"./bench\"]", "cp " PROGRAM " bench; cp source k.ptx");
	BA_AUTO_FREE char *source = ba_xprintf(kernels, ""),
			  *other = ba_xprintf(kernels, "bar.sync 0;\n\t");
	put(t.repo, "source", source);
	commit(&t, "old", "1000");
	put(t.repo, "source", other);
	commit(&t, "new", "1000");
	against(&t, "--only-changed", "--controls", "1000", "--filter", ids[0], "--filter", ids[1],
		"--filter", ids[2], "old", "new");
	assert_status(&t, 0);
	assert_has(t.out, "the same kernels for it");
	for (size_t i = 0; i < BA_COUNT(ids); i++) {
		bool same = i != 2;
		BA_AUTO_FREE char *a = ba_xprintf("benchmarks.%zu.executes.0", i);
		BA_AUTO_FREE char *b = ba_xprintf("benchmarks.%zu.executes.1", i);
		BA_AUTO_FREE char *verdict = ba_xprintf("series.%zu.comparisons.0.verdict", i);
		assert_string_equal(e2e_text(&t, verdict), same ? "identical" : "unchanged");
		assert_int_equal(strlen(e2e_text(&t, a)), 64);
		assert_int_equal(strcmp(e2e_text(&t, a), e2e_text(&t, b)) == 0, same);
	}
	e2e_check_verifies(&t);
	e2e_end(&t);
}

/* If the programs differ, so may the place of their code. */
TEST(a_change_of_time_alone_may_be_the_place_of_code)
{
	static const struct {
		const char *build, *cost, *verdict;
	} rows[] = {
		{"cp " PROGRAM " bench; cat cost >>bench", "400 110", "inconclusive"},
		{"cp " PROGRAM " bench; cat cost >>bench", "400 90", "inconclusive"},
		{"cp " PROGRAM " bench; cat cost >>bench", "400 140", "regressed"},
		{"cp " PROGRAM " bench; cat cost >>bench", "440", "regressed"},
		{"cp " PROGRAM " bench", "400 110", "regressed"},
	};
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
		e2e t = begin_built("[\"./bench\"]", rows[i].build);
		commit(&t, "old", "400");
		commit(&t, "new", rows[i].cost);
		e2e_tool(&t, "--explain=changed", "--fixed", "4", "--blocks", "4", "--output",
			t.json, "--filter", "g/BM_plain/8", "old", "new");
		if (strstr(t.out, "does not step through instructions"))
			skip();
		assert_string_equal(
			e2e_text(&t, "series.0.comparisons.0.verdict"), rows[i].verdict);
		assert_int_equal(strstr(t.out, "the place of the code in memory") != NULL,
			strcmp(rows[i].verdict, "inconclusive") == 0);
		e2e_check_verifies(&t);
		e2e_end(&t);
	}
}

TEST(a_program_without_the_library_is_told_from_others)
{
	e2e t = begin("[\"true\"]");
	commit(&t, "old", "1000");
	e2e_tool(&t, "list", "old");
	assert_int_not_equal(t.status, 0);
	assert_has(t.err,
		"exited with status 0 before it answered 'hello'; no process of its command "
		"ran benchmarks of that library (the suite's kind is 'google-benchmark')");
	e2e_end(&t);
	/* without a number in `cost` it ends before its benchmarks */
	t = begin("[\"./bench\"]");
	commit(&t, "old", "none");
	e2e_tool(&t, "list", "old");
	assert_has(t.err, "the hook did not fire because the program ended with status 2 and never "
			  "called benchmark::RunSpecifiedBenchmarks()");
	assert_null(strstr(t.err, "no process of its command"));
	e2e_end(&t);
}

/* Each program is a suite of its own, and a variant may lack one. */
TEST(several_programs_are_measured_by_a_glob)
{
	e2e t = begin_built(
		"[\"sh\", \"-c\", \"exec $0\", \"{program}\"], \"programs\": [\"a_b*\", \"b*/*_bench\"]",
		"mkdir bin; cp " PROGRAM
		" a_bench; touch bin/no_bench; [ ! -f more ] || cp " PROGRAM " bin/b_bench");
	commit(&t, "old", "1000");
	put(t.repo, "more", "");
	commit(&t, "slow", "1100");
	e2e_tool(&t, "list", "slow", "--filter", "g/b_*");
	assert_status(&t, 0);
	assert_has(t.out, "g/b_bench/BM_plain/8\n");
	assert_int_equal(strstr(t.out, "a_bench") != NULL, 0);
	against(&t, "--filter", "g/*/BM_plain/8", "old", "slow");
	assert_status(&t, 1);
	assert_int_equal(e2e_count(&t, "benchmarks"), 2);
	assert_string_equal(e2e_text(&t, "benchmarks.0.id"), "g/a_bench/BM_plain/8");
	assert_string_equal(e2e_verdict(&t, 1), "regressed");
	assert_string_equal(e2e_text(&t, "series.1.comparisons.0.verdict"), "added");
	e2e_check_verifies(&t);
	e2e_tool(&t, "list", "slow", "--filter", "g/nothing/*");
	assert_has(t.err, "no benchmark matches --filter 'g/nothing/*'");
	put(t.repo, ".bench-against.json",
		"{\"target\": \"host\", \"suites\": {\"g\": {\"kind\": \"nvbench\", \"programs\": "
		"[\"bin/*.base\"]}}}");
	commit(&t, "none", "1000");
	e2e_tool(&t, "list", "none");
	assert_int_not_equal(t.status, 0);
	assert_has(t.err, "suite 'g': no file that can be executed matches 'bin/*.base'");
	e2e_end(&t);
}

/* Its names have no suite, and its time is the one that a run compares. */
TEST(an_old_file_of_the_program_compares_with_a_run)
{
	static const char row[] =
		"{\"name\": \"BM_plain/8\", \"run_type\": \"iteration\", \"iterations\": 9, "
		"\"real_time\": %d, \"cpu_time\": 1, \"time_unit\": \"ns\"}";
	e2e t = begin("[\"./bench\"]");
	BA_AUTO(ba_buf) ba_buf old = BA_BUF_INIT;
	ba_buf_puts(&old, "{\"context\": {}, \"benchmarks\": [");
	for (int i = 0; i < 5; i++) {
		ba_buf_puts(&old, i ? ", " : "");
		ba_buf_printf(&old, row, 500 + i);
	}
	ba_buf_puts(&old, "]}");
	put(t.repo, "old.json", old.data);
	commit(&t, "now", "1000");
	BA_AUTO_FREE char *path = ba_path_join(t.repo, "old.json");
	BA_AUTO_FREE char *run = ba_path_join(t.repo, "run.json");
	e2e_tool(&t, "run", "now", "--metrics", "host", "--fixed", "4", "--blocks", "4", "--output",
		run, "--filter", "g/BM_plain/8");
	assert_status(&t, 0);
	e2e_tool(&t, "compare", path, run, "--format", "csv", "--require", "repetition");
	assert_status(&t, 1);
	assert_has(t.out, "BM_plain/8,time,verdict,");
	assert_has(t.out, ",regressed,1.9");
	e2e_end(&t);
}

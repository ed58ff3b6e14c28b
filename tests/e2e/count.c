/* Instructions of launches: counted on the host target, exact, and said as such. */
#include "e2e.h"

#include "base/mem.h"

TEST_GROUP(e2e_set_up, NULL);

static e2e begin(const char *candidate)
{
	e2e t = e2e_begin();
	e2e_configure(&t, E2E_BUILD, "[0, 1]");
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", candidate);
	return t;
}

#define COUNT "--target", "host", "--metrics", "instructions", "--output", t.json

static double level(const e2e *t, unsigned variant)
{
	BA_AUTO_FREE char *path = ba_xprintf("series.0.variants.%u.trimmed_ns", variant);
	return e2e_number(t, path);
}

/* 77: this machine cannot step */
static bool counts(const e2e *t)
{
	return strstr(t->out, "does not step through instructions") == NULL &&
	       strstr(t->out, "counted on x86-64") == NULL;
}

TEST(one_more_instruction_is_one_more)
{
	e2e t = begin("more1");
	e2e_tool(&t, COUNT, "old", "new");
	if (!counts(&t)) {
		e2e_end(&t);
		skip();
	}
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	assert_float_equal(level(&t, 1) - level(&t, 0), 1, 1e-6);
	assert_has(t.out, "exactly");
	assert_has(t.out, "= more, within");
	/* two invocations say all, and nothing was timed */
	assert_int_equal((int)e2e_count(&t, "series.0.samples"), 2);
	assert_int_equal((int)e2e_count(&t, "series"), 2);
	e2e_check_verifies(&t);
	/* a change must exceed the threshold */
	e2e_tool(&t, COUNT, "--threshold", "0.01% and 1 instructions", "old", "new");
	assert_status(&t, 0);
	e2e_end(&t);
}

TEST(more_than_the_threshold_is_regressed)
{
	e2e t = begin("more20");
	e2e_tool(&t, COUNT, "old", "new");
	if (!counts(&t)) {
		e2e_end(&t);
		skip();
	}
	assert_status(&t, 1);
	assert_string_equal(e2e_verdict(&t, 1), "regressed");
	assert_float_equal(level(&t, 1) - level(&t, 0), 20, 1e-6);
	assert_has(t.out, "20 instructions, exactly");
	e2e_check_verifies(&t);
	/* and the other way round */
	e2e_tool(&t, COUNT, "new", "old");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "improved");
	/* nine exceed the default threshold, two do not */
	e2e_commit(&t, "nine", "more9");
	e2e_tool(&t, COUNT, "old", "nine");
	assert_status(&t, 1);
	assert_float_equal(level(&t, 1) - level(&t, 0), 9, 1e-6);
	e2e_commit(&t, "two", "more2");
	e2e_tool(&t, COUNT, "old", "two");
	assert_status(&t, 0);
	/* two instructions, where one is too many */
	e2e_tool(&t, COUNT, "--threshold", "0.01% and 1 instruction", "old", "two");
	assert_status(&t, 1);
	e2e_end(&t);
}

/* what a killed run leaves is in its scratch folder, which the next one removes */
TEST(traces_are_not_written_to_the_folder_for_temporary_files)
{
	e2e t = begin("more1");
	setenv("TMPDIR", "/no/such/folder", 1);
	e2e_tool(&t, COUNT, "old", "new");
	unsetenv("TMPDIR");
	if (!counts(&t)) {
		e2e_end(&t);
		skip();
	}
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	e2e_end(&t);
}

TEST(the_same_code_has_the_same_count)
{
	e2e t = begin("cost100");
	e2e_tool(&t, COUNT, "--measure-identical", "old", "new");
	if (!counts(&t)) {
		e2e_end(&t);
		skip();
	}
	assert_status(&t, 0);
	assert_true(e2e_ratio(&t, 1) == 1);
	assert_true(level(&t, 0) == level(&t, 1));
	e2e_end(&t);
}

TEST(the_ways_to_count_agree)
{
	static const char *const ways[] = {"flag", "ptrace"};
	double found[2] = {0};
	e2e t = begin("more20");
	for (size_t i = 0; i < 2; i++) {
		e2e_tool(&t, COUNT, "--count-with", ways[i], "old", "new");
		if (strstr(t.out, "may not trace") || !counts(&t)) {
			e2e_end(&t);
			skip();
		}
		found[i] = level(&t, 0);
	}
	assert_true(found[0] == found[1]);
	e2e_end(&t);
}

TEST(what_cannot_be_counted_is_a_failure_of_that_variant)
{
	static const struct {
		const char *library, *most, *sentence;
	} rows[] = {
		{"start_thread", "1000000", "launch() starts a process or a thread"},
		{"start_process", "1000000", "launch() starts a process or a thread"},
		{"skip_counted", "1000000", "launched once to count instructions, 0 arrived"},
		{"take_sigtrap", "1000000", "launch() sets a handler for SIGTRAP"},
		{"launch_long", "4000", "launch() executes more than 4000 instructions"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		e2e t = begin(rows[i].library);
		e2e_tool(&t, COUNT, "--count-with", "flag", "--count-most", rows[i].most, "old",
			"new");
		if (counts(&t)) {
			assert_status(&t, 125);
			assert_has(e2e_failure(&t, 1), rows[i].sentence);
			assert_string_equal(e2e_verdict(&t, 1), "failed");
		}
		e2e_end(&t);
	}
}

/* The first invocation is counted, and then there is no memory for it: that is a verdict
 * that is missing, and no gate is green without it. */
TEST(a_count_that_is_lost_is_never_green)
{
	e2e t = e2e_begin();
	BA_AUTO_FREE char *counted = ba_xprintf("%s/counted", t.dir);
	e2e_env("BA_TEST_COUNTED", counted);
	e2e_commit(&t, "old", "lose_memory100");
	e2e_commit(&t, "new", "lose_memory110");
	e2e_tool(&t, COUNT, "--gate", "old", "new");
	e2e_env("BA_TEST_COUNTED", NULL);
	if (counts(&t)) {
		assert_status(&t, 125);
		assert_string_equal(e2e_verdict(&t, 1), "skipped");
		assert_int_equal((int)e2e_count(&t, "series.0.samples"), 1);
		assert_has(t.out, "direct was not measured to the end in new");
		e2e_check_verifies(&t);
	}
	e2e_end(&t);
}

/* What a count cannot see shows in the time beside it. */
TEST(a_time_that_contradicts_is_said)
{
	e2e t = begin("one_long_instruction");
	e2e_tool(&t, "--target", "host", "--metrics", "instructions,host", "--verdict-on",
		"instructions", "--threshold", "1% and 10 instructions", "--blocks", "8", "--fixed",
		"4", "--gate=strict", "--filter", "launch/args=0,path=direct", "--output", t.json,
		"old", "new");
#ifdef __x86_64__
	if (counts(&t)) {
		assert_status(&t, 125);
		BA_AUTO_FREE char *doc = e2e_text_of(t.json);
		assert_has(doc, "the instructions are not slower, but the elapsed time moved by +");
		assert_has(doc, "work that the count does not see");
		assert_has(t.out, "Inconclusive: ");
		e2e_check_verifies(&t);
	}
#endif
	e2e_end(&t);
}

TEST(work_of_some_calls_only_is_said)
{
	static const char *const candidates[] = {"more60_of2", "more120_of4"};
	for (size_t i = 0; i < 2; i++) {
		e2e t = begin(candidates[i]);
		/* its branch costs seven in each call */
		e2e_tool(&t, COUNT, "--threshold", "1% and 10 instructions", "--gate=strict", "old",
			"new");
		if (counts(&t)) {
			assert_status(&t, 125);
			assert_string_equal(e2e_verdict(&t, 1), "inconclusive");
			BA_AUTO_FREE char *doc = e2e_text_of(t.json);
			assert_has(doc, "but the mean of 8 consecutive calls moved by +");
			assert_has(t.out, "calls differ");
			double least = e2e_number(&t, "series.0.variants.1.min_ns");
			double mean = e2e_number(&t, "series.0.variants.1.mean_ns");
			assert_float_equal(mean - least, 30, 1.5);
			assert_float_equal(level(&t, 1), least, 1e-6);
			e2e_check_verifies(&t);
		}
		/* the same in both */
		e2e_commit(&t, "same", candidates[i]);
		e2e_tool(&t, COUNT, "--gate=strict", "--measure-identical", "new", "same");
		if (counts(&t)) {
			assert_status(&t, 0);
			assert_true(e2e_ratio(&t, 1) == 1);
		}
		e2e_end(&t);
	}
}

/* libdw ends the process where it runs out of memory. */
TEST(what_becomes_of_the_explanation_changes_nothing)
{
	static const char *const preloaded[] = {NULL, BA_BINARY_DIR "/tests/faults/liblines.so"};
	e2e t = begin("more1");
	for (size_t i = 0; i < 2; i++) {
		e2e_env("LD_PRELOAD", preloaded[i]);
		e2e_tool(&t, COUNT, "--verbose", "old", "new");
		e2e_env("LD_PRELOAD", NULL);
		if (!counts(&t))
			break;
		assert_status(&t, 0);
		assert_string_equal(e2e_verdict(&t, 1), "unchanged");
		BA_AUTO_FREE char *doc = e2e_text_of(t.json);
		assert_int_equal(strstr(doc, "\"why\": {") != NULL, i == 0);
		if (i)
			assert_has(t.err, "no explanation of the instructions: its process "
					  "exited with status 1");
	}
	e2e_end(&t);
}

TEST(the_configuration_says_what_decides)
{
	e2e t = e2e_begin();
	e2e_configure(&t,
		E2E_BUILD " }, \"target\": \"host\", \"verdict_on\": \"instructions\", "
			  "\"gate\": { \"mode\": \"default\"",
		"[0]");
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "more20");
	e2e_tool(&t, "--gate", "--blocks", "8", "--output", t.json, "old", "new");
	if (!counts(&t)) {
		e2e_end(&t);
		skip();
	}
	assert_status(&t, 1);
	assert_has(t.out, "20 instructions, exactly");
	e2e_end(&t);
}

#define FAKE BA_BINARY_DIR "/tests/fakecuda/lib/libcuda.so.1"

/* Where times decide, they come first: only what changed is counted, in two processes. */
TEST(counts_explain_what_changed_and_nothing_else)
{
	static const struct {
		const char *metrics, *explain, *other;
		size_t series;
	} rows[] = {
		{"submit", "changed", "new", 2},
		{"submit", "off", "new", 1},
		{"submit,instructions", "auto", "new", 2},
		{"submit", "changed", "same", 1},
		{"submit", "all", "same", 2},
	};
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost130_more20");
	e2e_commit(&t, "same", "cost101");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		e2e_tool(&t, "--fake-driver", FAKE, "--metrics", rows[i].metrics, "--explain",
			rows[i].explain, "--fixed", "4", "--blocks", "8", "--output", t.json, "old",
			rows[i].other);
		assert_int_equal((int)e2e_count(&t, "series.0.samples"), 4);
		size_t n = e2e_count(&t, "series");
		if (rows[i].series == 2 && n == 1)
			skip(); /* no trap flag here */
		assert_int_equal((int)n, (int)rows[i].series);
		if (n == 2)
			assert_int_equal((int)e2e_count(&t, "series.1.samples"), 2);
		e2e_check_verifies(&t);
	}
	/* one variant changed nothing */
	e2e_tool(&t, "run", "old", "--fake-driver", FAKE, "--fixed", "2", "--blocks", "8");
	assert_status(&t, 0);
	assert_null(strstr(t.out, "instructions:"));
	e2e_end(&t);
}

/* Both have a tenth of the run, and two seconds in a short one. */
TEST(a_long_census_leaves_time_for_counts)
{
	e2e t = e2e_begin();
	BA_AUTO_FREE char *slept = at("%s/slept", t.dir);
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost200_slow_census");
	e2e_env("BA_TEST_SLEPT", slept);
	e2e_tool(&t, "--fake-driver", FAKE, "--fixed", "4", "--blocks", "8", "--filter", "*args=0*",
		"--output", t.json, "old", "new");
	e2e_env("BA_TEST_SLEPT", NULL);
	assert_true(ba_fs_exists(slept));
	if (!strstr(t.out, "instructions")) {
		e2e_end(&t);
		skip(); /* no trap flag here */
	}
	assert_has(t.out, "+20 instructions");
	e2e_end(&t);
}

/* The levels of both variants in a metric, and the reason if it has one. */
static void assert_asks(const e2e *t, const char *metric, double old, double new, const char *why)
{
	for (size_t i = 0; i < e2e_count(t, "series"); i++) {
		BA_AUTO_FREE char *name = ba_xprintf("series.%zu.metric", i);
		BA_AUTO_FREE char *base = ba_xprintf("series.%zu.samples.0.ns.0", i);
		BA_AUTO_FREE char *mine = ba_xprintf("series.%zu.samples.0.ns.1", i);
		BA_AUTO_FREE char *turn = ba_xprintf("series.%zu.samples.0.order.0", i);
		BA_AUTO_FREE char *code =
			ba_xprintf("series.%zu.comparisons.0.why.code_objects.0.name", i);
		if (strcmp(e2e_text(t, name), metric) != 0)
			continue;
		bool swapped = e2e_number(t, turn) != 0;
		assert_float_equal(e2e_number(t, swapped ? mine : base), 8 * old, 0);
		assert_float_equal(e2e_number(t, swapped ? base : mine), 8 * new, 0);
		if (why) {
			BA_AUTO_FREE char *file =
				ba_xprintf("series.%zu.comparisons.0.why.code_objects.0.file", i);
			BA_AUTO_FREE char *line =
				ba_xprintf("series.%zu.comparisons.0.why.code_objects.0.line", i);
			assert_has(e2e_text(t, code), why);
			/* as the debug information of the library says */
			assert_has(e2e_text(t, file), "launcher.c");
			assert_true(e2e_number(t, line) > 1);
		}
		return;
	}
	fail_msg("no series of %s", metric);
}

TEST(a_census_finds_what_a_launch_asks_for)
{
	static const struct {
		const char *metric;
		double old, new;
		const char *why;
	} rows[] = {
		{"launches", 1, 1, NULL},
		{"synchronisations", 0, 1, "cuStreamSynchronize from wait_elsewhere"},
		{"copies_h2d", 0, 1, "cuMemcpyHtoD"},
		{"bytes_h2d", 0, 4096, "cuMemcpyHtoD"},
		{"copies_d2h", 0, 0, NULL},
		{"allocations", 0, 1, "cuMemAlloc"},
		{"frees", 0, 1, "cuMemFree"},
		{"peak_bytes", 0, 65536, "cuMemAlloc"},
		{"events", 0, 0, NULL},
	};
	e2e t = begin("asks_more");
	e2e_env("BA_ASKS_ELSEWHERE", "1");
	e2e_tool(&t, "--target", "host", "--metrics", "census", "--output", t.json, "old", "new");
	e2e_env("BA_ASKS_ELSEWHERE", NULL);
	assert_status(&t, 1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_asks(&t, rows[i].metric, rows[i].old, rows[i].new, rows[i].why);
	assert_has(t.out, "from 0 to");
	/* what nobody asks for has no table */
	assert_null(strstr(t.out, "memsets:"));
	assert_has(t.out, "bytes_h2d +4096 per call");
	e2e_check_verifies(&t);
	/* it decides where it is named, whatever the time says */
	e2e_tool(&t, "--target", "host", "--metrics", "host", "--verdict-on", "synchronisations",
		"--fixed", "2", "--output", t.json, "old", "new");
	assert_status(&t, 1);
	assert_has(t.out, "synchronisations");
	e2e_tool(&t, "--target", "host", "--metrics", "census", "--untrusted", "old", "new");
	assert_has(t.err, "is counted in the candidate's own process");
	e2e_end(&t);
}

/* By default it is a note beside a verdict, and of what differs. */
TEST(a_census_is_noted_beside_a_change)
{
	e2e t = begin("asks_more");
	e2e_tool(&t, "--target", "host", "--explain", "all", "--fixed", "2", "--output", t.json,
		"old", "new");
	assert_has(t.out, "bytes_h2d +4096 per call");
	assert_asks(&t, "synchronisations", 0, 1, "cuStreamSynchronize from ");
	assert_null(strstr(t.out, "launches:"));
	e2e_check_verifies(&t);
	e2e_end(&t);
}

/* A variant that misbehaves: whose fault it is, what is said, and that the others go
 * on. */
#include "e2e.h"

#include "base/mem.h"
#include "base/base.h"

TEST_GROUP(e2e_set_up, NULL);

static const e2e_misdeed misdeeds[] = {
	{"crash_load", "killed by signal 11 (SIGSEGV) while its library was loaded",
		"about to crash"},
	{"abort_load", "killed by signal 6 (SIGABRT) while its library was loaded", NULL},
	{"crash_open", "killed by signal 11 (SIGSEGV) in open()", "about to crash"},
	{"fail_open", "open() returned 7: no license for this", NULL},
	{"start_runtime", "the CUDA runtime does not start on the fake driver", NULL},
	{"crash_prepare", "killed by signal 11 (SIGSEGV) in prepare()", "about to crash"},
	{"fail_prepare", "prepare() returned 3: the image is not to our taste", NULL},
	{"crash_launch", "killed by signal 11 (SIGSEGV) while it was measured", "about to crash"},
	{"abort_launch", "killed by signal 6 (SIGABRT) while it was measured",
		"assertion failed: cache != NULL"},
	{"exit_launch", "exited with status 0 while it was measured", NULL},
	{"fail_launch", "launch() returned 701: the launch was not to our taste", NULL},
	{"crash_release", "killed by signal 11 (SIGSEGV) in release()", "about to crash"},
	{"wrong_grid", "wrong answer: ", NULL},
	{"launch_twice", "wrong answer: ", NULL},
	{"launch_none", "wrong answer: ", NULL},
	{"change_context", "another CUDA context", NULL},
	{"skip_half", "times, ", NULL},
	{"repeat_one", "times, ", NULL},
	{"launch_late", " arrived, and 1 more when it had ended", NULL},
	{"no_entry", "exports no bench_against_launcher()", NULL},
	{"newer_abi", "launcher ABI 2, this tool 1; use a newer bench-against", NULL},
	{"null_table", "returned NULL", NULL},
	{"short_table", "shorter than ABI 1", NULL},
	{"no_paths", "names no launch path", NULL},
	{"undefined_symbol", "bench_against_test_nobody_defines_this", NULL},
};

/* the middle one of three misbehaves: the third is compared all the same */
static void check_misdeed(e2e *t, const e2e_misdeed *m)
{
	e2e_commit(t, "bad", m->library);
	e2e_against(t, "--fixed", "4", "good", "bad", "slow");
	e2e_check_misdeed(t, m);
}

TEST(each_misdeed_is_told_of_the_right_variant_and_the_others_go_on)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "good", "cost100");
	e2e_commit(&t, "slow", "cost110");
	for (size_t i = 0; i < sizeof(misdeeds) / sizeof(misdeeds[0]); i++) {
		print_message("           %s\n", misdeeds[i].library);
		check_misdeed(&t, &misdeeds[i]);
	}
	e2e_end(&t);
}

TEST(a_candidate_that_fails_is_not_green_and_strictly_red)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "good", "cost100");
	e2e_commit(&t, "bad", "crash_launch");
	e2e_against(&t, "good", "bad");
	assert_status(&t, 125);
	assert_string_equal(e2e_text(&t, "verdict"), "failed");
	assert_has(t.out, "SIGSEGV");
	e2e_against(&t, "--gate=strict", "good", "bad");
	assert_status(&t, 1);
	/* the baseline's fault is nobody's regression */
	e2e_against(&t, "bad", "good");
	assert_status(&t, 125);
	assert_has(e2e_failure(&t, 0), "SIGSEGV");
	assert_string_equal(e2e_failure(&t, 1), "");
	e2e_against(&t, "--gate=strict", "bad", "good");
	assert_status(&t, 125);
	/* alone */
	e2e_against(&t, "run", "bad");
	assert_status(&t, 125);
	assert_has(e2e_failure(&t, 0), "SIGSEGV");
	e2e_end(&t);
}

TEST(one_benchmark_that_crashes_leaves_the_others)
{
	e2e t = e2e_begin();
	e2e_configure(&t, E2E_BUILD, "[0, 1, 2]");
	e2e_commit(&t, "good", "cost100");
	e2e_commit(&t, "bad", "crash_one_argument");
	e2e_against(&t, "good", "bad");
	assert_status(&t, 125);
	static const char *const verdicts[] = {"unchanged", "failed", "unchanged"};
	for (int i = 0; i < 3; i++) {
		BA_AUTO_FREE char *path = at("series.%d.comparisons.0.verdict", i);
		BA_AUTO_FREE char *count = at("series.%d.samples", i);
		assert_string_equal(e2e_text(&t, path), verdicts[i]);
		if (i != 1)
			assert_int_equal(e2e_count(&t, count), 4);
	}
	assert_string_equal(e2e_text(&t, "engine"), "duet");
	assert_has(e2e_text(&t, "series.1.variants.1.failure"), "SIGSEGV");
	e2e_end(&t);
}

TEST(a_wrong_argument_is_found_where_there_are_two)
{
	e2e t = e2e_begin();
	e2e_configure(&t, E2E_BUILD, "[1, 2]");
	e2e_commit(&t, "good", "cost100");
	e2e_commit(&t, "bad", "wrong_argument");
	e2e_against(&t, "good", "bad");
	assert_status(&t, 125);
	assert_string_equal(e2e_text(&t, "series.0.comparisons.0.verdict"), "unchanged");
	assert_string_equal(e2e_text(&t, "series.1.comparisons.0.verdict"), "failed");
	assert_has(e2e_text(&t, "series.1.variants.1.failure"), "wrong answer");
	e2e_end(&t);
}

/* "launched 64 times, 32 arrived" */
TEST(lost_launches_are_told_with_both_numbers)
{
	e2e t = e2e_begin();
	unsigned launched, arrived;
	e2e_commit(&t, "good", "cost100");
	e2e_commit(&t, "bad", "skip_half");
	e2e_against(&t, "good", "bad");
	assert_status(&t, 125);
	assert_int_equal(
		sscanf(e2e_failure(&t, 1), "launched %u times, %u arrived", &launched, &arrived),
		2);
	assert_true(arrived < launched);
	assert_string_equal(e2e_failure(&t, 0), "");
	e2e_against(&t, "--gate=strict", "good", "bad");
	assert_status(&t, 1);
	e2e_against(&t, "--engine", "split", "good", "bad");
	assert_status(&t, 125);
	assert_has(e2e_failure(&t, 1), " arrived");
	e2e_end(&t);
}

TEST(arguments_of_an_earlier_visit_are_noticed)
{
	e2e t = e2e_begin();
	e2e_configure(&t, E2E_BUILD, "[0, 1, 16]");
	e2e_commit(&t, "good", "cost100");
	e2e_commit(&t, "bad", "keep_arguments");
	e2e_against(&t, "good", "bad");
	assert_status(&t, 125);
	assert_string_equal(e2e_text(&t, "series.0.comparisons.0.verdict"), "unchanged");
	assert_has(e2e_text(&t, "series.1.variants.1.failure"),
		"launches arrived, but with other arguments than were given");
	assert_has(e2e_text(&t, "series.2.variants.1.failure"),
		"launches arrived, but with other arguments than were given");
	e2e_end(&t);
}

TEST(a_hang_is_found_and_told_of_the_right_variant)
{
	static const char *const libraries[] = {"hang_load", "hang_prepare", "hang_launch"};
	static const char *const phases[] = {
		"while its library was loaded", "in prepare()", "while it was measured"};
	for (size_t i = 0; i < 3; i++) {
		e2e t = e2e_begin();
		e2e_commit(&t, "good", "cost100");
		e2e_commit(&t, "bad", libraries[i]);
		e2e_commit(&t, "slow", "cost110");
		e2e_against(&t, "--hang-after", "500ms", "good", "bad", "slow");
		assert_status(&t, 1);
		assert_string_equal(e2e_verdict(&t, 1), "failed");
		assert_has(e2e_failure(&t, 1), "no progress for 0.5 s");
		assert_has(e2e_failure(&t, 1), phases[i]);
		assert_string_equal(e2e_verdict(&t, 2), "regressed");
		e2e_end(&t);
	}
}

TEST(an_error_that_loses_the_context_costs_nobody_else)
{
	e2e t = e2e_begin();
	e2e_env("BA_FAKE_CUDA", "launch_ns=0;clock_ns=0;call_ns=10;fail=cuMemGetInfo:700");
	e2e_commit(&t, "good", "cost100");
	e2e_commit(&t, "bad", "lose_context");
	e2e_commit(&t, "slow", "cost110");
	e2e_against(&t, "good", "bad", "slow");
	assert_status(&t, 1);
	assert_string_equal(e2e_verdict(&t, 1), "failed");
	assert_has(e2e_failure(&t, 1), "launch() returned 700");
	assert_string_equal(e2e_failure(&t, 0), "");
	assert_string_equal(e2e_verdict(&t, 2), "regressed");
	e2e_end(&t);
}

TEST(megabytes_on_standard_output_harm_nothing)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "good", "cost100");
	e2e_commit(&t, "loud", "be_loud");
	e2e_against(&t, "good", "loud");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	assert_null(strstr(t.out, "nobody asked for"));
	assert_null(strchr(t.out, '\033'));
	e2e_end(&t);
}

/* e2e_end looks for what is left */
TEST(what_a_variant_leaves_running_is_ended)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "good", "cost100");
	e2e_commit(&t, "bad", "leave_a_child");
	e2e_against(&t, "good", "bad");
	assert_status(&t, 0);
	assert_int_equal(e2e_left(&t), 0);
	e2e_end(&t);
}

/* No environment, no group, no session of the tool's. */
TEST(a_daemon_of_a_variant_is_ended)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "good", "cost100");
	e2e_commit(&t, "bad", "leave_a_daemon");
	e2e_env("BA_TEST_AGES", e2e_ages());
	e2e_against(&t, "good", "bad");
	assert_int_equal(e2e_processes(e2e_ages()), 0);
	assert_status(&t, 0);
	e2e_against(&t, "--engine", "split", "good", "bad");
	assert_int_equal(e2e_processes(e2e_ages()), 0);
	assert_status(&t, 0);
	e2e_end(&t);
}

/* A number of seconds for `sleep` in a script that starts a daemon and waits until it
 * is one: it has no environment then. */
static char *daemon_script(const char *ages)
{
	return at("env -i setsid sleep %s </dev/null >/dev/null 2>&1 & "
		  "until grep -q sleep /proc/$!/cmdline; do :; done",
		ages);
}

/* Both are built at the same time. */
TEST(a_daemon_of_a_build_is_ended)
{
	e2e t = e2e_begin();
	BA_AUTO_FREE char *script = daemon_script(e2e_ages());
	BA_AUTO_FREE char *build =
		at("\"commands\": [[\"sh\", \"-c\", \"%s; cp variant.so launcher.so\"]]", script);
	e2e_configure(&t, build, "[0]");
	e2e_commit(&t, "good", "cost100");
	e2e_commit(&t, "slow", "cost110");
	e2e_against(&t, "good", "slow");
	assert_int_equal(e2e_processes(e2e_ages()), 0);
	assert_status(&t, 1);
	e2e_end(&t);
}

TEST(a_daemon_of_a_command_suite_is_ended)
{
	e2e t = e2e_begin();
	BA_AUTO_FREE char *script = daemon_script(e2e_ages());
	BA_AUTO_FREE char *bench = at("%s\n"
				      "echo '{\"schema\": "
				      "\"bench-against.samples/1\", "
				      "\"benchmarks\": [{\"id\": \"a\", "
				      "\"values\": [1000, 1001]}]}'\n",
		script);
	BA_AUTO_FREE char *program = at("%s/bench.sh", t.repo);
	BA_AUTO_FREE char *config = at("%s/.bench-against.json", t.repo);
	const char text[] = "{\"suites\": {\"own\": {\"kind\": \"command\", "
			    "\"command\": [\"sh\", \"bench.sh\"]}}}";
	assert_false(ba_fs_write(config, text, strlen(text), 0644, NULL));
	assert_false(ba_fs_write(program, bench, strlen(bench), 0644, NULL));
	e2e_commit(&t, "good", "cost100");
	e2e_tool(&t, "run", "good", "--fixed", "4");
	assert_int_equal(e2e_processes(e2e_ages()), 0);
	assert_status(&t, 0);
	e2e_end(&t);
}

static const char descriptors_lost[] =
	"closed or replaced descriptors that belong to bench-against, in open()";

TEST(a_variant_that_closes_our_descriptors_is_named)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "good", "cost100");
	e2e_commit(&t, "bad", "close_descriptors");
	e2e_commit(&t, "slow", "cost110");
	e2e_against(&t, "good", "bad", "slow");
	assert_status(&t, 1);
	assert_string_equal(e2e_verdict(&t, 1), "failed");
	assert_has(e2e_failure(&t, 1), descriptors_lost);
	assert_string_equal(e2e_verdict(&t, 2), "regressed");
	e2e_end(&t);
}

/* Then a message would be written into the variant's file. */
TEST(nothing_is_written_into_a_file_that_took_our_descriptors)
{
	static const char *const libraries[] = {"take_descriptors", "close_requests"};
	for (size_t i = 0; i < 2; i++) {
		e2e t = e2e_begin();
		BA_AUTO_FREE char *taken = at("%s/taken", t.dir);
		e2e_env("BA_TEST_TAKEN", taken);
		e2e_commit(&t, "good", "cost100");
		e2e_commit(&t, "bad", libraries[i]);
		e2e_commit(&t, "slow", "cost110");
		e2e_against(&t, "good", "bad", "slow");
		assert_status(&t, 1);
		assert_has(e2e_failure(&t, 1), descriptors_lost);
		assert_string_equal(e2e_verdict(&t, 2), "regressed");
		if (i == 0) {
			BA_AUTO_FREE char *text = e2e_text_of(taken);
			assert_string_equal(text, "");
		}
		e2e_env("BA_TEST_TAKEN", NULL);
		e2e_end(&t);
	}
}

TEST(where_every_variant_fails_nothing_is_green)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "a", "crash_open");
	e2e_commit(&t, "b", "no_entry");
	e2e_against(&t, "a", "b");
	assert_status(&t, 125);
	assert_has(t.err, "a: killed by signal 11 (SIGSEGV) in open()");
	assert_has(t.err, "about to crash");
	assert_has(t.err, "exports no bench_against_launcher()");
	e2e_tool(&t, "list", "b");
	assert_status(&t, 125);
	assert_has(t.err, "exports no bench_against_launcher()");
	e2e_end(&t);
}

/* GPU benchmarks of a suite's own (kind plugin), of known cost on the fake driver. */
#include "e2e.h"

#include "base/mem.h"
#include "base/base.h"

TEST_GROUP(e2e_set_up, NULL);

#define SUITE "\"kernels\": { \"kind\": \"plugin\", \"library\": \"launcher.so\", %s }"
#define FAKE BA_BINARY_DIR "/tests/fakecuda/lib/libcuda.so.1"
#define SCRIPT "launch_ns=1500;clock_ns=25;call_ns=10"
/* few runs: what is measured is known to the nanosecond */
#define SHORT "\"warm_up\": 20, \"iterations\": 80"

static void configure(e2e *t, const char *more, const char *other)
{
	BA_AUTO_FREE char *suite = at(SUITE, more);
	BA_AUTO_FREE char *text =
		at("{\n  \"build\": { " E2E_BUILD " },\n  \"suites\": { %s%s }\n}\n", suite, other);
	put(t->repo, ".bench-against.json", text);
}

static e2e begin(void)
{
	e2e t = e2e_begin();
	configure(&t, SHORT, "");
	e2e_env("BA_FAKE_CUDA", SCRIPT);
	return t;
}

#define against(t, ...) e2e_against((t), "--metrics", "gpu_cold,gpu_hot,wall_hot", __VA_ARGS__)

#define alone(t, ...) e2e_against((t), "run", "--metrics", "gpu_cold,gpu_hot,wall_hot", __VA_ARGS__)

/* ---- verdicts ---- */

TEST(a_kernel_that_takes_ten_per_cent_more_has_regressed)
{
	e2e t = begin();
	e2e_commit(&t, "old", "plugin20000");
	e2e_commit(&t, "new", "plugin22000");
	against(&t, "old", "new");
	assert_status(&t, 1);
	assert_string_equal(e2e_text(&t, "series.0.metric"), "gpu_cold");
	assert_string_equal(e2e_verdict(&t, 1), "regressed");
	/* the events' step is 32 ns */
	assert_close(e2e_ratio(&t, 1), 1.1, 2e-3);
	assert_close(e2e_number(&t, "series.0.variants.0.trimmed_ns"), 20000, 32);
	assert_string_equal(e2e_text(&t, "series.1.metric"), "gpu_hot");
	assert_string_equal(e2e_text(&t, "series.1.role"), "reported");
	assert_close(e2e_number(&t, "series.1.variants.1.mean_ns"), 22000, 32);
	assert_string_equal(e2e_text(&t, "series.2.metric"), "wall_hot");
	/* submitting, waiting and reading the clock are part of it */
	assert_close(e2e_number(&t, "series.2.variants.0.min_ns"), 23525, 100);
	assert_close(e2e_number(&t, "environment.event_tick_ns"), 32, 0);
	assert_close(e2e_number(&t, "environment.flush_ratio"), 1, 0.05);
	assert_close(e2e_number(&t, "benchmarks.0.flop"), 1e6, 0);
	e2e_check_verifies(&t);
	e2e_end(&t);
}

TEST(the_first_call_of_a_process_is_measured_by_itself)
{
	e2e t = begin();
	e2e_commit(&t, "old", "plugin20000");
	e2e_commit(&t, "new", "plugin22000");
	e2e_against(&t, "--metrics", "first_call,host_peak,start,import,load,device_peak",
		"--fixed", "2", "old", "new");
	assert_string_equal(e2e_text(&t, "engine"), "split");
	assert_string_equal(e2e_text(&t, "series.0.metric"), "first_call");
	/* a launch, the kernel, and the wait for it, on the clock of the fake driver */
	assert_close(e2e_number(&t, "series.0.variants.0.min_ns"), 21520, 100);
	assert_close(e2e_number(&t, "series.0.variants.1.min_ns"), 23520, 100);
	assert_true(e2e_number(&t, "series.2.variants.0.min_ns") > 1e6);
	assert_string_equal(e2e_text(&t, "series.3.metric"), "load");
	/* the input and the output, and no guards */
	assert_string_equal(e2e_text(&t, "series.4.metric"), "device_peak");
	assert_close(e2e_number(&t, "series.4.variants.0.min_ns"), 4128, 0);
	e2e_check_verifies(&t);
	e2e_end(&t);
}

TEST(the_same_kernel_built_twice_is_unchanged)
{
	e2e t = begin();
	e2e_commit(&t, "old", "plugin20000");
	against(&t, "--measure-identical", "a=old", "b=old");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	e2e_end(&t);
}

TEST(one_per_cent_is_seen)
{
	e2e t = begin();
	e2e_commit(&t, "old", "plugin20000");
	e2e_commit(&t, "new", "plugin20200");
	against(&t, "--threshold", "0.5%", "old", "new");
	assert_status(&t, 1);
	assert_close(e2e_ratio(&t, 1), 1.01, 1e-3);
	e2e_end(&t);
}

TEST(short_kernels_are_timed_together_on_warm_memory)
{
	e2e t = begin();
	e2e_commit(&t, "old", "plugin2000");
	alone(&t, "old");
	assert_status(&t, 0);
	assert_close(e2e_number(&t, "series.0.samples.0.batch"), 1, 0);
	assert_true(e2e_number(&t, "series.1.samples.0.batch") > 8);
	assert_close(e2e_number(&t, "series.1.variants.0.mean_ns"), 2000, 4);
	e2e_end(&t);
}

TEST(every_variant_runs_as_often_as_asked)
{
	e2e t = begin();
	e2e_commit(&t, "old", "plugin20000");
	e2e_tool(&t, "run", "--fake-driver", FAKE, "--fixed", "2", "--iterations", "3000",
		"--warm-up", "0", "--output", t.json, "old");
	assert_status(&t, 0);
	assert_true(e2e_number(&t, "series.0.variants.0.launches") >= 3000);
	assert_true(e2e_number(&t, "series.1.variants.0.launches") >= 3000);
	e2e_end(&t);
}

TEST(a_flush_that_is_none_is_said)
{
	e2e t = begin();
	e2e_env("BA_FAKE_CUDA", SCRIPT ";l2_sticky=1");
	e2e_commit(&t, "old", "plugin20000");
	alone(&t, "old");
	assert_status(&t, 0);
	assert_true(e2e_number(&t, "environment.flush_ratio") < 0.5);
	assert_has(t.out, "flushing the L2 cache does not empty it");
	e2e_end(&t);
}

TEST(a_flush_by_writing_is_asked_for_and_said)
{
	e2e t = begin();
	e2e_commit(&t, "old", "plugin20000");
	alone(&t, "old");
	assert_string_equal(e2e_text(&t, "environment.flush"), "read");
	BA_AUTO_FREE char *read = at("%s/read.json", t.dir);
	assert_int_equal(rename(t.json, read), 0);
	alone(&t, "--flush", "write", "old");
	assert_status(&t, 0);
	assert_string_equal(e2e_text(&t, "environment.flush"), "write");
	/* what it left is written back in the time of the probe */
	assert_close(e2e_number(&t, "environment.flush_ratio"), 2, 0.05);
	BA_AUTO_FREE char *written = at("%s/write.json", t.dir);
	assert_int_equal(rename(t.json, written), 0);
	e2e_tool(&t, "verify", written);
	assert_status(&t, 0);
	/* that alone could make a difference */
	e2e_tool(&t, "compare", read, written);
	assert_status(&t, 125);
	assert_has(t.err, "flush of the L2 cache ('read' against 'write')");
	e2e_tool(&t, "compare", "--force", read, written);
	assert_has(t.out, "flush of the L2 cache ('read' against 'write')");
	e2e_tool(&t, "run", "--flush", "rinse", "old");
	assert_status(&t, 129);
	assert_has(t.err, "rinse");
	e2e_end(&t);
}

TEST(variants_in_processes_of_their_own_agree)
{
	e2e t = begin();
	e2e_commit(&t, "old", "plugin20000");
	e2e_commit(&t, "new", "plugin22000");
	against(&t, "--engine", "split", "old", "new");
	assert_status(&t, 1);
	assert_string_equal(e2e_text(&t, "suites.0.engine"), "split");
	assert_close(e2e_ratio(&t, 1), 1.1, 2e-3);
	assert_true(e2e_count(&t, "series.0.samples.0.khz") > 0);
	e2e_end(&t);
}

/* Who is set up first gets other memory: one variant, then the other. */
TEST(who_is_set_up_first_alternates)
{
	static const char *const engines[] = {"duet", "split"};
	for (size_t i = 0; i < 2; i++) {
		e2e t = begin();
		BA_AUTO_FREE char *log = at("%s/setups", t.dir);
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		e2e_commit(&t, "old", "plugin20000");
		e2e_commit(&t, "new", "plugin_host");
		e2e_env("BA_TEST_SETUPS", log);
		e2e_against(&t, "--metrics", "gpu_hot", "--no-device-code", "--fixed", "4",
			"--engine", engines[i], "old", "new");
		e2e_env("BA_TEST_SETUPS", "");
		assert_status(&t, 0);
		assert_int_equal(ba_fs_read(&text, log, 1 << 16, NULL), 0);
		const char *expected = strncmp(text.data, "other", 5) == 0 ? "other\ntest plugin\n"
									     "test plugin\nother\n"
									     "other\ntest plugin\n"
									     "test plugin\nother\n"
									   : "test plugin\nother\n"
									     "other\ntest plugin\n"
									     "test plugin\nother\n"
									     "other\ntest plugin\n";
		assert_string_equal(text.data, expected);
		e2e_end(&t);
	}
}

TEST(ceilings_are_measured_once_and_kept)
{
	e2e t = begin();
	e2e_commit(&t, "old", "plugin20000");
	alone(&t, "old");
	assert_status(&t, 0);
	double copy = e2e_number(&t, "environment.copy_gb_per_s");
	assert_true(copy > 0 && e2e_number(&t, "environment.matrix_gflop_per_s") > 0);
	assert_close(e2e_number(&t, "series.0.variants.0.gb_per_s"), 20.2, 0.1);
	assert_close(e2e_number(&t, "series.0.variants.0.of_copy_ceiling"),
		e2e_number(&t, "series.0.variants.0.gb_per_s") / copy, 1e-9);
	assert_has(t.out, "GB/s");
	/* kernels take longer now, but nobody measures again */
	e2e_env("BA_FAKE_CUDA", SCRIPT ";drain_ns=100000");
	alone(&t, "old");
	assert_close(e2e_number(&t, "environment.copy_gb_per_s"), copy, 1e-9 * copy);
	e2e_end(&t);
}

TEST(rotating_inputs_need_a_benchmark_that_rotates)
{
	e2e t = begin();
	e2e_commit(&t, "old", "plugin_extra");
	e2e_against(&t, "run", "--metrics", "gpu_rotate,gpu_cold", "--axis", "n=1", "--axis",
		"dtype=f32", "old");
	assert_status(&t, 0);
	assert_has(t.out, "gpu_rotate was not measured of "
			  "kernels/more/n=1,k=10,dtype=f32: it works on one set");
	assert_int_equal(e2e_count(&t, "series"), 3);
	e2e_end(&t);
}

#define NVML BA_BINARY_DIR "/tests/fakecuda/nvml/libnvidia-ml.so.1"

TEST(blocks_at_a_lower_clock_are_measured_again_by_all)
{
	e2e t = begin();
	e2e_env("BA_FAKE_NVML_LIBRARY", NVML);
	/* three readings of the counters in the rehearsal, one before the first block
	 */
	e2e_env("BA_FAKE_NVML", "throttle=6-7");
	e2e_commit(&t, "old", "plugin20000");
	e2e_commit(&t, "new", "plugin22000");
	e2e_against(&t, "--metrics", "gpu_cold", "old", "new");
	assert_status(&t, 1);
	for (int i = 0; i < 4; i++) {
		BA_AUTO_FREE char *repeated = at("series.0.samples.%d.repeated", i);
		assert_close(e2e_number(&t, repeated), 2, 0);
	}
	assert_int_equal(e2e_count(&t, "series.0.samples.0.ns"),
		8 * 4 * e2e_number(&t, "series.0.samples.0.readings"));
	assert_close(e2e_ratio(&t, 1), 1.1, 2e-3);
	e2e_check_verifies(&t);
	e2e_end(&t);
}

TEST(a_machine_that_does_not_hold_its_clock_is_refused)
{
	e2e t = begin();
	e2e_env("BA_FAKE_NVML_LIBRARY", NVML);
	e2e_env("BA_FAKE_NVML", "throttle=1-1000000");
	e2e_commit(&t, "old", "plugin20000");
	e2e_commit(&t, "new", "plugin22000");
	e2e_against(&t, "--metrics", "gpu_cold", "old", "new");
	assert_status(&t, 125);
	assert_has(t.err, "something holds the GPU's clock down (hardware thermal)");
	assert_has(t.err, "after 5 repeats");
	e2e_end(&t);
}

/* thrown through C, which has no handler: the process ends */
TEST(a_plugin_that_throws_has_failed)
{
	BA_AUTO_FREE char *library = e2e_library("pthrow");
	if (!ba_fs_exists(library)) {
		print_message("no C++ compiler was found when this was built\n");
		skip();
	}
	e2e t = begin();
	e2e_commit(&t, "good", "plugin20000");
	e2e_commit(&t, "bad", "pthrow");
	e2e_commit(&t, "slow", "plugin22000");
	e2e_against(&t, "--metrics", "gpu_cold", "good", "bad", "slow");
	assert_status(&t, 1);
	assert_string_equal(e2e_verdict(&t, 1), "failed");
	assert_has(e2e_failure(&t, 1), "killed by signal 6 (SIGABRT) in setup()");
	assert_has(e2e_text(&t, "series.0.variants.1.output"), "no such kernel");
	assert_string_equal(e2e_verdict(&t, 2), "regressed");
	e2e_end(&t);
}

/* ---- several suites, axes ---- */

TEST(launcher_and_plugin_are_measured_in_one_run)
{
	e2e t = begin();
	BA_AUTO_FREE char *launcher = e2e_library("cost100");
	BA_AUTO_FREE char *copy = at("%s/other.so", t.repo);
	assert_int_equal(ba_fs_copy(copy, launcher, NULL), 0);
	configure(&t, SHORT,
		", \"launch\": { \"kind\": \"launcher\", \"library\": \"other.so\", "
		"\"args\": [0] }");
	e2e_commit(&t, "old", "plugin20000");
	e2e_commit(&t, "new", "plugin22000");
	e2e_against(&t, "--metrics", "gpu_cold,submit", "old", "new");
	assert_status(&t, 1);
	assert_int_equal(e2e_count(&t, "suites"), 2);
	assert_int_equal(e2e_count(&t, "series"), 2);
	assert_string_equal(e2e_text(&t, "series.0.id"), "kernels/work");
	assert_string_equal(e2e_text(&t, "series.1.metric"), "submit");
	assert_string_equal(e2e_text(&t, "series.1.comparisons.0.verdict"), "unchanged");
	/* one of them alone */
	e2e_against(&t, "--suite", "launch", "old", "new");
	assert_status(&t, 0);
	assert_int_equal(e2e_count(&t, "series"), 1);
	e2e_tool(&t, "list", "new");
	assert_string_equal(t.out, "kernels/work\nlaunch/args=0,path=direct\n");
	e2e_end(&t);
}

/* two suites, of which the plugin's cannot be measured in the candidate or in anybody
 */
TEST(a_suite_that_fails_leaves_the_other_its_verdicts)
{
	static const struct {
		const char *old, *new, *launcher; /* the candidate's */
		int status;
		const char *verdict, *id, *sentence; /* launch's; the plugin's */
	} rows[] = {
		{"plugin20000", "pcrash_setup", "cost100", 125, "unchanged", "kernels/work",
			"killed by signal 11 (SIGSEGV) in setup()"},
		{"plugin20000", "pfail_open", "cost100", 125, "unchanged", "kernels/work",
			"open() returned 7: no license for this"},
		{"plugin20000", "pfail_open", "cost110", 1, "regressed", "kernels/work",
			"open() returned 7: no license for this"},
		/* what it has is not known when nobody's can be loaded */
		{"ptwins", "pfail_open", "cost100", 125, "identical", "kernels",
			"open() returned 7: no license for this"},
		{"ptwins", "ptwins", "cost110", 1, "regressed", "kernels",
			"two benchmarks are called 'work'"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		e2e t = begin();
		BA_AUTO_FREE char *copy = at("%s/other.so", t.repo);
		BA_AUTO_FREE char *old = e2e_library("cost100");
		BA_AUTO_FREE char *new = e2e_library(rows[i].launcher);
		configure(&t, SHORT,
			", \"launch\": { \"kind\": \"launcher\", \"library\": "
			"\"other.so\", \"args\": [0] }");
		assert_int_equal(ba_fs_copy(copy, old, NULL), 0);
		e2e_commit(&t, "old", rows[i].old);
		assert_int_equal(ba_fs_copy(copy, new, NULL), 0);
		e2e_commit(&t, "new", rows[i].new);
		e2e_against(
			&t, "--metrics", "gpu_cold,submit", "--threshold", "0.2%", "old", "new");
		assert_status(&t, rows[i].status);
		assert_int_equal(e2e_count(&t, "series"), 2);
		assert_int_equal(e2e_count(&t, "suites"), 2);
		/* in the configuration's order, whichever was measured */
		assert_string_equal(e2e_text(&t, "series.0.id"), rows[i].id);
		assert_string_equal(e2e_verdict(&t, 1), "failed");
		assert_has(e2e_failure(&t, 1), rows[i].sentence);
		assert_has(t.out, rows[i].sentence);
		assert_string_equal(e2e_text(&t, "series.1.metric"), "submit");
		assert_string_equal(
			e2e_text(&t, "series.1.comparisons.0.verdict"), rows[i].verdict);
		e2e_check_verifies(&t);
		/* whoever does not ask for it is not told of it */
		e2e_against(&t, "--metrics", "gpu_cold,submit", "--threshold", "0.2%", "--filter",
			"launch/*", "old", "new");
		assert_status(&t, rows[i].status == 1);
		e2e_end(&t);
	}
}

TEST(axes_and_points_make_cases)
{
	static const struct {
		const char *axis, *cases;
	} rows[] = {
		{"dtype=f16,f32", "kernels/work\n"
				  "kernels/more/n=1,k=10,dtype=f16\n"
				  "kernels/more/n=1,k=10,dtype=f32\n"
				  "kernels/more/n=2,k=20,dtype=f16\n"
				  "kernels/more/n=2,k=20,dtype=f32\n"},
		{"n=2", "kernels/work\n"
			"kernels/more/n=2,k=20,dtype=f16\n"
			"kernels/more/n=2,k=20,dtype=f32\n"},
	};
	e2e t = begin();
	e2e_commit(&t, "old", "plugin_extra");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		e2e_tool(&t, "list", "--axis", rows[i].axis, "old");
		assert_status(&t, 0);
		assert_string_equal(t.out, rows[i].cases);
	}
	e2e_tool(&t, "list", "--axis", "n=1:4:*2", "--axis", "k=3", "--axis", "dtype=f32",
		"--filter", "*/more/*", "old");
	assert_string_equal(t.out, "kernels/more/n=1,k=3,dtype=f32\n"
				   "kernels/more/n=2,k=3,dtype=f32\n"
				   "kernels/more/n=4,k=3,dtype=f32\n");
	e2e_tool(&t, "list", "--axis", "m=1", "old");
	assert_status(&t, 129);
	assert_has(t.err, "no benchmark has an axis 'm'; there are n, k, dtype");
	e2e_tool(&t, "list", "--axis", "dtype=f8", "old");
	assert_status(&t, 129);
	assert_has(t.err, "'f8' is not a value of axis 'dtype'");
	configure(&t, SHORT ", \"axes\": { \"n\": [2], \"dtype\": [\"f32\"] }", "");
	e2e_tool(&t, "list", "WORKTREE");
	assert_string_equal(t.out, "kernels/work\nkernels/more/n=2,k=20,dtype=f32\n");
	e2e_end(&t);
}

TEST(what_only_one_side_declares_is_new)
{
	e2e t = begin();
	e2e_commit(&t, "old", "plugin20000");
	e2e_commit(&t, "new", "plugin_extra");
	against(&t, "--axis", "dtype=f32", "old", "new");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	assert_has(t.out, "kernels/more/n=1,k=10,dtype=f32 is new in new");
	e2e_end(&t);
}

/* ---- what a plugin may do wrong ---- */

static const e2e_misdeed misdeeds[] = {
	{"pcrash_open", "killed by signal 11 (SIGSEGV) in open()", "about to crash"},
	{"pfail_open", "open() returned 7: no license for this", NULL},
	{"pcrash_setup", "killed by signal 11 (SIGSEGV) in setup()", "about to crash"},
	{"pfail_setup", "setup() returned 3", NULL},
	{"pcrash_run", "killed by signal 11 (SIGSEGV) while it was measured", "about to crash"},
	{"pabort_run", "killed by signal 6 (SIGABRT) while it was measured",
		"terminate called after"},
	{"pfail_run", "run() returned 701", NULL},
	{"pleak", "run() returned 2 (CUDA_ERROR_OUT_OF_MEMORY", NULL},
	{"pchange_context", "run() left another CUDA context", NULL},
	{"pwrong", "wrong answer: 1 of 1000 elements of out", NULL},
	{"pnan", "wrong answer: 1000 of 1000 elements of out", NULL},
	{"punsteady", "wrong answer: two runs on the same inputs", NULL},
	{"pbeyond", "wrong answer: something was written beyond the end of 'out'", NULL},
	{"pwaits", "run() waits for the GPU", NULL},
	{"pstray", "run() leaves work in another stream", NULL},
	{"pcrash_check", "killed by signal 11 (SIGSEGV) in check()", "about to crash"},
	{"pcrash_teardown", "killed by signal 11 (SIGSEGV) in teardown()", "about to crash"},
	{"ptwins", "two benchmarks are called 'work'", NULL},
	{"pno_values", "axis 'n' of benchmark 'work' has no values", NULL},
	{"pbad_point", "'q=20' is not an axis with a value", NULL},
	{"pnewer_abi", "suite ABI 2, this tool 1; use a newer bench-against", NULL},
	{"pnull_table", "returned NULL", NULL},
	{"pno_setup", "setup, run and teardown must be there", NULL},
	{"cost100", "exports no bench_against_suite()", NULL},
};

/* the middle one of three misbehaves: the third is compared all the same */
static void check_misdeed(e2e *t, const e2e_misdeed *m)
{
	e2e_commit(t, "bad", m->library);
	e2e_against(t, "--metrics", "gpu_cold", "good", "bad", "slow");
	e2e_check_misdeed(t, m);
}

TEST(each_misdeed_is_told_of_the_right_variant_and_the_others_go_on)
{
	e2e t = begin();
	e2e_env("BA_FAKE_CUDA", SCRIPT ";memory=8000000000");
	e2e_commit(&t, "good", "plugin20000");
	e2e_commit(&t, "slow", "plugin22000");
	for (size_t i = 0; i < sizeof(misdeeds) / sizeof(misdeeds[0]); i++) {
		print_message("           %s\n", misdeeds[i].library);
		check_misdeed(&t, &misdeeds[i]);
	}
	e2e_end(&t);
}

TEST(wrong_results_are_never_faster)
{
	e2e t = begin();
	e2e_commit(&t, "slow", "plugin22000");
	e2e_commit(&t, "wrong", "pwrong");
	against(&t, "slow", "wrong");
	assert_status(&t, 125);
	assert_string_equal(e2e_text(&t, "verdict"), "failed");
	assert_has(t.out, "wrong answer");
	assert_null(strstr(t.out, "improved"));
	e2e_end(&t);
}

TEST(what_cannot_run_here_says_why)
{
	e2e t = begin();
	e2e_commit(&t, "old", "plugin20000");
	e2e_commit(&t, "skips", "pskip");
	e2e_commit(&t, "new", "plugin22000");
	against(&t, "old", "skips", "new");
	assert_status(&t, 1);
	assert_string_equal(e2e_verdict(&t, 1), "skipped");
	assert_string_equal(e2e_verdict(&t, 2), "regressed");
	assert_string_equal(e2e_text(&t, "series.0.variants.1.skipped"), "needs two GPUs");
	assert_has(t.out, "needs two GPUs");
	e2e_check_verifies(&t);
	e2e_end(&t);
}

TEST(a_hang_is_found_and_told_of_the_right_variant)
{
	static const char *const libraries[] = {"phang_setup", "phang_run"};
	static const char *const phases[] = {"in setup()", "while it was measured"};
	for (size_t i = 0; i < 2; i++) {
		e2e t = begin();
		e2e_commit(&t, "good", "plugin20000");
		e2e_commit(&t, "bad", libraries[i]);
		e2e_commit(&t, "slow", "plugin22000");
		e2e_against(&t, "--metrics", "gpu_cold", "--hang-after", "700ms", "good", "bad",
			"slow");
		assert_status(&t, 1);
		assert_string_equal(e2e_verdict(&t, 1), "failed");
		assert_has(e2e_failure(&t, 1), "no progress");
		assert_has(e2e_failure(&t, 1), phases[i]);
		assert_string_equal(e2e_verdict(&t, 2), "regressed");
		e2e_end(&t);
	}
}

TEST(an_error_that_loses_the_context_costs_nobody_else)
{
	e2e t = begin();
	e2e_env("BA_FAKE_CUDA", SCRIPT ";fail=cuMemGetInfo:700");
	e2e_commit(&t, "good", "plugin20000");
	e2e_commit(&t, "bad", "plose_context");
	e2e_commit(&t, "slow", "plugin22000");
	e2e_against(&t, "--metrics", "gpu_cold", "good", "bad", "slow");
	assert_status(&t, 1);
	assert_string_equal(e2e_verdict(&t, 1), "failed");
	assert_has(e2e_failure(&t, 1), "run() returned 700");
	assert_string_equal(e2e_verdict(&t, 2), "regressed");
	e2e_end(&t);
}

TEST(what_is_printed_harms_nothing)
{
	e2e t = begin();
	e2e_commit(&t, "good", "plugin20000");
	e2e_commit(&t, "loud", "ploud");
	e2e_against(&t, "--metrics", "gpu_cold", "good", "loud");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	assert_null(strstr(t.out, "nobody asked for"));
	e2e_end(&t);
}

TEST(a_plugin_needs_a_gpu)
{
	e2e t = begin();
	e2e_commit(&t, "old", "plugin20000");
	e2e_tool(&t, "run", "--target", "host", "old");
	assert_status(&t, 129);
	assert_has(t.err, "suite 'kernels' is of kind 'plugin', which needs a GPU");
	e2e_tool(&t, "run", "--metrics", "submit", "old");
	assert_status(&t, 129);
	assert_has(t.err, "--metrics names no metric of suite 'kernels'");
	e2e_tool(&t, "run", "--metrics", "gpu_warm", "old");
	assert_status(&t, 129);
	assert_has(t.err, "no metric 'gpu_warm'; there are submit");
	e2e_end(&t);
}

/* Device code that is the same in two libraries, recognised, and code that differs,
 * side by side; on the fake driver, which captures streams and compiles nothing. */
#include "e2e.h"

#include "base/mem.h"
#include "base/base.h"

TEST_GROUP(e2e_set_up, NULL);

#define SUITE "\"kernels\": { \"kind\": \"plugin\", \"library\": \"launcher.so\", "
#define SHORT "\"warm_up\": 20, \"iterations\": 80 }"

static e2e begin(void)
{
	e2e t = e2e_begin();
	put(t.repo, ".bench-against.json",
		"{\n  \"build\": { " E2E_BUILD " },\n  \"suites\": { " SUITE SHORT " }\n}\n");
	e2e_env("BA_FAKE_CUDA", "launch_ns=1500;clock_ns=25;call_ns=10");
	return t;
}

/* `old` is the plugin as it is, `new` another library */
static e2e begin_with(const char *library)
{
	e2e t = begin();
	e2e_commit(&t, "old", "plugin20000");
	e2e_commit(&t, "new", library);
	return t;
}

#define against(t, ...) e2e_against((t), "--metrics", "gpu_cold,gpu_hot,wall_hot", __VA_ARGS__)

static void verify(e2e *t)
{
	BA_AUTO_FREE char *kept = at("%s/kept.json", t->dir);
	assert_int_equal(ba_fs_copy(kept, t->json, NULL), 0);
	e2e_tool(t, "verify", kept);
	assert_status(t, 0);
}

#define CODE(variant, what) "benchmarks.0.device_code." #variant "." what

TEST(the_same_device_code_in_another_library_is_measured_as_a_control)
{
	e2e t = begin_with("plugin_host");
	against(&t, "old", "new");
	assert_status(&t, 0);
	assert_string_equal(e2e_text(&t, "series.0.metric"), "gpu_cold");
	assert_string_equal(e2e_verdict(&t, 1), "identical");
	assert_int_equal(e2e_count(&t, "series.0.samples"), 4);
	assert_close(e2e_ratio(&t, 1), 1, 1e-9);
	assert_string_equal(e2e_text(&t, "series.1.comparisons.0.verdict"), "identical");
	/* which decides nothing */
	assert_int_equal(e2e_count(&t, "series.1.samples"), 0);
	/* the host's code may be another one */
	assert_string_equal(e2e_text(&t, "series.2.metric"), "wall_hot");
	assert_string_equal(e2e_text(&t, "series.2.comparisons.0.verdict"), "reported");
	assert_true(e2e_count(&t, "series.2.samples") > 0);
	assert_string_equal(e2e_text(&t, CODE(0, "reason")), "");
	assert_string_equal(
		e2e_text(&t, CODE(0, "work_sha256")), e2e_text(&t, CODE(1, "work_sha256")));
	assert_string_equal(e2e_text(&t, CODE(1, "kernels.0.name")), "ba_test_ns_20000");
	assert_close(e2e_number(&t, CODE(1, "kernels.0.launches")), 1, 0);
	assert_close(e2e_number(&t, CODE(1, "kernels.0.registers")), 16, 0);
	assert_has(t.out, "the same machine code");
	verify(&t);
	e2e_end(&t);
}

/* its device code is known, and that of the plugin as it is */
static void check_recognised(const char *library)
{
	e2e t = begin_with(library);
	e2e_against(&t, "--metrics", "gpu_cold", "old", "new");
	assert_status(&t, 0);
	assert_string_equal(e2e_text(&t, CODE(1, "reason")), "");
	assert_string_equal(e2e_verdict(&t, 1), "identical");
	e2e_end(&t);
}

TEST(the_driver_is_watched_however_it_is_found)
{
	check_recognised("plugin_own_driver");
}

TEST(a_kernel_of_one_module_among_several_is_followed)
{
	check_recognised("plugin_two_modules");
}

TEST(nobody_looks_where_that_is_not_wanted)
{
	e2e t = begin_with("plugin_host");
	e2e_against(&t, "--metrics", "gpu_cold", "--no-device-code", "old", "new");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	e2e_end(&t);
}

TEST(it_is_measured_when_that_is_asked_for)
{
	e2e t = begin_with("plugin_host");
	against(&t, "--measure-identical", "old", "new");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	assert_string_equal(
		e2e_text(&t, CODE(0, "memory_sha256")), e2e_text(&t, CODE(1, "memory_sha256")));
	verify(&t);
	e2e_end(&t);
}

TEST(explain_says_how_kernels_differ)
{
	e2e t = begin_with("plugin_grid");
	against(&t, "old", "new");
	assert_status(&t, 0);
	BA_AUTO_FREE char *kept = at("%s/kept.json", t.dir);
	assert_int_equal(ba_fs_copy(kept, t.json, NULL), 0);
	e2e_tool(&t, "explain", kept);
	assert_status(&t, 0);
	assert_has(t.out, ": new against old\nkernel ba_test_ns_20000: grid ");
	assert_has(t.out, "\nregisters ");
	e2e_tool(&t, "explain", "--format", "json", kept);
	assert_has(t.out, "\"candidate_kernel\": {");
	e2e_tool(&t, "explain", kept, "no-such-benchmark");
	assert_status(&t, 129);
	e2e_end(&t);
}

TEST(whatever_differs_is_measured)
{
	static const struct {
		const char *library, *digest; /* that is another one */
	} rows[] = {{"plugin_grid", "work_sha256"}, {"plugin_scalar", "work_sha256"},
		{"plugin_data", "memory_sha256"}, {"plugin_text", "code_sha256"}};
	static const char *const digests[] = {"code_sha256", "work_sha256", "memory_sha256"};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		e2e t = begin();
		print_message("           %s\n", rows[i].library);
		e2e_commit(&t, "old", "plugin20000");
		e2e_commit(&t, "new", rows[i].library);
		against(&t, "old", "new");
		assert_status(&t, 0);
		assert_string_equal(e2e_verdict(&t, 1), "unchanged");
		assert_true(e2e_count(&t, "series.0.samples") > 0);
		for (size_t d = 0; d < 3; d++) {
			BA_AUTO_FREE char *a = at(CODE(0, "%s"), digests[d]);
			BA_AUTO_FREE char *b = at(CODE(1, "%s"), digests[d]);
			BA_AUTO_FREE char *first = ba_xstrdup(e2e_text(&t, a));
			assert_int_equal(strlen(first), 64);
			assert_int_equal(strcmp(first, e2e_text(&t, b)) != 0,
				strcmp(rows[i].digest, digests[d]) == 0);
		}
		verify(&t);
		e2e_end(&t);
	}
}

TEST(code_that_differs_has_its_resources_side_by_side)
{
	e2e t = begin_with("plugin_spills");
	against(&t, "old", "new");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	assert_close(e2e_number(&t, CODE(0, "kernels.0.registers")), 16, 0);
	assert_close(e2e_number(&t, CODE(1, "kernels.0.registers")), 40, 0);
	assert_close(e2e_number(&t, CODE(1, "kernels.0.local_bytes")), 48, 0);
	assert_has(t.out, "Device code");
	assert_has(t.out, "16 -> 40");
	e2e_end(&t);
}

TEST(what_cannot_be_followed_is_measured_and_says_why)
{
	static const struct {
		const char *library, *reason;
	} rows[] = {{"pturn", "does not do the same work each time"},
		{"poption", "cuFuncSetCacheConfig() was called"},
		{"paddress", "the memory that it reaches contains addresses"},
		{"pcrash_capture", "SIGSEGV"}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		e2e t = begin();
		print_message("           %s\n", rows[i].library);
		e2e_commit(&t, "old", "plugin20000");
		e2e_commit(&t, "new", rows[i].library);
		against(&t, "old", "new");
		assert_status(&t, 0);
		assert_string_equal(e2e_verdict(&t, 1), "unchanged");
		assert_has(e2e_text(&t, CODE(1, "reason")), rows[i].reason);
		assert_string_equal(e2e_failure(&t, 1), "");
		verify(&t);
		e2e_end(&t);
	}
}

TEST(waiting_in_run_cannot_be_captured)
{
	e2e t = begin_with("pwaits");
	e2e_commit(&t, "slow", "plugin22000");
	e2e_against(&t, "--metrics", "gpu_cold", "old", "new", "slow");
	assert_status(&t, 1);
	assert_string_equal(e2e_verdict(&t, 1), "failed");
	assert_has(e2e_text(&t, CODE(1, "reason")), "run() cannot be captured");
	assert_string_equal(e2e_verdict(&t, 2), "regressed");
	e2e_end(&t);
}

TEST(a_hang_while_it_is_looked_at_costs_its_patience_once)
{
	e2e t = begin_with("phang_capture");
	e2e_against(&t, "--metrics", "gpu_cold", "--hang-after", "700ms", "old", "new");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	assert_has(e2e_text(&t, CODE(1, "reason")), "no progress");
	e2e_end(&t);
}

TEST(the_same_device_code_is_checked_all_the_same)
{
	e2e t = begin_with("pwrong_host");
	e2e_against(&t, "--metrics", "gpu_cold", "old", "new");
	assert_status(&t, 125);
	assert_string_equal(e2e_verdict(&t, 1), "failed");
	assert_has(e2e_failure(&t, 1), "wrong answer");
	verify(&t);
	e2e_end(&t);
}

TEST(the_control_is_said_where_all_is_known)
{
	e2e t = begin_with("plugin_host");
	e2e_against(&t, "--metrics", "gpu_cold", "old", "new");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "identical");
	assert_int_equal(e2e_count(&t, "series.0.samples"), 4);
	assert_has(t.out, "measured as a control");
	assert_has(t.out, "measured only as a control");
	verify(&t);
	e2e_end(&t);
}

/* of the identical one of three, a control is measured while the others are compared */
TEST(of_three_the_one_that_differs_is_judged)
{
	e2e t = begin();
	e2e_commit(&t, "old", "plugin20000");
	e2e_commit(&t, "same", "plugin_host");
	e2e_commit(&t, "slow", "plugin22000");
	against(&t, "old", "same", "slow");
	assert_status(&t, 1);
	assert_string_equal(e2e_verdict(&t, 1), "identical");
	assert_string_equal(e2e_verdict(&t, 2), "regressed");
	assert_true(e2e_number(&t, "series.0.variants.1.launches") > 0);
	assert_true(e2e_number(&t, "series.0.variants.2.launches") > 0);
	assert_true(e2e_number(&t, "series.2.variants.1.launches") > 0);
	verify(&t);
	e2e_end(&t);
}

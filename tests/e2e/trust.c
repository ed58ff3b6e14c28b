/* Only a real GPU is measured, and the host target says that it is none. */
#include "e2e.h"

#include <unistd.h>

#include "base/mem.h"
#include "base/base.h"
#include "proc/affinity.h"

TEST_GROUP(e2e_set_up, NULL);

#define FAKE_DIR BA_BINARY_DIR "/tests/fakecuda/lib"
#define HOST_DIR BA_BINARY_DIR "/lib/bench-against/host"

static bool has_real_driver(void)
{
	return ba_fs_exists("/dev/nvidiactl");
}

static e2e two_variants(void)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	return t;
}

static void refused(e2e *t, const char *sentence)
{
	e2e_tool(t, "--output", t->json, "old", "new");
	assert_status(t, 125);
	assert_has(t->err, sentence);
	assert_string_equal(t->out, "");
	assert_false(ba_fs_exists(t->json));
}

TEST(no_driver_is_no_measurement)
{
	if (has_real_driver()) {
		print_message("this machine has a GPU driver\n");
		skip();
	}
	e2e t = two_variants();
	refused(&t, "no CUDA driver");
	assert_has(t.err, "--target host");
	e2e_end(&t);
}

TEST(the_fake_driver_is_refused_unless_asked_for)
{
	e2e t = two_variants();
	e2e_env("LD_LIBRARY_PATH", FAKE_DIR);
	refused(&t, "is a test driver with a simulated clock");
	e2e_tool(&t, "doctor");
	assert_status(&t, 125);
	assert_has(t.out, "test driver");
	assert_has(t.out, "Not fit for measuring on the GPU");
	e2e_end(&t);
}

TEST(the_host_driver_is_no_gpu)
{
	e2e t = two_variants();
	e2e_env("LD_LIBRARY_PATH", HOST_DIR);
	refused(&t, "executes nothing");
	e2e_end(&t);
}

TEST(another_driver_is_not_taken_for_the_fake)
{
	e2e t = two_variants();
	e2e_tool(&t, "--fake-driver", HOST_DIR "/libcuda.so.1", "old", "new");
	assert_status(&t, 125);
	assert_has(t.err, "executes nothing");
	e2e_tool(&t, "--fake-driver", "/no/such/libcuda.so.1", "old", "new");
	assert_status(&t, 125);
	assert_has(t.err, "/no/such/libcuda.so.1");
	e2e_end(&t);
}

TEST(the_toolkits_stub_is_told)
{
	static const char *const stubs[] = {"/usr/local/cuda/lib64/stubs/libcuda.so",
		"/usr/local/cuda-13.0/lib/stubs/libcuda.so", NULL};
	const char *const *stub = stubs;
	while (*stub && !ba_fs_exists(*stub))
		stub++;
	if (!*stub) {
		print_message("no toolkit here\n");
		skip();
	}
	e2e t = two_variants();
	BA_AUTO_FREE char *link = at("%s/libcuda.so.1", t.dir);
	assert_int_equal(symlink(*stub, link), 0);
	e2e_env("LD_LIBRARY_PATH", t.dir);
	refused(&t, "stub");
	e2e_end(&t);
}

TEST(doctor_says_what_is_missing_and_what_to_do)
{
	if (has_real_driver()) {
		print_message("this machine has a GPU driver\n");
		skip();
	}
	e2e t = e2e_begin();
	BA_AUTO_FREE char *path = ba_xstrdup(getenv("PATH"));
	e2e_tool(&t, "doctor");
	assert_status(&t, 125);
	assert_has(t.out, "no CUDA driver");
	assert_has(t.out, "--target host");
	/* the host target needs none of that */
	e2e_tool(&t, "doctor", "--target", "host", "--unicode=never");
	/* each part of the installation has a line, with what to install if it is missing */
	e2e_env("PATH", "/usr/nowhere");
	e2e_tool(&t, "doctor", "--target", "host", "--unicode=never");
	assert_has(t.out, "- sandboxes for builds and benchmarks (--sandbox): ");
	assert_has(t.out, "- counted instructions and their source lines ");
	assert_has(t.out, "it is in the CUDA toolkit; put its bin folder into PATH");
	assert_has(t.out, "install Slurm's clients");
	e2e_env("PATH", path);
	assert_status(&t, 0);
	assert_has(t.out, "Fit for measuring launch code");
	assert_null(strstr(t.out, "no CUDA driver"));
	for (const char *c = t.out; *c; c++)
		assert_true((unsigned char)*c < 0x80);
	e2e_env("BENCH_AGAINST_CACHE", "/dev/null/cache");
	e2e_tool(&t, "doctor", "--target", "host");
	assert_status(&t, 0);
	assert_has(t.out, "built trees cannot be kept in '/dev/null/cache'");
	/* several GPUs, one after the other */
	e2e_tool(&t, "doctor", "--device", "0,1");
	assert_status(&t, 125);
	assert_has(t.out, "GPU 0:\n");
	assert_has(t.out, "GPU 1:\n");
	e2e_tool(&t, "doctor", "--device", "1,x");
	assert_status(&t, 129);
	/* it writes no file, so it takes no --output */
	e2e_tool(&t, "doctor", "-o", t.json);
	assert_status(&t, 129);
	e2e_end(&t);
}

TEST(the_host_target_measures_without_a_gpu_and_says_so)
{
	e2e t = two_variants();
	e2e_tool(&t, "--target", "host", "--fixed", "4", "--blocks", "20", "--measure-identical",
		"--output", t.json, "a=old", "b=old");
	/* the clock is the real one: whatever the verdict, it is measured and said */
	assert_true(t.status == 0 || t.status == 1 || t.status == 125);
	assert_string_equal(e2e_text(&t, "environment.target"), "host");
	assert_string_equal(e2e_text(&t, "series.0.metric"), "host");
	assert_int_equal(e2e_count(&t, "series.0.samples"), 4);
	assert_true(e2e_number(&t, "series.0.variants.0.trimmed_ns") > 0);
	assert_has(t.out, "no GPU runs anything");
	e2e_tool(&t, "--target", "host", "--metrics", "submit", "old", "new");
	assert_status(&t, 129);
	e2e_end(&t);
}

TEST(a_driver_that_fails_is_no_variants_fault)
{
	e2e t = two_variants();
	e2e_env("BA_FAKE_CUDA", "fail=cuInit:100");
	e2e_against(&t, "old", "new");
	assert_status(&t, 125);
	assert_has(t.err, "CUDA_ERROR_NO_DEVICE");
	e2e_env("BA_FAKE_CUDA", "crash=cuInit@1");
	e2e_against(&t, "old", "new");
	assert_status(&t, 125);
	assert_has(t.err, "while the driver was set up");
	e2e_env("BA_FAKE_CUDA", "hang=cuInit@1");
	e2e_against(&t, "--hang-after", "500ms", "old", "new");
	assert_status(&t, 125);
	assert_has(t.err, "no progress for 0.5 s while the driver was set up");
	e2e_env("BA_FAKE_CUDA", "nonsense");
	e2e_against(&t, "old", "new");
	assert_status(&t, 125);
	assert_has(t.err, "nonsense");
	e2e_end(&t);
}

/* a thread that the driver starts inherits where cuInit ran */
TEST(driver_threads_stay_off_the_processor_measured_on)
{
	int cpu;
	ba_cpus allowed;
	char number[16];

	assert_int_equal(ba_affinity_allowed(&allowed, NULL), 0);
	assert_true(ba_affinity_pick(&cpu, NULL, NULL, "/sys"));
	if (ba_cpus_count(&allowed) < 2) {
		print_message("this machine has one processor\n");
		skip();
	}
	e2e t = two_variants();
	snprintf(number, sizeof(number), "%d", cpu);
	e2e_env("BA_FAKE_CUDA", "launch_ns=0;clock_ns=0;call_ns=10;apart=1");
	e2e_against(&t, "--cpu", number, "old", "new");
	assert_status(&t, 1);
	assert_null(strstr(t.out, "one CPU only"));
	e2e_end(&t);
}

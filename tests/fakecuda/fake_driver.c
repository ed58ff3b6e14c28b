/* The fake driver, and what module gpu finds out with it. */
#include "test.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "fake_cuda.h"
#include "gpu/device.h"
#include "gpu/module.h"
#include "gpu/ptxgen.h"
#include "gpu/spin.h"
#include "gpu/trust.h"

#define PATH BA_BINARY_DIR "/tests/fakecuda/lib/libcuda.so.1"

typedef struct fixture {
	ba_driver drv;
	ba_device dev;
	ba_module module;
	cu_function null_kernel;
	cu_stream stream;
	ba_now_fn *now;
	void (*advance)(int64_t ns);
	uint64_t (*launches)(void);
} fixture;

static void find(void *slot, void *library, const char *name)
{
	void *address = dlsym(library, name);
	assert_non_null(address);
	memcpy(slot, &address, sizeof(address));
}

/* a driver that has just been loaded, under that script; one at a time */
static fixture *begin(const char *script)
{
	static fixture f;
	ba_error err = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	f = (fixture){0};
	setenv(BA_FAKE_ENV, script, 1);
	if (ba_driver_open(&f.drv, PATH, &err) < 0)
		fail_msg("%s", err.text);
	find(&f.now, f.drv.library, BA_FAKE_NOW);
	find(&f.advance, f.drv.library, BA_FAKE_ADVANCE);
	find(&f.launches, f.drv.library, BA_FAKE_LAUNCHES);
	assert_int_equal(ba_driver_init(&f.drv, &err), 0);
	assert_int_equal(ba_device_open(&f.dev, &f.drv, 0, &err), 0);
	assert_int_equal(ba_device_enter(&f.dev, &err), 0);
	assert_int_equal(ba_ptx_generate(&text, NULL, 0, 0, 0, &err), 0);
	assert_int_equal(ba_module_load(&f.module, &f.drv, text.data, &err), 0);
	assert_int_equal(ba_module_function(&f.null_kernel, &f.module, BA_PTX_ENTRY_NULL, &err), 0);
	assert_int_equal(f.drv.stream_create(&f.stream, BA_CU_STREAM_NON_BLOCKING), 0);
	return &f;
}

static void end(fixture *f)
{
	f->drv.stream_destroy(f->stream);
	ba_module_dispose(&f->module);
	ba_device_leave(&f->dev);
	ba_driver_close(&f->drv);
	unsetenv(BA_FAKE_ENV);
}

static cu_result launch(fixture *f)
{
	return f->drv.launch_kernel(f->null_kernel, 1, 1, 1, 1, 1, 1, 0, f->stream, NULL, NULL);
}

TEST(it_is_unmistakable)
{
	fixture *f = begin("");
	assert_int_equal(f->drv.kind, BA_DRIVER_FAKE);
	assert_has(f->dev.name, "FAKE GPU");
	assert_string_equal(f->dev.pci_bus_id, "FAKE:00:00.0");
	assert_memory_equal(f->dev.uuid_bytes, "FAKE-FAKE-FAKE-", 15);
	end(f);
}

TEST(time_passes_only_when_something_is_done)
{
	fixture *f = begin("clock_ns=0;launch_ns=1700;sync_ns=100;drain_ns=900;call_ns=0");
	int64_t start = f->now();
	assert_int_equal(f->now() - start, 0);
	assert_int_equal(launch(f), 0);
	assert_int_equal(f->now() - start, 1700);
	f->drv.stream_synchronize(f->stream);
	assert_int_equal(f->now() - start, 1700 + 900 + 100);
	f->advance(5);
	assert_int_equal(f->now() - start, 2705);
	assert_int_equal(f->launches(), 1);
	end(f);
}

TEST(a_full_queue_makes_launches_wait)
{
	fixture *f = begin("clock_ns=0;call_ns=0;launch_ns=10;drain_ns=1000;depth=4");
	int64_t took[6];
	for (int i = 0; i < 6; i++) {
		int64_t start = f->now();
		assert_int_equal(launch(f), 0);
		took[i] = f->now() - start;
	}
	for (int i = 0; i < 4; i++)
		assert_int_equal(took[i], 10);
	assert_int_equal(took[4], 1010 - 40); /* until the first has ended */
	assert_int_equal(took[5], 1000);
	end(f);
}

TEST(events_tick)
{
	fixture *f = begin("call_ns=0;launch_ns=0;drain_ns=100;event_tick_ns=32");
	cu_event a, b;
	float ms = -1;
	f->drv.event_create(&a, 0);
	f->drv.event_create(&b, 0);
	f->drv.event_record(a, f->stream);
	launch(f);
	f->drv.event_record(b, f->stream);
	assert_int_equal(f->drv.event_query(b), BA_CU_NOT_READY);
	f->drv.event_synchronize(b);
	assert_int_equal(f->drv.event_query(b), 0);
	assert_int_equal(f->drv.event_elapsed_time(&ms, a, b), 0);
	long ns = lrint((double)ms * 1e6);
	assert_int_equal(ns % 32, 0);
	assert_true(ns >= 96 && ns <= 128);
	f->drv.event_destroy(a);
	f->drv.event_destroy(b);
	end(f);
}

TEST(the_nth_call_fails)
{
	fixture *f = begin("fail=cuLaunchKernel@3:2");
	assert_int_equal(launch(f), 0);
	assert_int_equal(launch(f), 0);
	assert_int_equal(launch(f), BA_CU_OUT_OF_MEMORY);
	assert_int_equal(launch(f), 0);
	end(f);
}

TEST(an_error_that_loses_the_context_stays)
{
	fixture *f = begin("fail=cuLaunchKernel@2:719");
	assert_int_equal(launch(f), 0);
	assert_int_equal(launch(f), BA_CU_LAUNCH_FAILED);
	assert_int_equal(launch(f), BA_CU_LAUNCH_FAILED);
	assert_int_equal(f->drv.stream_synchronize(f->stream), BA_CU_LAUNCH_FAILED);
	end(f);
}

/* how a child that opens the driver under this script and launches once ends */
static int status_of_child(const char *script)
{
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		alarm(2);
		signal(SIGALRM, SIG_DFL);
		freopen("/dev/null", "w", stderr);
		fixture *f = begin(script);
		launch(f);
		_exit(0);
	}
	int status = 0;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

TEST(a_call_hangs_or_crashes_on_demand)
{
	int status = status_of_child("hang=cuLaunchKernel@1");
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM);
	status = status_of_child("crash=cuLaunchKernel@1");
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	assert_int_equal(status_of_child(""), 0);
}

TEST(a_script_that_is_not_understood_ends_the_process)
{
	const char *const bad[] = {"depht=3", "depth", "depth=0", "depth=x", "depth=1.5",
		"fail=cuInit", "fail=cuInit@0:3", "hang=cuInit:3", "fail=malloc:2"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		int status = status_of_child(bad[i]);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 70);
	}
}

TEST(the_queue_probe_finds_the_depth)
{
	const unsigned depths[] = {8, 65, 1024, 2048};
	for (size_t i = 0; i < sizeof(depths) / sizeof(depths[0]); i++) {
		char script[64];
		snprintf(script, sizeof(script), "depth=%u;jitter_ns=300", depths[i]);
		fixture *f = begin(script);
		BA_AUTO(ba_spinner) ba_spinner s = {0};
		ba_error err = {0};
		ba_queue q;
		assert_int_equal(ba_spinner_open(&s, &f->drv, &err), 0);
		assert_int_equal(
			ba_queue_probe(&q, &s, f->null_kernel, NULL, f->stream, f->now, &err), 0);
		/* the spin takes one slot */
		assert_int_equal(q.depth, depths[i] - 1);
		assert_false(q.at_least);
		assert_true(q.launch_ns >= 1500 && q.launch_ns <= 1900);
		assert_true(q.blocked_ns > 10e6);
		ba_spinner_close(&s);
		end(f);
	}
}

TEST(a_queue_without_end_is_known_to_be_at_least_so_deep)
{
	fixture *f = begin("depth=65536");
	BA_AUTO(ba_spinner) ba_spinner s = {0};
	ba_queue q;
	assert_int_equal(ba_spinner_open(&s, &f->drv, NULL), 0);
	assert_int_equal(ba_queue_probe(&q, &s, f->null_kernel, NULL, f->stream, f->now, NULL), 0);
	assert_true(q.at_least);
	assert_true(q.depth > 4096);
	ba_spinner_close(&s);
	end(f);
}

TEST(the_queue_probe_reports_a_driver_error)
{
	fixture *f = begin("fail=cuLaunchKernel@40:700");
	BA_AUTO(ba_spinner) ba_spinner s = {0};
	ba_error err = {0};
	ba_queue q;
	assert_int_equal(ba_spinner_open(&s, &f->drv, &err), 0);
	assert_int_equal(
		ba_queue_probe(&q, &s, f->null_kernel, NULL, f->stream, f->now, &err), BA_EGPU);
	assert_has(err.text, "probing the launch queue: cuLaunchKernel: "
			     "CUDA_ERROR_ILLEGAL_ADDRESS (700)");
	ba_spinner_close(&s);
	end(f);
}

TEST(warm_up_waits_for_a_steady_clock)
{
	fixture *f = begin("idle_mhz=345;mhz=1980;ramp_ms=300");
	BA_AUTO(ba_spinner) ba_spinner s = {0};
	ba_warmup w;
	assert_int_equal(ba_spinner_open(&s, &f->drv, NULL), 0);
	assert_int_equal(ba_warmup_run(&w, &s, f->stream, f->now, NULL), 0);
	assert_true(w.steady);
	assert_close(w.first_mhz, 345, 1e-3);
	assert_close(w.mhz, 1980, 1e-3);
	assert_true(w.wall_ns >= 300 * BA_MS && w.wall_ns < 500 * BA_MS);
	assert_int_equal(w.gpu_tick_ns, 32);
	ba_spinner_close(&s);
	end(f);
}

TEST(warm_up_lasts_200_ms_at_least_and_2_s_at_most)
{
	const struct {
		const char *script;
		int64_t least, most;
		bool steady;
	} rows[] = {{"ramp_ms=0", 200 * BA_MS, 240 * BA_MS, true},
		{"ramp_ms=60000;idle_mhz=1", 2000 * BA_MS, 2040 * BA_MS, false}};
	for (size_t i = 0; i < 2; i++) {
		fixture *f = begin(rows[i].script);
		BA_AUTO(ba_spinner) ba_spinner s = {0};
		ba_warmup w;
		assert_int_equal(ba_spinner_open(&s, &f->drv, NULL), 0);
		assert_int_equal(ba_warmup_run(&w, &s, f->stream, f->now, NULL), 0);
		assert_true(w.wall_ns >= rows[i].least && w.wall_ns <= rows[i].most);
		assert_int_equal(w.steady, rows[i].steady);
		ba_spinner_close(&s);
		end(f);
	}
}

TEST(a_clock_that_stands_still_is_an_error)
{
	fixture *f = begin("mhz=0;idle_mhz=0");
	BA_AUTO(ba_spinner) ba_spinner s = {0};
	ba_error err = {0};
	ba_warmup w;
	assert_int_equal(ba_spinner_open(&s, &f->drv, NULL), 0);
	assert_int_equal(ba_warmup_run(&w, &s, f->stream, f->now, &err), BA_ESIMULATED);
	assert_has(err.text, "not a real GPU");
	ba_spinner_close(&s);
	end(f);
}

TEST(the_timer_is_measured_by_the_clock_it_is_given)
{
	fixture *f = begin("clock_ns=29");
	ba_timer t = ba_timer_measure(f->now);
	assert_close(t.read_ns, 29, 1e-9);
	assert_close(t.tick_ns, 29, 1e-9);
	end(f);
}

/* every call of opening and probing fails once: an error each time, nothing leaks */
TEST(any_driver_call_may_fail)
{
	static const char *const calls[] = {"cuInit", "cuDriverGetVersion", "cuDeviceGetCount",
		"cuDeviceGet", "cuDeviceGetName", "cuDeviceTotalMem", "cuDevicePrimaryCtxRetain",
		"cuCtxSetCurrent", "cuModuleLoadDataEx", "cuModuleGetFunction", "cuFuncLoad",
		"cuMemHostAlloc", "cuMemHostGetDevicePointer", "cuEventCreate", "cuLaunchKernel",
		"cuStreamSynchronize", "cuEventRecord"};
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		char script[64];
		snprintf(script, sizeof(script), "fail=%s@1:999", calls[i]);
		setenv(BA_FAKE_ENV, script, 1);
		ba_driver drv;
		ba_device dev = {0};
		ba_spinner s = {0};
		ba_queue q;
		ba_now_fn *now;
		ba_error err = {0};
		assert_int_equal(ba_driver_open(&drv, PATH, &err), 0);
		find(&now, drv.library, BA_FAKE_NOW);
		int rc = ba_driver_init(&drv, &err);
		if (rc == 0)
			rc = ba_device_open(&dev, &drv, 0, &err);
		if (rc == 0)
			rc = ba_device_enter(&dev, &err);
		if (rc == 0)
			rc = ba_spinner_open(&s, &drv, &err);
		if (rc == 0)
			rc = ba_queue_probe(&q, &s, s.function,
				(void *[]){&(uint64_t){0}, &(uint64_t){0}, &s.address}, NULL, now,
				&err);
		if (rc != BA_EGPU)
			fail_msg("%s failed and nobody said so", calls[i]);
		assert_has(err.text, calls[i]);
		ba_spinner_close(&s);
		ba_device_leave(&dev);
		ba_driver_close(&drv);
	}
}

static const char *no_env(const char *name)
{
	(void)name;
	return NULL;
}

TEST(it_is_refused_unless_allowed)
{
	static ba_trust_inputs in;
	static ba_trust_findings found;
	ba_error err = {0};
	ba_trust_sources src = {.getenv = no_env,
		.root = "/nonexistent",
		.driver_path = PATH,
		.probe = true,
		.now = ba_now_ns};
	unsetenv(BA_FAKE_ENV);
	in = (ba_trust_inputs){0};
	ba_trust_examine(&in, &src);
	ba_trust_judge(&found, &in);
	assert_int_equal(ba_trust_refusals(&found), 1);
	assert_string_equal(found.items[0].id, "fake-driver");
	assert_int_equal(ba_trust_error(&found, &err), BA_ESIMULATED);
	assert_has(err.text, "test driver");
	in.allow_fake = true;
	ba_trust_judge(&found, &in);
	assert_int_equal(ba_trust_refusals(&found), 0);
	assert_int_equal(found.items[0].severity, BA_TRUST_INFO);
	assert_int_equal(ba_trust_error(&found, &err), 0);
}

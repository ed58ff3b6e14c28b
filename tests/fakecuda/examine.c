/* Reading a machine: file trees as they are found, in a temporary directory. */
#include "test.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/base.h"
#include "gpu/hostinfo.h"

#define HOST_PATH BA_BINARY_DIR "/lib/bench-against/host/libcuda.so.1"
#define FAKE_PATH BA_BINARY_DIR "/tests/fakecuda/lib/libcuda.so.1"
#define STUB "/usr/local/cuda/lib64/stubs/libcuda.so"

static char root[] = "/tmp/ba-examine-XXXXXX";

static int make_root(void **state)
{
	strcpy(strrchr(root, '-'), "-XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state)
{
	return ba_fs_remove_tree(root, NULL);
}

static void put(const char *name, const char *text)
{
	ba_error err = {0};
	BA_AUTO_FREE char *path = ba_xprintf("%s%s", root, name);
	BA_AUTO_FREE char *dir = ba_path_dir(path);
	if (ba_fs_mkdirs(dir, &err) < 0 || ba_fs_write(path, text, strlen(text), 0600, &err) < 0)
		fail_msg("%s", err.text);
}

static const char *no_env(const char *name)
{
	(void)name;
	return NULL;
}

static const char *echo_env(const char *name)
{
	return name;
}

static ba_trust_sources sources(const char *driver_path)
{
	return (ba_trust_sources){.getenv = no_env,
		.root = root,
		.driver_path = driver_path,
		.nvml_path = "/nonexistent/libnvidia-ml.so.1",
		.probe = true,
		.seed = 1,
		.now = ba_now_ns};
}

TEST_WITH(a_machine_with_a_gpu_is_read, make_root, remove_root)
{
	static ba_trust_inputs in;
	put("/dev/nvidia0", "");
	put("/dev/nvidiactl", "");
	put("/proc/driver/nvidia/version",
		"NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  "
		"Release "
		"Build  (dvs-builder)\nGCC version:  gcc version 12.3.0\n");
	put("/proc/self/status", "Name:\tworker\nTracerPid:\t0\nPid:\t7\n");
	put("/proc/version", "Linux version 6.18.44 (gcc) #1 SMP\n");
	in = (ba_trust_inputs){0};
	ba_trust_sources src = sources(HOST_PATH);
	ba_trust_examine(&in, &src);
	assert_true(in.dev_nvidia);
	assert_false(in.dev_dxg);
	assert_string_equal(in.module_version, "580.159.04");
	assert_int_equal(in.tracer_pid, 0);
	assert_false(in.gvisor);
	assert_string_equal(in.injected, "");
	assert_true(in.driver_loaded);
	assert_string_equal(in.hooked_by, "");
	assert_int_equal(in.device_count, 1);
	assert_has(in.device.name, "executes nothing");
	assert_has(in.driver_path, "libcuda.so.1");
}

TEST_WITH(a_machine_with_none_of_it_is_read, make_root, remove_root)
{
	static ba_trust_inputs in;
	in = (ba_trust_inputs){0};
	ba_trust_sources src = sources("/nonexistent/libcuda.so.1");
	ba_trust_examine(&in, &src);
	assert_false(in.driver_loaded);
	assert_has(in.driver_error, "/nonexistent/libcuda.so.1");
	assert_false(in.dev_nvidia);
	assert_string_equal(in.module_version, "");
}

TEST_WITH(control_nodes_alone_are_no_gpu, make_root, remove_root)
{
	static ba_trust_inputs in;
	put("/dev/nvidiactl", "");
	put("/dev/nvidia-uvm", "");
	in = (ba_trust_inputs){0};
	ba_trust_sources src = sources("/nonexistent/libcuda.so.1");
	ba_trust_examine(&in, &src);
	assert_false(in.dev_nvidia);
}

TEST_WITH(a_debugger_a_profiler_and_gvisor_are_seen, make_root, remove_root)
{
	static ba_trust_inputs in;
	put("/proc/self/status", "Name:\tworker\nTracerPid:\t4711\n");
	put("/proc/version", "Linux version 4.4.0 #1 SMP Sun Jan 10 gVisor\n");
	put("/dev/dxg", "");
	put("/proc/self/maps", "7f00-7f10 r-xp 00000000 08:01 1  /usr/lib/libc.so.6\n"
			       "7f20-7f30 r-xp 00000000 08:01 2  /opt/nsys/libToolsInjection64.so\n"
			       "7f40-7f50 rw-p 00000000 00:00 0  [heap]\n");
	in = (ba_trust_inputs){0};
	ba_trust_sources src = sources("/nonexistent/libcuda.so.1");
	src.getenv = echo_env;
	ba_trust_examine(&in, &src);
	assert_int_equal(in.tracer_pid, 4711);
	assert_true(in.gvisor);
	assert_true(in.dev_dxg);
	assert_string_equal(in.injected, "/opt/nsys/libToolsInjection64.so");
#define CHECK(field, name) assert_string_equal(in.env.field, name);
	BA_TRUST_ENV_MAP(CHECK)
#undef CHECK
}

TEST_WITH(a_driver_that_does_not_start_is_read, make_root, remove_root)
{
	static ba_trust_inputs in;
	static ba_trust_findings found;
	setenv("BA_FAKE_CUDA", "fail=cuInit:100", 1);
	in = (ba_trust_inputs){.allow_fake = true};
	ba_trust_sources src = sources(FAKE_PATH);
	ba_trust_examine(&in, &src);
	unsetenv("BA_FAKE_CUDA");
	assert_int_equal(in.init_result, 100);
	assert_string_equal(in.init_name, "CUDA_ERROR_NO_DEVICE");
	assert_false(in.device_open);
	/* were it a real one */
	in.driver_kind = BA_DRIVER_REAL;
	ba_trust_judge(&found, &in);
	assert_string_equal(found.items[0].id, "no-device");
}

TEST_WITH(a_device_that_is_not_there_is_read, make_root, remove_root)
{
	static ba_trust_inputs in;
	in = (ba_trust_inputs){0};
	ba_trust_sources src = sources(HOST_PATH);
	src.ordinal = 5;
	ba_trust_examine(&in, &src);
	assert_false(in.device_open);
	assert_has(in.device_error, "no device 5");
}

TEST_WITH(the_toolkits_stub_is_known, make_root, remove_root)
{
	static ba_trust_inputs in;
	static ba_trust_findings found;
	if (access(STUB, R_OK) != 0)
		skip();
	in = (ba_trust_inputs){0};
	ba_trust_sources src = sources(STUB);
	ba_trust_examine(&in, &src);
	ba_trust_judge(&found, &in);
	assert_string_equal(found.items[0].id, "stub");
	assert_int_equal(ba_trust_error(&found, NULL), BA_EGPU);
}

TEST_WITH(a_host_is_read, make_root, remove_root)
{
	put("/proc/sys/kernel/hostname", "box\n");
	put("/proc/sys/kernel/osrelease", "6.18.44\n");
	put("/proc/cpuinfo", "processor\t: 0\nmodel name\t: AMD EPYC 9655\n"
			     "flags\t\t: fpu vme hypervisor lm\n");
	put("/proc/loadavg", "1.25 0.50 0.10 1/200 999\n");
	put("/proc/stat", "cpu  100 0 100 700 0 0 0 100 0 0\ncpu0 1 2 3 4\n");
	put("/proc/self/status", "Cpus_allowed:\tf\nCpus_allowed_list:\t0-3\n");
	put("/proc/self/cgroup", "0::/user.slice/run\n");
	put("/sys/fs/cgroup/user.slice/run/cpu.max", "250000 100000\n");
	put("/sys/devices/system/cpu/online", "0-15\n");
	put("/sys/devices/system/cpu/isolated", "\n");
	put("/sys/devices/system/cpu/smt/active", "1\n");
	put("/sys/devices/system/cpu/cpu3/cpufreq/scaling_governor", "schedutil\n");
	put("/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
	put("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
	put("/sys/bus/pci/devices/0000:0a:00.0/local_cpulist", "8-15\n");
	ba_host_info h;
	ba_host_info_collect(&h, root, "0000:0A:00.0", 3, 29);
	assert_string_equal(h.host_name, "box");
	assert_string_equal(h.kernel, "6.18.44");
	assert_string_equal(h.cpu_model, "AMD EPYC 9655");
	assert_true(h.virtual_machine);
	assert_close(h.load_average, 1.25, 1e-12);
	assert_close(h.steal_ratio, 0.1, 1e-12);
	assert_int_equal(h.cpus, 16);
	assert_int_equal(h.allowed_cpus, 4);
	assert_close(h.cgroup_cpus, 2.5, 1e-12);
	assert_int_equal(h.smt, 1);
	assert_int_equal(h.turbo, 1);
	assert_string_equal(h.governor, "schedutil");
	assert_string_equal(h.clocksource, "tsc");
	assert_string_equal(h.isolated, "");
	assert_string_equal(h.gpu_cpus, "8-15");
	assert_int_equal(h.pinned_cpu, 3);
}

TEST_WITH(a_host_that_says_nothing_is_unknown, make_root, remove_root)
{
	ba_host_info h;
	ba_host_info_collect(&h, root, NULL, -1, 0);
	assert_string_equal(h.host_name, "");
	assert_string_equal(h.governor, "");
	assert_int_equal(h.cpus, -1);
	assert_int_equal(h.turbo, -1);
	assert_int_equal(h.smt, -1);
	assert_true(h.steal_ratio < 0);
	assert_true(h.load_average < 0);
	assert_true(h.cgroup_cpus <= 0);
}

TEST_WITH(the_older_cgroup_limit_is_read_and_max_is_none, make_root, remove_root)
{
	ba_host_info h;
	put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "150000\n");
	put("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
	ba_host_info_collect(&h, root, NULL, -1, 0);
	assert_close(h.cgroup_cpus, 1.5, 1e-12);
	put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
	put("/sys/fs/cgroup/cpu.max", "max 100000\n");
	ba_host_info_collect(&h, root, NULL, -1, 0);
	assert_true(h.cgroup_cpus <= 0);
}

#include "test.h"

#include "gpu/trust.h"

/* an H200 at its best: nothing to say against it */
static ba_trust_inputs good_gpu(void)
{
	return (ba_trust_inputs){
		.driver_loaded = true,
		.driver_path = "/usr/lib/x86_64-linux-gnu/libcuda.so.580.159.04",
		.init_name = "CUDA_SUCCESS",
		.cuda_version = 13000,
		.device_count = 1,
		.device_open = true,
		.device.name = "NVIDIA H200",
		.device.uuid = "GPU-1",
		.device.pci_bus_id = "0000:01:00.0",
		.device.memory_bytes = UINT64_C(139) << 30,
		.device.cc_major = 9,
		.device.sm_count = 132,
		.device.mps = 0,
		.nvml_loaded = true,
		.nvml = {.cuda_version = 13000, .uuid = "GPU-1", .mig = 0, .persistence = 1},
		.dev_nvidia = true,
		.module_version = "580.159.04",
		.probed = true,
		.proof = {.ran = true,
			.threads = 4096,
			.multiprocessors = 132,
			.highest_sm = 131,
			.clocks_advance = true},
		.probe.roundtrip_ns = 7300,
		.probe.mhz = 1980,
		.probe.timer_ratio = 1.00001,
	};
}

static ba_trust_findings judged(const ba_trust_inputs *in)
{
	ba_trust_findings f;
	ba_trust_judge(&f, in);
	return f;
}

/* an empty one where there is none of that name */
static const ba_trust_finding *find(const ba_trust_findings *f, const char *id)
{
	static const ba_trust_finding none = {.severity = BA_TRUST_REFUSE};
	for (size_t i = 0; i < f->count; i++)
		if (!strcmp(f->items[i].id, id))
			return &f->items[i];
	return &none;
}

TEST(a_real_gpu_is_trusted_without_remarks)
{
	ba_trust_inputs in = good_gpu();
	ba_trust_findings f = judged(&in);
	for (size_t i = 0; i < f.count; i++)
		print_error("%s: %s\n", f.items[i].id, f.items[i].sentence);
	assert_int_equal(f.count, 0);
	assert_int_equal(ba_trust_error(&f, NULL), 0);
}

/* One row a condition: spoil one thing, expect one refusal of that name. */
#define SPOIL(name, spoil)                    \
	static void name(ba_trust_inputs *in) \
	{                                     \
		spoil;                        \
	}
SPOIL(no_driver, (in->driver_loaded = false, strcpy(in->driver_error, "no CUDA driver: x")))
SPOIL(host_driver, in->driver_kind = BA_DRIVER_HOST)
SPOIL(fake_driver, in->driver_kind = BA_DRIVER_FAKE)
SPOIL(stub, in->init_result = 34)
SPOIL(no_device, in->init_result = 100)
SPOIL(no_device_shown, in->device_count = 0)
SPOIL(not_ready, in->init_result = 802)
SPOIL(mismatch, in->init_result = 803)
SPOIL(old_driver, in->init_result = 35)
SPOIL(busy_device, in->init_result = 46)
SPOIL(init_failed, in->init_result = 999)
SPOIL(device_failed, (in->device_open = false, strcpy(in->device_error, "gone")))
SPOIL(old_device, in->device.cc_major = 6)
SPOIL(gpgpu_sim, strcpy(in->device.name, "GPGPU-Sim_vGPGPU-Sim Simulator Version 4.0"))
SPOIL(zluda, strcpy(in->device.name, "AMD Radeon RX 7900 [ZLUDA]"))
SPOIL(an_emulator, strcpy(in->device.name, "Some GPU Emulator"))
SPOIL(no_memory, in->device.memory_bytes = 0)
SPOIL(endless_memory, in->device.memory_bytes = UINT64_MAX)
SPOIL(not_run, (in->proof.ran = false, strcpy(in->proof.failure, "cuLaunchKernel: 719")))
SPOIL(wrong_result, in->proof.wrong = 1)
SPOIL(clocks_stand, in->proof.clocks_advance = false)
SPOIL(too_many_sms, in->proof.multiprocessors = 133)
SPOIL(no_sms, in->proof.multiprocessors = 0)
SPOIL(probe_failed, strcpy(in->probe_error, "cuStreamSynchronize: 700"))
SPOIL(remote_far, (in->dev_nvidia = false, in->probe.roundtrip_ns = 45e3))
SPOIL(remote_bare, (in->dev_nvidia = false, in->module_version[0] = 0))
SPOIL(remote_no_nvml, (in->dev_nvidia = false, in->nvml_loaded = false))
SPOIL(remote_named,
	(in->probe.roundtrip_ns = 45e3, strcpy(in->driver_path, "/opt/rcuda/libcuda.so.1")))
SPOIL(hooked, strcpy(in->hooked_by, "/opt/hook/libhook.so"))
SPOIL(injection, in->env.cuda_injection = "/opt/nsight/libToolsInjection64.so")
SPOIL(nvtx, in->env.nvtx_injection = "/opt/x.so")
SPOIL(blocking, in->env.launch_blocking = "1")
SPOIL(compute_profile, in->env.compute_profile = "1")
SPOIL(injected, strcpy(in->injected, "/opt/libsanitizer-collection.so"))
SPOIL(tracer, in->tracer_pid = 4711)
SPOIL(mps_attribute, in->device.mps = 1)
SPOIL(mps_environment, (in->device.mps = -1, in->env.mps_pipe = "/tmp/mps"))
SPOIL(mig_mode, in->nvml.mig = 1)
SPOIL(mig_name, strcpy(in->device.name, "NVIDIA H200 MIG 1g.18gb"))
SPOIL(mig_visible, in->env.visible_devices = "MIG-abc")
SPOIL(vgpu_mode, in->nvml.virtualization = 2)
SPOIL(vgpu_name, strcpy(in->device.name, "GRID V100D-8Q"))
SPOIL(too_fast, in->probe.roundtrip_ns = 300)
SPOIL(too_fast_beside_others, (in->probe.roundtrip_ns = 300, in->nvml.other_processes = 2))
SPOIL(too_slow, in->probe.roundtrip_ns = 61e3)
SPOIL(beside_others, (in->probe.roundtrip_ns = 678e3, in->nvml.other_processes = 2))
SPOIL(beside_one, (in->probe.roundtrip_ns = 678e3, in->nvml.other_processes = 1))
SPOIL(slow_clock, in->probe.mhz = 1)
SPOIL(no_clock, in->probe.mhz = NAN)
SPOIL(fast_timer, in->probe.timer_ratio = 1.02)
SPOIL(no_timer, in->probe.timer_ratio = 0)
#undef SPOIL

static const struct {
	void (*spoil)(ba_trust_inputs *in);
	const char *id;
	int error;
	const char *words;
} refusals[] = {
	{no_driver, "no-driver", BA_EGPU, "no CUDA driver"},
	{host_driver, "host-driver", BA_ESIMULATED, "executes nothing"},
	{fake_driver, "fake-driver", BA_ESIMULATED, "test driver"},
	{stub, "stub", BA_EGPU, "the CUDA toolkit's stub"},
	{no_device, "no-device", BA_EGPU, "sees no GPU"},
	{no_device_shown, "no-device", BA_EGPU, "sees no GPU"},
	{not_ready, "not-ready", BA_EGPU, "not ready"},
	{mismatch, "mismatch", BA_EGPU, "different versions"},
	{old_driver, "old-driver", BA_EGPU, "older than"},
	{busy_device, "busy-device", BA_EGPU, "exclusively"},
	{init_failed, "init-failed", BA_EGPU, "does not start"},
	{device_failed, "device-failed", BA_EGPU, "gone"},
	{old_device, "old-device", BA_EGPU, "compute capability 6.0"},
	{gpgpu_sim, "simulator", BA_ESIMULATED, "GPGPU-Sim simulator"},
	{zluda, "simulator", BA_ESIMULATED, "ZLUDA"},
	{an_emulator, "simulator", BA_ESIMULATED, "an emulator, by its name"},
	{no_memory, "nonsense-memory", BA_ESIMULATED, "0 bytes"},
	{endless_memory, "nonsense-memory", BA_ESIMULATED, "18446744073709551615"},
	{not_run, "no-execution", BA_EGPU, "cuLaunchKernel: 719"},
	{wrong_result, "wrong-result", BA_ESIMULATED, "1 of 4096 values"},
	{clocks_stand, "odd-execution", BA_ESIMULATED, "do not advance"},
	{too_many_sms, "odd-execution", BA_ESIMULATED, "133 of 132"},
	{no_sms, "odd-execution", BA_ESIMULATED, "0 of 132"},
	{probe_failed, "probe-failed", BA_EGPU, "cuStreamSynchronize: 700"},
	{remote_far, "remote-gpu", BA_ESIMULATED, "30 us"},
	{remote_bare, "remote-gpu", BA_ESIMULATED, "no /dev/nvidia*"},
	{remote_no_nvml, "remote-gpu", BA_ESIMULATED, "NVML is missing"},
	{remote_named, "remote-gpu", BA_ESIMULATED, "no version in its name"},
	{hooked, "hooked", BA_EGPU, "libhook.so"},
	{injection, "profiler", BA_EGPU, "CUDA_INJECTION64_PATH"},
	{nvtx, "profiler", BA_EGPU, "NVTX_INJECTION64_PATH"},
	{blocking, "launch-blocking", BA_EGPU, "CUDA_LAUNCH_BLOCKING=1"},
	{compute_profile, "profiler", BA_EGPU, "COMPUTE_PROFILE"},
	{injected, "profiler", BA_EGPU, "libsanitizer-collection"},
	{tracer, "debugger", BA_EGPU, "4711"},
	{mps_attribute, "mps", BA_EGPU, "MPS"},
	{mps_environment, "mps", BA_EGPU, "MPS"},
	{mig_mode, "mig", BA_EGPU, "MIG"},
	{mig_name, "mig", BA_EGPU, "MIG"},
	{mig_visible, "mig", BA_EGPU, "MIG"},
	{vgpu_mode, "vgpu", BA_EGPU, "vGPU"},
	{vgpu_name, "vgpu", BA_EGPU, "vGPU"},
	{too_fast, "odd-roundtrip", BA_ESIMULATED, "0.3 us"},
	{too_fast_beside_others, "odd-roundtrip", BA_ESIMULATED, "it takes 2 to 60 us"},
	{too_slow, "odd-roundtrip", BA_ESIMULATED,
		"takes 61 us; with a GPU in this machine it takes 2 to 60 us; another process may be using the GPU"},
	{beside_others, "odd-roundtrip", BA_ESIMULATED,
		"2 to 60 us; 2 other processes use this GPU, which can be why"},
	{beside_one, "odd-roundtrip", BA_ESIMULATED,
		"1 other process uses this GPU, which can be why"},
	{slow_clock, "odd-clock", BA_ESIMULATED, "1 MHz"},
	{no_clock, "odd-clock", BA_ESIMULATED, "nan MHz"},
	{fast_timer, "odd-timer", BA_ESIMULATED, "1.02 times"},
	{no_timer, "odd-timer", BA_ESIMULATED, "0 times"},
};
static const size_t refusal_count = sizeof(refusals) / sizeof(refusals[0]);

TEST(every_condition_is_refused_by_its_own_name)
{
	for (size_t i = 0; i < refusal_count; i++) {
		ba_trust_inputs in = good_gpu();
		refusals[i].spoil(&in);
		ba_trust_findings f = judged(&in);
		ba_error err = {0};
		if (ba_trust_refusals(&f) != 1 || strcmp(f.items[0].id, refusals[i].id))
			fail_msg("row %zu: %zu refusals, '%s' instead of '%s'", i,
				ba_trust_refusals(&f), f.count ? f.items[0].id : "nothing",
				refusals[i].id);
		assert_has(f.items[0].sentence, refusals[i].words);
		assert_int_equal(ba_trust_error(&f, &err), refusals[i].error);
		assert_has(err.text, refusals[i].words);
		assert_has(err.text, f.items[0].remedy);
	}
}

TEST(every_refusal_says_what_to_do_in_a_sentence)
{
	for (size_t i = 0; i < refusal_count; i++) {
		ba_trust_inputs in = good_gpu();
		refusals[i].spoil(&in);
		ba_trust_findings f = judged(&in);
		size_t n = strlen(f.items[0].remedy);
		if (n < 10 || f.items[0].remedy[n - 1] != '.')
			fail_msg("%s: '%s'", f.items[0].id, f.items[0].remedy);
		n = strlen(f.items[0].sentence);
		assert_true(n > 0 && f.items[0].sentence[n - 1] != '.');
	}
}

TEST(a_container_without_proc_files_is_only_remarked_on)
{
	ba_trust_inputs in = good_gpu();
	in.module_version[0] = '\0';
	strcpy(in.driver_path, "/usr/local/nvidia/lib64/libcuda.so.1");
	ba_trust_findings f = judged(&in);
	assert_int_equal(ba_trust_refusals(&f), 0);
	assert_int_equal(find(&f, "odd-driver")->severity, BA_TRUST_WARN);
}

TEST(gvisor_and_wsl2_are_recorded_and_not_refused)
{
	ba_trust_inputs in = good_gpu();
	in.gvisor = true;
	in.module_version[0] = '\0';
	ba_trust_findings f = judged(&in);
	assert_int_equal(f.count, 1);
	assert_int_equal(find(&f, "gvisor")->severity, BA_TRUST_INFO);
	in = good_gpu();
	in.dev_dxg = true;
	in.dev_nvidia = false;
	in.module_version[0] = '\0';
	strcpy(in.driver_path, "/usr/lib/wsl/lib/libcuda.so.1.1");
	f = judged(&in);
	assert_int_equal(f.count, 1);
	assert_int_equal(find(&f, "wsl2")->severity, BA_TRUST_INFO);
}

TEST(switches_that_say_no_are_not_on)
{
	ba_trust_inputs in = good_gpu();
	in.env.launch_blocking = "0";
	in.env.compute_profile = "";
	in.env.numba_simulator = "false";
	in.env.mps_pipe = "/tmp/mps"; /* the attribute says that it is not used */
	ba_trust_findings f = judged(&in);
	assert_int_equal(f.count, 0);
}

TEST(what_disturbs_is_warned_of)
{
	ba_trust_inputs in = good_gpu();
	in.nvml.other_processes = 2;
	in.nvml.utilization_percent = 80;
	in.nvml.event_reasons = NV_REASON_HW_THERMAL | NV_REASON_APPLICATION_CLOCKS;
	in.nvml.cuda_version = 12080;
	in.device.exec_timeout = true;
	in.env.ld_preload = "/usr/lib/libjemalloc.so.2";
	in.env.numba_simulator = "1";
	ba_trust_findings f = judged(&in);
	assert_int_equal(ba_trust_refusals(&f), 0);
	assert_has(find(&f, "other-processes")->sentence, "2 other processes use");
	assert_has(find(&f, "busy")->sentence, "80 %");
	assert_has(find(&f, "throttled")->sentence, "0x42");
	assert_has(find(&f, "version-mismatch")->sentence, "CUDA 13.0 and NVML says 12.8");
	assert_has(find(&f, "display")->sentence, "watchdog");
	assert_has(find(&f, "preload")->sentence, "libjemalloc");
	assert_has(find(&f, "numba-simulator")->sentence, "numba");
	assert_int_equal(find(&f, "application-clocks")->severity, BA_TRUST_INFO);
}

TEST(refusals_come_before_warnings)
{
	ba_trust_inputs in = good_gpu();
	in.nvml.other_processes = 1;
	in.device.exec_timeout = true;
	in.probe.timer_ratio = 2;
	in.tracer_pid = 1;
	ba_trust_findings f = judged(&in);
	ba_error err = {0};
	assert_int_equal(ba_trust_refusals(&f), 2);
	assert_int_equal(f.count, 4);
	for (size_t i = 1; i < f.count; i++)
		assert_true(f.items[i].severity <= f.items[i - 1].severity);
	assert_int_equal(ba_trust_error(&f, &err), BA_EGPU);
	assert_has(err.text, "traces this one");
	assert_has(err.text, "\nthe GPU's nanosecond timer");
}

TEST(an_attached_profiler_is_named_even_where_cuda_does_not_start)
{
	ba_trust_inputs in = good_gpu();
	in.init_result = 999;
	in.env.cuda_injection = "/opt/x.so";
	ba_trust_findings f = judged(&in);
	assert_int_equal(ba_trust_refusals(&f), 2);
	assert_has(find(&f, "profiler")->sentence, "CUDA_INJECTION64_PATH");
}

TEST(without_a_probe_nothing_is_said_of_execution)
{
	ba_trust_inputs in = good_gpu();
	in.probed = false;
	in.proof = (ba_proof){0};
	in.probe.roundtrip_ns = in.probe.mhz = in.probe.timer_ratio = 0;
	ba_trust_findings f = judged(&in);
	assert_int_equal(f.count, 0);
}

TEST(more_findings_than_there_is_room_for_are_dropped)
{
	ba_trust_findings f = {0};
	for (int i = 0; i < BA_TRUST_FINDINGS_MAX + 5; i++)
		ba_trust_add(&f, "x", BA_TRUST_WARN, 0, "", "%d", i);
	assert_int_equal(f.count, BA_TRUST_FINDINGS_MAX);
}

#include "gpu/trust.h"

/* Plausible values of a real GPU; an H200 has 7 us, 1980 MHz and 1.0000. */
#define ROUNDTRIP_LEAST_NS 2e3
#define ROUNDTRIP_MOST_NS 60e3
#define CLOCK_LEAST_MHZ 300
#define CLOCK_MOST_MHZ 4000
#define TIMER_RATIO_SLACK 0.01
/* a local GPU launches an empty kernel and finishes it in less time */
#define ROUNDTRIP_REMOTE_NS 30e3
#define MEMORY_LEAST (UINT64_C(128) << 20)
#define MEMORY_MOST (UINT64_C(1) << 50)

#define NO_GPU_NEEDED "Measure with --target host, which needs no GPU."

/* true: there is nothing more to judge */
static bool judge_driver(ba_trust_findings *f, const ba_trust_inputs *in)
{
	if (!in->driver_loaded)
		return REFUSE(f, "no-driver", NO_GPU_NEEDED, "%s", in->driver_error);
	if (in->driver_kind == BA_DRIVER_HOST)
		return REFUSE_SIMULATED(f, "host-driver",
			"Take its directory off LD_LIBRARY_PATH, or use --target host.",
			"'%s' is bench-against's own host-target driver, which executes nothing",
			in->driver_path);
	if (in->driver_kind == BA_DRIVER_FAKE && !in->allow_fake)
		return REFUSE_SIMULATED(f, "fake-driver", "Take its directory off LD_LIBRARY_PATH.",
			"'%s' is bench-against's own test driver: there is no GPU, and its times are made up",
			in->driver_path);
	if (in->driver_kind == BA_DRIVER_FAKE)
		return INFO(f, "fake-driver",
			"the driver is bench-against's own test driver; no number of this run is about a GPU");
	return false;
}

static bool judge_init(ba_trust_findings *f, const ba_trust_inputs *in)
{
	if (!in->init_result)
		return false;
	const ba_driver_init_failure *why = ba_driver_init_failure_of(in->init_result);
	return REFUSE(f, why->id, why->remedy, "%s (cuInit: %s, %d)", why->sentence, in->init_name,
		in->init_result);
}

static bool judge_device(ba_trust_findings *f, const ba_trust_inputs *in)
{
	if (in->device_count == 0)
		return REFUSE(f, "no-device", "Look at nvidia-smi and CUDA_VISIBLE_DEVICES.",
			"the driver sees no GPU");
	if (!in->device_open)
		return REFUSE(f, "device-failed", "Look at nvidia-smi; choose another --device.",
			"device %d cannot be used: %s", in->ordinal, in->device_error);
	if (in->device.cc_major < 7)
		REFUSE(f, "old-device", "Measure on a GPU of the Volta generation or newer.",
			"'%s' has compute capability %d.%d; the kernels of the tool need 7.0",
			in->device.name, in->device.cc_major, in->device.cc_minor);
	return false;
}

static void judge_execution(ba_trust_findings *f, const ba_trust_inputs *in)
{
	const ba_proof *p = &in->proof;
	if (in->probe_error[0])
		REFUSE(f, "probe-failed", "Look at nvidia-smi and 'dmesg'.",
			"the test of the GPU could not be completed: %s", in->probe_error);
	else if (!p->ran)
		REFUSE(f, "no-execution", "Look at nvidia-smi and 'dmesg'.",
			"a small kernel cannot run on '%s': %s", in->device.name, p->failure);
	else if (p->wrong)
		REFUSE_SIMULATED(f, "wrong-result", "Run on a machine with a working NVIDIA GPU.",
			"a small kernel ran on '%s' with a wrong result (%zu of %zu values, first at %zu): the GPU did not execute it, or not correctly",
			in->device.name, p->wrong, p->threads, p->first_wrong);
	else if (!p->clocks_advance || !p->multiprocessors ||
		 p->multiprocessors > (unsigned)in->device.sm_count)
		REFUSE_SIMULATED(f, "odd-execution", "Run on a machine with an NVIDIA GPU.",
			"a small kernel on '%s' behaved as on no real GPU: it ran on %u of %d multiprocessors, and their clocks %s",
			in->device.name, p->multiprocessors, in->device.sm_count,
			p->clocks_advance ? "advance" : "do not advance");
}

/* A real GPU is equally slow while other processes use it. NVML does not show processes
 * of other containers. */
static void judge_roundtrip(ba_trust_findings *f, const ba_trust_inputs *in)
{
	bool slow = in->probe.roundtrip_ns > ROUNDTRIP_MOST_NS;
	bool others = slow && in->nvml_loaded && in->nvml.other_processes > 0;
	char why[80] = "";
	if (others)
		snprintf(why, sizeof(why), "; %d other %s this GPU, which can be why",
			in->nvml.other_processes,
			ba_plural(
				(size_t)in->nvml.other_processes, "process uses", "processes use"));
	if (slow || in->probe.roundtrip_ns < ROUNDTRIP_LEAST_NS)
		REFUSE_SIMULATED(f, "odd-roundtrip",
			slow ? "Wait until nothing else uses the GPU, or run on a machine with an NVIDIA GPU of its own."
			     : "Run on a machine with an NVIDIA GPU of its own.",
			"the round trip of an empty kernel takes %.3g us; with a GPU in this machine it takes %g to %g us%s",
			in->probe.roundtrip_ns / 1e3, ROUNDTRIP_LEAST_NS / 1e3,
			ROUNDTRIP_MOST_NS / 1e3,
			others ? why
			: slow ? "; another process may be using the GPU"
			       : "");
}

static void judge_plausibility(ba_trust_findings *f, const ba_trust_inputs *in)
{
	const char *remedy = "Run on a machine with an NVIDIA GPU of its own.";
	if (in->probe_error[0] || !in->proof.ran)
		return;
	judge_roundtrip(f, in);
	if (!(in->probe.mhz >= CLOCK_LEAST_MHZ && in->probe.mhz <= CLOCK_MOST_MHZ))
		REFUSE_SIMULATED(f, "odd-clock", remedy,
			"the multiprocessor clock reads %.4g MHz; a GPU at work has %d to %d MHz",
			in->probe.mhz, CLOCK_LEAST_MHZ, CLOCK_MOST_MHZ);
	if (!(in->probe.timer_ratio > 1 - TIMER_RATIO_SLACK &&
		    in->probe.timer_ratio < 1 + TIMER_RATIO_SLACK))
		REFUSE_SIMULATED(f, "odd-timer", remedy,
			"the GPU's nanosecond timer runs at %.4g times the speed of this machine's clock",
			in->probe.timer_ratio);
}

/* ---- the machine ---- */

static bool is_set(const char *value)
{
	return value && value[0];
}

/* is it set, and not to a word that means "no"? */
static bool is_on(const char *value)
{
	return is_set(value) && strcmp(value, "0") != 0 && strcasecmp(value, "false") != 0 &&
	       strcasecmp(value, "no") != 0 && strcasecmp(value, "off") != 0;
}

static bool has_word(const char *text, const char *word)
{
	return strcasestr(text, word) != NULL;
}

static void judge_simulators(ba_trust_findings *f, const ba_trust_inputs *in)
{
	static const struct {
		const char *word, *what;
	} known[] = {
		{"GPGPU-Sim", "the GPGPU-Sim simulator"},
		{"Accel-Sim", "the Accel-Sim simulator"},
		{"ZLUDA", "ZLUDA, a translation of CUDA to another maker's GPU"},
		{"Ocelot", "the Ocelot emulator"},
		{"gem5", "the gem5 simulator"},
		{"simulat", "a simulator, by its name"},
		{"emulat", "an emulator, by its name"},
	};
	for (size_t i = 0; i < BA_COUNT(known); i++)
		if (has_word(in->device.name, known[i].word)) {
			REFUSE_SIMULATED(f, "simulator",
				"Run on a machine with an NVIDIA GPU; " NO_GPU_NEEDED,
				"device '%s' is %s; its times say nothing about a GPU",
				in->device.name, known[i].what);
			break;
		}
	if (in->device.memory_bytes < MEMORY_LEAST || in->device.memory_bytes > MEMORY_MOST)
		REFUSE_SIMULATED(f, "nonsense-memory", "Run on a machine with an NVIDIA GPU.",
			"device '%s' claims %llu bytes of memory, as simulators do and no GPU does",
			in->device.name, (unsigned long long)in->device.memory_bytes);
	if (is_on(in->env.numba_simulator))
		WARN(f, "numba-simulator", "Unset NUMBA_ENABLE_CUDASIM.",
			"NUMBA_ENABLE_CUDASIM is set: Python suites that use numba would run in its simulator");
}

/* libcuda.so.580.159.04, like the names of NVIDIA's files */
static bool is_nvidia_name(const char *path)
{
	const char *p = ba_path_base(path);
	if (strncmp(p, "libcuda.so.", 11) != 0 || !isdigit((unsigned char)p[11]))
		return false;
	return strspn(p + 11, "0123456789.") == strlen(p + 11) && strchr(p + 11, '.');
}

/* Each signal alone has harmless causes (containers, gVisor, WSL2), so they are weighed
 * together. */
static void judge_remoting(ba_trust_findings *f, const ba_trust_inputs *in)
{
	const struct {
		bool seen;
		int weight;
		const char *what;
	} signals[] = {
		{!in->dev_nvidia && !in->dev_dxg, 2, "no /dev/nvidia* device"},
		{!in->module_version[0] && !in->dev_dxg && !in->gvisor, 1,
			"no /proc/driver/nvidia/version"},
		{!in->nvml_loaded, 1, "NVML is missing or does not know the GPU"},
		{!is_nvidia_name(in->driver_path) && !in->dev_dxg, 1,
			"the driver's file has no version in its name"},
		{in->probed && in->probe.roundtrip_ns > ROUNDTRIP_REMOTE_NS, 2,
			"the round trip of an empty kernel takes more than 30 us"},
	};
	int weight = 0;
	char text[400] = "";
	for (size_t i = 0; i < BA_COUNT(signals); i++) {
		if (!signals[i].seen)
			continue;
		weight += signals[i].weight;
		size_t at = strlen(text);
		snprintf(text + at, sizeof(text) - at, "%s%s", at ? "; " : "", signals[i].what);
	}
	if (weight >= 3)
		REFUSE_SIMULATED(f, "remote-gpu",
			"Run on the machine that has the GPU, with NVIDIA's own driver.",
			"the GPU does not seem to be in this machine (calls forwarded to another, or an emulated driver '%s'): %s",
			in->driver_path, text);
	else if (weight)
		WARN(f, "odd-driver", "Check the driver's installation with nvidia-smi.",
			"something is unusual about driver '%s': %s", in->driver_path, text);
	if (in->hooked_by[0])
		REFUSE(f, "hooked", "Run without that library.",
			"'%s' intercepts the driver's launch function, so launches do not go directly to the driver '%s'",
			in->hooked_by, in->driver_path);
}

static void judge_profilers(ba_trust_findings *f, const ba_trust_inputs *in)
{
	const struct {
		const char *name, *value;
	} injections[] = {
		{"CUDA_INJECTION64_PATH", in->env.cuda_injection},
		{"NVTX_INJECTION64_PATH", in->env.nvtx_injection},
	};
	for (size_t i = 0; i < 2; i++)
		if (is_set(injections[i].value))
			REFUSE(f, "profiler", "Unset the variable, and run without the profiler.",
				"%s is set to '%s': a profiler is attached, which makes launches many times slower",
				injections[i].name, injections[i].value);
	if (is_on(in->env.launch_blocking))
		REFUSE(f, "launch-blocking", "Unset CUDA_LAUNCH_BLOCKING.",
			"CUDA_LAUNCH_BLOCKING=%s makes every launch wait for its kernel",
			in->env.launch_blocking);
	if (is_on(in->env.compute_profile) || is_on(in->env.cuda_profile))
		REFUSE(f, "profiler", "Unset COMPUTE_PROFILE and CUDA_PROFILE.",
			"the driver's own profiler is switched on by COMPUTE_PROFILE or CUDA_PROFILE");
	if (in->injected[0])
		REFUSE(f, "profiler", "Run without that tool.",
			"'%s', which belongs to a profiler, a checker or a GPU-sharing hook, is loaded in this process",
			in->injected);
	if (in->tracer_pid)
		REFUSE(f, "debugger", "Detach the debugger or tracer.",
			"process %d traces this one (a debugger or strace)", in->tracer_pid);
	if (is_set(in->env.ld_preload))
		WARN(f, "preload", "Unset it unless you need it.",
			"LD_PRELOAD='%s' puts code into every process, variants included",
			in->env.ld_preload);
}

static void judge_sharing(ba_trust_findings *f, const ba_trust_inputs *in)
{
	bool mps = in->device.mps == 1 || (in->device.mps < 0 && is_set(in->env.mps_pipe));
	if (mps)
		REFUSE(f, "mps", "Stop nvidia-cuda-mps-control, or unset CUDA_MPS_PIPE_DIRECTORY.",
			"launches go through MPS, whose server adds its own cost and lets other processes use the GPU");
	bool mig =
		in->nvml.mig == 1 || has_word(in->device.name, " MIG ") ||
		!strncmp(in->nvml.uuid, "MIG-", 4) ||
		(is_set(in->env.visible_devices) && !strncmp(in->env.visible_devices, "MIG-", 4));
	if (mig)
		REFUSE(f, "mig",
			"Use a whole GPU: another --device, or MIG switched off by its administrator.",
			"device '%s' is partitioned (MIG): neighbours share its memory and clocks",
			in->device.name);
	bool vgpu = (in->nvml_loaded && in->nvml.virtualization == NV_VIRTUALIZATION_VGPU) ||
		    !strncmp(in->device.name, "GRID ", 5);
	if (vgpu)
		REFUSE(f, "vgpu", "Use a GPU of its own (passthrough or bare metal).",
			"device '%s' is a vGPU: it is time-sliced with other machines",
			in->device.name);
	if (in->nvml_loaded && in->nvml.other_processes > 0)
		WARN(f, "other-processes", "Stop them, or choose another --device.",
			"%d other %s this GPU", in->nvml.other_processes,
			ba_plural(
				(size_t)in->nvml.other_processes, "process uses", "processes use"));
	if (in->nvml_loaded && in->nvml.utilization_percent > 10)
		WARN(f, "busy", "Wait until the GPU is idle, or choose another --device.",
			"the GPU was %d %% busy before anything was measured",
			in->nvml.utilization_percent);
	if (in->device.exec_timeout)
		WARN(f, "display", "Use a GPU without a display.",
			"device '%s' drives a display: its watchdog ends long kernels and drawing disturbs the times",
			in->device.name);
}

/* Judges the GPU's state before measuring. */
static void judge_gpu_state(ba_trust_findings *f, const ba_nvml_state *n)
{
	const uint64_t hot = NV_REASON_HW_SLOWDOWN | NV_REASON_SW_THERMAL | NV_REASON_HW_THERMAL |
			     NV_REASON_HW_POWER_BRAKE;
	if (n->event_reasons & hot)
		WARN(f, "throttled", "Check its cooling and power supply.",
			"the GPU keeps its clock low because of heat or lack of power (reasons 0x%llx, %d degrees)",
			(unsigned long long)n->event_reasons, n->temperature_c);
	if (n->event_reasons & NV_REASON_APPLICATION_CLOCKS)
		INFO(f, "application-clocks",
			"application clocks are set; compare only with results at the same clocks");
	if (n->persistence == 0)
		INFO(f, "persistence",
			"persistence mode is off: the first use of the GPU in each run waits until the GPU has started");
}

static void judge_machine(ba_trust_findings *f, const ba_trust_inputs *in)
{
	if (in->dev_dxg)
		INFO(f, "wsl2",
			"WSL2: launches pass through Windows; compare only with WSL2 results");
	if (in->gvisor)
		INFO(f, "gvisor", "the kernel is gVisor; compare only with gVisor results");
	if (!in->nvml_loaded) {
		WARN(f, "no-nvml", "Install libnvidia-ml.so.1 of the driver.",
			"clocks, power and other processes are unknown: %s", in->nvml_error);
		return;
	}
	if (in->nvml.conf_compute == 1)
		INFO(f, "confidential",
			"confidential computing is on; compare only with results that had it on, too");
	if (in->nvml.virtualization == NV_VIRTUALIZATION_PASSTHROUGH)
		INFO(f, "passthrough", "a virtual machine with the GPU passed through");
	judge_gpu_state(f, &in->nvml);
	if (in->nvml.cuda_version > 0 && in->nvml.cuda_version != in->cuda_version)
		WARN(f, "version-mismatch", "Check which libcuda.so.1 is loaded.",
			"the driver says CUDA %d.%d and NVML says %d.%d (a compatibility package, or two drivers)",
			in->cuda_version / 1000, in->cuda_version % 1000 / 10,
			in->nvml.cuda_version / 1000, in->nvml.cuda_version % 1000 / 10);
}

/* refusals first; otherwise the order in which they were found */
static void sort_findings(ba_trust_findings *f)
{
	ba_trust_findings sorted = {0};
	for (int severity = BA_TRUST_REFUSE; severity >= BA_TRUST_INFO; severity--)
		for (size_t i = 0; i < f->count; i++)
			if ((int)f->items[i].severity == severity)
				sorted.items[sorted.count++] = f->items[i];
	*f = sorted;
}

void ba_trust_judge(ba_trust_findings *out, const ba_trust_inputs *in)
{
	*out = (ba_trust_findings){0};
	if (judge_driver(out, in) || judge_init(out, in) || judge_device(out, in)) {
		/* a profiler may be the reason why it did not start */
		if (in->driver_kind == BA_DRIVER_REAL)
			judge_profilers(out, in);
		return sort_findings(out);
	}
	judge_simulators(out, in);
	if (in->probed)
		judge_execution(out, in);
	judge_remoting(out, in);
	judge_profilers(out, in);
	judge_sharing(out, in);
	if (in->probed)
		judge_plausibility(out, in);
	judge_machine(out, in);
	sort_findings(out);
}

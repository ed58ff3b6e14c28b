/* Judges the machine: simulators, forwarded calls, profilers, other users of the
 * GPU, its state. */
#include "base/base.h"
#include "gpu/trust_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <strings.h>

#include "base/number.h"

#define MEMORY_LEAST (UINT64_C(128) << 20)
#define MEMORY_MOST (UINT64_C(1) << 50)

static bool is_set(const char *value)
{
	return value && value[0];
}

/* set and not a way of saying no */
static bool is_on(const char *value)
{
	return is_set(value) && strcmp(value, "0") != 0 && strcasecmp(value, "false") != 0 &&
	       strcasecmp(value, "no") != 0 && strcasecmp(value, "off") != 0;
}

static bool has_word(const char *text, const char *word)
{
	return strcasestr(text, word) != NULL;
}

void ba_trust_judge_simulators(ba_trust_findings *f, const ba_trust_inputs *in)
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
		if (has_word(in->device_name, known[i].word)) {
			REFUSE_SIMULATED(f, "simulator",
				"Run on a machine with an NVIDIA GPU; " NO_GPU_NEEDED,
				"device '%s' is %s; its times say nothing about a GPU",
				in->device_name, known[i].what);
			break;
		}
	if (in->memory_bytes < MEMORY_LEAST || in->memory_bytes > MEMORY_MOST)
		REFUSE_SIMULATED(f, "nonsense-memory", "Run on a machine with an NVIDIA GPU.",
			"device '%s' claims %llu bytes of memory, as simulators do and no GPU does",
			in->device_name, (unsigned long long)in->memory_bytes);
	if (is_on(in->env.numba_simulator))
		WARN(f, "numba-simulator", "Unset NUMBA_ENABLE_CUDASIM.",
			"NUMBA_ENABLE_CUDASIM is set: Python suites that use numba would run in its simulator");
}

/* libcuda.so.580.159.04, as NVIDIA's files are called */
static bool is_nvidia_name(const char *path)
{
	const char *p = ba_path_base(path);
	if (strncmp(p, "libcuda.so.", 11) != 0 || !isdigit((unsigned char)p[11]))
		return false;
	return strspn(p + 11, "0123456789.") == strlen(p + 11) && strchr(p + 11, '.');
}

/* Each signal alone has innocent causes (containers, gVisor, WSL2), so they are
 * weighed. */
void ba_trust_judge_remoting(ba_trust_findings *f, const ba_trust_inputs *in)
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
		{in->probed && in->roundtrip_ns > ROUNDTRIP_REMOTE_NS, 2,
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

void ba_trust_judge_profilers(ba_trust_findings *f, const ba_trust_inputs *in)
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

void ba_trust_judge_sharing(ba_trust_findings *f, const ba_trust_inputs *in)
{
	bool mps = in->mps == 1 || (in->mps < 0 && is_set(in->env.mps_pipe));
	if (mps)
		ba_trust_add(f, "mps", in->allow_mps ? BA_TRUST_WARN : BA_TRUST_REFUSE, BA_EGPU,
			"Stop nvidia-cuda-mps-control, or unset CUDA_MPS_PIPE_DIRECTORY.",
			"launches go through MPS, whose server adds its own cost and lets other processes use the GPU");
	bool mig =
		in->nvml.mig == 1 || has_word(in->device_name, " MIG ") ||
		!strncmp(in->nvml.uuid, "MIG-", 4) ||
		(is_set(in->env.visible_devices) && !strncmp(in->env.visible_devices, "MIG-", 4));
	if (mig)
		ba_trust_add(f, "mig", in->allow_mig ? BA_TRUST_WARN : BA_TRUST_REFUSE, BA_EGPU,
			"Use a whole GPU: another --device, or MIG switched off by its administrator.",
			"device '%s' is partitioned (MIG): neighbours share its memory and clocks",
			in->device_name);
	bool vgpu = (in->nvml_loaded && in->nvml.virtualization == NV_VIRTUALIZATION_VGPU) ||
		    !strncmp(in->device_name, "GRID ", 5);
	if (vgpu)
		ba_trust_add(f, "vgpu", in->allow_vgpu ? BA_TRUST_WARN : BA_TRUST_REFUSE, BA_EGPU,
			"Use a GPU of its own (passthrough or bare metal).",
			"device '%s' is a vGPU: it is time-sliced with other machines",
			in->device_name);
	if (in->nvml_loaded && in->nvml.other_processes > 0)
		WARN(f, "other-processes", "Stop them, or choose another --device.",
			"%d other %s this GPU", in->nvml.other_processes,
			ba_plural(
				(size_t)in->nvml.other_processes, "process uses", "processes use"));
	if (in->nvml_loaded && in->nvml.utilization_percent > 10)
		WARN(f, "busy", "Wait until the GPU is idle, or choose another --device.",
			"the GPU was %d %% busy before anything was measured",
			in->nvml.utilization_percent);
	if (in->exec_timeout)
		WARN(f, "display", "Use a GPU without a display.",
			"device '%s' drives a display: its watchdog ends long kernels and drawing disturbs the times",
			in->device_name);
}

/* The state it is in before anything is measured. */
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

void ba_trust_judge_machine(ba_trust_findings *f, const ba_trust_inputs *in)
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

#include "gpu/trust_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

/* Plausible values of a real GPU; an H200 has 7 us, 1980 MHz and 1.0000. */
#define ROUNDTRIP_LEAST_NS 2e3
#define ROUNDTRIP_MOST_NS 60e3
#define CLOCK_LEAST_MHZ 300
#define CLOCK_MOST_MHZ 4000
#define TIMER_RATIO_SLACK 0.01

void ba_trust_add(ba_trust_findings *f, const char *id, ba_trust_severity severity, int error,
	const char *remedy, const char *fmt, ...)
{
	if (f->count == BA_TRUST_FINDINGS_MAX)
		return;
	ba_trust_finding *item = &f->items[f->count++];
	*item = (ba_trust_finding){
		.id = id, .severity = severity, .remedy = remedy, .error = error};
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(item->sentence, sizeof(item->sentence), fmt, ap);
	va_end(ap);
}

/* true: the story ends here */
static bool judge_driver(ba_trust_findings *f, const ba_trust_inputs *in)
{
	if (!in->driver_loaded) {
		REFUSE(f, "no-driver", NO_GPU_NEEDED, "%s", in->driver_error);
		return true;
	}
	if (in->driver_kind == BA_DRIVER_HOST) {
		REFUSE_SIMULATED(f, "host-driver",
			"Take its directory off LD_LIBRARY_PATH, or use --target host.",
			"'%s' is bench-against's own host-target driver, which executes nothing",
			in->driver_path);
		return true;
	}
	if (in->driver_kind == BA_DRIVER_FAKE && !in->allow_fake) {
		REFUSE_SIMULATED(f, "fake-driver", "Take its directory off LD_LIBRARY_PATH.",
			"'%s' is bench-against's own test driver: there is no GPU, and its times are made up",
			in->driver_path);
		return true;
	}
	if (in->driver_kind == BA_DRIVER_FAKE) {
		INFO(f, "fake-driver",
			"the driver is bench-against's own test driver; no number of this run is about a GPU");
		return true;
	}
	return false;
}

static bool judge_init(ba_trust_findings *f, const ba_trust_inputs *in)
{
	/* each with the words for it; the row with result 0 is for any other */
	static const struct {
		cu_result result;
		const char *id, *sentence, *remedy;
	} rows[] = {
		{BA_CU_STUB_LIBRARY, "stub",
			"the library is the CUDA toolkit's stub, made for linking only",
			"Take the toolkit's 'stubs' directory off LD_LIBRARY_PATH."},
		{BA_CU_NO_DEVICE, "no-device", "the driver sees no GPU",
			"Look at nvidia-smi and CUDA_VISIBLE_DEVICES; a container or VM must be given the GPU."},
		{BA_CU_SYSTEM_NOT_READY, "not-ready",
			"the system is not ready for CUDA (fabric manager or another service is not running)",
			"Start nvidia-fabricmanager, then try again."},
		{BA_CU_SYSTEM_DRIVER_MISMATCH, "mismatch",
			"kernel module and user library of the driver are of different versions",
			"Reboot, or reload the module, after a driver update."},
		{35, "old-driver", "the driver is older than this program's CUDA",
			"Update the NVIDIA driver."},
		{BA_CU_DEVICE_UNAVAILABLE, "busy-device",
			"another process holds the GPU exclusively",
			"Wait for it, or set the compute mode to default."},
		{0, "init-failed", "the driver does not start", "Look at 'dmesg' and nvidia-smi."},
	};
	if (!in->init_result)
		return false;
	size_t i = 0;
	while (rows[i].result && rows[i].result != in->init_result)
		i++;
	REFUSE(f, rows[i].id, rows[i].remedy, "%s (cuInit: %s, %d)", rows[i].sentence,
		in->init_name, in->init_result);
	return true;
}

static bool judge_device(ba_trust_findings *f, const ba_trust_inputs *in)
{
	if (in->device_count == 0) {
		REFUSE(f, "no-device", "Look at nvidia-smi and CUDA_VISIBLE_DEVICES.",
			"the driver sees no GPU");
		return true;
	}
	if (!in->device_open) {
		REFUSE(f, "device-failed", "Look at nvidia-smi; choose another --device.",
			"device %d cannot be used: %s", in->ordinal, in->device_error);
		return true;
	}
	if (in->cc_major < 7)
		REFUSE(f, "old-device", "Measure on a GPU of the Volta generation or newer.",
			"'%s' has compute capability %d.%d; the kernels of the tool need 7.0",
			in->device_name, in->cc_major, in->cc_minor);
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
			"a small kernel cannot run on '%s': %s", in->device_name, p->failure);
	else if (p->wrong)
		REFUSE_SIMULATED(f, "wrong-result", "Run on a machine with a working NVIDIA GPU.",
			"a small kernel ran on '%s' with a wrong result (%zu of %zu values, first at %zu): the GPU did not execute it, or not correctly",
			in->device_name, p->wrong, p->threads, p->first_wrong);
	else if (!p->clocks_advance || !p->multiprocessors ||
		 p->multiprocessors > (unsigned)in->sm_count)
		REFUSE_SIMULATED(f, "odd-execution", "Run on a machine with an NVIDIA GPU.",
			"a small kernel on '%s' behaved as on no real GPU: it ran on %u of %d multiprocessors, and their clocks %s",
			in->device_name, p->multiprocessors, in->sm_count,
			p->clocks_advance ? "advance" : "do not advance");
}

/* A GPU that is not simulated is as slow while it works for others. NVML does not see
 * those of other containers. */
static void judge_roundtrip(ba_trust_findings *f, const ba_trust_inputs *in)
{
	bool slow = in->roundtrip_ns > ROUNDTRIP_MOST_NS;
	bool others = slow && in->nvml_loaded && in->nvml.other_processes > 0;
	char why[80] = "";
	if (others)
		snprintf(why, sizeof(why), "; %d other %s this GPU, which can be why",
			in->nvml.other_processes,
			ba_plural(
				(size_t)in->nvml.other_processes, "process uses", "processes use"));
	if (slow || in->roundtrip_ns < ROUNDTRIP_LEAST_NS)
		REFUSE_SIMULATED(f, "odd-roundtrip",
			slow ? "Wait until nothing else uses the GPU, or run on a machine with an NVIDIA GPU of its own."
			     : "Run on a machine with an NVIDIA GPU of its own.",
			"the round trip of an empty kernel takes %.3g us; with a GPU in this machine it takes %g to %g us%s",
			in->roundtrip_ns / 1e3, ROUNDTRIP_LEAST_NS / 1e3, ROUNDTRIP_MOST_NS / 1e3,
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
	if (!(in->mhz >= CLOCK_LEAST_MHZ && in->mhz <= CLOCK_MOST_MHZ))
		REFUSE_SIMULATED(f, "odd-clock", remedy,
			"the multiprocessor clock reads %.4g MHz; a GPU at work has %d to %d MHz",
			in->mhz, CLOCK_LEAST_MHZ, CLOCK_MOST_MHZ);
	if (!(in->timer_ratio > 1 - TIMER_RATIO_SLACK && in->timer_ratio < 1 + TIMER_RATIO_SLACK))
		REFUSE_SIMULATED(f, "odd-timer", remedy,
			"the GPU's nanosecond timer runs at %.4g times the speed of this machine's clock",
			in->timer_ratio);
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
		/* a profiler may be why it would not start */
		if (in->driver_kind == BA_DRIVER_REAL)
			ba_trust_judge_profilers(out, in);
		return sort_findings(out);
	}
	ba_trust_judge_simulators(out, in);
	if (in->probed)
		judge_execution(out, in);
	ba_trust_judge_remoting(out, in);
	ba_trust_judge_profilers(out, in);
	ba_trust_judge_sharing(out, in);
	if (in->probed)
		judge_plausibility(out, in);
	ba_trust_judge_machine(out, in);
	sort_findings(out);
}

size_t ba_trust_refusals(const ba_trust_findings *f)
{
	size_t n = 0;
	while (n < f->count && f->items[n].severity == BA_TRUST_REFUSE)
		n++;
	return n;
}

int ba_trust_error(const ba_trust_findings *f, ba_error *err)
{
	size_t refusals = ba_trust_refusals(f);
	if (!refusals)
		return 0;
	char text[1400] = "";
	for (size_t i = 0; i < refusals; i++) {
		size_t at = strlen(text);
		snprintf(text + at, sizeof(text) - at, "%s%s. %s", i ? "\n" : "",
			f->items[i].sentence, f->items[i].remedy);
	}
	return ba_fail(err, f->items[0].error, "%s", text);
}

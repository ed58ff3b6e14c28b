/* What is this machine, and can it be used for measuring? */
#include <stdio.h>

#include "base/clock.h"
#include "base/rng.h"
#include "gpu/examine.h"
#include "gpu/hostinfo.h"
#include "gpu/queue.h"
#include "proc/affinity.h"
#include "worker/worker.h"

static int64_t sampler_clock_now(void)
{
	return ba_now_ns();
}

static int probe_queue(unsigned *depth, ba_worker *w, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO(ba_module) ba_module module = {0};
	cu_function function;
	ba_queue queue;
	int rc = ba_ptx_generate(&text, NULL, 0, 0, 0, err);
	rc = rc ? rc : ba_module_load(&module, &w->driver, text.data, err);
	rc = rc ? rc : ba_module_function(&function, &module, BA_PTX_ENTRY_NULL, err);
	rc = rc ? rc
		: ba_queue_probe(
			  &queue, &w->spinner, function, NULL, w->stream, sampler_clock_now, err);
	if (rc == 0)
		*depth = queue.depth;
	return rc;
}

static void put_nvml(ba_buf *m, const ba_worker *w)
{
	BA_AUTO(ba_nvml) ba_nvml nvml = {0};
	ba_error ignored;
	if (w->target != BA_TARGET_GPU || ba_nvml_open(&nvml, w->device.pci_bus_id, NULL, &ignored))
		return;
	ba_nvml_state s = ba_nvml_read(&nvml);
	ba_message_put_text(m, "driver_version", s.driver_version);
	ba_message_put_text(m, "ecc", s.ecc < 0 ? "" : s.ecc ? "on" : "off");
	ba_message_put_text(m, "mig", s.mig < 0 ? "" : s.mig ? "on" : "off");
	ba_message_put_text(m, "virtualization", ba_nvml_virtualization_name(s.virtualization));
	ba_message_put_i64(m, "sm_clock_mhz", s.sm_clock_mhz);
	ba_message_put_i64(m, "sm_clock_max_mhz", s.sm_clock_max_mhz);
	ba_message_put_i64(m, "memory_clock_mhz", s.memory_clock_mhz);
	ba_message_put_f64(m, "power_watts", s.power_watts);
	ba_message_put_f64(m, "power_limit_watts", s.power_limit_watts);
	ba_message_put_i64(m, "temperature_c", s.temperature_c);
	ba_message_put_i64(m, "other_processes", s.other_processes);
}

/* The one processor we are pinned to, or -1. */
static int pinned_cpu(void)
{
	ba_cpus cpus;
	if (ba_affinity_allowed(&cpus, NULL) || ba_cpus_count(&cpus) != 1)
		return -1;
	for (unsigned cpu = 0; cpu < BA_CPU_MAX; cpu++)
		if (ba_cpus_has(&cpus, cpu))
			return (int)cpu;
	return -1;
}

static ba_host_info look_at_host(const ba_worker *w, const ba_timer *timer)
{
	ba_host_info info;
	const char *pci = w->target == BA_TARGET_GPU ? w->device.pci_bus_id : NULL;
	ba_host_info_collect(&info, "", pci, pinned_cpu(), timer->read_ns);
	/* this thread is pinned by now; the process is not */
	if (w->allowed_cpus)
		info.allowed_cpus = w->allowed_cpus;
	return info;
}

static void put_host(ba_buf *m, const ba_host_info *h)
{
	ba_message_put_text(m, "host_name", h->host_name);
	ba_message_put_text(m, "cpu_model", h->cpu_model);
	ba_message_put_text(m, "kernel", h->kernel);
	ba_message_put_text(m, "governor", h->governor);
	ba_message_put_text(m, "clocksource", h->clocksource);
	ba_message_put_i64(m, "cpus", h->cpus);
	ba_message_put_i64(m, "pinned_cpu", h->pinned_cpu);
	ba_message_put_f64(m, "load_average", h->load_average);
}

static int device_count(const ba_worker *w)
{
	int count = 0;
	return ba_device_count(&count, &w->driver, NULL) ? 0 : count;
}

static void send_environment(
	const ba_worker *w, unsigned depth, const ba_timer *timer, const ba_host_info *host)
{
	static const char *const targets[] = {"gpu", "host", "fake"};
	char capability[32], cuda[32];
	snprintf(capability, sizeof(capability), "%d.%d", w->device.cc_major, w->device.cc_minor);
	snprintf(cuda, sizeof(cuda), "%d.%d", w->driver.version / 1000,
		w->driver.version % 1000 / 10);
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	ba_message_begin(&m, "environment");
	ba_message_put_text(&m, "target", targets[w->target]);
	ba_message_put_text(&m, "device_name", w->device.name);
	ba_message_put_text(&m, "device_uuid", w->device.uuid);
	ba_message_put_text(&m, "compute_capability", capability);
	ba_message_put_text(&m, "cuda_version", cuda);
	ba_message_put_text(&m, "pci_bus_id", w->device.pci_bus_id);
	ba_message_put_i64(&m, "device_ordinal", w->device.ordinal);
	ba_message_put_i64(&m, "device_count", device_count(w));
	ba_message_put_i64(&m, "sm_count", w->device.sm_count);
	ba_message_put_i64(&m, "memory_bytes", (int64_t)w->device.memory_bytes);
	ba_message_put_f64(&m, "timer_read_ns", timer->read_ns);
	ba_message_put_f64(&m, "timer_tick_ns", timer->tick_ns);
	ba_message_put_u64(&m, "queue_depth", depth);
	put_host(&m, host);
	put_nvml(&m, w);
	ba_worker_send(w, &m);
}

static const char *environment_variable(const char *name)
{
	return getenv(name);
}

static void send_findings(const ba_worker *w, const ba_trust_findings *findings)
{
	static const char *const severities[] = {
		[BA_TRUST_INFO] = "info", [BA_TRUST_WARN] = "warn", [BA_TRUST_REFUSE] = "refuse"};
	for (size_t i = 0; i < findings->count; i++) {
		const ba_trust_finding *f = &findings->items[i];
		BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
		ba_message_begin(&m, "finding");
		ba_message_put_text(&m, "id", f->id);
		ba_message_put_text(&m, "severity", severities[f->severity]);
		ba_message_put_text(&m, "text", f->sentence);
		ba_message_put_text(&m, "remedy", f->remedy);
		ba_worker_send(w, &m);
	}
}

/* Every finding is said; a refusal ends the survey. */
static int examine(ba_worker *w, const ba_host_info *host, ba_error *err)
{
	const ba_trust_sources sources = {.getenv = environment_variable,
		.root = "",
		.ordinal = w->device.ordinal,
		.probe = true,
		.seed = ba_rng_entropy(),
		.now = ba_now_ns};
	ba_trust_inputs in = {0};
	ba_trust_findings findings = {0};
	ba_trust_examine_open(&in, &sources, &w->driver, &w->device);
	ba_trust_judge(&findings, &in);
	ba_host_judge(&findings, host);
	send_findings(w, &findings);
	return ba_trust_error(&findings, err);
}

int ba_worker_examine(ba_worker *w, const ba_message *m, ba_error *err)
{
	int64_t device = 0;
	BA_TRY(ba_message_i64(&device, m, "device", err));
	const ba_trust_sources sources = {.getenv = environment_variable,
		.root = "",
		.ordinal = (int)device,
		.probe = true,
		.seed = ba_rng_entropy(),
		.now = ba_now_ns};
	ba_trust_inputs in = {0};
	ba_trust_findings findings = {0};
	ba_timer timer = ba_timer_measure(sampler_clock_now);
	ba_host_info host = look_at_host(w, &timer);
	ba_trust_examine(&in, &sources);
	ba_trust_judge(&findings, &in);
	ba_host_judge(&findings, &host);
	send_findings(w, &findings);
	BA_AUTO(ba_buf) ba_buf reply = BA_BUF_INIT;
	ba_message_begin(&reply, "examined");
	ba_message_put_u64(&reply, "refusals", ba_trust_refusals(&findings));
	ba_message_put_i64(&reply, "device_count", in.device_count);
	ba_worker_send(w, &reply);
	return 0;
}

static int count_others(const ba_clock_watch *w)
{
	return w->known ? ba_nvml_other_programs(&w->nvml) : -1;
}

/* No device is opened for it: a context of ours would be one more on the GPU that is
 * measured. */
int ba_worker_watch(ba_worker *w, const ba_message *m, ba_error *err)
{
	ba_clock_watch *c = &w->watch;
	(void)err;
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_DRIVER);
	if (!w->watching) {
		bool fake = strcmp(ba_message_text(m, "target"), "fake") == 0;
		ba_clock_watch_open(c, ba_message_text(m, "pci_bus_id"), fake);
		ba_clock_watch_begin(c);
		w->watching = true;
	}
	uint32_t moved = ba_clock_watch_moved(c);
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
	BA_AUTO_FREE char *names = ba_clock_watch_names(moved);
	BA_AUTO(ba_buf) ba_buf reply = BA_BUF_INIT;
	ba_message_begin(&reply, "watched");
	ba_message_put_bool(&reply, "known", c->known);
	ba_message_put_u64(&reply, "clock_events", moved);
	ba_message_put_text(&reply, "unfit_text", names);
	ba_message_put_i64(&reply, "others", count_others(c));
	ba_worker_send(w, &reply);
	return 0;
}

/* On a driver of our own there is no GPU to doubt, but the host's noise is the same. */
static int examine_host(const ba_worker *w, const ba_host_info *host)
{
	ba_trust_findings findings = {0};
	ba_host_judge(&findings, host);
	send_findings(w, &findings);
	return 0;
}

int ba_worker_survey(ba_worker *w, ba_error *err)
{
	unsigned depth = 0;
	ba_timer timer = ba_timer_measure(sampler_clock_now);
	ba_host_info host = look_at_host(w, &timer);
	int rc = w->target == BA_TARGET_GPU ? examine(w, &host, err) : examine_host(w, &host);
	rc = rc ? rc : ba_worker_warm_up(w, err);
	if (rc == 0 && w->target == BA_TARGET_GPU)
		rc = probe_queue(&depth, w, err);
	if (rc == 0)
		send_environment(w, depth, &timer, &host);
	return rc;
}

/* What is this machine, and can it be used for measuring? */

#include "gpu/hostinfo.h"
#include "proc/affinity.h"
#include "worker/worker.h"

static int probe_queue(unsigned *depth, ba_worker *w, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO(ba_module) ba_module module = {0};
	cu_function function;
	ba_queue queue;
	BA_TRY(ba_ptx_generate(&text, NULL, 0, 0, 0, err));
	BA_TRY(ba_module_load(&module, &w->driver, text.data, err));
	BA_TRY(ba_module_function(&function, &module, BA_PTX_ENTRY_NULL, err));
	BA_TRY(ba_queue_probe(&queue, &w->spinner, function, NULL, w->stream, ba_now_ns, err));
	*depth = queue.depth;
	return 0;
}

static void put_nvml(ba_buf *m, const ba_worker *w)
{
	BA_AUTO(ba_nvml) ba_nvml nvml = {0};
	ba_error ignored;
	if (w->target != BA_TARGET_GPU || ba_nvml_open(&nvml, w->device.pci_bus_id, NULL, &ignored))
		return;
	ba_nvml_state s = ba_nvml_read(&nvml);
	BA_MESSAGE_ADD(m, BA_SAY_TEXT("driver_version", s.driver_version),
		BA_SAY_TEXT("ecc", s.ecc < 0 ? ""
				   : s.ecc   ? "on"
					     : "off"),
		BA_SAY_TEXT("mig", s.mig < 0 ? ""
				   : s.mig   ? "on"
					     : "off"),
		BA_SAY_TEXT("virtualization", ba_nvml_virtualization_name(s.virtualization)),
		BA_SAY_I64("sm_clock_mhz", s.sm_clock_mhz),
		BA_SAY_I64("sm_clock_max_mhz", s.sm_clock_max_mhz),
		BA_SAY_I64("memory_clock_mhz", s.memory_clock_mhz),
		BA_SAY_F64("power_watts", s.power_watts),
		BA_SAY_F64("power_limit_watts", s.power_limit_watts),
		BA_SAY_I64("temperature_c", s.temperature_c),
		BA_SAY_I64("other_processes", s.other_processes));
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
	BA_MESSAGE_ADD(m, BA_SAY_TEXT("host_name", h->host_name),
		BA_SAY_TEXT("cpu_model", h->cpu_model), BA_SAY_TEXT("kernel", h->kernel),
		BA_SAY_TEXT("governor", h->governor), BA_SAY_TEXT("clocksource", h->clocksource),
		BA_SAY_I64("cpus", h->cpus), BA_SAY_I64("pinned_cpu", h->pinned_cpu),
		BA_SAY_F64("load_average", h->load_average));
}

static int device_count(const ba_worker *w)
{
	int count = 0;
	return ba_device_count(&count, &w->driver, NULL) ? 0 : count;
}

static void send_environment(
	const ba_worker *w, unsigned depth, const ba_timer *timer, const ba_host_info *host)
{
	char capability[32], cuda[32];
	snprintf(capability, sizeof(capability), "%d.%d", w->device.cc_major, w->device.cc_minor);
	snprintf(cuda, sizeof(cuda), "%d.%d", w->driver.version / 1000,
		w->driver.version % 1000 / 10);
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	BA_MESSAGE(&m, "environment", BA_SAY_TEXT("target", ba_target_names[w->target]),
		BA_SAY_TEXT("device_name", w->device.name),
		BA_SAY_TEXT("device_uuid", w->device.uuid),
		BA_SAY_TEXT("compute_capability", capability), BA_SAY_TEXT("cuda_version", cuda),
		BA_SAY_TEXT("pci_bus_id", w->device.pci_bus_id),
		BA_SAY_I64("device_ordinal", w->device.ordinal),
		BA_SAY_I64("device_count", device_count(w)),
		BA_SAY_I64("sm_count", w->device.sm_count),
		BA_SAY_I64("memory_bytes", (int64_t)w->device.memory_bytes),
		BA_SAY_F64("timer_read_ns", timer->read_ns),
		BA_SAY_F64("timer_tick_ns", timer->tick_ns), BA_SAY_U64("queue_depth", depth));
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
	BA_EACH (const ba_trust_finding, f, findings->items, findings->count)
		BA_REPLY(w, "finding", BA_SAY_TEXT("id", f->id),
			BA_SAY_TEXT("severity", severities[f->severity]),
			BA_SAY_TEXT("text", f->sentence), BA_SAY_TEXT("remedy", f->remedy));
}

/* Says every finding. On a driver of our own there is no GPU to doubt, but the host's noise
 * is the same. */
static void examine(ba_trust_findings *findings, ba_trust_inputs *in, const ba_worker *w,
	int ordinal, const ba_host_info *host)
{
	const ba_trust_sources sources = {.getenv = environment_variable,
		.root = "",
		.ordinal = ordinal,
		.probe = true,
		.seed = ba_rng_entropy(),
		.now = ba_now_ns};
	if (!w->context)
		ba_trust_examine(in, &sources);
	else if (w->target == BA_TARGET_GPU)
		ba_trust_examine_open(in, &sources, &w->driver, &w->device);
	if (!w->context || w->target == BA_TARGET_GPU)
		ba_trust_judge(findings, in);
	ba_host_judge(findings, host);
	send_findings(w, findings);
}

int ba_worker_examine(ba_worker *w, const ba_message *m, ba_error *err)
{
	int64_t device = 0;
	BA_TRY(ba_message_i64(&device, m, "device", err));
	ba_trust_inputs in = {0};
	ba_trust_findings findings = {0};
	ba_timer timer = ba_timer_measure(ba_now_ns);
	ba_host_info host = look_at_host(w, &timer);
	examine(&findings, &in, w, (int)device, &host);
	BA_REPLY(w, "examined", BA_SAY_U64("refusals", ba_trust_refusals(&findings)),
		BA_SAY_I64("device_count", in.device_count));
	return 0;
}

/* No device is opened for it: a context of ours would be one more on the GPU that is
 * measured. */
int ba_worker_watch(ba_worker *w, const ba_message *m, ba_error *err)
{
	ba_clock_watch *c = &w->watch;
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
	BA_REPLY(w, "watched", BA_SAY_BOOL("known", c->known), BA_SAY_U64("clock_events", moved),
		BA_SAY_TEXT("unfit_text", names),
		BA_SAY_I64("others", c->known ? ba_nvml_other_programs(&c->nvml) : -1));
	return 0;
}

/* A refusal ends it. */
int ba_worker_survey(ba_worker *w, const ba_message *m, ba_error *err)
{
	unsigned depth = 0;
	ba_trust_inputs in = {0};
	ba_trust_findings findings = {0};
	ba_timer timer = ba_timer_measure(ba_now_ns);
	ba_host_info host = look_at_host(w, &timer);
	examine(&findings, &in, w, w->device.ordinal, &host);
	BA_TRY(ba_trust_error(&findings, err));
	BA_TRY(ba_worker_warm_up(w, m, err));
	BA_TRY(w->target == BA_TARGET_GPU ? probe_queue(&depth, w, err) : 0);
	send_environment(w, depth, &timer, &host);
	return 0;
}

#include "gpu/hostinfo.h"

#include "proc/affinity.h"

#define FILE_CEILING ((size_t)4 << 20)
#define LOAD_SHARE 0.5
#define STEAL_MOST 0.01
#define TIMER_READ_MOST_NS 200

char *ba_host_read(const char *root, const char *fmt, ...)
{
	BA_AUTO(ba_buf) ba_buf path = BA_BUF_INIT, text = BA_BUF_INIT;
	va_list ap;
	ba_buf_puts(&path, root);
	va_start(ap, fmt);
	ba_buf_vprintf(&path, fmt, ap);
	va_end(ap);
	if (ba_fs_read(&text, path.data, FILE_CEILING, NULL) < 0)
		return ba_xstrdup("");
	while (text.len && isspace((unsigned char)text.data[text.len - 1]))
		ba_buf_truncate(&text, text.len - 1);
	return ba_buf_detach(&text);
}

void ba_host_copy(char *out, size_t size, const char *text)
{
	snprintf(out, size, "%.*s", (int)size - 1, text ? text : "");
}

/* The value of "key : value" lines, as in /proc/cpuinfo; "" if missing. */
static void copy_value(char *out, size_t size, const char *text, const char *key)
{
	size_t n = strlen(key);
	for (const char *line = text; line && *line;) {
		const char *end = strchr(line, '\n');
		const char *colon = strchr(line, ':');
		if (!strncmp(line, key, n) && colon && (!end || colon < end)) {
			colon += 1 + strspn(colon + 1, " \t");
			int length = end ? (int)(end - colon) : (int)strlen(colon);
			snprintf(out, size, "%.*s", length, colon);
			return;
		}
		line = end ? end + 1 : NULL;
	}
}

int ba_cpu_list_count(const char *list)
{
	ba_cpus cpus;
	return *list && ba_cpus_parse(&cpus, list) ? (int)ba_cpus_count(&cpus) : -1;
}

static void read_identity(ba_host_info *h, const char *root)
{
	BA_AUTO_FREE char *name = ba_host_read(root, "/proc/sys/kernel/hostname");
	BA_AUTO_FREE char *release = ba_host_read(root, "/proc/sys/kernel/osrelease");
	BA_AUTO_FREE char *cpuinfo = ba_host_read(root, "/proc/cpuinfo");
	ba_host_copy(h->host_name, sizeof(h->host_name), name);
	ba_host_copy(h->kernel, sizeof(h->kernel), release);
	copy_value(h->cpu_model, sizeof(h->cpu_model), cpuinfo, "model name");
	if (!h->cpu_model[0]) /* on Arm there are only numbers */
		copy_value(h->cpu_model, sizeof(h->cpu_model), cpuinfo, "CPU part");
	h->virtual_machine = strstr(cpuinfo, " hypervisor") != NULL;
}

static void read_cpus(ba_host_info *h, const char *root)
{
	char allowed[256] = "";
	BA_AUTO_FREE char *online = ba_host_read(root, "/sys/devices/system/cpu/online");
	BA_AUTO_FREE char *isolated = ba_host_read(root, "/sys/devices/system/cpu/isolated");
	BA_AUTO_FREE char *smt = ba_host_read(root, "/sys/devices/system/cpu/smt/active");
	BA_AUTO_FREE char *status = ba_host_read(root, "/proc/self/status");
	h->cpus = ba_cpu_list_count(online);
	ba_host_copy(h->isolated, sizeof(h->isolated), isolated);
	h->smt = smt[0] == '1' ? 1 : smt[0] == '0' ? 0 : -1;
	copy_value(allowed, sizeof(allowed), status, "Cpus_allowed_list");
	h->allowed_cpus = ba_cpu_list_count(allowed);
}

static void read_frequency(ba_host_info *h, const char *root)
{
	BA_AUTO_FREE char *governor =
		ba_host_read(root, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor",
			h->pinned_cpu >= 0 ? h->pinned_cpu : 0);
	BA_AUTO_FREE char *no_turbo =
		ba_host_read(root, "/sys/devices/system/cpu/intel_pstate/no_turbo");
	BA_AUTO_FREE char *boost = ba_host_read(root, "/sys/devices/system/cpu/cpufreq/boost");
	BA_AUTO_FREE char *clock = ba_host_read(
		root, "/sys/devices/system/clocksource/clocksource0/current_clocksource");
	ba_host_copy(h->governor, sizeof(h->governor), governor);
	ba_host_copy(h->clocksource, sizeof(h->clocksource), clock);
	if (no_turbo[0])
		h->turbo = no_turbo[0] == '0';
	else if (boost[0])
		h->turbo = boost[0] == '1';
}

/* cgroup v2's cpu.max ("200000 100000", "max 100000"), else v1's two files */
static void read_quota(ba_host_info *h, const char *root)
{
	BA_AUTO_FREE char *self = ba_host_read(root, "/proc/self/cgroup");
	const char *group = strstr(self, "0::/");
	int length = group ? (int)strcspn(group + 4, "\n") : 0;
	BA_AUTO_FREE char *own =
		ba_host_read(root, "/sys/fs/cgroup/%.*s/cpu.max", length, group ? group + 4 : "");
	BA_AUTO_FREE char *top = ba_host_read(root, "/sys/fs/cgroup/cpu.max");
	BA_AUTO_FREE char *quota = ba_host_read(root, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
	BA_AUTO_FREE char *period = ba_host_read(root, "/sys/fs/cgroup/cpu/cpu.cfs_period_us");
	double limit = 0, per = 0;
	if (sscanf(own, "%lf %lf", &limit, &per) != 2 &&
		sscanf(top, "%lf %lf", &limit, &per) != 2) {
		limit = strtod(quota, NULL);
		per = strtod(period, NULL);
	}
	if (limit > 0 && per > 0)
		h->cgroup_cpus = limit / per;
}

static void read_load(ba_host_info *h, const char *root)
{
	BA_AUTO_FREE char *load = ba_host_read(root, "/proc/loadavg");
	BA_AUTO_FREE char *stat = ba_host_read(root, "/proc/stat");
	unsigned long long t[8] = {0};
	double total = 0;
	h->load_average = load[0] ? strtod(load, NULL) : -1;
	h->steal_ratio = -1;
	/* user nice system idle iowait irq softirq steal */
	if (sscanf(stat, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &t[0], &t[1], &t[2], &t[3],
		    &t[4], &t[5], &t[6], &t[7]) != 8)
		return;
	for (int i = 0; i < 8; i++)
		total += (double)t[i];
	if (total > 0)
		h->steal_ratio = (double)t[7] / total;
}

static void read_near_gpu(ba_host_info *h, const char *root, const char *pci_bus_id)
{
	char id[32];
	size_t i = 0;
	/* the kernel writes hexadecimal digits in lower case */
	for (; pci_bus_id && pci_bus_id[i] && i < sizeof(id) - 1; i++)
		id[i] = (char)tolower((unsigned char)pci_bus_id[i]);
	id[i] = '\0';
	if (!i || strchr(id, '/'))
		return;
	BA_AUTO_FREE char *list = ba_host_read(root, "/sys/bus/pci/devices/%s/local_cpulist", id);
	ba_host_copy(h->gpu_cpus, sizeof(h->gpu_cpus), list);
}

void ba_host_info_collect(ba_host_info *out, const char *root, const char *pci_bus_id,
	int pinned_cpu, double timer_read_ns)
{
	ba_host_info h = {.pinned_cpu = pinned_cpu, .turbo = -1, .timer_read_ns = timer_read_ns};
	read_identity(&h, root);
	read_cpus(&h, root);
	read_frequency(&h, root);
	read_quota(&h, root);
	read_load(&h, root);
	read_near_gpu(&h, root, pci_bus_id);
	*out = h;
}

static void judge_frequency(ba_trust_findings *f, const ba_host_info *h)
{
	static const char *const slow_clocks[] = {
		"hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit"};
	if (h->governor[0] && strcmp(h->governor, "performance") != 0)
		WARN(f, "governor", "As root: cpupower frequency-set -g performance.",
			"the CPU's governor is '%s': its frequency follows the load, and launch cost follows its frequency",
			h->governor);
	if (BA_ANY(slow_clocks, BA_COUNT(slow_clocks), one, !strcmp(h->clocksource, *one)))
		WARN(f, "clocksource", "Boot with 'tsc=reliable', or use another machine.",
			"the clock source is '%s': reading the clock costs microseconds",
			h->clocksource);
	else if (h->timer_read_ns > TIMER_READ_MOST_NS)
		WARN(f, "slow-clock", "Use a machine whose clock source is 'tsc'.",
			"one read of the clock costs %.0f ns", h->timer_read_ns);
	if (h->turbo == 1)
		INFO(f, "turbo", "turbo is on: the CPU's frequency depends on how many cores work");
}

static void judge_load(ba_trust_findings *f, const ba_host_info *h)
{
	int usable = h->allowed_cpus > 0 ? h->allowed_cpus : h->cpus;
	if (usable == 1)
		WARN(f, "one-cpu", "Give the process two CPUs or more.",
			"the process may use one CPU only, and shares it with the driver's threads");
	if (h->cpus > 0 && h->load_average >= 1 && h->load_average > LOAD_SHARE * h->cpus)
		WARN(f, "load", "Stop the other programs.", "the load average is %.1f on %d CPUs",
			h->load_average, h->cpus);
	if (h->cgroup_cpus > 0 && (usable < 0 || h->cgroup_cpus < usable))
		WARN(f, "cpu-quota",
			"Raise or remove the CPU limit (docker run --cpus, Kubernetes limits).",
			"a cgroup limits this process to %.2g CPUs and stops it when they are used up",
			h->cgroup_cpus);
	if (h->steal_ratio > STEAL_MOST)
		WARN(f, "steal", "Use a machine with CPUs of its own.",
			"other virtual machines took %.1f %% of this one's CPU time since it was started",
			h->steal_ratio * 100);
}

void ba_host_judge(ba_trust_findings *out, const ba_host_info *in)
{
	judge_load(out, in);
	judge_frequency(out, in);
	if (in->smt == 1)
		INFO(out, "smt",
			"cores run two threads each: the worker's sibling should stay idle");
	if (in->isolated[0])
		INFO(out, "isolated", "CPUs %s are isolated from the scheduler", in->isolated);
	if (in->virtual_machine)
		INFO(out, "virtual-machine", "the CPU is a virtual machine's");
}

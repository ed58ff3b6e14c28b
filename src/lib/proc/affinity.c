#include <sched.h>
#include <sys/resource.h>

#include "proc/affinity.h"
#include "proc/procfs.h"

/* libc's macros for sets of any size */
#define BYTES (BA_CPU_MAX / 8)
#define SET(cpus) ((cpu_set_t *)(void *)(cpus)->bits)
#define CONST_SET(cpus) ((const cpu_set_t *)(const void *)(cpus)->bits)

void ba_cpus_add(ba_cpus *s, unsigned cpu)
{
	CPU_SET_S(cpu, BYTES, SET(s));
}

void ba_cpus_add_all(ba_cpus *s, const ba_cpus *others)
{
	CPU_OR_S(BYTES, SET(s), SET(s), CONST_SET(others));
}

unsigned ba_cpus_count(const ba_cpus *s)
{
	return (unsigned)CPU_COUNT_S(BYTES, CONST_SET(s));
}

/* a decimal number below BA_CPU_MAX; NULL if there is none at `at` */
static const char *read_cpu(unsigned *out, const char *at)
{
	unsigned value = 0;
	if (!isdigit((unsigned char)*at))
		return NULL;
	for (; isdigit((unsigned char)*at); at++) {
		value = value * 10 + (unsigned)(*at - '0');
		if (value >= BA_CPU_MAX)
			return NULL;
	}
	*out = value;
	return at;
}

bool ba_cpus_parse(ba_cpus *out, const char *list)
{
	ba_cpus set = {0};
	const char *at = list;
	while (*at && *at != '\n') {
		unsigned first, last;
		if (!(at = read_cpu(&first, at)))
			break;
		last = first;
		if (*at == '-' && !(at = read_cpu(&last, at + 1)))
			break;
		if (last < first || (*at && *at != ',' && *at != '\n')) {
			at = NULL;
			break;
		}
		for (unsigned cpu = first; cpu <= last; cpu++)
			ba_cpus_add(&set, cpu);
		if (*at == ',')
			at++;
	}
	if (at)
		*out = set;
	return at;
}

double ba_affinity_quota(void)
{
	double limit, period;
	/* without a limit, the first word is "max" */
	int n = ba_procfs_scan("/sys/fs/cgroup/cpu.max", "%lf %lf", &limit, &period);
	return n == 2 && period > 0 ? limit / period : 0;
}

int ba_affinity_allowed(ba_cpus *out, ba_error *err)
{
	ba_cpus set = {0};
	if (sched_getaffinity(0, BYTES, SET(&set)))
		return ba_fail_errno(err, BA_EIO, "cannot read the allowed processors");
	*out = set;
	return 0;
}

bool ba_affinity_may(int cpu)
{
	ba_cpus allowed;
	return cpu >= 0 &&
	       (ba_affinity_allowed(&allowed, NULL) || ba_cpus_has(&allowed, (unsigned)cpu));
}

int ba_affinity_nth(size_t i, int own)
{
	ba_cpus allowed;
	bool known = ba_affinity_allowed(&allowed, NULL) == 0;
	if (known && own >= 0)
		ba_cpus_add(&allowed, (unsigned)own);
	unsigned count = known ? ba_cpus_count(&allowed) : 0;
	size_t before = count ? i % count : 0;
	for (unsigned cpu = 0; count && cpu < BA_CPU_MAX; cpu++)
		if (ba_cpus_has(&allowed, cpu) && before-- == 0)
			return (int)cpu;
	return -1;
}

int ba_affinity_set(const ba_cpus *cpus)
{
	return sched_setaffinity(0, BYTES, CONST_SET(cpus));
}

int ba_affinity_pin_thread(long thread, int cpu, ba_error *err)
{
	ba_cpus one = {0};
	if (cpu < 0 || cpu >= BA_CPU_MAX)
		return ba_fail(err, BA_EINVAL, "there is no processor %d", cpu);
	ba_cpus_add(&one, (unsigned)cpu);
	if (sched_setaffinity((pid_t)thread, BYTES, SET(&one)))
		return ba_fail_errno(err, BA_EIO, "cannot pin the process to processor %d", cpu);
	return 0;
}

int ba_affinity_pin_process(long pid, int cpu, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv threads = {0};
	BA_AUTO_FREE char *path = ba_xprintf("/proc/%ld/task", pid);
	BA_TRY(ba_fs_names(&threads, path, err));
	for (size_t i = 0; i < threads.count; i++)
		BA_TRY(ba_affinity_pin_thread(strtol(threads.items[i], NULL, 10), cpu, err));
	return 0;
}

int ba_affinity_pin(int cpu, ba_error *err)
{
	return ba_affinity_pin_thread(0, cpu, err);
}

static bool read_list(ba_cpus *out, const char *path)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	return !ba_fs_read(&text, path, 65536, NULL) && ba_cpus_parse(out, text.data) &&
	       ba_cpus_count(out);
}

void ba_affinity_core(ba_cpus *out, unsigned cpu, const char *sysfs)
{
	BA_AUTO_FREE char *path =
		ba_xprintf("%s/devices/system/cpu/cpu%u/topology/thread_siblings_list", sysfs, cpu);
	if (!read_list(out, path)) {
		*out = (ba_cpus){0};
		ba_cpus_add(out, cpu);
	}
}

/* "00000000:1B:00.0" as NVML writes it, "0000:1b:00.0" as sysfs does */
static bool read_near(ba_cpus *out, const char *pci_bus_id, const char *sysfs)
{
	unsigned domain, bus, device, function;
	if (!pci_bus_id ||
		sscanf(pci_bus_id, "%x:%x:%x.%x", &domain, &bus, &device, &function) != 4)
		return false;
	BA_AUTO_FREE char *path = ba_xprintf("%s/bus/pci/devices/%04x:%02x:%02x.%x/local_cpulist",
		sysfs, domain, bus, device, function);
	return read_list(out, path);
}

static void remove_all(ba_cpus *s, const ba_cpus *others)
{
	ba_cpus common;
	CPU_AND_S(BYTES, SET(&common), SET(s), CONST_SET(others));
	CPU_XOR_S(BYTES, SET(s), SET(s), SET(&common));
}

/* Rates a processor; lower is better. Sharing a core with processor 0 is as bad as
 * processor 0 itself. The second thread of a core is no worse than the first, but a
 * fixed rule gives the same answer each time. */
static unsigned badness(unsigned cpu, const char *sysfs)
{
	ba_cpus siblings;
	unsigned first = 0;
	ba_affinity_core(&siblings, cpu, sysfs);
	while (!ba_cpus_has(&siblings, first))
		first++;
	return (ba_cpus_has(&siblings, 0) ? 8 : 0) + (first != cpu ? 4 : 0) +
	       (ba_cpus_count(&siblings) > 1 ? 2 : 0);
}

bool ba_affinity_pick(int *cpu, const ba_cpus *taken, const char *pci_bus_id, const char *sysfs)
{
	ba_cpus allowed, local, both;
	unsigned least = UINT32_MAX;
	if (ba_affinity_allowed(&allowed, NULL))
		return false;
	if (taken)
		remove_all(&allowed, taken);
	if (read_near(&local, pci_bus_id, sysfs)) {
		CPU_AND_S(BYTES, SET(&both), SET(&allowed), SET(&local));
		allowed = ba_cpus_count(&both) > 0 ? both : allowed;
	}
	for (unsigned i = 0; i < BA_CPU_MAX; i++) {
		unsigned bad = ba_cpus_has(&allowed, i) ? badness(i, sysfs) : UINT32_MAX;
		if (bad < least) {
			least = bad;
			*cpu = (int)i;
		}
	}
	return least < UINT32_MAX;
}

void ba_affinity_avoid(int cpu, const char *sysfs)
{
	ba_cpus allowed, siblings, rest;
	if (ba_affinity_allowed(&allowed, NULL))
		return;
	ba_affinity_core(&siblings, (unsigned)cpu, sysfs);
	rest = allowed;
	remove_all(&rest, &siblings);
	/* with only one core, avoid at least the processor itself */
	if (!ba_cpus_count(&rest)) {
		rest = allowed;
		CPU_CLR_S((unsigned)cpu, BYTES, SET(&rest));
	}
	if (ba_cpus_count(&rest))
		ba_affinity_set(&rest);
}

ba_priority ba_priority_now(void)
{
	struct sched_param param = {0};
	sched_getparam(0, &param);
	return (ba_priority){.nice = getpriority(PRIO_PROCESS, 0),
		.policy = sched_getscheduler(0),
		.realtime = param.sched_priority};
}

int ba_priority_set(ba_priority p)
{
	const struct sched_param param = {.sched_priority = p.realtime};
	int rc = sched_setscheduler(0, p.policy, &param);
	return setpriority(PRIO_PROCESS, 0, p.nice) ? -1 : rc;
}

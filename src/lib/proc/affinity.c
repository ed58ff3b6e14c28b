#include <ctype.h>
#include <sched.h>
#include <stdio.h>

#include "proc/affinity.h"

void ba_cpus_add(ba_cpus *s, unsigned cpu)
{
	if (cpu < BA_CPU_MAX)
		s->bits[cpu / 64] |= UINT64_C(1) << (cpu % 64);
}

void ba_cpus_add_all(ba_cpus *s, const ba_cpus *others)
{
	for (size_t i = 0; i < BA_CPU_MAX / 64; i++)
		s->bits[i] |= others->bits[i];
}

static void cpus_remove(ba_cpus *s, unsigned cpu)
{
	if (cpu < BA_CPU_MAX)
		s->bits[cpu / 64] &= ~(UINT64_C(1) << (cpu % 64));
}

unsigned ba_cpus_count(const ba_cpus *s)
{
	unsigned count = 0;
	for (size_t i = 0; i < BA_CPU_MAX / 64; i++)
		count += (unsigned)__builtin_popcountll(s->bits[i]);
	return count;
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

int ba_cpus_parse(ba_cpus *out, const char *list, ba_error *err)
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
	if (!at)
		return ba_fail(
			err, BA_EDATA, "'%s' is not a list of processors such as '0-3,8'", list);
	*out = set;
	return 0;
}

double ba_affinity_quota(void)
{
	double limit = 0, period = 0;
	FILE *f = fopen("/sys/fs/cgroup/cpu.max", "re");
	if (f && fscanf(f, "%lf %lf", &limit, &period) != 2)
		limit = 0;
	if (f)
		fclose(f);
	return limit > 0 && period > 0 ? limit / period : 0;
}

int ba_affinity_allowed(ba_cpus *out, ba_error *err)
{
	ba_cpus set = {0};
	if (sched_getaffinity(0, sizeof(set.bits), (cpu_set_t *)(void *)set.bits))
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

int ba_affinity_set(const ba_cpus *cpus, ba_error *err)
{
	if (sched_setaffinity(0, sizeof(cpus->bits), (const cpu_set_t *)(const void *)cpus->bits))
		return ba_fail_errno(err, BA_EIO, "cannot restrict the process to %u processors",
			ba_cpus_count(cpus));
	return 0;
}

int ba_affinity_pin_thread(long thread, int cpu, ba_error *err)
{
	ba_cpus one = {0};
	if (cpu < 0 || cpu >= BA_CPU_MAX)
		return ba_fail(err, BA_EINVAL, "there is no processor %d", cpu);
	ba_cpus_add(&one, (unsigned)cpu);
	if (sched_setaffinity(
		    (pid_t)thread, sizeof(one.bits), (const cpu_set_t *)(const void *)one.bits))
		return ba_fail_errno(err, BA_EIO, "cannot pin the process to processor %d", cpu);
	return 0;
}

int ba_affinity_pin(int cpu, ba_error *err)
{
	return ba_affinity_pin_thread(0, cpu, err);
}

static bool read_list(ba_cpus *out, const char *path)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	return !ba_fs_read(&text, path, 65536, NULL) && !ba_cpus_parse(out, text.data, NULL) &&
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
	for (size_t i = 0; i < BA_CPU_MAX / 64; i++)
		s->bits[i] &= ~others->bits[i];
}

static void keep_common(ba_cpus *out, const ba_cpus *a, const ba_cpus *b)
{
	for (size_t i = 0; i < BA_CPU_MAX / 64; i++)
		out->bits[i] = a->bits[i] & b->bits[i];
}

/* What speaks against a processor: lower is better. Sharing a core with processor 0 is
 * as bad as being it; the second thread of a core is worse than the first only in name,
 * but one rule gives the same answer each time. */
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

int ba_affinity_pick(int *cpu, bool *near_device, const ba_cpus *taken, const char *pci_bus_id,
	const char *sysfs, ba_error *err)
{
	ba_cpus allowed, local, both;
	unsigned least = UINT32_MAX;
	int rc = ba_affinity_allowed(&allowed, err);
	if (rc < 0)
		return rc;
	if (taken)
		remove_all(&allowed, taken);
	if (!ba_cpus_count(&allowed))
		return ba_fail(err, BA_ENOTFOUND, "no processor is free");
	bool near = read_near(&local, pci_bus_id, sysfs);
	if (near) {
		keep_common(&both, &allowed, &local);
		near = ba_cpus_count(&both) > 0;
	}
	if (near)
		allowed = both;
	for (unsigned i = 0; i < BA_CPU_MAX; i++) {
		unsigned bad = ba_cpus_has(&allowed, i) ? badness(i, sysfs) : UINT32_MAX;
		if (bad < least) {
			least = bad;
			*cpu = (int)i;
		}
	}
	if (near_device)
		*near_device = near;
	return 0;
}

int ba_affinity_avoid(int cpu, const char *sysfs, ba_error *err)
{
	ba_cpus allowed, siblings, rest;
	int rc = ba_affinity_allowed(&allowed, err);
	if (rc < 0)
		return rc;
	ba_affinity_core(&siblings, (unsigned)cpu, sysfs);
	rest = allowed;
	remove_all(&rest, &siblings);
	if (!ba_cpus_count(&rest)) { /* one core only: at least off the processor itself */
		rest = allowed;
		cpus_remove(&rest, (unsigned)cpu);
	}
	return ba_cpus_count(&rest) ? ba_affinity_set(&rest, err) : 0;
}

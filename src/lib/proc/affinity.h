/* Which processor a worker runs on, and how it is scheduled there. Sets hold processors
 * 0 .. BA_CPU_MAX - 1. */
#pragma once

#include "base/base.h"

#define BA_CPU_MAX 8192

typedef struct ba_cpus {
	uint64_t bits[BA_CPU_MAX / 64];
} ba_cpus;

static inline bool ba_cpus_has(const ba_cpus *s, unsigned cpu)
{
	return cpu < BA_CPU_MAX && (s->bits[cpu / 64] >> (cpu % 64) & 1);
}
void ba_cpus_add(ba_cpus *s, unsigned cpu);
void ba_cpus_add_all(ba_cpus *s, const ba_cpus *others);
unsigned ba_cpus_count(const ba_cpus *s);
/* the kernel's list form, "0-3,8,10-11" ("" is the empty set) */
bool ba_cpus_parse(ba_cpus *out, const char *list);

int ba_affinity_allowed(ba_cpus *out, ba_error *err); /* of this thread */
/* How many processors' time this control group may use; 0: there is no limit. */
double ba_affinity_quota(void);
/* May this thread run on it? True also if that is unknown. */
bool ba_affinity_may(int cpu);
/* The i-th of the processors that this thread may run on, including `own` (-1: none),
 * which it leaves to others; starts again after the last. -1: unknown. */
int ba_affinity_nth(size_t i, int own);
int ba_affinity_set(const ba_cpus *cpus); /* this thread; -1: not allowed */
int ba_affinity_pin(int cpu, ba_error *err);
int ba_affinity_pin_thread(long thread, int cpu, ba_error *err); /* of any process of ours */
/* All its threads; for a process that starts none meanwhile. */
int ba_affinity_pin_process(long pid, int cpu, ba_error *err);

/* The processors of a physical core: `cpu` and its siblings, or `cpu` alone if its
 * siblings are unknown. sysfs is "/sys" outside tests, here and below. */
void ba_affinity_core(ba_cpus *out, unsigned cpu, const char *sysfs);
/* A processor for workers, the same one each time:
 *
 *  - among the allowed ones that are not `taken` (NULL: none is);
 *  - near the PCI device ("0000:1b:00.0", or NVML's eight-digit form; NULL: no device);
 *  - not processor 0, which handles interrupts;
 *  - with as few siblings on its core as possible.
 *
 * False: all are taken. */
bool ba_affinity_pick(int *cpu, const ba_cpus *taken, const char *pci_bus_id, const char *sysfs);
/* Keep this thread, and what it starts, off `cpu` and its siblings. Does nothing if no
 * other processor is allowed. Start workers before, or let them pin themselves. */
void ba_affinity_avoid(int cpu, const char *sysfs);

/* How the system schedules this thread. */
typedef struct ba_priority {
	int nice;
	int policy;   /* SCHED_OTHER, ... */
	int realtime; /* its priority there */
} ba_priority;

ba_priority ba_priority_now(void);
/* -1: not allowed */
int ba_priority_set(ba_priority p);

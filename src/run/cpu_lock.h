/*
 * The processor that a run measures on. Two runs on one core disturb each other, so
 * each core that is measured on has a lock below the cache directory, and a run that
 * chooses takes the next core that is free. The lock ends with the process, however
 * that ends.
 *
 *     <cache>/cores/<machine's boot>-<first processor of the core>.lock
 *
 * Runs see each other where they share the cache directory; machines that share one
 * over a network do not take each other's cores for their own.
 */
#ifndef RUN_CPU_LOCK_H
#define RUN_CPU_LOCK_H

#include "base/auto.h"
#include "git/lock.h"

typedef struct ba_cpu_lock {
	int cpu;
	char *shared;	/* that another run measures there, and what helps; or NULL */
	char *unlocked; /* why that is not known; or NULL */
	ba_lock lock;
} ba_cpu_lock;

/* `cpu` as asked for, or -1: of those that this process may use the best one whose core
 * is free (ba_affinity_pick), or the best of all where none is. *out is NULL where
 * nothing can be chosen. */
void ba_cpu_lock_take(
	ba_cpu_lock **out, int cpu, const char *pci_bus_id, const char *cache_root);
/* The core is free again; NULL is fine. */
void ba_cpu_lock_free(ba_cpu_lock *l);
BA_DEFINE_AUTO_PTR(ba_cpu_lock, ba_cpu_lock_free)

#endif

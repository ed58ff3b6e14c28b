/*
 * Chooses and locks the processor that a run measures on, because two runs on one core
 * disturb each other. Each core in use has a lock below the cache directory. A run that
 * may choose takes a free core. The lock ends with its process, however that ends.
 *
 *     <cache>/cores/<machine's boot>-<first processor of the core>.lock
 *
 * Only runs with the same cache directory see each other's locks. Machines that share
 * the directory over a network have different locks.
 */
#ifndef JOB_CPU_LOCK_H
#define JOB_CPU_LOCK_H

#include "git/lock.h"

typedef struct ba_cpu_lock {
	int cpu;
	/* a sentence if another run measures there, with advice; or NULL */
	char *shared;
	char *unlocked; /* a sentence why that is unknown; or NULL */
	ba_lock lock;
} ba_cpu_lock;

/* Takes `cpu`. If it is -1, chooses among those that this process may use: the best one
 * with a free core (ba_affinity_pick), or the best of all if no core is free. *out is
 * NULL if there is nothing to choose from. */
void ba_cpu_lock_take(ba_cpu_lock **out, int cpu, const char *pci_bus_id, const char *cache_root);
/* Frees the core. NULL is fine. */
void ba_cpu_lock_free(ba_cpu_lock *l);

#endif

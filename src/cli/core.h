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
#ifndef CLI_CORE_H
#define CLI_CORE_H

#include "base/auto.h"
#include "git/lock.h"

typedef struct ba_core {
	int cpu;
	char *shared;	/* that another run measures there, and what helps; or NULL */
	char *unlocked; /* why that is not known; or NULL */
	ba_lock lock;
} ba_core;

/* `cpu` as asked for, or -1: of those that this process may use the best one whose core
 * is free (ba_affinity_pick), or the best of all where none is. *out is NULL where
 * nothing can be chosen. */
void ba_core_claim(
	ba_core **out, int cpu, const char *pci_bus_id, const char *cache_root);
/* The core is free again; NULL is fine. */
void ba_core_free(ba_core *core);
BA_DEFINE_AUTO_PTR(ba_core, ba_core_free)

#endif

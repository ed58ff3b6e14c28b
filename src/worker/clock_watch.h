/*
 * What holds the GPU's clock down: NVML's cumulative counters, read between blocks and
 * never in timed code. Who asks twice learns what moved meanwhile.
 */
#ifndef WORKER_CLOCK_WATCH_H
#define WORKER_CLOCK_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "gpu/nvml.h"
#include "wire/message.h"

typedef struct ba_worker ba_worker;

typedef struct ba_clock_watch {
	ba_nvml nvml;
	bool known; /* there is an NVML that knows this GPU */
	ba_nvml_counters before;
} ba_clock_watch;

/* Not known where there is no NVML, which is no error. `fake`: the tests' own, where
 * the environment names one. */
void ba_clock_watch_open(ba_clock_watch *out, const char *pci_bus_id, bool fake);
void ba_clock_watch_close(ba_clock_watch *w);

/* Counts from now on. */
void ba_clock_watch_begin(ba_clock_watch *w);
/* A mask of the counters that moved since it was last asked, which is now. */
uint32_t ba_clock_watch_moved(ba_clock_watch *w);
/* The harmful ones of a mask by name, "thermal, hardware power brake"; NULL where there
 * is none. Caller frees. */
char *ba_clock_watch_names(uint32_t moved);

/* Answer "watch": of a GPU that others measure on, since it was last asked. */
int ba_worker_watch(ba_worker *w, const ba_message *m, ba_error *err);

#endif

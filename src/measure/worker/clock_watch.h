/*
 * What holds the GPU's clock down: NVML's cumulative counters, read between blocks and
 * never in timed code. The difference of two readings shows what moved in between.
 */
#pragma once

#include "gpu/nvml.h"

typedef struct ba_clock_watch {
	ba_nvml nvml;
	bool known; /* an NVML was found that knows this GPU */
	ba_nvml_counters before;
} ba_clock_watch;

/* Without an NVML, out->known is false; that is not an error. `fake`: uses the tests'
 * NVML if the environment names one. */
void ba_clock_watch_open(ba_clock_watch *out, const char *pci_bus_id, bool fake);
void ba_clock_watch_close(ba_clock_watch *w);

/* Counts from now on. */
void ba_clock_watch_begin(ba_clock_watch *w);
/* A mask of the counters that moved since the last call, or since _begin. */
uint32_t ba_clock_watch_moved(ba_clock_watch *w);
/* The names of the harmful counters in a mask, "thermal, hardware power brake"; NULL if
 * there are none. Caller frees. */
char *ba_clock_watch_names(uint32_t moved);

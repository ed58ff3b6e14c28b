/*
 * What holds the GPU's clock down while other programs measure on it and do
 * not report it: a worker of the tool, without a context on the GPU, reads
 * NVML's counters between blocks.
 */
#ifndef ENGINE_GPU_WATCH_H
#define ENGINE_GPU_WATCH_H

#include "engine/spec.h"

typedef struct ba_gpu_watch ba_gpu_watch;

typedef struct ba_gpu_watch_report {
	bool known;	 /* an NVML was found */
	uint64_t events; /* mask of what moved since the last question */
	int others;	 /* processes that use the GPU; -1: unknown */
	char *unfit;	 /* which of it spoils a measurement, or NULL; owned */
} ba_gpu_watch_report;

/* No worker is started before the first question. */
ba_gpu_watch *ba_gpu_watch_new(const ba_engine_spec *spec);
void ba_gpu_watch_free(ba_gpu_watch *w); /* NULL is fine */

/* What moved since the last question; at the first one nothing. If the worker cannot be
 * started or is gone, *out is unknown, with one warning. BA_EINTERRUPTED. */
int ba_gpu_watch_ask(ba_gpu_watch_report *out, ba_gpu_watch *w, ba_error *err);

#endif

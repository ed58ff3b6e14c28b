/*
 * Reports what holds the GPU's clock down when the measuring programs do not report it:
 * a worker of the tool without a GPU context reads NVML's counters between blocks.
 */
#pragma once

#include "engine/spec.h"

typedef struct ba_gpu_watch ba_gpu_watch;

typedef struct ba_gpu_watch_report {
	bool known;	 /* NVML is available */
	uint64_t events; /* mask of counters that changed since the last question */
	int others;	 /* processes that use the GPU; -1: unknown */
	char *unfit;	 /* the event that spoils a measurement, or NULL; owned */
} ba_gpu_watch_report;

/* The worker is started at the first question. */
ba_gpu_watch *ba_gpu_watch_new(const ba_engine_spec *spec);
void ba_gpu_watch_free(ba_gpu_watch *w); /* NULL is fine */

/* The changes since the last question; none at the first. If the worker cannot be
 * started or is gone, *out is unknown, with one warning. BA_EINTERRUPTED. */
int ba_gpu_watch_ask(ba_gpu_watch_report *out, ba_gpu_watch *w, ba_error *err);

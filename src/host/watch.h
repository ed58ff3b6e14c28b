/*
 * What holds the GPU's clock down while programs measure on it that do not say: a
 * worker of the tool's own, which has no context there and reads NVML's counters
 * between blocks.
 */
#ifndef HOST_WATCH_H
#define HOST_WATCH_H

#include "host/engine.h"

typedef struct ba_watch ba_watch;

typedef struct ba_watch_report {
	bool known;	 /* there is somebody to ask: NVML */
	uint64_t events; /* what moved since it was last asked: a mask */
	char *unfit;	 /* what of it spoils a measurement, or NULL; owned */
} ba_watch_report;

/* Nobody is started before the first question. */
ba_watch *ba_watch_new(const ba_engine_spec *spec);
void ba_watch_free(ba_watch *w); /* NULL is fine */

/* Since it was last asked; the first time, nothing. Where the worker cannot be had or
 * is gone, nothing is known, once with a warning. BA_EINTERRUPTED. */
int ba_watch_ask(ba_watch_report *out, ba_watch *w, ba_error *err);

#endif

/*
 * Bursts between two clock reads: the only code that runs while the clock does.
 *
 * A participant is a variant's prepared kernel, launched through the variant's
 * function, or the bare driver call (`floor`). A visit has one discarded burst and
 * several timed ones. After each burst the stream is drained off the clock, so that the
 * next one begins with an empty queue.
 *
 * The arguments of the launches come from a ring that is filled before the visit
 * (wire/witness.h): the caller can tell whether all launches arrived with theirs.
 */
#pragma once

#include "bench_against/launcher.h"
#include "gpu/driver.h"
#include "wire/beacon.h"

/* A row of the table in sampler.c; a mode that only messages name needs no name here. */
typedef enum ba_mode {
	BA_MODE_SUBMIT,	   /* clock, launches, clock; then drained */
	BA_MODE_SUSTAINED, /* clock, launches, synchronise, clock */
	BA_MODE_ROUNDTRIP, /* clock, launch and synchronise each, clock */
} ba_mode;
extern const char *const ba_mode_names[]; /* "submit", ...; ends with NULL */

typedef struct ba_participant {
	int variant; /* index, or BA_BEACON_NOBODY for the bare driver call */
	int (*launch)(ba_launcher_kernel *kernel, const ba_launcher_config *config, void **args);
	ba_launcher_kernel *kernel; /* NULL: the bare call of `function` */
	cu_function function;
	bool absent; /* does not take part */
} ba_participant;

typedef struct ba_sampler {
	const ba_driver *driver;
	cu_context context;
	ba_launcher_config config; /* 1x1x1, the tool's stream */
	/* The arguments of launch i of a burst are ring[i & mask]. */
	void **const *ring;
	unsigned mask;
	int64_t (*clock)(void); /* NULL: CLOCK_MONOTONIC; else the fake driver's */
	ba_beacon *beacon;
} ba_sampler;

/* What went wrong in a burst. */
typedef struct ba_fault {
	int launch_rc;	     /* what launch() returned; 0: success */
	cu_result driver_rc; /* of the synchronise after it */
	bool context_changed;
} ba_fault;

/* One burst of readings * batch launches; ns[i] is the time of batch i.
 *
 *     submit       the clock is read between batches while the queue fills; the stream
 *                  is drained once, after the last. So a hiccup of the driver spoils
 *                  one reading, not the burst
 *     sustained,   each reading ends with a synchronise, on the clock
 *     roundtrip
 *
 * Returns 0, or -1 with *fault. */
int ba_sampler_burst(uint64_t *ns, const ba_sampler *s, const ba_participant *p, ba_mode mode,
	unsigned batch, unsigned readings, ba_fault *fault);

/* A visit: one untimed burst of `discard` launches (0: none), then a timed one. */
int ba_sampler_visit(uint64_t *ns, const ba_sampler *s, const ba_participant *p, ba_mode mode,
	unsigned batch, unsigned readings, unsigned discard, ba_fault *fault);

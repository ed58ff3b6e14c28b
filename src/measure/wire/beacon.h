/*
 * The beacon: a page of memory that a worker shares with its host. The worker writes
 * there whose code is about to run; if it dies or hangs, the host knows whose code it
 * was. The worker only stores, outside the clock; the host only reads. The host target's
 * driver counts launches there.
 */
#pragma once

#include "wire/witness.h"

typedef enum ba_phase {
	BA_PHASE_START,	  /* the tool's own code */
	BA_PHASE_DRIVER,  /* driver, context, clocks */
	BA_PHASE_LOAD,	  /* dlopen of a variant's library: its constructors run */
	BA_PHASE_OPEN,	  /* launcher.open */
	BA_PHASE_PREPARE, /* launcher.prepare and first launches */
	BA_PHASE_CHECK,	  /* the launch whose result is checked */
	BA_PHASE_MEASURE,
	BA_PHASE_RELEASE,
	BA_PHASE_CLOSE,
	/* only for benchmarks in a variant's own code */
	BA_PHASE_SETUP,
	BA_PHASE_RUN, /* checked and warming runs */
	BA_PHASE_VERIFY,
	BA_PHASE_TEARDOWN,
	BA_PHASE_COUNT
} ba_phase;

#define BA_BEACON_NOBODY (-1) /* no variant's code runs */

typedef struct ba_beacon {
	volatile uint64_t progress; /* grows with every visit */
	volatile int32_t variant;   /* index, or BA_BEACON_NOBODY */
	volatile uint32_t phase;    /* ba_phase */
	/* 1: the worker ended because its pipes to the host were closed or replaced */
	volatile uint32_t channel_lost;
	/* the launches that arrived, counted by the host target's driver or, in the
	 * untrusted lane, by the kernel on the GPU; on its own cache line */
	_Alignas(64) volatile ba_witness witness;
} ba_beacon;

/* "while it was loaded", "while it was measured", ... */
const char *ba_phase_text(uint32_t phase);

/* A page in a file without a name. *fd is for the worker, which maps it with _map. */
int ba_beacon_create(ba_beacon **out, int *fd, ba_error *err);
int ba_beacon_map(ba_beacon **out, int fd, ba_error *err);
void ba_beacon_unmap(ba_beacon *b); /* NULL is fine */

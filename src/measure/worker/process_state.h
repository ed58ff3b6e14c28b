/*
 * Records the state of the process that a variant's code can change, and compares two
 * records: one from before and one from after each of its calls that is not timed.
 */
#pragma once

#include <sys/time.h>

#include "proc/affinity.h"

#define BA_PROCESS_STATE_SIGNALS 65
#define BA_PROCESS_STATE_TIMERS 3

typedef struct ba_process_state {
	unsigned threads; /* 0: unknown */
	struct {
		uintptr_t handler;
		int flags;
	} signals[BA_PROCESS_STATE_SIGNALS];
	ba_cpus cpus;
	ba_priority priority;
	bool timers[BA_PROCESS_STATE_TIMERS]; /* running? */
	uint64_t loose_code;		      /* executable bytes that no file backs */
} ba_process_state;

/* What differs, each as part of a sentence: "moved its process to other processors". */
typedef struct ba_process_state_change {
	ba_buf unfair;	/* harms the measurement, of others or its own */
	ba_buf harmful; /* harms others in the process */
	ba_buf notable;
	bool threads; /* the call left some running */
} ba_process_state_change;

void ba_process_state_take(ba_process_state *out);
void ba_process_state_compare(ba_process_state_change *out, const ba_process_state *before,
	const ba_process_state *after);
BA_DECLARE_DISPOSE(ba_process_state_change)

/* processor time in ns, of this thread and of the others of the process */
int64_t ba_process_state_own_cpu_ns(void);
int64_t ba_process_state_others_cpu_ns(void);

/*
 * Checks what a variant's calls do to the process that it shares: to the code that others
 * run (process_code.h) and to the state that others share.
 * docs/verdicts.md says what is allowed, and why.
 */
#pragma once

#include <sys/time.h>

#include "proc/affinity.h"
#include "worker/worker.h"

/* The state of the process that a variant's code can change: a record of it
 * before and after each of its calls that is not timed. */
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

/* processor time in ns, of this thread and of the others of the process */
int64_t ba_process_state_own_cpu_ns(void);
int64_t ba_process_state_others_cpu_ns(void);

typedef struct ba_process_check {
	ba_process_state before;
	int64_t own_ns, others_ns; /* processor time of this thread, and of all others */
} ba_process_check;

void ba_process_check_begin(ba_process_check *c);
/* before launches are measured: only the processor times, without a hundred system calls */
void ba_process_check_begin_measuring(ba_process_check *c);

/* Call after a function of the variant returned; `phase` says which. BA_EVARIANT: it
 * harmed others, or the measurement. Then w->certain is false if it may be tried alone,
 * and w->lost says whether the process is unusable. Harmless changes become a note. */
int ba_process_check_end(
	const ba_process_check *c, ba_worker *w, int variant, ba_phase phase, ba_error *err);

/* Call after launches of several variants were measured. BA_EVARIANT: *variant is the
 * cause, or the best guess. */
int ba_process_check_measured(const ba_process_check *c, int *variant, ba_worker *w, ba_error *err);

/*
 * What a variant's code may change about the process that it shares: looked at before
 * and after each of its calls that is not timed.
 */
#ifndef WORKER_FACTS_H
#define WORKER_FACTS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/time.h>

#include "base/buf.h"
#include "proc/affinity.h"
#include "proc/priority.h"

#define BA_FACTS_SIGNALS 65
#define BA_FACTS_TIMERS 3

typedef struct ba_facts {
	unsigned threads; /* 0: unknown */
	struct {
		uintptr_t handler;
		int flags;
	} signals[BA_FACTS_SIGNALS];
	ba_cpus cpus;
	ba_priority priority;
	bool timers[BA_FACTS_TIMERS]; /* they run */
	uint64_t loose_code;	      /* bytes that may be executed, without a file */
} ba_facts;

/* What differs, each as part of a sentence: "moved its process to other processors". */
typedef struct ba_facts_change {
	ba_buf unfair;	/* harms what is measured, of others or its own */
	ba_buf harmful; /* harms others in the process */
	ba_buf notable;
	bool threads; /* it left some */
} ba_facts_change;

void ba_facts_take(ba_facts *out);
void ba_facts_compare(ba_facts_change *out, const ba_facts *before, const ba_facts *after);
void ba_facts_change_dispose(ba_facts_change *c);
BA_DEFINE_AUTO(ba_facts_change, ba_facts_change_dispose)

/* processor time in ns, of this thread and of the others of the process */
int64_t ba_facts_own_ns(void);
int64_t ba_facts_others_ns(void);

#endif

/*
 * What a variant's calls do to the process, besides what they are for: the code that
 * others run (guard.h), and what others share (facts.h). docs/verdicts.md says what is
 * allowed, and why.
 */
#ifndef WORKER_CONDUCT_H
#define WORKER_CONDUCT_H

#include "worker/facts.h"
#include "worker/worker.h"

typedef struct ba_conduct {
	ba_facts before;
	int64_t own_ns, others_ns; /* processor time of this thread, and of all others */
} ba_conduct;

void ba_conduct_begin(ba_conduct *c);

/* After a call that the variant got; `phase` says which. BA_EVARIANT: it did what harms
 * others, or what is measured. Then w->certain says whether it may be tried alone, and
 * w->lost whether the process can go on. Less is a note. */
int ba_conduct_end(const ba_conduct *c, ba_worker *w, int variant, ba_phase phase, ba_error *err);

/* After launches of several variants were measured. BA_EVARIANT: *variant is to blame, or
 * the best guess. */
int ba_conduct_measured(const ba_conduct *c, int *variant, ba_worker *w, ba_error *err);

#endif

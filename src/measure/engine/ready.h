/*
 * Processes of Python tasks that have started before they are needed, side by side and while
 * nothing is timed. Starting Python and its packages takes longer than measuring. None of them has
 * loaded anything of its variant's tree yet, so one that waits cannot disturb another that is
 * measured. The checker, which has the baseline's tree alone, stays for all invocations.
 */
#pragma once

#include "engine/worker_slot.h"

#define BA_READY_CHECKER SIZE_MAX

struct ba_ready {
	struct ba_ready_process {
		ba_link *link; /* NULL: none */
		int socket;
		size_t of; /* a variant, or BA_READY_CHECKER */
	} items[17];
};

/* Ends all of them. NULL is fine, here and below. */
void ba_ready_close(ba_ready *r);
/* Begins to start processes for these variants, on processors that a survey does not need. */
void ba_ready_begin(const ba_engine_spec *spec, const bool *wanted);
/* Starts processes for these variants, unless each of them has one, and waits for them: for as many
 * invocations as there are processors for. Not if a variant's interpreter lies in its tree. One that
 * does not start is left to the call that needs it, which says why. */
void ba_ready_fill(const ba_engine_spec *spec, const bool *wanted);
/* Gives the slot such a process on the timed processor; if there is none, it stays without. */
int ba_ready_take(ba_worker_slot *s, size_t of, ba_error *err);
/* Keeps the slot's process. */
void ba_ready_keep(ba_worker_slot *s, size_t of);

/*
 * Processes of Python tasks that have started before they are needed, side by side and while
 * nothing is timed. Starting Python and its packages takes longer than measuring. None of them has
 * loaded anything of its variant's tree yet, so one that waits cannot disturb another that is
 * measured. The checker, which has the baseline's tree alone, serves all invocations.
 */
#pragma once

#include "engine/worker_slot.h"

ba_ready *ba_ready_new(void);
/* Ends all of them. NULL is fine, here and below. */
void ba_ready_close(ba_ready *r);
void ba_ready_free(ba_ready *r);

/* Starts processes for these variants, unless each of them has one: for as many invocations as
 * there are processors for. Does nothing if a variant's tree has the interpreter. */
int ba_ready_fill(ba_engine *e, const bool *wanted, ba_failure *f);
/* The slot gets a process that waits; if there is none, it stays without. */
int ba_ready_take(ba_worker_slot *s, ba_error *err);

/* Gives the slot the checker's process that is kept, and keeps the slot's. */
void ba_ready_swap_checker(ba_worker_slot *checker);

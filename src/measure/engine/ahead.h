/*
 * Engines that are open before they are needed. The processes of several invocations start
 * side by side while nothing is timed; those of the first also answer the survey. Importing
 * a Python package takes longer than measuring its benchmarks.
 *
 * Only for engines whose workers are programs of the variants.
 */
#pragma once

#include "engine/engine.h"
#include "engine/worker_slot.h"

#define BA_AHEAD_MOST 8

typedef struct ba_ahead {
	/* number of engines that the survey opens */
	size_t wanted;
	double start_ns; /* duration of the last opening, divided by its engines */
	size_t count;
	struct ba_ahead_engine {
		ba_engine_spec spec;
		ba_engine *engine; /* NULL: taken */
		unsigned number;   /* of its invocation, or of its set of processes */
	} items[BA_AHEAD_MOST];
} ba_ahead;

/* Closes the engines that were not taken. NULL is fine. */
void ba_ahead_close(ba_ahead *a);

/* Opens `count` engines with those variants, numbered from `first` on; the first one with
 * the survey, which may be NULL. Unless they count, the others prepare on other processors
 * than the timed one. After an error there are none. */
int ba_ahead_open(ba_ahead *a, const ba_engine_spec *spec, const bool *wanted, unsigned first,
	size_t count, ba_survey *survey, ba_failure *f);

/* Is there an engine with that number? */
bool ba_ahead_has(const ba_ahead *a, unsigned number);
/* The engine with that number, which now belongs to the caller and continues with *spec;
 * NULL: there is none of that kind. */
ba_engine *ba_ahead_take(ba_ahead *a, unsigned number, const ba_engine_spec *spec, bool reversed);

/* The specification of processes that only count. */
ba_engine_spec ba_ahead_counting(const ba_engine_spec *spec);

/* ---- processes of Python tasks ----
 *
 * They start side by side before they are needed, while nothing is timed. Starting Python and its
 * packages takes longer than measuring. None of them has loaded anything of its variant's tree
 * yet, so one that waits cannot disturb another that is measured. The checker, which has the
 * baseline's tree alone, stays for all invocations. */

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

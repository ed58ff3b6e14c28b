/*
 * Takes a census in a process that answers the tool: counts of what a call asks of the driver,
 * by the observer (observer/observer.h), which is loaded before the driver is.
 *
 *     ba_census c = {0};
 *     ba_census_open(&c, observer)                  its handle
 *     ba_census_enter(&c, NULL); call(); ba_census_leave(&c, 1);
 *     BA_REPLY(w, "counted", ...)                   from ba_census_say(fields, &c)
 *     ba_census_dispose(&c);
 */
#pragma once

#include "observer/observer.h"
#include "wire/message.h"

/* The request "count": of instructions, or with the way "census" this. */
typedef struct ba_count_order {
	uint64_t calls, warm_up, most;
	const char *way, *trace; /* in the message */
	bool census;
	int counter; /* for the caller: the way as a ba_counter_way; of a census: any */
} ba_count_order;
/* BA_EPROTOCOL: a number is missing or out of range, or there is no file for the trace. */
int ba_count_order_read(ba_count_order *out, const ba_message *m, ba_error *err);

enum { BA_CENSUS_SAYS = 12 };

typedef struct ba_census {
	ba_observer_census_fn *take;
	ba_observer_listen_fn *listen;
	ba_observer_callers_fn *callers;
	ba_observer_kernels_fn *kernels;
	uint64_t counts[BA_CENSUS_COUNT], calls; /* of all calls together */
	/* what the fields point to */
	ba_strv names, files, launched;
	uint64_t place_counts[BA_OBSERVER_CALLERS_MOST], whats[BA_OBSERVER_CALLERS_MOST],
		offsets[BA_OBSERVER_CALLERS_MOST], lines[BA_OBSERVER_CALLERS_MOST];
} ba_census;

/* False: there is no observer, or it is another library. */
bool ba_census_open(ba_census *c, void *observer);
/* From now on calls of the driver count; with a tree also from where they come, as functions of
 * objects below it if there is one. Earlier places are forgotten then. */
void ba_census_enter(ba_census *c, const char *tree);
/* That was so many calls. */
void ba_census_leave(ba_census *c, uint64_t calls);
/* The fields of "counted"; returns how many. They are valid as long as *c. */
size_t ba_census_say(ba_say fields[BA_CENSUS_SAYS], ba_census *c);
void ba_census_dispose(ba_census *c);

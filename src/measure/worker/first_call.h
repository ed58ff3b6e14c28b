/* The first call in this process, and what the process has taken up to its end. */
#pragma once

#include "wire/message.h"

typedef struct ba_first_call {
	int64_t ns, cpu_ns; /* 0: not asked for */
	uint64_t host_peak;
	/* with an observer, or NULL and 0: as BA_OBSERVER_MODULES and BA_OBSERVER_STARTS have
	 * them, with the worker's own context */
	char *modules;
	uint64_t context_load_peak[3];
} ba_first_call;

/* now: by the sampler's clock. observer: its handle, or NULL; opened_ns: the worker's own context */
void ba_first_call_begin(ba_first_call *f, int64_t now);
void ba_first_call_end(ba_first_call *f, int64_t now, void *observer, int64_t opened_ns);
enum { BA_FIRST_CALL_SAYS = 7 };
/* Fields of "case"; returns how many. They are valid as long as *f. */
size_t ba_first_call_say(ba_say fields[BA_FIRST_CALL_SAYS], const ba_first_call *f);
BA_DECLARE_DISPOSE(ba_first_call)

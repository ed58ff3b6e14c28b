/*
 * The worker protocol (docs/workers.md) from inside a foreign program that bench-against
 * measures unchanged.
 *
 * The tool starts a program of a suite of kind "nvbench", "google-benchmark", ... with a
 * preload library (preload.c). There, one row for each benchmark library of others
 * answers the requests with functions of that library. Only its row knows the library;
 * this file knows only messages.
 *
 * All of it runs in one thread, the one that called ba_hook_serve().
 */
#pragma once

#include "wire/census.h"

typedef int ba_hook_main(int argc, char **argv, char **env);

typedef struct ba_hook_ops {
	const char *word;    /* the suite's kind, as configured: "nvbench" */
	const char *library; /* the library's name in messages: "NVBench" */
	/* text that every file with this library has in it, even if it is stripped */
	const char *trace;
	/* Does this process have the functions that are needed? */
	bool (*is_here)(void);
	/* Called before main(): when the program is about to run its benchmarks, ba_hook_serve() is
	 * called instead. False: the system does not let code be changed. */
	bool (*take_over)(void);
	const char *missed; /* how main() can end before: " before NVBench read its options" */
	/* Each function answers its request by BA_HOOK_REPLY() or ba_hook_fail(). */
	void (*list)(void); /* sends only the news; "listed" follows if it did not fail */
	void (*prepare)(const ba_message *m);
	void (*measure)(const ba_message *m);
	void (*count)(const ba_message *m); /* NULL: it counts nothing */
} ba_hook_ops;

extern const ba_hook_ops ba_hook_nvbench; /* nvbench.c */
extern const ba_hook_ops ba_hook_google;  /* google_worker.c */

/* Takes the descriptors of the environment. False: there are none, so nothing serves. */
bool ba_hook_connect(const ba_hook_ops *ops);
/* Fails the host's first request with this sentence, and ends the process. */
_Noreturn void ba_hook_refuse(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Answers requests until the host closes; then it ends the process. */
_Noreturn void ba_hook_serve(void);
/* Within prepare(), while the benchmark is on the stack: receives a request. NULL: it ends the
 * benchmark (prepare, release, close), and is answered later. Valid until the next call. */
const ba_message *ba_hook_next_held(void);

/* ---- answers ---- */

/* Sends a message of these fields: BA_HOOK_REPLY("measured", BA_SAY_U64S("ns", ns, n)) */
void ba_hook_reply(const char *type, const ba_say *fields, size_t count);
#define BA_HOOK_REPLY(type, ...) ba_hook_reply((type), BA_SAYS(__VA_ARGS__))
/* The answer "failed". Ends the current answer: nothing else is sent for it. */
void ba_hook_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* "skipped" and "prepared" with nothing present */
void ba_hook_skip(const char *reason);
/* "case" with these amounts, and "prepared". runs: a reading should have at least so many; or 0. */
void ba_hook_prepared(double bytes_read, double bytes_written, double items, uint64_t runs);
/* of the hello and of the last `open` */
const char *ba_hook_target(void);
int ba_hook_device(void);

/* ---- a census ---- */

/* If this process is for a census: puts the observer before the driver, unless the driver is loaded
 * already: then nothing could be counted. Exported for an interpreter that loads this library. */
__attribute__((visibility("default"))) void ba_hook_watch(void);
/* NULL: this process is not for a census */
ba_census *ba_hook_census(void);
/* "counted" with what was counted since the last one; or with a reason why nothing was */
void ba_hook_counted(void);
void ba_hook_uncounted(const char *why);
/* the variant's folder */
const char *ba_hook_tree(void);

/* The numbers of a "measure" request. False: it was answered, because they make no sense. */
typedef struct ba_hook_sizes {
	const char *mode;
	uint64_t batch, readings, discard;
} ba_hook_sizes;
bool ba_hook_sizes_of(ba_hook_sizes *out, const ba_message *m);

/*
 * Google Benchmark in this process: its own RunSpecifiedBenchmarks(), called again for each visit.
 *
 *     ba_google_find()                      are its functions here?
 *     ba_google_list(&names)
 *     ba_google_run(&v, name, 1000, 4, ...)  four runs of a benchmark's function, 1000 iterations each
 *     v.runs[i].real_ns                      of an iteration, on the library's own clock
 *
 * No header of the library is used, because they differ from version to version. What is used has
 * stayed the same from 1.5 to 1.9: names of functions, flags of the command line, the JSON that it
 * prints, and the beginning of a JSONReporter.
 *
 * The times are the library's, so that they mean what the program itself would print: paused parts
 * are left out, manual times are taken, and with threads its rules apply.
 */
#pragma once

#include "base/base.h"

/* What the library reports of one run of a benchmark's function. */
typedef struct ba_google_row {
	double iterations;	/* of all threads */
	double real_ns, cpu_ns; /* of an iteration */
	double bytes, items;	/* a second, if the benchmark says so; else 0 */
} ba_google_row;

typedef struct ba_google_runs {
	ba_google_row *rows;
	size_t count;
	/* names of the benchmark's own counters, and the values; "": it differs between runs */
	ba_strv counters, counted;
	char *message;	  /* why the benchmark ended itself; or NULL */
	bool failed;	  /* by SkipWithError(), not by SkipWithMessage() */
	uint64_t wall_ns; /* of all runs, with everything around them */
} ba_google_runs;

BA_DECLARE_DISPOSE(ba_google_runs)

/* False: this process does not contain the library, or its symbols are not in its file. */
bool ba_google_find(void);
/* serve() is called in place of the program's first RunSpecifiedBenchmarks(). False: the system does
 * not let code be changed. */
bool ba_google_take_over(void (*serve)(void));

/* The benchmarks that the program would run, in its order. */
void ba_google_list(ba_strv *names);
/* `runs` runs with so many iterations each, unless the benchmark's source says otherwise; there may
 * be fewer or more. iteration_ns: about how long an iteration takes; needed by libraries before 1.8
 * that are linked statically. BA_EVARIANT: the program reported nothing. */
int ba_google_run(ba_google_runs *out, const char *name, uint64_t iterations, unsigned runs,
	double iteration_ns, ba_error *err);
/* Adds the runs that a JSON text of the library reports about the benchmark; fails as above. */
int ba_google_read(ba_google_runs *out, ba_buf *text, const char *name, ba_error *err);

/* ---- the loop alone, for counting instructions (google_loop.c) ---- */

/* keeps the address if it is one of the functions that are needed */
void ba_google_loop_note(const char *name, void *address);
bool ba_google_loop_known(void);

/* Can the loop of this benchmark be told from what surrounds it, and be given exact iterations? */
bool ba_google_can_step(const char *name);
/* One run, in which the loop's parts that are timed are executed by step(), which loop() calls. So
 * they can be counted as calls of a function. *iterations: how many, and then how many there were. */
int ba_google_step(const char *name, double *iterations,
	void (*loop)(void *data, void (*step)(void)), void *data, ba_error *err);

/* ---- one set-up for many runs (google_loop.c) ---- */

/* Calls the benchmark's function and stops it before its loop. Then nothing else of the library may be
 * called, until it is let go. Fails if this process cannot be copied meanwhile. */
int ba_google_hold(const char *name, uint64_t iterations, ba_error *err);
/* A run of the held function from there on, in a copy of this process (fork): so each begins with the
 * state that set-up left. out->wall_ns: what copying took, in whole ms of the processor. */
int ba_google_run_held(ba_google_runs *out, ba_error *err);
/* Lets the held function end; nothing if none is held. */
void ba_google_let_go(void);

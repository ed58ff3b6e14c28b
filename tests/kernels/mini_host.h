/*
 * mini_host.h -- the least that a suite's library needs of a host (suite.h): memory
 * with poison and guards, comparison, and every case of the table tried once. The
 * tool's own host measures; this one is for checks of the kernels alone, under the
 * emulator, under compute-sanitizer, under a profiler. One suite at a time: suite.h's
 * functions have no context argument.
 */
#ifndef MINI_HOST_H
#define MINI_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench_against/suite.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mini_case {
	const ba_suite_benchmark *benchmark;
	char id[256];		   /* "attention/B=1,H=1,..." */
	ba_suite_value values[16]; /* as many as the benchmark has axes */
	char text[16][32];
} mini_case;

typedef enum mini_outcome { MINI_RIGHT, MINI_WRONG, MINI_SKIPPED } mini_outcome;

typedef struct mini_result {
	mini_outcome outcome;
	char sentence[320];  /* what is wrong, or why it was skipped */
	double counts[4];    /* by ba_suite_count */
	double worst, limit; /* largest error of what was compared, and what was allowed */
	/* if time_runs was asked for: of one run of many behind one another, by events;
	 * of one and its synchronisation, by the host's clock (median) */
	double seconds, host_seconds;
} mini_result;

typedef struct mini_options {
	unsigned sets; /* 1 or more; each is run and checked */
	uint64_t seed;
	bool once;	    /* one run, no check: for profilers */
	unsigned time_runs; /* > 0: then so many runs are timed, too */
} mini_options;

/* Opens the suite. symbol: driver functions by name, as suite.h's driver_symbol. A
 * sentence, or NULL if all is well. */
const char *mini_open(
	const ba_suite *suite, void *(*symbol)(const char *name), int sm_arch, int device);
void mini_close(void);

/* Calls each() for every case; only those that contain one of the words (all, if none).
 * `instead`, if not NULL, has other points, for the benchmarks whose integers they
 * name. */
void mini_each(const ba_suite *suite, const char *const *words, const char *const *instead,
	void (*each)(const mini_case *c, void *context), void *context);

/* setup; for each set: poison, run, finite and right? poison, run, the same bits?
 * guards whole? teardown. `spoil`, if not NULL, is called between run and check. */
void mini_try(mini_result *out, const mini_case *c, const mini_options *options,
	void (*spoil)(uint64_t address, size_t bytes));

#ifdef __cplusplus
}
#endif

#endif

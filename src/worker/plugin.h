/*
 * Suites of GPU benchmarks inside the worker: a variant's table (include/bench_against/
 * suite.h), its cases, and how they are measured.
 *
 *     plugin.c         the table: checked, opened, listed
 *     plugin_case.c    a case: set up by every variant, checked, warmed up
 *     plugin_host.c    what the tool offers to a plugin: memory, counts, reasons
 *     plugin_compare.c results compared with what they should be
 *     plugin_sampler.c readings on the GPU's clock and on the host's
 */
#ifndef WORKER_PLUGIN_H
#define WORKER_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "bench_against/suite.h"
#include "gpu/flush.h"
#include "gpu/stopwatch.h"
#include "wire/message.h"
#include "worker/clock_watch.h"

typedef struct ba_worker ba_worker;

/* Device memory that a case asked for: a guard, the bytes, a guard. */
typedef struct ba_plugin_block {
	char *name;
	cu_deviceptr base, address;
	size_t bytes;
	ba_suite_memory kind;
} ba_plugin_block;

/* One variant's case. */
typedef struct ba_plugin_case {
	int variant;
	bool absent; /* does not take part */
	const ba_suite_benchmark *benchmark;
	ba_suite_case *handle;
	cu_stream stream; /* the tool's, or the variant's own */
	unsigned sets, next_set;
	double counts[4]; /* by ba_suite_count */
	char *skipped;	  /* the reason that it gave */
	char *wrong;	  /* the difference that compare() found */
	ba_plugin_block *blocks;
	size_t block_count;
	uint64_t gate_ns; /* the gate must spin as long as queueing takes */
} ba_plugin_case;

typedef struct ba_plugin_state {
	bool ready; /* stopwatch and flusher are open */
	ba_flush_how flush;
	ba_stopwatch watch;
	ba_flusher flusher;
	ba_clock_watch clocks;
	ba_plugin_case *cases; /* [variants], NULL: nothing is prepared */
} ba_plugin_state;

/* ---- plugin.c ---- */

/* A sentence about the first fault of a table; NULL if there is none. Caller frees. */
char *ba_plugin_table_fault(const ba_suite *s);
const ba_suite_benchmark *ba_plugin_benchmark(const ba_suite *s, size_t index);
int ba_plugin_open(ba_worker *w, size_t variant, ba_error *err);
void ba_plugin_close(ba_worker *w, size_t variant);
/* Sends a "benchmark" message for each benchmark of every variant. */
void ba_plugin_list(ba_worker *w);
/* Opens stopwatch, flusher and NVML, once a process. */
int ba_plugin_get_ready(ba_worker *w, ba_error *err);
void ba_plugin_end(ba_worker *w);
/* Answers "timing": how fine event times are, and whether a flush works. */
int ba_plugin_say_timing(ba_worker *w, ba_error *err);
/* Answers "ceilings": the highest rates of this GPU. */
int ba_plugin_say_ceilings(ba_worker *w, ba_error *err);

/* "-12" -> -12; false if it is not an integer */
bool ba_plugin_integer(int64_t *out, const char *text);

/* ---- plugin_case.c ---- */

int ba_plugin_prepare(ba_worker *w, const ba_message *m, ba_error *err);
void ba_plugin_release(ba_worker *w);
/* Calls run() once. Returns its result, or -1 if it left another context current. */
int ba_plugin_run(ba_worker *w, ba_plugin_case *c, unsigned set);

/* ---- plugin_host.c ---- */

/* The table of services, for open(). */
const ba_suite_host *ba_plugin_host(ba_worker *w);
/* From now on setup(), run() or check() of this case is called; NULL: of none. */
void ba_plugin_current(ba_plugin_case *c);
/* fills the outputs with 0xff */
int ba_plugin_poison(ba_worker *w, ba_plugin_case *c, ba_error *err);
/* BA_EVARIANT: which block was written beyond its ends */
int ba_plugin_check_guards(ba_worker *w, ba_plugin_case *c, ba_error *err);
/* a digest of the outputs that must be the same after each run */
int ba_plugin_digest(char out[65], ba_worker *w, ba_plugin_case *c, ba_error *err);
void ba_plugin_free_blocks(ba_worker *w, ba_plugin_case *c);

/* ---- plugin_compare.c ---- */

/* 0, or 1 with a sentence (caller frees). `data`: the elements, in host memory. */
int ba_plugin_compare(char **wrong, const ba_suite_output *o, const void *data);
size_t ba_plugin_type_bytes(uint32_t type); /* 0: unknown type */

/* ---- plugin_sampler.c ---- */

int ba_plugin_measure(ba_worker *w, const ba_message *m, ba_error *err);

#endif

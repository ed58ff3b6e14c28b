/*
 * Suites of GPU benchmarks inside the worker: a variant's table (include/bench_against/
 * suite.h), its cases, and how they are measured.
 *
 *     plugin_table.c   is the table complete and well-formed?
 *     plugin_session.c the suite: opened, listed, closed
 *     plugin_case.c    a case: set up by every variant, checked, warmed up
 *     plugin_host.c    what the tool offers to a plugin: memory, counts, reasons
 *     plugin_compare.c results compared with what they should be
 *     plugin_sampler.c readings on the GPU's clock and on the host's
 *     plugin_fresh.c   runs on inputs that another process chose (--untrusted)
 */
#pragma once

#include "bench_against/suite.h"
#include "gpu/arena.h"
#include "gpu/flush.h"
#include "wire/message.h"
#include "gpu/nvml.h"

typedef struct ba_worker ba_worker;

/* What holds the GPU's clock down: NVML's cumulative counters, read between blocks and never in
 * timed code (clock_watch.c). The difference of two readings shows what moved in between. */
typedef struct ba_clock_watch {
	ba_nvml nvml;
	bool known; /* an NVML was found that knows this GPU */
	ba_nvml_counters before;
} ba_clock_watch;

/* Without an NVML, out->known is false; that is not an error. `fake`: uses the tests'
 * NVML if the environment names one. */
void ba_clock_watch_open(ba_clock_watch *out, const char *pci_bus_id, bool fake);
void ba_clock_watch_close(ba_clock_watch *w);

/* Counts from now on. */
void ba_clock_watch_begin(ba_clock_watch *w);
/* A mask of the counters that moved since the last call, or since _begin. */
uint32_t ba_clock_watch_moved(ba_clock_watch *w);
/* The names of the harmful counters in a mask, "thermal, hardware power brake"; NULL if
 * there are none. Caller frees. */
char *ba_clock_watch_names(uint32_t moved);

/* The first call in this process, and what the process has taken up to its end (first_call.c). */
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

/* Device memory that a case asked for: a guard, the bytes, a guard. */
typedef struct ba_plugin_block {
	char *name;
	cu_deviceptr base, address;
	size_t bytes;
	ba_suite_memory kind;
	bool placed; /* it lies in a room: not its own memory */
} ba_plugin_block;

/* A part of an arena, for the memory of one case: a place for each block of a layout. */
typedef struct ba_plugin_room {
	const ba_plugin_block *layout; /* name, bytes, kind; base: distance from `at` */
	size_t count;
	cu_deviceptr at;
	bool *taken; /* [count] */
} ba_plugin_room;

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
	size_t block_count, block_capacity;
	ba_plugin_room *room; /* where its memory goes, as far as there is a place; or NULL */
	uint64_t gate_ns;     /* the gate must spin as long as queueing takes */
	ba_first_call first;
} ba_plugin_case;

/* What "prepare" asks for. */
typedef struct ba_plugin_order {
	const char *name;
	ba_strv axes, values;
	uint64_t seed, sets, warm_up;
	bool check, first_call;
} ba_plugin_order;

/* plugin_fresh.c */
typedef struct ba_plugin_fresh {
	bool checks;	/* chooses the inputs and checks the outputs; else it runs */
	int socket;	/* to the host, for descriptors */
	uint64_t count; /* cases, which differ in their inputs */
	uint64_t taken; /* the first cases, whose memory is there */
	ba_plugin_order order;
	char *name;
	ba_plugin_block *layout;   /* [layout_count] of one case */
	size_t layout_count, step; /* bytes of one case */
	ba_arena arena;
	ba_plugin_room *rooms; /* [count] */
	ba_plugin_case *cases; /* [count]; NULL: none */
	uint64_t *seeds;       /* [count] of the checker's cases; NULL: none yet */
	cu_deviceptr copy;     /* [step] the checker's, of what was written; or 0 */
} ba_plugin_fresh;

typedef struct ba_plugin_state {
	bool ready; /* stopwatch and flusher are open */
	ba_flush_how flush;
	ba_stopwatch watch;
	ba_flusher flusher;
	ba_clock_watch clocks;
	ba_plugin_case *cases; /* [variants], NULL: nothing is prepared */
	ba_plugin_fresh fresh;
} ba_plugin_state;

/* ---- plugin_table.c ---- */

#define BA_PLUGIN_AXES_MOST 32u /* of a benchmark */

/* A sentence about the first fault of a table; NULL if there is none. Caller frees. */
char *ba_plugin_table_fault(const ba_suite *s);
/* "-12" -> -12; false if it is not an integer */
bool ba_plugin_integer(int64_t *out, const char *text);

/* ---- plugin_session.c ---- */

int ba_plugin_open(ba_worker *w, size_t variant, ba_error *err);
void ba_plugin_close(ba_worker *w, size_t variant);
/* Sends a "benchmark" message for each benchmark of every variant. */
int ba_plugin_list(ba_worker *w, const ba_message *m, ba_error *err);
/* Opens stopwatch, flusher and NVML, once a process. */
int ba_plugin_get_ready(ba_worker *w, ba_error *err);
void ba_plugin_end(ba_worker *w);
/* Answers "timing": how fine event times are, and whether a flush works. */
int ba_plugin_say_timing(ba_worker *w, const ba_message *m, ba_error *err);
/* Answers "ceilings": the highest rates of this GPU. */
int ba_plugin_say_ceilings(ba_worker *w, const ba_message *m, ba_error *err);

/* ---- plugin_case.c ---- */

int ba_plugin_prepare(ba_worker *w, const ba_message *m, ba_error *err);
void ba_plugin_release(ba_worker *w);
int ba_plugin_read_order(ba_plugin_order *out, const ba_message *m, ba_error *err);
BA_DECLARE_DISPOSE(ba_plugin_order)
/* Calls setup() of *c, which has its variant and perhaps a room. 0 also if it skips. */
int ba_plugin_set_up(ba_worker *w, ba_plugin_case *c, const ba_plugin_order *o, ba_error *err);
/* Calls check(), which must accept the results. */
int ba_plugin_check_result(ba_worker *w, ba_plugin_case *c, ba_error *err);
/* A sentence about a call of the variant's that returned rc, after which the driver
 * reported r; 0 if both are 0. */
int ba_plugin_called(ba_worker *w, const ba_plugin_case *c, const char *call, int rc, cu_result r,
	ba_error *err);
/* Answers "case" or "skipped". */
void ba_plugin_say_case(const ba_worker *w, const ba_plugin_case *c);
/* Calls teardown(), and frees what the case holds. */
void ba_plugin_end_case(ba_worker *w, ba_plugin_case *c);
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

/* The place in the arena that a case's blocks need, guards included. */
size_t ba_plugin_lay_out(ba_plugin_block *layout, size_t count);

/* ---- plugin_compare.c ---- */

/* 0, or 1 with a sentence (caller frees). `data`: the elements, in host memory. */
int ba_plugin_compare(char **wrong, const ba_suite_output *o, const void *data);
size_t ba_plugin_type_bytes(uint32_t type); /* 0: unknown type */

/* ---- plugin_sampler.c ---- */

int ba_plugin_measure(ba_worker *w, const ba_message *m, ba_error *err);

/* ---- plugin_fresh.c: docs/worker-protocol.md has the requests ---- */

int ba_plugin_fresh_prepare(ba_worker *w, const ba_message *m, ba_error *err);
int ba_plugin_fresh_inputs(ba_worker *w, const ba_message *m, ba_error *err);
int ba_plugin_fresh_judge(ba_worker *w, const ba_message *m, ba_error *err);
int ba_plugin_fresh_run(ba_worker *w, const ba_message *m, ba_error *err);
void ba_plugin_fresh_release(ba_worker *w);

/*
 * An engine measures all variants in one invocation.
 *
 *     duet        one worker holds every variant and alternates the visits
 *     split       each variant has a worker, all pinned to one core; the host alternates
 *                 the visits
 *     sequential  each variant has a worker; first all visits of one, then all of the
 *                 next. Most tools do this; it is here to show the difference
 *     untrusted   as split, for code that may lie: the host's clock times the visits, and
 *                 nothing that a worker says of itself makes its variant faster. GPU
 *                 benchmarks (kind plugin) as sequential, on inputs of the host's choice
 *
 * Each engine is a row of functions (engine_row.h) behind the calls below. A further row
 * is for variants whose workers are programs of their own.
 */
#ifndef HOST_ENGINE_H
#define HOST_ENGINE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/log.h"
#include "base/seal.h"
#include "host/command.h"
#include "host/link.h"
#include "model/benchmark.h"
#include "model/environment.h"
#include "model/evidence.h"
#include "model/explanation.h"
#include "model/sample.h"
#include "model/suite.h"
#include "model/variant.h"
#include "sandbox/sandbox.h"

typedef enum ba_engine_kind {
	BA_ENGINE_DUET,
	BA_ENGINE_SPLIT,
	BA_ENGINE_SEQUENTIAL,
	BA_ENGINE_UNTRUSTED
} ba_engine_kind;

const char *ba_engine_name(ba_engine_kind kind);

/* The program for a variant of a `worker` suite (docs/workers.md). */
typedef struct ba_program {
	const char *const *argv, *const *env; /* NULL-terminated */
	const char *dir;
	/* the only libcuda.so that it may load, first in LD_LIBRARY_PATH; NULL: any */
	const char *driver;
	const char *scratch; /* the run's: what is compiled there is the program's own */
} ba_program;

struct ba_engine_spec {
	ba_engine_kind kind;
	const char *target;   /* "gpu", "host" or "fake" */
	const char *worker;   /* executable */
	const char *driver;   /* path of the driver library; NULL: the system's */
	const char *observer; /* loaded before it; then nothing is measured; or NULL */
	int device;	      /* ordinal */
	int cpu;	      /* to pin workers to; -1: the worker chooses */
	/* of the device, once it is known; NULL: its clock is not monitored */
	const char *pci_bus_id;
	/* how the L2 cache is flushed for cold runs: "read", "write" */
	const char *flush;
	int64_t idle_limit_ns;
	const volatile sig_atomic_t *stop;
	const ba_log *log;
	ba_suite_kind suite; /* of the suite with these libraries or programs */
	size_t variant_count;
	const ba_variant *variants;   /* labels and trees */
	const char *const *libraries; /* absolute, one a variant */
	/* Copies of each library at other addresses, which blocks go round: those of
	 * variant v are copies[v * layouts ...]; NULL: the libraries themselves. */
	const char *const *copies;
	size_t layouts;
	const ba_program *programs; /* for a `worker` suite, one a variant; else NULL */
	const char *checkout;	    /* the user's working tree, not a variant's; or NULL */
	/* To count instructions and nothing else: memory where it was last time, nothing
	 * random in a program that can help it, no processor of its own. */
	bool counts;
	/* a program that starts the worker, and its arguments, NULL-terminated; then
	 * nothing is measured. Or NULL */
	const char *const *wrapper;
	/* how many workers may start, and prepare, at the same time; 0: all */
	size_t at_once;
	const char *scratch; /* the run's directory; NULL: nothing is written */
	/* Workers run in sandboxes: what all of them may see; box.h says what each sees
	 * besides. NULL: without. The machine is examined by a worker that has no
	 * sandbox and loads nothing. */
	const ba_sandbox *sandbox;
	/* [variant_count] of the built trees: in a sandbox no worker starts whose tree
	 * was changed since. NULL as a whole or in an entry: not known */
	const ba_seal *const *seals;
	/* launches between two waits for the GPU in a visit that an untrusted engine times,
	 * for the mode submit; 0: any number */
	unsigned burst_most;
	ba_evidence *evidence; /* of an untrusted engine, to add to; or NULL */
};

/* Why a variant cannot continue. */
typedef struct ba_failure {
	int variant;  /* BA_BEACON_NOBODY: the tool, the driver or the machine */
	int code;     /* BA_E... */
	bool gone;    /* the worker or its context is gone: reopen the engine */
	bool certain; /* the variant is the cause: it need not be tried alone */
	char *text;   /* sentence */
	char *output; /* last lines of the worker's output, or NULL */
} ba_failure;

void ba_failure_dispose(ba_failure *f);
BA_DEFINE_AUTO(ba_failure, ba_failure_dispose)

/* What a variant reports when an engine is opened for the survey; owns its strings. */
typedef struct ba_variant_facts {
	char *name;
	ba_strv paths;	       /* a launcher's */
	ba_declared *declared; /* [declared_count] the variant's own benchmarks */
	size_t declared_count;
	ba_strv objects, sha256;
	/* files of the tree beside the benchmarks that decide how they run: conftest.py */
	ba_strv harness, harness_sha256;
	char *output; /* last lines of output if its library cannot be used, or NULL */
} ba_variant_facts;

typedef struct ba_survey {
	ba_environment env;
	ba_strv findings;	    /* every sentence of the examination, for doctor */
	int device_count;	    /* that the driver shows; 0: unknown */
	bool machine_known;	    /* another suite's survey has it: only look at libraries */
	ba_variant_facts *variants; /* [variant_count] */
	size_t variant_count;
	bool share;	    /* the variants can share a process */
	char *share_reason; /* if not: why */
	char *driver_path;  /* of the driver library that was loaded */
} ba_survey;

void ba_survey_dispose(ba_survey *s);
BA_DEFINE_AUTO(ba_survey, ba_survey_dispose)

typedef struct ba_engine ba_engine;

/* Do all variants share a process in that engine? */
bool ba_engine_shares(const ba_engine_spec *spec);
/* Can that engine measure only the benchmarks that the baseline has, too? */
bool ba_engine_needs_baseline(const ba_engine_spec *spec);

/* For `doctor`: a worker examines the machine and reports all that it finds in
 * survey->findings. *refusals: how many of the findings forbid measuring on the GPU. */
int ba_engine_examine(
	ba_survey *survey, unsigned *refusals, const ba_engine_spec *spec, ba_error *err);

/* Only the machine: survey->env and findings, from a worker that opens the device
 * and loads nothing. */
int ba_engine_look(ba_survey *survey, const ba_engine_spec *spec, ba_error *err);

/* A worker without libraries measures the highest rates of the GPU (environment.h). */
int ba_engine_ceilings(ba_environment *env, const ba_engine_spec *spec, ba_error *err);

/* Starts the worker or workers, opens the device, loads the variants for which
 * wanted[v] is set, and brings the clocks up. Workers of their own start side by side. reversed: loads them, and later sets
 * benchmarks up, in reverse order. With survey != NULL it also examines the machine
 * and hashes the artefacts. BA_EVARIANT: *failure names the variant. Other codes: the
 * run cannot continue. */
int ba_engine_open(ba_engine **out, const ba_engine_spec *spec, const bool *wanted, bool reversed,
	ba_survey *survey, ba_failure *failure, ba_error *err);
/* Its halves let several engines work at the same time: the first asks, the second hears
 * the answers. */
int ba_engine_start(ba_engine **out, const ba_engine_spec *spec, const bool *wanted, bool reversed,
	ba_survey *survey, ba_failure *failure, ba_error *err);
int ba_engine_started(ba_engine *e, ba_survey *survey, ba_failure *failure, ba_error *err);
/* Has each wanted variant's worker said something that was not heard yet, or ended? */
bool ba_engine_answers(const ba_engine *e, const bool *wanted);
void ba_engine_free(ba_engine *e); /* kills */
BA_DEFINE_AUTO_PTR(ba_engine, ba_engine_free)
void ba_engine_ask_to_end(ba_engine *e);
void ba_engine_close(ba_engine *e); /* ends its workers in order; then free it */
/* The most memory that one of its workers has had; 0: unknown. */
uint64_t ba_engine_peak_bytes(const ba_engine *e);

/* What a variant reports about a benchmark of its own when it is prepared. */
typedef struct ba_case_facts {
	char *skipped;				       /* why it cannot run here, or NULL; owned */
	double flop, bytes_read, bytes_written, items; /* of one run; 0: not given */
} ba_case_facts;

typedef struct ba_prepare {
	const ba_benchmark *benchmark;
	bool check;
	bool first;	    /* in the run: notes about it are wanted */
	const bool *wanted; /* [variant_count] */
	/* only for benchmarks in a variant's own code */
	uint64_t seed;
	unsigned sets, warm_up;
	ba_case_facts *cases; /* [variant_count], filled */
} ba_prepare;

int ba_engine_prepare(ba_engine *e, const ba_prepare *p, ba_failure *failure, ba_error *err);
/* may come before that */
int ba_engine_ask_prepare(ba_engine *e, const ba_prepare *p, ba_failure *failure, ba_error *err);

/* The device code of the prepared case of the only variant; the engine must have an
 * observer. If it cannot be found out, *out has a reason, and that is not an error.
 * folder: where the worker keeps each kernel's cubin, as DIGEST.cubin. */
int ba_engine_inspect(
	ba_engine *e, const char *folder, ba_device_code *out, ba_failure *failure, ba_error *err);

/* Releases what was prepared. BA_EVARIANT as above. */
int ba_engine_release(ba_engine *e, ba_failure *failure, ba_error *err);

/* What a variant answers to a request to count. */
typedef struct ba_count_answer {
	uint64_t *instructions; /* [calls] */
	size_t calls;		/* 0: nothing was counted */
	char *why;		/* then: a reason */
	bool fault;		/* the variant's own doing is the reason */
	bool broken;		/* something failed that might work the next time */
	ba_code_count *codes;	/* [code_count] with names of their own */
	size_t code_count;
} ba_count_answer;
void ba_count_answer_dispose(ba_count_answer *a);

typedef struct ba_count_request {
	const bool *wanted;	   /* [variant_count] */
	const char *way;	   /* a word of counter/counter.h */
	unsigned calls, warm_up;   /* counted, after so many that are not */
	uint64_t most;		   /* instructions of a call */
	const char *const *traces; /* [variant_count] files to write */
	bool codes;		   /* report executed bytecodes, where there are some */
} ba_count_request;

/* Counts the instructions of the prepared benchmark, in all variants at the same time.
 * Each must have a worker of its own. answers: [variant_count], zeroed. */
int ba_engine_ask_count(
	ba_engine *e, const ba_count_request *q, ba_failure *failure, ba_error *err);
int ba_engine_counted(ba_engine *e, const ba_count_request *q, ba_count_answer *answers,
	ba_failure *failure, ba_error *err);

/* What a worker reports about the GPU's clock along with the samples. */
typedef struct ba_clock_report {
	bool *unfit; /* [blocks] the clock was held down: do not use the block */
	char *text;  /* by what, or NULL; owned */
} ba_clock_report;

/* From here on sizes are tried out: an untrusted engine, too, takes the workers' own times,
 * of visits too short for the host's clock. Nothing may be decided from them. */
void ba_engine_rehearse(ba_engine *e, bool on);
/* Is a visit timed as a whole, by the host? Then it has one reading. */
bool ba_engine_times_visits(const ba_engine *e);
/* How many runs that visit can have, as far as it is known; 0: any number. */
unsigned ba_engine_runs_most(const ba_engine *e);
/* In how many bursts that visit makes its launches; the batch must be a multiple. */
unsigned ba_engine_bursts(const ba_engine *e, const char *mode, unsigned batch);
/* s must have its counts, order and arrays. Fills ns and block_at_ns, and khz and
 * clock_events if the worker reports them. clocks may be NULL. */
int ba_engine_measure(ba_engine *e, ba_samples *s, const char *mode, unsigned discard,
	ba_clock_report *clocks, ba_failure *failure, ba_error *err);

#endif

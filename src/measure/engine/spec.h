/* What an engine starts and how, and the failure of a variant that it reports. */
#ifndef ENGINE_SPEC_H
#define ENGINE_SPEC_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/auto.h"
#include "base/log.h"
#include "base/seal.h"
#include "model/evidence.h"
#include "model/suite.h"
#include "model/variant.h"
#include "sandbox/sandbox.h"

typedef struct ba_engine ba_engine;

typedef enum ba_engine_kind {
	BA_ENGINE_DUET,
	BA_ENGINE_SPLIT,
	BA_ENGINE_SEQUENTIAL,
	BA_ENGINE_UNTRUSTED
} ba_engine_kind;

/* The program for a variant of a `worker` suite (docs/workers.md). */
typedef struct ba_program {
	const char *const *argv, *const *env; /* NULL-terminated */
	const char *dir;
	/* the only libcuda.so that it may load, first in LD_LIBRARY_PATH; NULL: any */
	const char *driver;
	const char *scratch; /* the run's: what is compiled there is the program's own */
} ba_program;

typedef struct ba_engine_spec {
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
	/* of programs: they start and prepare while others measure, on processors from that
	 * number on, none of them of the core of `cpu` */
	bool starts_apart;
	size_t starts_from;
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
} ba_engine_spec;

/* What went wrong in a call: the sentence of the error goes to *err; after BA_EVARIANT the
 * rest says why that variant cannot continue. */
typedef struct ba_failure {
	ba_error *err; /* may be NULL */
	int variant;   /* BA_BEACON_NOBODY: the tool, the driver or the machine */
	int code;      /* BA_E... */
	bool gone;     /* the worker or its context is gone: reopen the engine */
	bool certain;  /* the variant is the cause: it need not be tried alone */
	char *text;    /* sentence */
	char *output;  /* last lines of the worker's output, or NULL */
} ba_failure;

/* Blames the variant, and returns BA_EVARIANT. Takes the text. */
int ba_failure_blame(ba_failure *f, size_t variant, char *text);
void ba_failure_dispose(ba_failure *f); /* keeps err */
BA_DEFINE_AUTO(ba_failure, ba_failure_dispose)

#endif

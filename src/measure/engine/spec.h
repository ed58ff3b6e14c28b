/* What an engine starts and how, and how it reports the failure of a variant. */
#pragma once

#include "base/seal.h"
#include "model/measured.h"
#include "model/suite.h"
#include "model/variant.h"
#include "sandbox/sandbox.h"

typedef struct ba_engine ba_engine;
typedef struct ba_ready ba_ready; /* engine/ahead.h */

typedef enum ba_engine_kind {
	BA_ENGINE_DUET,
	BA_ENGINE_SPLIT,
	BA_ENGINE_SEQUENTIAL,
	BA_ENGINE_UNTRUSTED
} ba_engine_kind;

/* The program for a variant of a `worker` suite (docs/workers.md). */
typedef struct ba_program {
	const char *const *argv, *const *env; /* NULL-terminated; argv NULL: it lacks it */
	const char *dir;
	/* the only libcuda.so that it may load, first in LD_LIBRARY_PATH; NULL: any */
	const char *driver;
	/* the run's folder: code compiled there belongs to the program */
	const char *scratch;
} ba_program;

typedef struct ba_engine_spec {
	ba_engine_kind kind;
	const char *target; /* "gpu", "host" or "fake" */
	const char *worker; /* executable */
	const char *driver; /* path of the driver library; NULL: the system's */
	/* a library loaded before the driver; then nothing is measured. Or NULL */
	const char *observer;
	int device; /* ordinal */
	int cpu;    /* processor for the workers; -1: the worker chooses */
	/* of the device, if known; NULL: its clock is not monitored */
	const char *pci_bus_id;
	/* how the L2 cache is flushed for cold runs: "read", "write" */
	const char *flush;
	int64_t idle_limit_ns;
	const volatile sig_atomic_t *stop;
	const ba_log *log;
	ba_suite_kind suite; /* kind of the suite with these libraries or programs */
	size_t variant_count;
	const ba_variant *variants;   /* labels and trees */
	const char *const *libraries; /* absolute paths, one for each variant */
	/* Copies of each library at other addresses, through which blocks rotate:
	 * variant v has copies[v * layouts ...]; NULL: the libraries themselves. */
	const char *const *copies;
	size_t layouts;
	/* for a `worker` suite, one for each variant; else NULL */
	const ba_program *programs;
	/* The programs are workers for Python tasks: with an untrusted engine they get
	 * inputs and give results as `plugin` suites do (fresh.c). */
	bool tasks;
	/* Metrics of starts are measured (start.c). Then: [variant_count] folders whose folders are
	 * caches of compiled code, and whether a process finds what earlier ones left there;
	 * [variant_count] bytes of the files that the suite names. NULL: unknown */
	bool times_starts, keeps_caches;
	bool lists_imports; /* the interpreter says what it imports; nothing is timed */
	const char *const *caches;
	const uint64_t *sizes;
	/* what such an engine starts early or keeps for the next engine; or NULL */
	ba_ready *ready;
	/* the working tree of the user's repository, besides the variants' trees; or
	 * NULL */
	const char *checkout;
	/* Only count instructions: the same addresses each time, no randomness in
	 * programs that can avoid it, no reserved processor. */
	bool counts;
	/* a program that starts the worker, and its arguments, NULL-terminated; then
	 * nothing is measured. Or NULL */
	const char *const *wrapper;
	/* how many workers may start, and prepare, at the same time; 0: all */
	size_t at_once;
	/* for programs: they start and prepare while others measure, on processors from
	 * that number on, which exclude the core of `cpu` */
	bool starts_apart;
	size_t starts_from;
	const char *scratch; /* the run's directory; NULL: nothing is written */
	/* The sandbox common to all workers (box.h adds what each needs); NULL: no
	 * sandboxes. A worker without sandbox and libraries examines the machine. */
	const ba_sandbox *sandbox;
	/* [variant_count] seals of the built trees: in a sandbox, no worker starts if
	 * its tree was changed. NULL as a whole or in an entry: unknown */
	const ba_seal *const *seals;
	/* for an untrusted engine and the mode submit: the most launches between two
	 * waits for the GPU; 0: any number */
	unsigned burst_most;
	/* evidence of an untrusted engine, which adds to it; or NULL */
	ba_evidence *evidence;
} ba_engine_spec;

/* The failure of a call. The sentence goes to *err; after BA_EVARIANT the rest says why
 * that variant cannot continue. */
typedef struct ba_failure {
	ba_error *err; /* may be NULL */
	int variant;   /* BA_BEACON_NOBODY: the tool, the driver or the machine */
	int code;      /* BA_E... */
	bool gone;     /* the worker or its context is gone: reopen the engine */
	/* the variant is certainly the cause: it need not be tried alone */
	bool certain;
	char *text;   /* sentence */
	char *output; /* last lines of the worker's output, or NULL */
} ba_failure;

/* Blames the variant, and returns BA_EVARIANT. Takes the text. */
int ba_failure_blame(ba_failure *f, size_t variant, char *text);
/* The same for a breach of the lane's rules (ba_fault, model/series.h). The baseline, which is
 * trusted, is only blamed. */
int ba_failure_accuse(ba_failure *f, size_t variant, char *text);
BA_DECLARE_DISPOSE(ba_failure) /* keeps err */

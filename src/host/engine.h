/*
 * An engine measures all variants in one invocation.
 *
 *     duet        one worker holds every variant; visits alternate inside it
 *     split       one worker a variant, all pinned to one core; the host alternates
 *                 visits
 *     sequential  one worker a variant, all of one after all of the other: what most
 *                 tools do, here so that the difference can be shown
 *
 * All of them answer the same calls; each is a row of functions (engine_row.h), as is
 * the engine of variants whose workers are programs of their own.
 */
#ifndef HOST_ENGINE_H
#define HOST_ENGINE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/log.h"
#include "host/command.h"
#include "host/link.h"
#include "model/benchmark.h"
#include "model/environment.h"
#include "model/sample.h"
#include "model/suite.h"
#include "model/variant.h"

typedef enum ba_engine_kind {
	BA_ENGINE_DUET,
	BA_ENGINE_SPLIT,
	BA_ENGINE_SEQUENTIAL
} ba_engine_kind;

const char *ba_engine_name(ba_engine_kind kind);

/* What is started for a variant of a `worker` suite (docs/workers.md). */
typedef struct ba_program {
	const char *const *argv, *const *env; /* NULL-terminated */
	const char *dir;
} ba_program;

struct ba_engine_spec {
	ba_engine_kind kind;
	const char *target;   /* "gpu", "host" or "fake" */
	const char *worker;   /* executable */
	const char *driver;   /* path of the driver library; NULL: the system's */
	const char *observer; /* goes before it: nothing is measured; or NULL */
	int device;	      /* ordinal */
	int cpu;	      /* to pin workers to; -1: leave it to the worker */
	const char
		*pci_bus_id; /* of the device, once it is known; NULL: nobody looks */
	const char *flush;   /* how cold runs find the L2 cache: "read", "write" */
	int64_t idle_limit_ns;
	const volatile sig_atomic_t *stop;
	const ba_log *log;
	ba_suite_kind suite; /* whose libraries, or programs, these are */
	size_t variant_count;
	const ba_variant *variants;   /* labels and trees */
	const char *const *libraries; /* absolute, one a variant */
	const ba_program *programs; /* of a `worker` suite, one a variant; else NULL */
	const char *checkout; /* the user's working tree, which is no variant's; or NULL
			       */
};

/* Why a variant could not go on. */
typedef struct ba_failure {
	int variant; /* BA_BEACON_NOBODY: the tool, the driver or the machine */
	int code;    /* BA_E... */
	bool gone; /* the worker is gone, or its context: the engine must be reopened */
	char *text;   /* sentence */
	char *output; /* last lines of the worker's output, or NULL */
} ba_failure;

void ba_failure_dispose(ba_failure *f);
BA_DEFINE_AUTO(ba_failure, ba_failure_dispose)

/* Heard while an engine is opened for the survey; strings owned by the struct. */
typedef struct ba_variant_facts {
	char *name;
	ba_strv paths;	       /* a launcher's */
	ba_declared *declared; /* [declared_count] benchmarks of the variant's own */
	size_t declared_count;
	ba_strv objects, sha256;
	char *output; /* last lines of one whose library cannot be used, or NULL */
} ba_variant_facts;

typedef struct ba_survey {
	ba_environment env;
	ba_strv findings;   /* every sentence of the examination, for doctor */
	bool machine_known; /* it was examined for another suite: libraries alone */
	ba_variant_facts *variants; /* [variant_count] */
	size_t variant_count;
	bool share;
	char *share_reason;
	char *driver_path; /* of the driver library that was loaded */
} ba_survey;

void ba_survey_dispose(ba_survey *s);
BA_DEFINE_AUTO(ba_survey, ba_survey_dispose)

typedef struct ba_engine ba_engine;

/* Do variants share a process with that engine? */
bool ba_engine_shares(const ba_engine_spec *spec);

/* For `doctor`: a worker looks at the machine and says everything it finds, through
 * survey->findings. *refusals: how many of them forbid measuring on the GPU. */
int ba_engine_examine(ba_survey *survey, unsigned *refusals, const ba_engine_spec *spec,
	ba_error *err);

/* The machine alone: survey->env and findings, from a worker that opens the device and
 * loads nothing. */
int ba_engine_look(ba_survey *survey, const ba_engine_spec *spec, ba_error *err);

/* A worker without libraries measures what the GPU does at most (environment.h). */
int ba_engine_ceilings(ba_environment *env, const ba_engine_spec *spec, ba_error *err);

/* Start the worker(s), open the device, load the variants in the given order (reversed
 * or not; benchmarks are set up in the same), bring the clocks up. wanted[v]: load it
 * at all. With survey != NULL also examine the machine and hash the artefacts.
 * BA_EVARIANT: *failure says who; other codes: the run cannot go on. */
int ba_engine_open(ba_engine **out, const ba_engine_spec *spec, const bool *wanted,
	bool reversed, ba_survey *survey, ba_failure *failure, ba_error *err);
void ba_engine_free(ba_engine *e); /* kills */
BA_DEFINE_AUTO_PTR(ba_engine, ba_engine_free)
void ba_engine_close(ba_engine *e); /* in order; then free it */

/* What a variant says of a benchmark of its own once that is prepared. */
typedef struct ba_case_facts {
	char *skipped; /* why it cannot run here, or NULL; owned */
	double flop, bytes_read, bytes_written, items; /* of one run; 0: not said */
} ba_case_facts;

typedef struct ba_prepare {
	const ba_benchmark *benchmark;
	bool check;
	const bool *wanted; /* [variant_count] */
	/* benchmarks of a suite's own */
	uint64_t seed;
	unsigned sets, warm_up;
	ba_case_facts *cases; /* [variant_count], filled */
} ba_prepare;

int ba_engine_prepare(
	ba_engine *e, const ba_prepare *p, ba_failure *failure, ba_error *err);

/* The device code of the only variant's case, which is prepared, in an engine with an
 * observer. What cannot be found out is a reason in *out, and no error. */
int ba_engine_inspect(
	ba_engine *e, ba_device_code *out, ba_failure *failure, ba_error *err);

/* What was prepared is taken down. BA_EVARIANT as elsewhere. */
int ba_engine_release(ba_engine *e, ba_failure *failure, ba_error *err);

/* What a worker says about the GPU's clock beside the samples. */
typedef struct ba_clock_report {
	bool *unfit; /* [blocks] something held the clock down: not to be used */
	char *text;  /* what it was, or NULL; owned */
} ba_clock_report;

/* s has its counts, order and arrays; ns and block_at_ns are filled, and khz and
 * clock_events where the worker knows. clocks may be NULL. */
int ba_engine_measure(ba_engine *e, ba_samples *s, const char *mode, unsigned discard,
	ba_clock_report *clocks, ba_failure *failure, ba_error *err);

#endif

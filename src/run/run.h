/*
 * A run, from variants as a user names them to the answer, without a command line.
 *
 *     ba_job_request q;
 *     ba_job_request_init(&q);                   what is asked
 *     q.target = BA_ON_HOST;
 *     ba_job_services s = {.parts = ..., ...};   where things are, and who is told
 *     ba_result r = {0};
 *
 *     ba_job *job = ba_job_new(&q, &s, NULL, &r);
 *     ba_job_resolve(job, &variants, err)   names to trees, a configuration, suites
 *     ba_job_build(job, err)                trees written and built, or found again
 *     ba_job_survey(job, err)               machine and libraries examined
 *     ba_job_plan(job, err)                 which benchmarks there are
 *     ba_job_measure(job, err)              invocations, until all is decided
 *     ba_job_answer(job)                    r.exit_status, r.answer
 *     ba_job_free(job);
 *
 * Each call needs those before it; what comes after it may be left out: a list of
 * benchmarks ends with ba_job_plan. Each returns 0 or a BA_E code with a sentence, after
 * which only ba_job_free remains. What a variant does wrong is a result, not an error.
 *
 * Nothing here prints, reads argv or the environment, or ends the process. Sentences
 * name the options of the command line, since these are the names that users know. A
 * process measures one job at a time: a worker has a processor of its own, and the
 * process that measures leaves it.
 */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/log.h"
#include "base/strv.h"
#include "model/calibration.h"
#include "model/result.h"
#include "run/journal.h"

#define BA_JOB_VARIANTS_MOST 32

typedef enum ba_job_purpose {
	BA_JOB_MEASURE,	  /* verdicts, or the times of one variant */
	BA_JOB_LIST,	  /* the benchmarks alone: ends with ba_job_plan */
	BA_JOB_CALIBRATE, /* the noise of this machine; two builds of the same code */
} ba_job_purpose;

typedef enum ba_gate_choice { BA_GATE_OFF, BA_GATE_ON, BA_GATE_STRICT } ba_gate_choice;
typedef enum ba_target_choice { BA_ON_GPU, BA_ON_HOST, BA_ON_FAKE } ba_target_choice;

/* the words of these choices, in their order, NULL-terminated */
extern const char *const ba_target_words[]; /* "gpu", "host", "fake" */
extern const char *const ba_gate_words[];   /* "off", "on", "strict" */
extern const char *const ba_engine_words[]; /* "auto", "duet", "split", "sequential" */
extern const char *const ba_flush_words[];  /* "read", "write" */

/* What is asked. Strings and lists are the caller's; NULL, an empty list or 0 where
 * nothing else is said: as the configuration has it, or the default. Choices are int,
 * so that a table of options can fill them. */
typedef struct ba_job_request {
	ba_job_purpose purpose;
	size_t least, most;	  /* variants: 2 and more are compared */
	const char *directory;	  /* where the repository is; NULL: here */
	const char *command_line; /* for the result; NULL: none */

	/* which benchmarks */
	const char *suite;		  /* this one alone */
	const char *metrics, *verdict_on; /* names, with commas between */
	const char *args, *bytes, *loops; /* numbers, with commas between */
	ba_strv filters, paths, axes;	  /* globs; globs; "axis=values" */
	int warm_up, iterations;	  /* runs; warm_up negative: not said */
	int repeats;			  /* of `sustained`; negative: not said */
	bool measure_identical, no_device_code;

	/* what counts as slower */
	const char *threshold; /* "2%", "2% and 25ns": in the place of the file's */
	double alpha;	       /* above 0, below 0.5 */
	bool strict, fail_fast, allow_below_floor;
	int gate;	     /* ba_gate_choice */
	int multiplicity;    /* ba_multiplicity */
	int on_inconclusive; /* 1: fails the gate */

	/* how it is measured */
	uint64_t seed; /* 0: chosen */
	int fixed, min_invocations, max_invocations, batch, blocks;
	int engine, flush;	    /* of the words above */
	int64_t budget_ns, hang_ns; /* of measuring; of a worker without progress */
	const char *journal; /* of a new run; NULL: below the cache, by a free name */

	/* configuration and builds */
	const char *config;	 /* a file */
	const char *config_from; /* a variant's label, "baseline" or "worktree" */
	int jobs;		 /* builds side by side */
	bool no_build, in_place, keep, allow_lfs_pointers;

	/* machine */
	int target;		 /* ba_target_choice */
	int device, cpu;	 /* cpu negative: chosen */
	const char *fake_driver; /* of the target BA_ON_FAKE, a path */
} ba_job_request;

void ba_job_request_init(ba_job_request *q);
/* the lists */
void ba_job_request_dispose(ba_job_request *q);

/* The tool's own files, absolute; NULL where there is none: a suite that needs it is an
 * error. */
typedef struct ba_job_parts {
	char *worker;	    /* the worker's executable; never NULL */
	char *host_driver;  /* libcuda.so.1 of the host target */
	char *observer;	    /* libcuda.so.1 that goes in front of a driver */
	char *python;	    /* the folder of the Python module, for PYTHONPATH */
	char *python_start; /* the folder of its sitecustomize.py */
	char *loads;	    /* the library that reports what a program maps */
} ba_job_parts;

/* Where things are, and who is told. Everything is the caller's and outlives the job;
 * stop and the functions may be NULL. */
typedef struct ba_job_services {
	const ba_job_parts *parts;
	const char *cache_root;		   /* where trees are kept */
	const char *const *env;		   /* of builds and programs; ends with NULL */
	const ba_log *log;		   /* warnings and remarks */
	const volatile sig_atomic_t *stop; /* 0, or the signal that asks to stop */
	/* something else begins: "building 2 variants" */
	void (*phase)(void *data, const char *text);
	/* how far that is, 0 .. 1 or negative, and at what */
	void (*progress)(void *data, double done, const char *text);
	/* it is over, and nothing is known to follow */
	void (*quiet)(void *data);
	void *data; /* of these three */
} ba_job_services;

typedef struct ba_job ba_job;

/* What can be wrong with metrics, arguments, sizes and loops, before anything is built.
 * BA_EINVAL. */
int ba_job_check(const ba_job_request *q, ba_error *err);

/* All of these are borrowed; *r is empty, or has what ba_job_describe fills. journal:
 * what the run writes while it measures, or takes up again; NULL: none. */
ba_job *ba_job_new(const ba_job_request *q, const ba_job_services *services,
	ba_job_journal *journal, ba_result *r);
/* What is not the cache's is removed, also after a signal. The result stays. NULL is
 * fine. */
void ba_job_free(ba_job *job);
BA_DEFINE_AUTO_PTR(ba_job, ba_job_free)

/* "HEAD~", "fast=v1.2", "WORKTREE", "path:DIR"; none: HEAD and the working tree, or the
 * last two commits where that is clean. Also the configuration that rules, and, in a
 * gate, what the candidates change about it (r->notes). BA_EINVAL for a journal of
 * another run. */
int ba_job_resolve(ba_job *job, const ba_strv *variants, ba_error *err);
/* A variant that does not build fails later, as its row; BA_EBUILD where that leaves
 * nothing to measure. */
int ba_job_build(ba_job *job, ba_error *err);
/* r->env, r->suites and artefacts. Of BA_JOB_MEASURE also repository, configuration and
 * time into the result. */
int ba_job_survey(ba_job *job, ba_error *err);
/* r->benchmarks; a journal is begun, or found to be of another run (BA_EINVAL). A list
 * needs every variant's library: BA_ELIBRARY. */
int ba_job_plan(ba_job *job, ba_error *err);
/* Verdicts in r->series. Thresholds that this machine's calibration calls undecidable
 * are BA_EINVAL, unless q->allow_below_floor. */
int ba_job_measure(ba_job *job, ba_error *err);
/* r->exit_status and r->answer, as the policy of the gate has them. */
void ba_job_answer(ba_job *job);
/* The answer is where it should be: the journal goes, unless the run was stopped. */
void ba_job_end_journal(ba_job *job);

/* ---- calibration ---- */

typedef char ba_plan_digest[65];

/* After ba_job_measure of BA_JOB_CALIBRATE: what was learnt, beside what was known of
 * other benchmarks of this machine, into the cache. BA_EINTERRUPTED, BA_EVARIANT where
 * there is nothing to learn. */
int ba_job_learn(ba_calibration *all, const ba_job *job, ba_error *err);
/* The threshold as a ratio, an absolute one turned into a ratio by the calibrated time.
 */
double ba_job_threshold(
	const ba_job *job, const char *benchmark, ba_metric metric, const ba_noise *n);

/* ---- the result ---- */

/* Version, time, command line; no repository, no configuration. */
void ba_job_describe(ba_result *r, const char *command_line);
/* what makes samples of a benchmark, for ba_plan_sha256; of a result with its machine
 */
const char *ba_job_sample_rules(const ba_result *r);
/* of each benchmark of the result; caller frees */
ba_plan_digest *ba_job_digests(const ba_result *r);

#endif

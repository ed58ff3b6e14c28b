/*
 * A run without a command line: from variants as a user names them to the answer.
 *
 *     ba_job_request q;
 *     ba_job_request_init(&q);                   what to measure
 *     q.target = BA_ON_HOST;
 *     ba_job_services s = {.parts = ..., ...};   where things are, and callbacks
 *     ba_result r = {0};
 *
 *     ba_job *job = ba_job_new(&q, &s, NULL, &r);
 *     ba_job_resolve(job, &variants, err)   names to trees, a configuration, suites
 *     ba_job_build(job, err)                trees written and built, or found again
 *     ba_job_survey(job, err)               machine and libraries examined
 *     ba_job_plan(job, err)                 which benchmarks there are
 *     ba_job_measure(job, err)              invocations, until there are verdicts
 *     ba_job_answer(job)                    r.exit_status, r.answer
 *     ba_job_free(job);
 *
 * Each call needs those before it; later ones may be left out: a list of benchmarks
 * ends with ba_job_plan. Each returns 0, or a BA_E code with a sentence, after which
 * only ba_job_free may follow. What a variant does wrong is a result, not an error.
 *
 * Nothing here prints, reads argv or the environment, or ends the process. Sentences
 * use the names of command line options, because users know these. A process
 * measures one job at a time: the worker gets a processor of its own, and this
 * process leaves it.
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
	BA_JOB_LIST,	  /* only the benchmarks: ends with ba_job_plan */
	BA_JOB_CALIBRATE, /* the noise of this machine; two builds of the same code */
} ba_job_purpose;

typedef enum ba_gate_choice { BA_GATE_OFF, BA_GATE_ON, BA_GATE_STRICT } ba_gate_choice;
typedef enum ba_target_choice { BA_ON_GPU, BA_ON_HOST, BA_ON_FAKE } ba_target_choice;

/* the words of these choices, in their order, ending with NULL */
extern const char *const ba_target_words[];  /* "gpu", "host", "fake" */
extern const char *const ba_gate_words[];    /* "off", "on", "strict" */
extern const char *const ba_engine_words[];  /* "auto", "duet", "split", "sequential" */
extern const char *const ba_flush_words[];   /* "read", "write" */
extern const char *const ba_explain_words[]; /* "auto", "off", "changed", "all" */
extern const char *const ba_count_words[];   /* "auto", "flag", "ptrace", "hardware" */

/* Commands that messages suggest, quoted for the shell, with the options of this run
 * that they accept. */
typedef struct ba_job_commands {
	const char *list, *expected; /* benchmarks; as a file of expected ones */
	const char *doctor, *calibrate;
} ba_job_commands;

/* What to measure. Strings and lists belong to the caller. NULL, an empty list or 0
 * means: as in the configuration, or the default. Choices are int, so that a table of
 * options can fill them. */
typedef struct ba_job_request {
	ba_job_purpose purpose;
	size_t least, most;	  /* how many variants; 2 or more are compared */
	const char *directory;	  /* where the repository is; NULL: here */
	const char *command_line; /* for the result; NULL: none */
	ba_job_commands suggest;  /* never NULL */

	/* which benchmarks */
	const char *suite;		  /* only this one */
	const char *metrics, *verdict_on; /* names, with commas between */
	const char *args, *bytes, *loops; /* numbers, with commas between */
	ba_strv filters, paths, axes;	  /* globs; globs; "axis=values" */
	int warm_up, iterations;	  /* runs; warm_up negative: not given */
	int repeats;			  /* of `sustained`; negative: not given */
	bool measure_identical, no_device_code;
	bool ncu; /* read the counters of kernels that differ, after measuring */

	/* what counts as slower */
	const char *threshold; /* "2%", "2% and 25ns": replaces the file's */
	double alpha;	       /* above 0, below 0.5 */
	bool strict, fail_fast, allow_below_floor;
	int gate;	     /* ba_gate_choice */
	int multiplicity;    /* ba_multiplicity */
	int on_inconclusive; /* 1: fails the gate */
	int fail_on;	     /* 1: what is probably slower fails the gate, too */

	/* The candidates may lie: isolation, the host's clock, no verdict in their favour
	 * that nothing outside of them confirms. Implies a strict gate and
	 * measure_identical, which the caller sets. */
	bool untrusted;

	/* how it is measured */
	uint64_t seed;	  /* 0: chosen */
	const char *part; /* "1/4" of the invocations of a fixed run; NULL: all */
	int fixed, min_invocations, max_invocations, batch, blocks;
	int layouts; /* copies of each library in a process; below 2: itself alone */
	int engine, flush, count_with, explain; /* of the words above */
	uint64_t count_most;	    /* instructions of a launch that is counted; 0: the default */
	int64_t budget_ns, hang_ns; /* of measuring; of a worker without progress */
	bool somebody_waits;	    /* without a budget: aim at an answer in about a minute */
	const char *journal;	    /* of a new run; NULL: a free name below the cache */

	/* configuration and builds */
	const char *config;	 /* a file */
	const char *config_from; /* a variant's label, "baseline" or "worktree" */
	ba_strv overlay;	 /* paths of the working tree for every variant */
	int jobs;		 /* builds side by side */
	bool no_build, in_place, keep, allow_lfs_pointers;
	bool sandbox; /* builds and workers run in sandboxes, whatever the file says */

	/* machine */
	int target;	 /* ba_target_choice; negative: the configuration's */
	int device, cpu; /* cpu negative: chosen */
	/* "all" or "0,2": several, the first of which is `device`; NULL: that one */
	const char *devices;
	const char *on;		 /* "slurm: OPTIONS": where members run; NULL: here */
	const char *build_on;	 /* the same of builds; "same": as `on`; NULL: here */
	bool ship;		 /* nodes share no directory with this host */
	const char *desk;	 /* a directory that all nodes see; NULL: with the journal */
	int64_t keep_tasks_ns;	 /* how long they wait for a coordinator that is gone; 0: 5 min */
	int64_t start_within_ns; /* how long they may wait in a queue; 0: for ever */
	const char *fake_driver; /* of the target BA_ON_FAKE, a path */
} ba_job_request;

void ba_job_request_init(ba_job_request *q);
/* "1", "0,2" or "all"; borrows the text. BA_EINVAL. */
int ba_job_request_set_devices(ba_job_request *q, const char *text, ba_error *err);
/* frees the lists */
void ba_job_request_dispose(ba_job_request *q);

/* The tool's own files, absolute. NULL: missing; then a suite that needs it
 * is an error. */
typedef struct ba_job_parts {
	char *worker;	    /* the worker's executable; never NULL */
	char *host_driver;  /* libcuda.so.1 of the host target */
	char *observer;	    /* libcuda.so.1 that goes in front of a driver */
	char *python;	    /* the folder of the Python module, for PYTHONPATH */
	char *python_start; /* the folder of its sitecustomize.py */
	char *loads;	    /* the library that reports what a program maps */
} ba_job_parts;

/* Where things are, and callbacks. Everything belongs to the caller and must outlive
 * the job; stop and the functions may be NULL. */
typedef struct ba_job_services {
	const ba_job_parts *parts;
	const char *cache_root;		   /* where trees are kept */
	const char *const *env;		   /* of builds and programs; ends with NULL */
	const ba_log *log;		   /* warnings and remarks */
	const volatile sig_atomic_t *stop; /* 0, or the signal that asks to stop */
	/* another phase begins: "building 2 variants" */
	void (*phase)(void *data, const char *text);
	/* how far the phase is (0 .. 1, negative: unknown), and what it works on */
	void (*progress)(void *data, double done, const char *text);
	/* the phase is over, and the next one is unknown */
	void (*quiet)(void *data);
	void *data; /* of these three */
} ba_job_services;

typedef struct ba_job ba_job;

/* Checks metrics, arguments, sizes and loops, before anything is built. BA_EINVAL. */
int ba_job_check(const ba_job_request *q, ba_error *err);

/* Borrows all arguments. *r is empty, or has what ba_job_describe fills. journal:
 * written while the run measures, or resumed; NULL: none. */
ba_job *ba_job_new(const ba_job_request *q, const ba_job_services *services,
	ba_job_journal *journal, ba_result *r);
/* Removes everything outside the cache, also after a signal. The result stays. NULL is
 * fine. */
void ba_job_free(ba_job *job);
BA_DEFINE_AUTO_PTR(ba_job, ba_job_free)

/* Variants: "HEAD~", "fast=v1.2", "WORKTREE", "path:DIR". None: HEAD and the working
 * tree, or the last two commits if that is clean. Also finds the configuration that
 * applies and, in a gate, what the candidates would change about it (r->notes).
 * BA_EINVAL also for a journal of another run. */
int ba_job_resolve(ba_job *job, const ba_strv *variants, ba_error *err);
/* A variant that does not build only becomes a row with a failure; BA_EBUILD if nothing
 * is left to measure. */
int ba_job_build(ba_job *job, ba_error *err);
/* How many variants are built side by side where neither request nor configuration says. */
unsigned ba_job_usual_builders(void);
/* Fills r->env, r->suites and artefacts; for BA_JOB_MEASURE also repository,
 * configuration and time. */
int ba_job_survey(ba_job *job, ba_error *err);
/* Fills r->benchmarks. Begins the journal, or finds that it is of another run
 * (BA_EINVAL). A list needs every variant's library: BA_ELIBRARY. */
int ba_job_plan(ba_job *job, ba_error *err);
/* Fills r->series with verdicts. BA_EINVAL for thresholds that cannot be decided
 * according to this system's calibration, unless q->allow_below_floor. */
int ba_job_measure(ba_job *job, ba_error *err);
/* Sets r->exit_status and r->answer by the policy of the gate. */
void ba_job_answer(ba_job *job);
/* Call when the answer was written: removes the journal, unless the run was stopped. */
void ba_job_end_journal(ba_job *job);

/* ---- calibration ---- */

typedef char ba_plan_digest[65];

/* After ba_job_measure of BA_JOB_CALIBRATE: adds what was measured to what is known of
 * this system, and writes it to the cache. BA_EINTERRUPTED; BA_EVARIANT: nothing was
 * measured. */
int ba_job_learn(ba_calibration *all, const ba_job *job, ba_error *err);
/* After ba_job_survey: how many devices the driver shows. */
int ba_job_device_count(const ba_job *job);
/* The threshold as a ratio; the calibrated time turns an absolute one into a ratio. */
double ba_job_threshold(
	const ba_job *job, const char *benchmark, ba_metric metric, const ba_noise *n);

/* ---- the result ---- */

/* Fills version, time and command line, but neither repository nor configuration. */
void ba_job_describe(ba_result *r, const char *command_line);
/* The `rules` of ba_plan_sha256; the result must have its environment. */
const char *ba_job_sample_rules(const ba_result *r);
/* the same of a document from before all arguments of a launch were checked; NULL: it is not one */
const char *ba_job_earlier_rules(const ba_result *r);
/* a digest of the plan for each benchmark of the result; caller frees */
ba_plan_digest *ba_job_digests(const ba_result *r);

#endif

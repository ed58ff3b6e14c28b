/* The request for a run, filled once, from options or by hand; measuring does not change it. */
#pragma once

#include "base/base.h"

#define BA_JOB_VARIANTS_MOST 32

typedef enum ba_job_purpose {
	BA_JOB_MEASURE, /* verdicts, or the times of one variant */
	BA_JOB_LIST,	/* only the list of benchmarks: ends with ba_job_plan */
	/* the noise of this machine, from two builds of the same code */
	BA_JOB_CALIBRATE,
	BA_JOB_CODE, /* only builds, to compare code: ends with ba_job_build */
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

/* Commands that messages suggest, quoted, with the options of this run that they accept. */
typedef struct ba_job_commands {
	/* lists benchmarks; writes them as a file of expected ones */
	const char *list, *expected;
	const char *doctor, *calibrate;
} ba_job_commands;

/* What to measure. The caller's strings and lists; NULL, empty or 0: the configuration's, or
 * the default. Choices are int, so that a table of options can fill them. */
typedef struct ba_job_request {
	ba_job_purpose purpose;
	size_t least, most;	  /* number of variants; 2 or more are compared */
	const char *directory;	  /* where the repository is; NULL: here */
	const char *command_line; /* recorded in the result; NULL: none */
	ba_job_commands suggest;  /* never NULL */

	/* which benchmarks */
	const char *suite;		  /* only this one */
	const char *metrics, *verdict_on; /* names, with commas between */
	const char *args, *bytes, *loops; /* numbers, with commas between */
	ba_strv filters, paths, axes;	  /* globs; globs; "axis=values" */
	int warm_up, iterations;	  /* runs; warm_up negative: not given */
	int repeats;			  /* calls of `sustained`; negative: not given */
	bool measure_identical, no_device_code;
	bool only_changed; /* of benchmarks with equal code, one in `controls` */
	int controls;
	bool ncu; /* read the counters of differing kernels after measuring */

	/* what counts as slower */
	const char *threshold; /* "2%", "2% and 25ns": replaces the file's */
	double alpha;	       /* above 0, below 0.5 */
	bool strict, fail_fast, allow_below_floor;
	int gate;	     /* ba_gate_choice */
	int multiplicity;    /* ba_multiplicity */
	int on_inconclusive; /* 1: an inconclusive benchmark fails the gate */
	int fail_on;	     /* 1: a probable slowdown fails the gate, too */

	/* The candidates may cheat: isolates them, uses the host's clock, confirms what favours
	 * them from outside. The caller sets a strict gate and measure_identical. */
	bool untrusted;

	/* how to measure */
	uint64_t seed;	  /* 0: chosen */
	const char *part; /* "1/4" of the invocations of a fixed run; NULL: all */
	int fixed, min_invocations, max_invocations, batch, blocks, rotation;
	/* copies of each library in a process; below 2: only the library itself */
	int layouts;
	int engine, flush, count_with, explain; /* indices into the words above */
	/* limit of instructions for a counted launch; 0: the default */
	uint64_t count_most;
	/* limits: for measuring; for a worker without progress */
	int64_t budget_ns, hang_ns;
	/* without a budget: aim at an answer within about a minute */
	bool somebody_waits;
	const char *journal; /* path for a new run; NULL: a free name below the cache */

	/* configuration and builds */
	const char *config; /* a file */
	/* source of the configuration: a variant's label, "baseline" or "worktree" */
	const char *config_from;
	ba_strv overlay; /* paths that every variant takes from the working tree */
	int jobs;	 /* number of parallel builds */
	bool no_build, in_place, keep, allow_lfs_pointers;
	/* run builds and workers in sandboxes, regardless of the configuration */
	bool sandbox;

	/* machine */
	int target;	 /* ba_target_choice; negative: the configuration's */
	int device, cpu; /* cpu negative: chosen */
	/* "all" or "0,2": several, the first of which is `device`; NULL: only that */
	const char *devices;
	const char *on; /* "slurm: OPTIONS": where members run; NULL: here */
	/* "slurm: OPTIONS": where builds run; "same": as `on`; NULL: here */
	const char *build_on;
	bool ship; /* nodes share no directory with this host */
	/* a directory that all nodes see; NULL: beside the journal */
	const char *exchange;
	/* how long tasks wait after their coordinator ended; 0: 5 min */
	int64_t keep_tasks_ns;
	int64_t start_within_ns; /* how long tasks may wait in a queue; 0: for ever */
	const char *fake_driver; /* path of the driver for BA_ON_FAKE */
} ba_job_request;

void ba_job_request_init(ba_job_request *q);
/* "1", "0,2" or "all"; borrows the text. BA_EINVAL. */
int ba_job_request_set_devices(ba_job_request *q, const char *text, ba_error *err);
/* The numbers of such a list, without duplicates; the caller frees them. BA_EINVAL. */
int ba_job_request_devices(int **out, size_t *count, const char *list, ba_error *err);
/* frees the lists */
void ba_job_request_dispose(ba_job_request *q);

/* ---- what a run needs from its caller: files, the cache, the environment, a log, callbacks ---- */

/* The tool's files, absolute. NULL: missing, and a suite that needs it is an error. */
typedef struct ba_job_parts {
	char *worker;	    /* the worker's executable; never NULL */
	char *host_driver;  /* libcuda.so.1 of the host target */
	char *observer;	    /* the libcuda.so.1 that observes calls to the driver */
	char *python;	    /* the folder of the Python module, for PYTHONPATH */
	char *python_start; /* the folder of its sitecustomize.py */
	char *loads;	    /* the library that reports which files a program maps */
	char *hook;	    /* the library that measures programs of benchmark libraries */
} ba_job_parts;

/* The caller's; it must outlive the job. stop and the functions may be NULL. */
typedef struct ba_job_services {
	const ba_job_parts *parts;
	const char *cache_root;		   /* where built trees are kept */
	const char *const *env;		   /* environment of builds and programs; ends with NULL */
	const ba_log *log;		   /* warnings and remarks */
	const volatile sig_atomic_t *stop; /* 0, or the signal that requested a stop */
	/* called when a phase begins: "building 2 variants" */
	void (*phase)(void *data, const char *text);
	/* progress of the phase (0 .. 1, negative: unknown), and its current item */
	void (*progress)(void *data, double done, const char *text);
	/* called when a phase ends and the next is unknown */
	void (*quiet)(void *data);
	void *data; /* of these three */
} ba_job_services;

/* ---- the callbacks, each of which may be NULL ---- */

/* Was the run asked to stop? */
bool ba_job_is_stopped(const ba_job_services *s);
bool ba_job_stopped(void *services); /* the same, as a callback */
void ba_job_phase(const ba_job_services *s, const char *text);
void ba_job_progress(const ba_job_services *s, double done, const char *text);
void ba_job_quiet(const ba_job_services *s);
/* a variable of the given environment; NULL: not set */
const char *ba_job_variable(const ba_job_services *s, const char *name);

/*
 * The part of a job that turns built trees into verdicts: surveys system and libraries,
 * chooses benchmarks, measures invocations, and calls the gate.
 *
 *     ba_job_choose_suites      suites.c      metrics and suites, from the request
 *     ba_job_fill_spec          spec.c        how each suite is measured, for host/
 *     ba_job_examine             survey.c      system, libraries, processor
 *     ba_job_choose_benchmarks  benchmarks.c  finds all, keeps the requested ones
 *     ba_job_run                measure.c     invocations, and ba_job_answer()
 */
#pragma once

#include "experiment/experiment.h"
#include "suite/command_run.h"
#include "variants/variants.h"
#include "git/lock.h"
#include "store/journal.h"

/* The programs of a `worker` or `command` suite: for each variant the configured
 * command, in the variant's tree. The environment makes Python find that tree's modules
 * first. For a `worker` suite, files compiled at run time are kept separate, too. A
 * program without argv is one of several that the variant lacks. */

typedef struct ba_programs {
	ba_program *items; /* [count] one for each variant */
	ba_strv *envs;	   /* [count] their environments */
	/* [count] the environments as lists that end with NULL */
	const char *const **lists;
	size_t count;
	/* for metrics of starts, else NULL: [count] folders of caches, and bytes of the files */
	char **caches;
	uint64_t *sizes;
} ba_programs;

BA_DECLARE_DISPOSE(ba_programs)

/* The services' parts name the tool's folders for PYTHONPATH: for sitecustomize.py, and for the
 * workers' module (NULL: none). driver: the programs' libcuda.so.1; NULL: the machine's.
 * scratch: a directory of this run. cold: whole programs, too, get its folders for code compiled
 * at run time. The suite and the variants must outlive *out. */
int ba_programs_of(ba_programs *out, const ba_suite_config *suite, const ba_variant *variants,
	size_t count, const ba_job_services *services, const char *driver, const char *scratch,
	bool cold, ba_error *err);

/* Sets p->caches of p->count variants; a suite of libraries has no programs besides. */
int ba_programs_add_caches(ba_programs *p, const char *suite, const char *scratch, ba_error *err);
/* Sets p->sizes, without variants that failed. BA_ECONFIG: a glob matches nothing in one. */
int ba_programs_add_sizes(ba_programs *p, const ba_suite_config *suite,
	const ba_manifest *const *manifests, const ba_variant *variants, char *const *failures,
	ba_error *err);

/*
 * Chooses and locks the processor that a run measures on, because two runs on one core
 * disturb each other. Each core in use has a lock below the cache directory. A run that
 * may choose takes a free core. The lock ends with its process, however that ends.
 *
 *     <cache>/cores/<machine's boot>-<first processor of the core>.lock
 *
 * Only runs with the same cache directory see each other's locks. Machines that share
 * the directory over a network have different locks.
 */

typedef struct ba_cpu_lock {
	int cpu;
	/* a sentence if another run measures there, with advice; or NULL */
	char *shared;
	char *unlocked; /* a sentence why that is unknown; or NULL */
	ba_lock lock;
} ba_cpu_lock;

/* Takes `cpu`, or for -1 the best that this process may use, with a free core if there is one
 * (ba_affinity_pick). *out is NULL if there is nothing to choose from. */
void ba_cpu_lock_take(ba_cpu_lock **out, int cpu, const char *pci_bus_id, const char *cache_root);
/* Frees the core. NULL is fine. */
void ba_cpu_lock_free(ba_cpu_lock *l);

typedef struct ba_job_setup {
	const ba_job_request *request;
	const ba_job_services *services;
	ba_session_spec spec;
	ba_suite_list configs; /* of spec.suites */
	size_t configs_capacity;
	/* those of them that are one of several programs of a configured suite */
	ba_suite_config **expanded;
	size_t expanded_count, expanded_capacity;
	char ***libraries; /* [suite][variant], absolute */
	size_t variant_count;
	bool *has; /* [benchmark * variant_count + variant] */
	/* [device_count] devices to measure on; several are measured by members */
	int *devices;
	size_t device_count;
	/* exchange of the resumed run, whose tasks may still run; or NULL */
	char *exchange;
	bool member;  /* this process is a member */
	bool resumes; /* a part of the run was measured before */
	char *fake_driver;
	char *pci_bus_id;      /* PCI address of the device, or NULL */
	ba_cpu_lock *cpu_lock; /* lock of the processor in use; NULL: none was chosen */
	const ba_config *config;
	/* the variant whose configuration applies; 0 also if there is none */
	size_t rules;
	/* [variant] of the built trees; NULL: unknown */
	const ba_manifest *const *manifests;
	/* files that suites name but variants lack; or NULL */
	const ba_missing_list *missing;
	/* globs of benchmarks that a gate expects; NULL: none */
	const ba_strv *expected;
	ba_command_line *commands;   /* [suite] command lines of command suites */
	const char *scratch;	     /* directory of the run; borrowed */
	const ba_sandbox *sandbox;   /* sandbox for workers; NULL: none; borrowed */
	const ba_seal *const *seals; /* [variant] seals of the built trees; borrowed */
	ba_programs *programs;	     /* [suite] programs of `worker` and `command` suites */
	char *checkout;		     /* the user's working tree, or NULL */
} ba_job_setup;

void ba_job_setup_dispose(ba_job_setup *p);

/* The target from the request, else from the configuration (may be NULL), else a GPU. */
ba_target_choice ba_job_target(const ba_job_request *q, const ba_config *config);
/* Sets measure and verdict from options, configuration (NULL: unknown) and target. */
int ba_job_choose_metrics(ba_session_spec *spec, const ba_job_request *q, const ba_config *config,
	ba_target_choice target, ba_error *err);

/* The suites to measure: the named one, or all with one of the metrics on this target.
 * For a list: all that can be measured. For a comparison of code: all, perhaps none. */
int ba_job_choose_suites(
	ba_suite_list *out, const ba_config *config, const ba_job_request *q, ba_error *err);

/* Does the gate fail if a benchmark failed or is inconclusive? */
bool ba_job_is_strict(const ba_job_setup *p);

/* Fills p->spec for the suites; `failures`: a sentence for each variant that was not built. */
int ba_job_fill_spec(ba_job_setup *p, const ba_result *r, char *const *failures, ba_error *err);
/* Is nothing measured but instructions? */
bool ba_job_only_counts(const ba_session_spec *spec);
/* Leaves out looks that come too soon. The processor is known, unless only counting. */
void ba_job_thin_looks(ba_job_setup *p, const ba_result *r);

/* Adds each program of the suite to p->configs as a suite of its own, "SUITE/PROGRAM", unless
 * the filters exclude it. BA_ECONFIG: a glob matches nothing in any built tree. */
int ba_job_add_programs(ba_job_setup *p, const ba_suite_config *suite, const ba_result *r,
	const ba_strv *filters, ba_error *err);
void ba_job_drop_programs(ba_job_setup *p); /* frees them */
/* survey.c: adds all suites to p->configs, those of several programs as above. */
int ba_job_add_suites(ba_job_setup *p, const ba_suite_list *suites, const ba_result *r,
	const ba_strv *filters, ba_error *err);
/* Could a filter match a benchmark of the suite with this name, whatever its own? */
bool ba_job_may_choose(const ba_strv *filters, const char *suite);

/* Completes the plan and examines system and libraries. r->variants must be built. */
int ba_job_examine(ba_job_setup *p, ba_result *r, const ba_suite_list *suites,
	char *const *failures, ba_error *err);

/* The part of a run to measure (--part); 0 of 0: the whole run. BA_EINVAL. */
int ba_job_check_part(unsigned *part, unsigned *parts, const ba_job_request *q, ba_error *err);
/* Checks --args, --bytes and --loops. */
int ba_job_check_launches(const ba_job_request *q, ba_error *err);

/* Sets r->benchmarks from the suites, the request and the survey. */
int ba_job_choose_benchmarks(ba_job_setup *p, ba_result *r, ba_error *err);

/* An error if a variant was not built, or its library cannot be used. */
int ba_job_check_loaded(const ba_job_setup *p, const ba_result *r, ba_error *err);

/* Measures invocations and finds verdicts. */
int ba_job_run(ba_job_setup *p, ba_result *r, ba_error *err);

/* ---- what must be equal for another process to resume a run (fingerprint.c) ---- */

/* the part that is known before anything is built: the tool and the trees */
void ba_fingerprint_of_trees(ba_fingerprint *out, const ba_result *r);
/* The values that members must share: the trees, what is measured and how; without the
 * GPU's model and settings that only the coordinator uses. */
void ba_fingerprint_of_crew(ba_fingerprint *out, const ba_job_setup *p, const ba_result *r);
/* The remaining values, once the system was surveyed and the benchmarks are chosen. */
void ba_fingerprint_of_run(ba_fingerprint *out, const ba_job_setup *p, const ba_result *r);

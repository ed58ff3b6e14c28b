/*
 * From built trees to a judged result, inside of a job: the machine and the libraries
 * are surveyed, benchmarks chosen, invocations measured, the gate asked.
 *
 *     ba_measure_choose_suites      suites.c        metrics and suites, from the request
 *     ba_measure_fill_spec          spec.c          how each suite is measured, for host/
 *     ba_measure_survey        survey.c        machine, libraries, processor
 *     ba_measure_choose_benchmarks  benchmarks.c    what there is and what was asked for
 *     ba_measure_run       measure.c       and ba_measure_judge
 */
#ifndef RUN_MEASURE_H
#define RUN_MEASURE_H

#include "config/config.h"
#include "host/run.h"
#include "run/cpu_lock.h"
#include "run/programs.h"
#include "run/run.h"

struct ba_measure_plan {
	const ba_job_request *request;
	const ba_job_services *services;
	ba_run_spec spec;
	ba_suite_list configs; /* of spec.suites */
	char ***libraries;     /* [suite][variant], absolute */
	size_t variant_count;
	bool *has; /* [benchmark * variant_count + variant] */
	char *fake_driver;
	char *pci_bus_id;      /* of the device, or NULL */
	ba_cpu_lock *cpu_lock; /* of what is measured on; NULL: none was chosen */
	const ba_config *config;
	size_t rules; /* the variant whose configuration rules; 0 also where none does
		       */
	const ba_manifest *const
		*manifests;	   /* [variant] of the trees; NULL: not known */
	const ba_strv *expected;   /* globs of a gate; NULL: none */
	ba_command_line *commands; /* [suite] of command suites */
	const char *scratch;	   /* directory of the run; borrowed */
	ba_programs *programs;	   /* [suite] of `worker` and `command` suites */
	char *checkout;		   /* the user's working tree, or NULL */
};

void ba_measure_dispose(ba_measure_plan *p);
BA_DEFINE_AUTO(ba_measure_plan, ba_measure_dispose)

/* spec->measure and spec->verdict from --metrics, --verdict-on and --target. */
int ba_measure_choose_metrics(
	ba_run_spec *spec, const ba_job_request *q, ba_error *err);

/* The suites that are measured: the one that is named, or all that have one of the
 * metrics on this target. For a list: whatever can be measured. */
int ba_measure_choose_suites(ba_suite_list *out, const ba_config *config,
	const ba_job_request *q, ba_error *err);

/* Does what failed or is not decided fail the gate? */
bool ba_measure_is_strict(const ba_measure_plan *p);

/* p->spec for the suites of p->configs. A variant that was not built has its sentence
 * in failures. */
int ba_measure_fill_spec(
	ba_measure_plan *p, const ba_result *r, char *const *failures, ba_error *err);

/* Set the plan up and examine machine and libraries. r->variants are built. */
int ba_measure_survey(ba_measure_plan *p, ba_result *r, const ba_suite_list *suites,
	char *const *failures, ba_error *err);

/* What can be wrong with --args, --bytes and --loops. */
int ba_measure_check_launches(const ba_job_request *q, ba_error *err);

/* r->benchmarks from the suites, the request and what the survey found. */
int ba_measure_choose_benchmarks(ba_measure_plan *p, ba_result *r, ba_error *err);

/* A variant that was not built, or whose library cannot be used, as an error. */
int ba_measure_check_loaded(
	const ba_measure_plan *p, const ba_result *r, ba_error *err);

/* Invocations and verdicts. */
int ba_measure_run(ba_measure_plan *p, ba_result *r, ba_error *err);

/* r->answer and r->exit_status. */
void ba_measure_judge(const ba_measure_plan *p, ba_result *r);

#endif

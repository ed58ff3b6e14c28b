/* From built trees to a judged result: survey, choice of benchmarks, run, judgement. */
#ifndef CLI_MEASURE_H
#define CLI_MEASURE_H

#include "cli/context.h"
#include "cli/core.h"
#include "cli/programs.h"
#include "config/config.h"
#include "host/run.h"
#include "model/result.h"

/* what makes samples of a benchmark, for ba_plan_sha256; once it is surveyed */
const char *ba_plan_rules(const ba_result *r);

typedef struct ba_measure_plan {
	ba_run_spec spec;
	ba_suite_list configs; /* of spec.suites */
	char ***libraries;     /* [suite][variant], absolute */
	size_t variant_count;
	bool *has; /* [benchmark * variant_count + variant] */
	char *fake_driver;
	char *pci_bus_id; /* of the device, or NULL */
	ba_core *core;	  /* measured on; NULL where none could be chosen */
	const ba_config *config;
	size_t rules; /* the variant whose configuration rules; 0 also where none does
		       */
	const ba_manifest *const
		*manifests;	   /* [variant] of the trees; NULL: not known */
	const ba_strv *expected;   /* globs of a gate; NULL: none */
	ba_command_line *commands; /* [suite] of command suites */
	bool calibrating;	   /* what is measured is the noise itself */
	const char *scratch;   /* directory of the run, set by the caller; borrowed */
	ba_programs *programs; /* [suite] of `worker` and `command` suites */
	char *checkout;	       /* the user's working tree, or NULL */
} ba_measure_plan;

void ba_measure_plan_dispose(ba_measure_plan *p);
BA_DEFINE_AUTO(ba_measure_plan, ba_measure_plan_dispose)

/* spec->measure and spec->verdict from --metrics, --verdict-on and --target. */
int ba_measure_choose_metrics(ba_run_spec *spec, const ba_options *o, ba_error *err);

/* What can be wrong with --metrics, --verdict-on, --args, --bytes and --loops, said
 * before anything is built. */
int ba_measure_check_options(const ba_options *o, ba_error *err);

/* The suites that are measured: the one named by --suite, or all that have one of the
 * --metrics on this --target. `listing`: whatever can be measured. */
int ba_measure_choose_suites(ba_suite_list *out, const ba_config *config,
	const ba_options *o, bool listing, ba_error *err);

/* Set the plan up and examine machine and libraries. r->variants are built; a variant
 * that was not has its sentence in failures. */
int ba_measure_survey(ba_measure_plan *p, ba_result *r, ba_context *c,
	const ba_config *config, const ba_suite_list *suites, char *const *failures,
	ba_error *err);

/* r->benchmarks from the suites, the options and what the survey found. */
int ba_measure_choose_benchmarks(
	ba_measure_plan *p, ba_result *r, ba_context *c, ba_error *err);

/* A variant that was not built, or whose library cannot be used, as an error. */
int ba_measure_check_loaded(
	const ba_measure_plan *p, const ba_result *r, ba_error *err);

/* Measure and judge; r->exit_status is set. */
int ba_measure_run(ba_measure_plan *p, ba_result *r, ba_context *c, ba_error *err);

#endif

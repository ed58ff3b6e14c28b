/* From built trees to a judged result: survey, choice of benchmarks, run, judgement. */
#ifndef CLI_MEASURE_H
#define CLI_MEASURE_H

#include "cli/context.h"
#include "config/config.h"
#include "gpu/ptxgen.h"
#include "host/run.h"
#include "model/result.h"

/* what makes samples of a benchmark, for ba_plan_sha256 */
#define BA_PLAN_RULES "kernels/" BA_PTX_TEXT_VERSION " readings/" BA_READINGS_VERSION

typedef struct ba_measure_plan {
	ba_run_spec spec;
	ba_survey survey;
	char **libraries; /* [variant_count], absolute */
	char **failures; /* [variant_count] sentence or NULL: not built, not loadable */
	size_t variant_count;
	bool *has; /* [benchmark * variant_count + variant] */
	char *fake_driver;
	const ba_config *config;
	bool calibrating; /* what is measured is the noise itself */
} ba_measure_plan;

void ba_measure_plan_dispose(ba_measure_plan *p);
BA_DEFINE_AUTO(ba_measure_plan, ba_measure_plan_dispose)

/* What can be wrong with --metrics, --verdict-on, --args, --bytes and --loops, said
 * before anything is built. */
int ba_measure_check_options(const ba_options *o, ba_error *err);

/* The suite that is measured: the one named by --suite, or the only one. */
int ba_measure_choose_suite(const ba_suite_config **out, const ba_config *config,
	const ba_options *o, ba_error *err);

/* Set the plan up and examine machine and libraries. r->variants are built; a variant
 * that was not has its sentence in failures (taken). */
int ba_measure_survey(ba_measure_plan *p, ba_result *r, ba_context *c,
	const ba_config *config, const ba_suite_config *suite, char **failures,
	ba_error *err);

/* r->benchmarks from the suite, the options and the paths that the survey found. */
int ba_measure_choose_benchmarks(ba_measure_plan *p, ba_result *r, ba_context *c,
	const ba_suite_config *suite, ba_error *err);

/* Measure and judge; r->exit_status is set. */
int ba_measure_run(ba_measure_plan *p, ba_result *r, ba_context *c, ba_error *err);

#endif

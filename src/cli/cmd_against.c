/* The main job, and `run`, which is the main job with one variant: resolve, build,
 * measure, judge, report, tidy. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "cli/cmd.h"
#include "cli/context.h"
#include "cli/diary.h"
#include "cli/history.h"
#include "cli/measure.h"
#include "cli/outputs.h"
#include "cli/routine.h"
#include "cli/trees.h"
#include "proc/affinity.h"

#define VARIANTS_MOST 32

typedef struct job {
	const char *page;   /* of the help: "" or "run" */
	size_t least, most; /* variants */
} job;

static void describe(ba_result *r, const ba_trees *trees, const ba_strv *argv)
{
	ba_routine_describe(r, (int)argv->count, argv->items);
	free(r->repository);
	free(r->config_path);
	r->repository = ba_xstrdup(trees->repo ? ba_repo_common_dir(trees->repo) : "");
	r->config_path = ba_xstrdup(trees->config_path);
	for (size_t i = 0; i < trees->notes.count; i++)
		ba_strv_push(&r->notes, trees->notes.items[i]);
}

static int measure_all(ba_result *r, ba_context *c, ba_trees *trees,
	const ba_suite_list *suites, ba_diary *diary, ba_error *err)
{
	BA_AUTO(ba_measure_plan) ba_measure_plan plan = {0};
	int64_t start = ba_now_ns() - ba_resumed_elapsed_ns(&diary->then.resumed);
	describe(r, trees, &diary->argv);
	plan.expected = &trees->expected;
	plan.rules = trees->rules ? (size_t)(trees->rules - trees->variants) : 0;
	plan.manifests = trees->manifests;
	int rc = ba_workspace_scratch(&plan.scratch, trees->workspace, err);
	rc = rc ? rc
		: ba_measure_survey(
			  &plan, r, c, &trees->config, suites, trees->failures, err);
	rc = rc ? rc : ba_measure_choose_benchmarks(&plan, r, c, err);
	rc = rc ? rc : ba_diary_begin(diary, &plan, r, c, err);
	rc = rc ? rc : ba_measure_run(&plan, r, c, err);
	r->wall_seconds = (double)(ba_now_ns() - start) / 1e9;
	bool measured = rc == 0;
	rc = rc ? rc : ba_outputs_answer(r, c, err);
	if (rc == 0)
		ba_diary_finish(diary, r);
	if (measured)
		ba_history_remember(r, c);
	return rc;
}

static int work(const job *j, ba_context *c, const ba_strv *operands, ba_result *r,
	ba_diary *diary, ba_error *err)
{
	BA_AUTO(ba_trees) ba_trees trees = {0};
	BA_AUTO(ba_suite_list) ba_suite_list suites = {0};
	int rc = ba_measure_check_options(c->options, err);
	rc = rc ? rc : ba_outputs_check(c->options, err);
	rc = rc ? rc
		: ba_trees_resolve(&trees, c, &r->variants, &r->variant_count, operands,
			  j->least, j->most, err);
	rc = rc ? rc : ba_trees_configure(&trees, err);
	rc = rc ? rc : ba_trees_rules(&trees, &r->notes, err);
	rc = rc ? rc
		: ba_measure_choose_suites(
			  &suites, &trees.config, c->options, false, err);
	rc = rc ? rc : ba_diary_check_trees(diary, r, err);
	rc = rc ? rc : ba_trees_build(&trees, &suites, err);
	rc = rc ? rc : measure_all(r, c, &trees, &suites, diary, err);
	ba_trees_tidy(&trees);
	return rc;
}

static int parse(ba_options *o, ba_strv *operands, const job *j, int argc, char **argv,
	ba_error *err)
{
	return ba_options_parse(o, operands, j->page,
		BA_OPTS_WHAT | BA_OPTS_DECIDE | BA_OPTS_SAMPLE | BA_OPTS_BUILD |
			BA_OPTS_MACHINE | BA_OPTS_OUTPUT,
		argc, argv, err);
}

/* What the command line does not say is as it was when the run was started. */
static int parse_again(ba_options *o, ba_strv *operands, const job *j, ba_diary *diary,
	int argc, char **argv, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv then = {0};
	BA_AUTO_FREE char *path = o->directory && *o->resume != '/'
					  ? ba_path_join(o->directory, o->resume)
					  : ba_xstrdup(o->resume);
	int rc = ba_diary_resume(diary, path, err);
	if (rc)
		return rc;
	ba_strv_dispose(operands);
	ba_options_dispose(o);
	ba_options_init(o);
	rc = parse(o, &then, j, (int)diary->argv.count, diary->argv.items, err);
	if (rc == 0 && o->help)
		rc = ba_fail(err, BA_EDATA, "--resume: '%s' is of no run", path);
	rc = rc ? rc : parse(o, operands, j, argc, argv, err);
	if (rc == 0 && operands->count == 0)
		ba_strv_copy(operands, &then);
	if (o->seed == 0)
		o->seed = diary->then.seed;
	if (o->cpu < 0 && ba_affinity_may(diary->then.env.pinned_cpu))
		o->cpu = diary->then.env.pinned_cpu;
	return rc;
}

static int command(const job *j, int argc, char **argv)
{
	ba_error err = {0};
	BA_AUTO(ba_diary) ba_diary diary;
	BA_AUTO(ba_options) ba_options o;
	BA_AUTO(ba_context) ba_context c = {0};
	BA_AUTO(ba_strv) ba_strv operands = {0};
	BA_AUTO(ba_result) ba_result r = {0};
	ba_diary_init(&diary, argc, argv);
	ba_options_init(&o);
	int rc = parse(&o, &operands, j, argc, argv, &err);
	if (rc == 0 && o.help)
		return ba_context_end(0);
	if (rc == 0 && o.resume)
		rc = parse_again(&o, &operands, j, &diary, argc, argv, &err);
	rc = rc ? rc : ba_context_init(&c, &o, &err);
	rc = rc ? rc : work(j, &c, &operands, &r, &diary, &err);
	if (rc) {
		int status = ba_context_complain(&c, &err);
		/* what was shown stands, also where it could not be written down */
		return r.exit_status == 1 ? 1 : status;
	}
	return ba_context_end(r.exit_status);
}

int ba_cmd_against(int argc, char **argv)
{
	return command(&(job){"", 2, VARIANTS_MOST}, argc, argv);
}

int ba_cmd_run(int argc, char **argv)
{
	return command(&(job){"run", 1, 1}, argc, argv);
}

/* `bench-against list`: the benchmarks that would run, a name a line. The launch paths
 * are the library's to tell, so a variant is built (or found in the cache) for it; the
 * host target is enough to ask. */
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "cli/cmd.h"
#include "cli/context.h"
#include "cli/measure.h"
#include "cli/routine.h"
#include "cli/trees.h"
#include "config/expected.h"

static void print(const ba_result *r, const ba_options *o)
{
	if (!o->expected) {
		for (size_t i = 0; i < r->benchmark_count; i++)
			puts(r->benchmarks[i].id);
		return;
	}
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO_FREE const char **names =
		ba_xcalloc(r->benchmark_count + 1, sizeof(*names));
	for (size_t i = 0; i < r->benchmark_count; i++)
		names[i] = r->benchmarks[i].id;
	ba_expected_write(&text, names, r->benchmark_count,
		"bench-against list --expected > " BA_EXPECTED_FILE);
	fputs(text.data, stdout);
}

static int list(ba_context *c, const ba_strv *operands, ba_result *r, ba_error *err)
{
	BA_AUTO(ba_trees) ba_trees trees = {0};
	BA_AUTO(ba_measure_plan) ba_measure_plan plan = {0};
	BA_AUTO(ba_suite_list) ba_suite_list suites = {0};
	int rc = ba_measure_check_options(c->options, err);
	rc = rc ? rc
		: ba_trees_resolve(&trees, c, &r->variants, &r->variant_count, operands,
			  1, 32, err);
	rc = rc ? rc : ba_trees_configure(&trees, err);
	rc = rc ? rc
		: ba_measure_choose_suites(
			  &suites, &trees.config, c->options, true, err);
	rc = rc ? rc : ba_trees_build(&trees, &suites, err);
	rc = rc ? rc : ba_workspace_scratch(&plan.scratch, trees.workspace, err);
	rc = rc ? rc
		: ba_measure_survey(
			  &plan, r, c, &trees.config, &suites, trees.failures, err);
	rc = rc ? rc : ba_measure_choose_benchmarks(&plan, r, c, err);
	ba_progress_clear(&c->progress);
	rc = rc ? rc : ba_measure_check_loaded(&plan, r, err);
	if (rc == 0)
		print(r, c->options);
	ba_trees_tidy(&trees);
	return rc;
}

static void adjust(ba_options *o)
{
	o->target = BA_ON_HOST;
	/* the benchmarks are the same for all of them */
	o->metrics = o->verdict_on = NULL;
}

int ba_cmd_list(int argc, char **argv)
{
	static const ba_routine routine = {"list",
		BA_OPTS_WHAT | BA_OPTS_BUILD | BA_OPTS_SCREEN | BA_OPTS_LIST, adjust,
		list};
	return ba_routine_run(&routine, argc, argv);
}

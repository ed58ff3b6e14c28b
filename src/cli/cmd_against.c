/* The main job, and `run`, which is the main job with one variant: resolve, build,
 * measure, judge, report, tidy. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ba_build.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "cli/cmd.h"
#include "cli/context.h"
#include "cli/history.h"
#include "cli/measure.h"
#include "cli/outputs.h"
#include "cli/trees.h"
#include "store/journal.h"

#define VARIANTS_MOST 32

typedef struct job {
	const char *page;   /* of the help: "" or "run" */
	size_t least, most; /* variants */
	int argc;
	char **argv;
} job;

static void describe_run(ba_result *r, const ba_trees *trees, const job *j)
{
	char started[32];
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	ba_time_format(started, time(NULL));
	r->tool_version = ba_xstrdup(BA_VERSION);
	r->started = ba_xstrdup(started);
	ba_buf_puts(&line, "bench-against");
	for (int i = j->least == 1 ? 0 : 1; i < j->argc; i++)
		ba_buf_printf(&line, " %s", j->argv[i]);
	r->command_line = ba_buf_detach(&line);
	r->repository = ba_xstrdup(trees->repo ? ba_repo_common_dir(trees->repo) : "");
	r->config_path = ba_xstrdup(trees->config_path);
	for (size_t i = 0; i < trees->notes.count; i++)
		ba_strv_push(&r->notes, trees->notes.items[i]);
}

/* ---- the journal: what was measured so far, should the run be killed ---- */

typedef struct diary {
	ba_journal *journal;
	char *path;
	ba_context *context;
	bool broken; /* a write failed: said once, and the run goes on without */
} diary;

static void diary_dispose(diary *d)
{
	ba_journal_free(d->journal);
	free(d->path);
}
BA_DEFINE_AUTO(diary, diary_dispose)

static void diary_gave_up(diary *d, const ba_error *err)
{
	d->broken = true;
	ba_log_printf(&d->context->log, BA_LOG_WARNING,
		"the journal stops here, and a killed run will leave less behind: %s",
		err->text);
}

static void write_samples(void *data, const ba_result *r, const ba_series *series,
	const ba_samples *samples)
{
	diary *d = data;
	ba_error err;
	if (!d->broken && d->journal &&
		ba_journal_samples(d->journal, r->benchmarks[series->benchmark].id,
			series->metric, samples, &err))
		diary_gave_up(d, &err);
}

/* Beside the result, or in the cache where no result file was asked for. */
static void diary_open(diary *d, ba_context *c, const ba_result *r, const job *j)
{
	ba_error err;
	BA_AUTO(ba_strv) ba_strv argv = {0};
	BA_AUTO_FREE char *dir = ba_path_join(c->cache_root, "journals");
	d->context = c;
	for (int i = 0; i < j->argc; i++)
		ba_strv_push(&argv, j->argv[i]);
	d->path = c->options->output ? ba_xprintf("%s.journal", c->options->output)
				     : ba_xprintf("%s/%ld-%ld.jsonl", dir,
					       (long)time(NULL), (long)getpid());
	int rc = c->options->output ? 0 : ba_fs_mkdirs(dir, &err);
	rc = rc ? rc : ba_journal_open(&d->journal, d->path, false, &err);
	rc = rc ? rc : ba_journal_header(d->journal, r, &argv, &err);
	if (rc)
		diary_gave_up(d, &err);
}

/* The document is there: the journal has done its work. */
static void diary_finish(diary *d)
{
	ba_journal_free(d->journal);
	d->journal = NULL;
	unlink(d->path);
}

static int measure_all(ba_result *r, ba_context *c, ba_trees *trees,
	const ba_suite_list *suites, const job *j, ba_error *err)
{
	BA_AUTO(ba_measure_plan) ba_measure_plan plan = {0};
	BA_AUTO(diary) diary book = {0};
	int64_t start = ba_now_ns();
	describe_run(r, trees, j);
	plan.expected = &trees->expected;
	int rc = ba_workspace_scratch(&plan.scratch, trees->workspace, err);
	rc = rc ? rc
		: ba_measure_survey(
			  &plan, r, c, &trees->config, suites, trees->failures, err);
	rc = rc ? rc : ba_measure_choose_benchmarks(&plan, r, c, err);
	if (rc == 0)
		diary_open(&book, c, r, j);
	plan.spec.stored = write_samples;
	plan.spec.stored_data = &book;
	rc = rc ? rc : ba_measure_run(&plan, r, c, err);
	r->wall_seconds = (double)(ba_now_ns() - start) / 1e9;
	bool measured = rc == 0;
	rc = rc ? rc : ba_outputs_answer(r, c, err);
	if (rc == 0)
		diary_finish(&book);
	if (measured)
		ba_history_remember(r, c);
	return rc;
}

static int work(const job *j, ba_context *c, const ba_strv *operands, ba_result *r,
	ba_error *err)
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
	rc = rc ? rc : ba_trees_build(&trees, &suites, err);
	rc = rc ? rc : measure_all(r, c, &trees, &suites, j, err);
	ba_trees_tidy(&trees);
	return rc;
}

static int command(const job *j)
{
	ba_error err = {0};
	BA_AUTO(ba_options) ba_options o;
	BA_AUTO(ba_context) ba_context c = {0};
	BA_AUTO(ba_strv) ba_strv operands = {0};
	BA_AUTO(ba_result) ba_result r = {0};
	ba_options_init(&o);
	int rc = ba_options_parse(&o, &operands, j->page,
		BA_OPTS_WHAT | BA_OPTS_DECIDE | BA_OPTS_SAMPLE | BA_OPTS_BUILD |
			BA_OPTS_MACHINE | BA_OPTS_OUTPUT,
		j->argc, j->argv, &err);
	if (rc == 0 && o.help)
		return ba_context_end(0);
	rc = rc ? rc : ba_context_init(&c, &o, &err);
	rc = rc ? rc : work(j, &c, &operands, &r, &err);
	if (rc) {
		int status = ba_context_complain(&c, &err);
		/* what was shown stands, also where it could not be written down */
		return r.exit_status == 1 ? 1 : status;
	}
	return ba_context_end(r.exit_status);
}

int ba_cmd_against(int argc, char **argv)
{
	return command(&(job){"", 2, VARIANTS_MOST, argc, argv});
}

int ba_cmd_run(int argc, char **argv)
{
	return command(&(job){"run", 1, 1, argc, argv});
}

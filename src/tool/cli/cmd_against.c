/* The main command, and `run` with one variant: resolve, build, survey, plan, measure, answer. */

#include "cli/cmd.h"
#include "cli/help.h"
#include "git/commit.h"
#include "proc/affinity.h"

/* "comapre": similar to a command, and not a revision of this repository. */
static int check_command(const char *word, ba_error *err)
{
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	BA_AUTO(ba_commit) ba_commit commit = {0};
	ba_error why = {0};
	const char *near = strpbrk(word, ":=") ? NULL : ba_command_nearest(word);
	if (!near)
		return 0;
	int rc = ba_repo_open(&repo, ".", &why);
	rc = rc ? rc : ba_commit_resolve(&commit, repo, word, &why);
	if (rc == 0)
		return 0;
	BA_AUTO_FREE char *safe = ba_text_safe(word);
	if (strstr(why.text, "did you mean"))
		return ba_fail(err, BA_EINVAL, "%s or 'bench-against %s'?", why.text, near);
	return ba_fail(err, BA_EINVAL,
		"no command and no revision '%s'; did you mean 'bench-against %s'?", safe, near);
}

/* A lone operand may be a range of commits. */
static int check_operands(const ba_job_request *q, const ba_strv *operands, ba_error *err)
{
	int rc = operands->count ? check_command(operands->items[0], err) : 0;
	if (rc || operands->count == 0 || operands->count >= q->least)
		return rc;
	const char *operand = operands->items[0];
	const char *dots = strstr(operand, "..");
	if (dots && dots[2] != '/' && !strchr(operand, ':'))
		return ba_fail(
			err, BA_EINVAL, "'%s' is a range; name the two ends instead", operand);
	return ba_fail(err, BA_EINVAL,
		"one variant cannot be compared: name a baseline and a candidate, as in 'bench-against HEAD~ HEAD', or see 'bench-against run'");
}

static int measure(ba_job *job, ba_error *err)
{
	int rc = ba_job_survey(job, err);
	rc = rc ? rc : ba_job_plan(job, err);
	rc = rc ? rc : ba_job_measure(job, err);
	if (rc == 0)
		ba_job_answer(job);
	return rc;
}

static int answer(ba_job *job, ba_result *r, ba_context *c, ba_error *err)
{
	int rc = ba_outputs_answer(r, c, err);
	if (rc == 0)
		ba_job_end_journal(job);
	if (!c->options->job.part) /* the merged result of all parts is added instead */
		ba_history_remember(r, c);
	return rc;
}

static int work(ba_context *c, const ba_strv *operands, ba_result *r, ba_job_journal *journal,
	ba_error *err)
{
	const ba_job_request *q = &c->options->job;
	/* no journal for a part: its invocations are numbered differently */
	BA_AUTO_PTR(ba_job)
	ba_job *job = ba_job_new(q, &c->services, q->part ? NULL : journal, r);
	int rc = ba_job_check(q, err);
	rc = rc ? rc : ba_outputs_check(c->options, err);
	if (rc == 0 && q->journal && !journal->resumed)
		rc = ba_journal_check_free(q->journal, err);
	rc = rc ? rc : ba_history_check(c, err);
	rc = rc ? rc : check_operands(q, operands, err);
	rc = rc ? rc : ba_job_resolve(job, operands, err);
	rc = rc ? rc : ba_job_build(job, err);
	rc = rc ? rc : measure(job, err);
	return rc ? rc : answer(job, r, c, err);
}

static bool is_run(const ba_command *c)
{
	return c->shared == BA_FOR_RUN;
}

static int parse(
	ba_options *o, ba_strv *operands, const ba_command *c, int argc, char **argv, ba_error *err)
{
	ba_opt rows[BA_OPTION_ROWS_MOST];
	ba_options_rows(rows, o, c->shared);
	o->job.least = is_run(c) ? 1 : 2;
	o->job.most = is_run(c) ? 1 : BA_JOB_VARIANTS_MOST;
	int rc = ba_opt_parse(operands, rows, argc - 1, argv + 1, err);
	rc = rc ? rc : ba_options_settle(o, rows, operands, c->shared, err);
	if (rc == 0 && o->help)
		ba_help_show(c->name, rows, o->help_all);
	return rc;
}

/* Options that are not given again come from the command line of the first start. */
static int parse_again(ba_options *o, ba_strv *operands, const ba_command *c,
	ba_job_journal *journal, int argc, char **argv, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv then = {0};
	BA_AUTO_FREE char *path = ba_path_join(o->directory ? o->directory : "", o->resume);
	BA_TRY(ba_job_journal_resume(journal, path, err));
	ba_strv_dispose(operands);
	ba_options_dispose(o);
	ba_options_init(o);
	int rc = parse(o, &then, c, (int)journal->argv.count, journal->argv.items, err);
	if (rc == 0 && o->help)
		rc = ba_fail(err, BA_EDATA, "--resume: '%s' is not a run journal", path);
	rc = rc ? rc : parse(o, operands, c, argc, argv, err);
	if (rc == 0 && operands->count == 0)
		ba_strv_copy(operands, &then);
	if (o->job.seed == 0)
		o->job.seed = journal->then.seed;
	if (o->job.cpu < 0 && ba_affinity_may(journal->then.env.pinned_cpu))
		o->job.cpu = journal->then.env.pinned_cpu;
	return rc;
}

/* A user waits at a terminal; a CI system waits as long as it has to. */
static bool somebody_waits(const ba_options *o, const ba_command *c)
{
	const char *ci = getenv("CI");
	return !is_run(c) && !o->resume && isatty(STDERR_FILENO) && !(ci && *ci);
}

int ba_cmd_against(const ba_command *command, int argc, char **argv)
{
	ba_error err = {0};
	BA_AUTO(ba_job_journal) ba_job_journal journal;
	BA_AUTO(ba_options) ba_options o;
	BA_AUTO(ba_context) ba_context c = {0};
	BA_AUTO(ba_strv) ba_strv operands = {0};
	BA_AUTO(ba_result) ba_result r = {0};
	ba_job_journal_init(&journal, argc, argv);
	ba_options_init(&o);
	int rc = parse(&o, &operands, command, argc, argv, &err);
	if (rc == 0 && o.help)
		return ba_context_end(0);
	if (rc == 0 && o.filter_from && o.job.filters.count == 0) {
		BA_AUTO_FREE char *name = ba_text_safe(o.filter_from);
		printf("nothing to measure: '%s' names no benchmark\n", name);
		return ba_context_end(0);
	}
	/* a misspelt command explains unknown options */
	if (rc && !is_run(command) && argc > 1 && *argv[1] != '-')
		check_command(argv[1], &err);
	if (rc == 0 && o.resume)
		rc = parse_again(&o, &operands, command, &journal, argc, argv, &err);
	BA_AUTO_FREE char *line = ba_cmd_line((int)journal.argv.count, journal.argv.items);
	BA_AUTO_FREE char *beside = o.output ? ba_xprintf("%s.journal", o.output) : NULL;
	o.job.command_line = line;
	o.job.journal = beside;
	o.job.somebody_waits = somebody_waits(&o, command);
	rc = rc ? rc : ba_context_init(&c, &o, &err);
	rc = rc ? rc : work(&c, &operands, &r, &journal, &err);
	if (rc) {
		int status = ba_context_complain(&c, &err);
		/* the answer was shown, so it is valid even if not written */
		return r.decided.exit_status == 1 ? 1 : status;
	}
	return ba_context_end(r.decided.exit_status);
}

int ba_cmd_parse_journal(ba_options *o, ba_strv *operands, const ba_strv *argv, ba_error *err)
{
	const ba_command *run = ba_command_named("run");
	const ba_command *c = strcmp(argv->items[0], run->name) == 0 ? run : &ba_command_tool;
	return parse(o, operands, c, (int)argv->count, argv->items, err);
}

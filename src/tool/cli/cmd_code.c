/* `bench-against code`: compares the machine code of two builds, without a GPU. */

#include "cli/cmd.h"
#include "git/commit.h"
#include "report/machine/machine.h"

enum { NOT_COMPARED = 2 }; /* exit status */
enum { LIST };

static const char *const formats[] = {
	[LIST] = "list", "term", "json", "markdown", "html", "junit", "sarif", NULL};

typedef struct code_options {
	ba_strv fail_on, allow, limits;
	int format;
	bool explain;
} code_options;

static code_options here = {.format = LIST + 1};
static const ba_opt rows[] = {
	OPT_GROUP("What fails"),
	OPT_LIST(0, "fail-on", &here.fail_on, NULL),
	OPT_LIST(0, "limit", &here.limits, NULL),
	OPT_LIST(0, "allow", &here.allow, NULL),
	OPT_GROUP("What is shown"),
	OPT_CHOICE(0, "format", &here.format, formats, NULL),
	OPT_FLAG(0, "explain", &here.explain, NULL),
	OPT_END,
};
const ba_own_options ba_code_options = {"code", rows, &here, sizeof(here), NULL};

BA_OWNS_HERE(ba_code_config, c, BA_DISPOSE(ba_strv, &c->paths, &c->fail_on, &c->allow))

static int add_limit(ba_code_config *c, const char *text, ba_error *err)
{
	const char *equals = strchr(text, '=');
	BA_AUTO_FREE char *name = ba_xstrndup(text, strcspn(text, "="));
	int metric = ba_code_metric_from_name(name);
	BA_AUTO(ba_buf) ba_buf names = BA_BUF_INIT;
	for (int m = 0; m < BA_CODE_METRIC_COUNT; m++)
		ba_buf_printf(&names, "%s%s", m ? ", " : "", ba_code_metric_get(m)->name);
	if (metric < 0 || !equals)
		return ba_fail(err, BA_EINVAL,
			"--limit '%s': write a metric and its limit, as in registers=+8; the metrics are %s",
			text, names.data);
	return ba_code_limit_parse(&c->limits[metric], equals + 1, "--limit", err);
}

/* The rules of the configuration, and those of the command line. */
static int make_rules(ba_code_config *out, const ba_code_config *file, ba_error *err)
{
	memcpy(out->limits, file->limits, sizeof(out->limits));
	out->block = file->block;
	ba_strv_copy(&out->paths, &file->paths);
	ba_strv_copy(&out->fail_on, &file->fail_on);
	ba_strv_copy(&out->allow, &file->allow);
	ba_strv_copy(&out->allow, &here.allow);
	for (size_t i = 0; i < here.fail_on.count; i++)
		ba_strv_split(&out->fail_on, here.fail_on.items[i], ',');
	for (size_t i = 0; i < out->fail_on.count; i++)
		if (ba_config_check_fail_on(out->fail_on.items[i], err))
			return ba_fail_context(err, "--fail-on");
	for (size_t i = 0; i < here.limits.count; i++)
		BA_TRY(add_limit(out, here.limits.items[i], err));
	return 0;
}

static int explain(ba_codediff *d, ba_error *err)
{
	const char *tmp = getenv("TMPDIR");
	BA_AUTO_FREE char *folder =
		ba_xprintf("%s/bench-against-XXXXXX", tmp && *tmp == '/' ? tmp : "/tmp");
	if (!mkdtemp(folder))
		return ba_fail_errno(err, BA_EIO, "'%s'", folder);
	int rc = ba_codediff_explain(d, folder, &ba_stop_signal, err);
	int removed = ba_fs_remove_tree(folder, rc ? NULL : err);
	return rc ? rc : removed;
}

/* Device code that cannot be read never passes: a status of its own. */
static int refuse(ba_context *c, ba_result *r, int rc, const ba_error *err)
{
	if (rc != BA_EINVAL)
		return rc;
	ba_context_complain(c, err);
	r->decided.exit_status = NOT_COMPARED;
	return 0;
}

/* job: whose suites a list names; NULL: two files are compared */
static int answer(ba_context *c, ba_codediff *d, ba_job *job, ba_result *r, ba_error *err)
{
	const ba_suite_list *suites = NULL;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	/* a list of suites rests on host code, too, and names all that cannot be read */
	bool lists = here.format == LIST && job;
	int rc = lists ? 0 : ba_codediff_check(d, err);
	if (rc)
		return refuse(c, r, rc, err);
	ba_codediff_compare(d);
	ba_strv_copy(&d->found.notes, &r->run.notes);
	if (here.explain)
		BA_TRY(explain(d, err));
	if (lists)
		BA_TRY(ba_job_suites(&suites, job, err));
	if (here.format == LIST)
		ba_codediff_list(&text, d, suites, job ? ba_job_config(job) : NULL);
	else
		ba_machine_format_named(formats[here.format])->write(&text, &d->found, &c->format);
	ba_progress_clear(&c->progress);
	ba_context_put(&text);
	r->decided.exit_status = here.format == LIST ? 0 : (int)d->found.exit_status;
	if (job && here.format != LIST)
		ba_history_remember_code(r, &d->found, c);
	return 0;
}

/* A file, or a folder whose name is not a revision of this repository. */
static bool is_file(const char *operand)
{
	BA_AUTO_PTR(ba_repo) ba_repo *repo = NULL;
	BA_AUTO(ba_commit) ba_commit commit = {0};
	ba_error ignored;
	if (!ba_fs_exists(operand))
		return false;
	return !ba_fs_is_dir(operand) || ba_repo_open(&repo, ".", &ignored) ||
	       ba_commit_resolve(&commit, repo, operand, &ignored);
}

static int compare_files(ba_context *c, const ba_strv *operands, ba_result *r, ba_error *err)
{
	BA_AUTO(ba_config) ba_config config;
	BA_AUTO(ba_code_config) ba_code_config rules = {0};
	BA_AUTO(ba_codediff) ba_codediff d = {.config = &rules};
	ba_config_init(&config);
	if (c->options->job.config)
		BA_TRY(ba_config_load(&config, c->options->job.config, err));
	BA_TRY(make_rules(&rules, &config.code, err));
	for (size_t i = 0; i < 2; i++) {
		int rc = ba_codediff_read(
			&d.sides[i], operands->items[i], operands->items[i], NULL, NULL, NULL, err);
		if (rc)
			return refuse(c, r, rc, err);
	}
	return answer(c, &d, NULL, r, err);
}

static int compare_variants(ba_context *c, const ba_strv *operands, ba_result *r, ba_error *err)
{
	const ba_job_request *q = &c->options->job;
	BA_AUTO_PTR(ba_job) ba_job *job = ba_job_new(q, &c->services, NULL, r);
	BA_AUTO(ba_code_config) ba_code_config rules = {0};
	BA_AUTO(ba_codediff) ba_codediff d = {.config = &rules};
	BA_TRY(ba_job_resolve(job, operands, err));
	BA_TRY(make_rules(&rules, &ba_job_config(job)->code, err));
	BA_TRY(ba_job_build(job, err));
	for (size_t i = 0; i < 2; i++) {
		int rc = ba_job_read_code(&d.sides[i], job, i, &rules.paths, err);
		if (rc)
			return refuse(c, r, rc, err);
	}
	return answer(c, &d, job, r, err);
}

static int work(ba_context *c, const ba_strv *operands, ba_result *r, ba_error *err)
{
	bool files =
		operands->count > 0 && BA_ALL(operands->items, operands->count, x, is_file(*x));
	if (operands->count == 1 || operands->count > 2)
		return ba_fail(err, BA_EINVAL,
			"code compares two variants or two files; %zu %s given", operands->count,
			ba_plural(operands->count, "is", "are"));
	return files ? compare_files(c, operands, r, err) : compare_variants(c, operands, r, err);
}

int ba_cmd_code(ba_call *call, ba_error *err)
{
	ba_job_request *q = &call->o.job;
	q->purpose = BA_JOB_CODE;
	q->least = q->most = 2;
	return ba_cmd_work(call, work, err);
}

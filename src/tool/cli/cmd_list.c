/* `bench-against list`: the benchmarks that would run, one a line. Only the library knows its
 * launch paths, so a variant is built (or found) and asked on the host target. */
#include "cli/cmd.h"
#include "config/config.h"

static void print(const ba_result *r, const ba_options *o)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (!o->expected) {
		for (size_t i = 0; i < r->run.benchmark_count; i++)
			ba_buf_printf(&text, "%s\n", r->run.benchmarks[i].id);
		ba_context_put(&text);
		return;
	}
	BA_AUTO_FREE const char **names = ba_xcalloc(r->run.benchmark_count + 1, sizeof(*names));
	for (size_t i = 0; i < r->run.benchmark_count; i++)
		names[i] = r->run.benchmarks[i].id;
	BA_AUTO_FREE char *command = ba_xprintf("%s > " BA_EXPECTED_FILE, o->job.suggest.expected);
	ba_expected_write(&text, names, r->run.benchmark_count, command);
	ba_context_put(&text);
}

static int list(ba_context *c, const ba_strv *operands, ba_result *r, ba_error *err)
{
	const ba_job_request *q = &c->options->job;
	BA_AUTO_PTR(ba_job) ba_job *job = ba_job_new(q, &c->services, NULL, r);
	int rc = ba_job_check(q, err);
	rc = rc ? rc : ba_job_resolve(job, operands, err);
	rc = rc ? rc : ba_job_build(job, err);
	rc = rc ? rc : ba_job_survey(job, err);
	rc = rc ? rc : ba_job_plan(job, err);
	ba_progress_clear(&c->progress);
	if (rc == 0)
		print(r, c->options);
	return rc;
}

int ba_cmd_list(ba_call *call, ba_error *err)
{
	ba_job_request *q = &call->o.job;
	q->purpose = BA_JOB_LIST;
	q->least = 1;
	q->target = BA_ON_HOST;
	/* all metrics have the same benchmarks */
	q->metrics = q->verdict_on = NULL;
	return ba_cmd_work(call, list, err);
}

/* `bench-against calibrate`: this machine's noise: a commit against itself, built twice. */

#include "cli/cmd.h"
#include "report/table/table.h"
#include "stats/planning.h"
#include "store/calibration.h"

enum { QUICK = 8, THOROUGH = 16 };

static void put_percent(ba_table *t, size_t column, ba_ink ink, double part)
{
	ba_buf *out = ba_table_cell(t, column, ink);
	ba_number_put(out, 100 * part, part < 0.01 ? 3 : part < 0.1 ? 2 : 1, false);
	ba_buf_puts(out, isfinite(part) ? " %" : "");
}

static void put_row(
	ba_table *t, const ba_noise *n, const ba_calibration *all, double theta, size_t family)
{
	size_t need = ba_invocations_for_unchanged(theta, n->s_upper);
	double floor = ba_theta_floor(n->s_upper);
	ba_ink ink = theta < floor ? BA_INK_BAD : BA_INK_PLAIN;
	ba_table_row(t);
	ba_table_put(t, 0, BA_INK_PLAIN, n->benchmark);
	put_percent(t, 1, BA_INK_PLAIN, n->s);
	put_percent(t, 2, BA_INK_DIM, n->s_upper);
	put_percent(t, 3, ink, floor);
	put_percent(t, 4, ink, theta);
	put_percent(t, 5, BA_INK_PLAIN, ba_minimum_detectable(theta, n->s_upper, family, 32));
	if (need)
		ba_buf_printf(ba_table_cell(t, 6, ink), "%zu, %.1f s", need,
			(double)need * (n->seconds + all->start_seconds));
	else
		ba_table_put(t, 6, ink, "never");
}

static void print_metric(const ba_calibration *all, const ba_job *job, const ba_result *r,
	const ba_plan_digest *digests, ba_metric metric, const ba_context *c)
{
	const ba_column columns[] = {{ba_metric_get(metric)->name, .left = true, .shrink_to = 12},
		{"noise"}, {"at most", .drop = 2}, {"floor"}, {"threshold"}, {"detects", .drop = 1},
		{"unchanged after"}};
	BA_AUTO(ba_table) ba_table t = {0};
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	size_t rows = 0;
	ba_table_columns(&t, columns, BA_COUNT(columns));
	ba_table_heads(&t);
	for (size_t i = 0; i < r->run.benchmark_count; i++) {
		const ba_noise *n = ba_calibration_find(
			all, digests[i], metric, ba_measured_engine(&r->run, i));
		if (!n)
			continue;
		double theta = ba_job_threshold(job, n);
		put_row(&t, n, all, theta, r->decided.family_size ? r->decided.family_size : 1);
		rows++;
	}
	if (!rows)
		return;
	ba_table_term(&out, &t, &c->format);
	fputs(out.data, stdout);
	putchar('\n');
}

static void print_calibration(
	const ba_calibration *all, const ba_job *job, const ba_result *r, const ba_context *c)
{
	BA_AUTO_FREE ba_plan_digest *digests = ba_job_digests(r);
	BA_AUTO_FREE char *device =
		ba_text_safe(*all->device_name ? all->device_name : all->device_uuid);
	BA_AUTO_FREE char *host = ba_text_safe(all->host_name);
	BA_AUTO_FREE char *label = ba_text_safe(r->run.variants[0].spec);
	printf("%s against itself on %s, host %s: %zu invocations, %s engine, %.1f s\n\n", label,
		device, host, r->decided.design.at[0], r->run.engine, r->run.measure_seconds);
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		print_metric(all, job, r, digests, (ba_metric)m, c);
	if (!c->options->quiet)
		puts("noise: how much the result of one invocation varies; at most: its 90 % limit\n"
		     "floor: the least threshold that can be decided within 32 invocations\n"
		     "detects: the least slowdown that is found in nine of ten runs\n");
	for (size_t i = 0; i < all->findings.count; i++) {
		BA_AUTO_FREE char *safe = ba_text_safe(all->findings.items[i]);
		printf("%s\n", safe);
	}
}

/* `first` and `second` are two builds of it. A directory cannot be built twice. */
static int two_of(ba_strv *operands, const ba_strv *given, ba_error *err)
{
	const char *spec = given->count ? given->items[0] : "HEAD";
	if (given->count > 1)
		return ba_fail(err, BA_EINVAL,
			"one variant is measured against itself; '%s' is one too many",
			given->items[1]);
	if (ba_text_starts(spec, "path:") || strstr(spec, "=path:"))
		return ba_fail(err, BA_EINVAL,
			"'%s' is one directory, and a calibration needs two builds of the same code: name a commit or WORKTREE",
			spec);
	const char *equals = strchr(spec, '=');
	spec = equals ? equals + 1 : spec;
	ba_strv_printf(operands, "first=%s", spec);
	ba_strv_printf(operands, "second=%s", spec);
	return 0;
}

static int learn(ba_job *job, const ba_result *r, ba_context *c, ba_error *err)
{
	BA_AUTO(ba_calibration) ba_calibration all = {0};
	BA_AUTO_FREE char *path = ba_calibration_path(c->cache_root, &r->run.env);
	ba_job_answer(job);
	BA_TRY(ba_job_learn(&all, job, err));
	print_calibration(&all, job, r, c);
	ba_log_printf(&c->log, BA_LOG_DEBUG, "the calibration is in '%s'", path);
	return 0;
}

/* *devices: how many devices the driver reports. */
static int calibrate(ba_context *c, const ba_job_request *q, const ba_strv *operands, ba_result *r,
	int *devices, ba_error *err)
{
	BA_AUTO_PTR(ba_job) ba_job *job = ba_job_new(q, &c->services, NULL, r);
	int rc = ba_job_resolve(job, operands, err);
	rc = rc ? rc : ba_job_build(job, err);
	rc = rc ? rc : ba_job_survey(job, err);
	*devices = rc ? 0 : ba_job_device_count(job);
	rc = rc ? rc : ba_job_plan(job, err);
	rc = rc ? rc : ba_job_measure(job, err);
	rc = rc ? rc : learn(job, r, c, err);
	/* a difference between the builds is noise, so it is not a regression */
	r->decided.exit_status = 0;
	return rc;
}

/* Calibrates several GPUs one after another, because each has its own noise. */
static int work(ba_context *c, const ba_strv *given, ba_result *r, ba_error *err)
{
	const ba_job_request *asked = &c->options->job;
	ba_job_request q = *asked;
	BA_AUTO(ba_strv) ba_strv operands = {0};
	int rc = two_of(&operands, given, err), devices = 0;
	q.devices = NULL;
	rc = rc ? rc : calibrate(c, &q, &operands, r, &devices, err);
	for (int i = 0; rc == 0 && asked->devices && i < devices; i++) {
		BA_AUTO(ba_result) ba_result next = {0};
		if (i == asked->device || !ba_options_name_device(c->options, i))
			continue;
		q.device = i;
		ba_job_describe(&next, r->run.command_line);
		rc = calibrate(c, &q, &operands, &next, &devices, err);
	}
	return rc;
}

int ba_cmd_calibrate(ba_call *call, ba_error *err)
{
	ba_job_request *q = &call->o.job;
	q->purpose = BA_JOB_CALIBRATE;
	q->fixed = call->o.thorough ? THOROUGH : QUICK;
	q->measure_identical = true;
	return ba_cmd_work(call, work, err);
}

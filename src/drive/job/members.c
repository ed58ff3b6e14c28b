/* Connects a job with its members: what they must know, how they start, what one takes. */

#include "job/state.h"

/* ---- the coordinator ---- */

static void copy_variants(ba_exchange_plan *out, const ba_job *job)
{
	const ba_result *r = job->result;
	out->variants = ba_xcalloc(r->run.variant_count, sizeof(*out->variants));
	for (; out->variant_count < r->run.variant_count; out->variant_count++) {
		ba_planned_variant *p = &out->variants[out->variant_count];
		ba_variant_copy(&p->variant, &r->run.variants[out->variant_count]);
		p->failure = ba_xstrdup(job->variants.failures[out->variant_count]);
	}
}

/* The plan for members. BA_EUNSUPPORTED: the job has no journal. */
static int describe(ba_exchange_plan *out, const ba_job *job, ba_error *err)
{
	const ba_result *r = job->result;
	const ba_variants *t = &job->variants;
	if (!job->journal)
		return ba_fail(err, BA_EUNSUPPORTED, "only a run with a journal can have members");
	*out = (ba_exchange_plan){.directory = ba_xstrdup(job->journal->directory),
		.repository = ba_xstrdup(r->run.repository),
		.started = ba_xstrdup(r->run.started),
		.seed = job->setup.spec.seed,
		.host_name = ba_xstrdup(r->run.env.host_name),
		.device_name = ba_xstrdup(r->run.env.device_name),
		.config_name = ba_xstrdup(t->config_path),
		.config_text = ba_xstrdup(t->config.text)};
	ba_strv_copy(&out->argv, &job->journal->argv);
	ba_fingerprint_of_crew(&out->terms, &job->setup, r);
	copy_variants(out, job);
	return 0;
}

/* This program, even if its file was replaced. */
#define OWN_PROGRAM "/proc/self/exe"

static int start(ba_local_members *local, const char *exchange, int device, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv argv = {0};
	BA_AUTO_FREE char *id = ba_xprintf("gpu%d", device);
	BA_AUTO_FREE char *number = ba_xprintf("%d", device);
	BA_AUTO_FREE char *parent = ba_xprintf("%ld", (long)getpid());
	BA_STRV_PUSH(&argv, OWN_PROGRAM, "--member", exchange, "--device", number, "--id", id,
		"--parent", parent);
	return ba_local_members_start(local, id, &argv, err);
}

/* The coordinator for that exchange directory. Without a plan it resumes the exchange. */
static int coordinate(ba_coordinator **out, const ba_job *job, const char *exchange,
	const ba_exchange_plan *plan, ba_error *err)
{
	const ba_coordinator_spec spec = {
		job->services, job->request->devices, job->result, job->journal};
	return ba_coordinator_new(out, exchange, plan, &spec, err);
}

int ba_job_start_members(
	ba_coordinator **coordinator, ba_local_members **local, ba_job *job, ba_error *err)
{
	ba_job_setup *p = &job->setup;
	BA_AUTO(ba_exchange_plan) ba_exchange_plan plan = {0};
	BA_AUTO_FREE char *dir = ba_path_join(p->scratch, "desk");
	BA_TRY(describe(&plan, job, err));
	BA_TRY(coordinate(coordinator, job, dir, &plan, err));
	*local = ba_local_members_new(job->services->stop);
	for (size_t i = 0; i < p->device_count; i++)
		BA_TRY(start(*local, dir, p->devices[i], err));
	const ba_member_source source = ba_local_members_source(*local);
	ba_coordinator_set_source(*coordinator, &source);
	return 0;
}

/* ---- a member ---- */

int ba_job_adopt(ba_job *job, ba_exchange_plan *plan, ba_error *err)
{
	ba_result *r = job->result;
	ba_variants *t = &job->variants;
	r->run.variants = ba_xcalloc(plan->variant_count, sizeof(*r->run.variants));
	for (; r->run.variant_count < plan->variant_count; r->run.variant_count++)
		r->run.variants[r->run.variant_count] =
			BA_MOVE(plan->variants[r->run.variant_count].variant);
	job->setup.member = true;
	t->repository = ba_xstrdup(plan->repository);
	BA_TRY(ba_variants_adopt(t, r->run.variants, r->run.variant_count, err));
	for (size_t v = 0; v < t->count; v++)
		t->failures[v] = BA_TAKE(plan->variants[v].failure);
	BA_TRY(ba_variants_configure_as(t, plan->config_name, plan->config_text, err));
	BA_TRY(ba_job_choose_suites(&job->suites, &t->config, job->request, err));
	return ba_variants_adopt_built(t, err);
}

/* ---- members on the nodes of a cluster (--on 'slurm: ...') ---- */

/* how long tasks wait after their coordinator ended */
#define KEEP_NS (300 * BA_SECOND)

char *ba_job_exchange_dir(const ba_job *job)
{
	const char *journal = job->journal && job->journal->path ? job->journal->path : NULL;
	const char *exchange = job->request->exchange;
	if (!journal)
		return ba_path_join(exchange ? exchange : job->setup.scratch, "desk");
	BA_AUTO_FREE char *name = ba_xprintf("%s.desk", exchange ? ba_path_base(journal) : journal);
	BA_AUTO_FREE char *whole = exchange ? ba_path_join(exchange, name) : ba_xstrdup(name);
	return ba_path_absolute(whole);
}

/* Appends "exec TOOL --member DIRECTORY ...", quoted for the shell of a task. */
static int member_command(ba_buf *out, const char *exchange, int64_t keep_ns, ba_error *err)
{
	BA_AUTO_FREE char *tool = NULL;
	BA_TRY(ba_ship_tool(&tool, err));
	ba_buf_puts(out, "exec ");
	ba_shell_put(out, tool);
	ba_buf_puts(out, " --member ");
	ba_shell_put(out, exchange);
	ba_buf_printf(out,
		" --device 0 --id \"%s\" --job \"%s\" --node \"$SLURMD_NODENAME\" --gpu \"$SLURM_JOB_GPUS\" --patience %.3fs",
		BA_SLURM_MEMBER_ID, BA_SLURM_MEMBER_JOB, (double)keep_ns / (double)BA_SECOND);
	return 0;
}

static int submit(ba_slurm_array *out, const ba_job *job, const char *exchange, ba_error *err)
{
	const ba_job_request *q = job->request;
	int64_t keep_ns = q->keep_tasks_ns ? q->keep_tasks_ns : KEEP_NS;
	BA_AUTO(ba_slurm_spec) ba_slurm_spec spec = {0};
	BA_AUTO(ba_buf) ba_buf command = BA_BUF_INIT;
	BA_AUTO_FREE char *output = ba_path_join(exchange, "output");
	BA_TRY(ba_slurm_spec_parse(&spec, "--on", q->on, err));
	if (q->ship) {
		BA_AUTO_FREE char *task = ba_ship_task(keep_ns);
		BA_AUTO_FREE char *tar = ba_path_join(exchange, "ship.tar");
		ba_buf_puts(&command, task);
		BA_TRY(ba_ship_pack(tar, job->result->run.variants, job->result->run.variant_count,
			q, job->services, err));
	} else {
		BA_TRY(member_command(&command, exchange, keep_ns, err));
	}
	BA_TRY(ba_fs_mkdirs(output, err));
	const ba_slurm_job task = {.command = command.data, .output_dir = q->ship ? NULL : output};
	BA_TRY(ba_slurm_submit(out, &spec, &task, err));
	ba_log_printf(job->services->log, BA_LOG_INFO, "Slurm job %s: %zu %s", out->job, out->count,
		ba_plural(out->count, "task", "tasks"));
	return 0;
}

/* ---- a coordinator that was killed, whose tasks may still run ---- */

/* Finds an earlier coordinator's running array, or removes the directory of an ended one. */
static int take_up(
	bool *alive, ba_slurm_array *out, const ba_job *job, const char *exchange, ba_error *err)
{
	if (!ba_fs_exists(exchange))
		return 0;
	if (ba_slurm_record_read(out, exchange)) {
		int rc = ba_slurm_poll(out, -1, err);
		size_t ended = BA_HOW_MANY(out->tasks, out->count, t, ba_slurm_task_ended(t));
		if (rc || ended < out->count) {
			*alive = rc == 0;
			ba_log_printf(job->services->log, BA_LOG_INFO,
				"taking up Slurm job %s: %zu of %zu tasks", out->job,
				out->count - ended, out->count);
			return rc;
		}
		ba_slurm_array_dispose(out);
	}
	return ba_fs_remove_tree(exchange, err);
}

static ba_slurm_tasks *tasks_of(
	ba_slurm_array *array, const ba_job *job, const char *exchange, const ba_strv *relay)
{
	BA_AUTO_FREE char *output = ba_path_join(exchange, "output");
	return ba_slurm_tasks_new(
		array, &(ba_slurm_tasks_spec){.start_within_ns = job->request->start_within_ns,
			       .relay = relay->count ? relay : NULL,
			       .output_dir = output,
			       .log = job->services->log,
			       .stop = job->services->stop});
}

int ba_job_start_tasks(
	ba_coordinator **coordinator, ba_slurm_tasks **tasks, ba_job *job, ba_error *err)
{
	BA_AUTO(ba_exchange_plan) ba_exchange_plan plan = {0};
	BA_AUTO(ba_slurm_array) ba_slurm_array array = {0};
	BA_AUTO(ba_strv) ba_strv relay = {0};
	BA_AUTO_FREE char *exchange = ba_job_exchange_dir(job);
	BA_AUTO_FREE char *above = ba_path_dir(exchange);
	bool alive = false;
	BA_TRY(describe(&plan, job, err));
	/* the relay for each task, if nodes do not see the exchange directory */
	BA_AUTO_FREE char *tar = ba_path_join(exchange, "ship.tar");
	BA_TRY(job->request->ship
			? ba_ship_relay(&relay, exchange, tar, job->journal->directory, err)
			: 0);
	BA_TRY(ba_fs_mkdirs(above, err));
	BA_TRY(take_up(&alive, &array, job, exchange, err));
	BA_TRY(coordinate(coordinator, job, exchange, alive ? NULL : &plan, err));
	/* submitted last, because after a later failure nothing would end the tasks */
	if (!alive) {
		BA_TRY(submit(&array, job, exchange, err));
		int rc = ba_slurm_record_write(exchange, &array, err);
		if (rc) {
			ba_slurm_cancel(&array, NULL);
			return rc;
		}
	}
	*tasks = tasks_of(&array, job, exchange, &relay);
	const ba_member_source source = ba_slurm_tasks_source(*tasks);
	ba_coordinator_set_source(*coordinator, &source);
	return 0;
}

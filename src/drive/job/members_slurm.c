#include "job/members_slurm.h"

#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/path.h"
#include "base/shell.h"
#include "cluster/slurm_record.h"
#include "cluster/ship.h"

/* how long tasks wait for a coordinator that is gone */
#define KEEP_NS (300 * BA_SECOND)

char *ba_cluster_desk(const ba_job *job)
{
	const char *journal = job->journal && job->journal->path ? job->journal->path : NULL;
	const char *desk = job->request->desk;
	if (!journal)
		return ba_path_join(desk ? desk : job->plan.scratch, "desk");
	BA_AUTO_FREE char *name = ba_xprintf("%s.desk", desk ? ba_path_base(journal) : journal);
	BA_AUTO_FREE char *whole = desk ? ba_path_join(desk, name) : ba_xstrdup(name);
	return ba_path_absolute(whole);
}

/* exec TOOL --member DESK ...: as the shell of a task reads it */
static int member_command(ba_buf *out, const char *desk, int64_t keep_ns, ba_error *err)
{
	BA_AUTO_FREE char *tool = NULL;
	int rc = ba_ship_tool(&tool, err);
	if (rc)
		return rc;
	ba_buf_puts(out, "exec ");
	ba_shell_put(out, tool);
	ba_buf_puts(out, " --member ");
	ba_shell_put(out, desk);
	ba_buf_printf(out,
		" --device 0 --id \"%s\" --job \"%s\" --node \"$SLURMD_NODENAME\" --gpu \"$SLURM_JOB_GPUS\" --patience %.3fs",
		BA_SLURM_MEMBER_ID, BA_SLURM_MEMBER_JOB, (double)keep_ns / (double)BA_SECOND);
	return 0;
}

static int submit(ba_slurm_array *out, const ba_job *job, const char *desk, ba_error *err)
{
	const ba_job_request *q = job->request;
	int64_t keep_ns = q->keep_tasks_ns ? q->keep_tasks_ns : KEEP_NS;
	BA_AUTO(ba_slurm_spec) ba_slurm_spec spec = {0};
	BA_AUTO(ba_buf) ba_buf command = BA_BUF_INIT;
	BA_AUTO_FREE char *output = ba_path_join(desk, "output");
	int rc = ba_slurm_spec_parse(&spec, "--on", q->on, err);
	if (rc == 0 && q->ship) {
		BA_AUTO_FREE char *task = ba_ship_task(keep_ns);
		BA_AUTO_FREE char *tar = ba_path_join(desk, "ship.tar");
		ba_buf_puts(&command, task);
		rc = ba_ship_pack(tar, job->result->variants, job->result->variant_count, q,
			job->services, err);
	} else if (rc == 0) {
		rc = member_command(&command, desk, keep_ns, err);
	}
	rc = rc ? rc : ba_fs_mkdirs(output, err);
	rc = rc ? rc
		: ba_slurm_submit(out, &spec,
			  &(ba_slurm_job){
				  .command = command.data, .output_dir = q->ship ? NULL : output},
			  err);
	if (rc)
		return rc;
	ba_log_printf(job->services->log, BA_LOG_INFO, "Slurm job %s: %zu %s", out->job, out->count,
		ba_plural(out->count, "task", "tasks"));
	return 0;
}

/* ---- a coordinator that was killed, whose tasks may still run ---- */

/* The array that is still alive; what is not is cleared away. */
static int take_up(
	bool *alive, ba_slurm_array *out, const ba_job *job, const char *desk, ba_error *err)
{
	size_t ended = 0;
	if (!ba_fs_exists(desk))
		return 0;
	if (ba_array_record_read(out, desk)) {
		int rc = ba_slurm_poll(out, -1, err);
		for (size_t i = 0; i < out->count; i++)
			ended += ba_task_ended(&out->tasks[i]);
		if (rc || ended < out->count) {
			*alive = rc == 0;
			ba_log_printf(job->services->log, BA_LOG_INFO,
				"taking up Slurm job %s: %zu of %zu tasks", out->job,
				out->count - ended, out->count);
			return rc;
		}
		ba_slurm_array_dispose(out);
	}
	return ba_fs_remove_tree(desk, err);
}

/* What runs beside each task, where nodes see no desk; else nothing. */
static int relay_of(ba_strv *out, const ba_job *job, const char *desk, ba_error *err)
{
	BA_AUTO_FREE char *tar = ba_path_join(desk, "ship.tar");
	return job->request->ship ? ba_ship_relay(out, desk, tar, job->journal->directory, err) : 0;
}

static ba_slurm_crew *crew_of(
	ba_slurm_array *array, const ba_job *job, const char *desk, const ba_strv *relay)
{
	BA_AUTO_FREE char *output = ba_path_join(desk, "output");
	return ba_slurm_crew_new(
		array, &(ba_slurm_crew_spec){.start_within_ns = job->request->start_within_ns,
			       .relay = relay->count ? relay : NULL,
			       .output_dir = output,
			       .log = job->services->log,
			       .stop = job->services->stop});
}

int ba_job_muster_cluster(ba_job_crew **crew, ba_slurm_crew **tasks, ba_job *job, ba_error *err)
{
	BA_AUTO(ba_crew_plan) ba_crew_plan plan = {0};
	BA_AUTO(ba_slurm_array) ba_slurm_array array = {0};
	BA_AUTO(ba_strv) ba_strv relay = {0};
	BA_AUTO_FREE char *desk = ba_cluster_desk(job);
	BA_AUTO_FREE char *above = ba_path_dir(desk);
	bool alive = false;
	int rc = ba_job_describe_plan(&plan, job, err);
	rc = rc ? rc : relay_of(&relay, job, desk, err);
	rc = rc ? rc : ba_fs_mkdirs(above, err);
	rc = rc ? rc : take_up(&alive, &array, job, desk, err);
	rc = rc ? rc
		: ba_job_crew_new(crew, desk, alive ? NULL : &plan,
			  &(ba_crew_spec){
				  job->services, job->request->devices, job->result, job->journal},
			  err);
	/* the last that may fail: nobody would end the tasks */
	if (rc == 0 && !alive) {
		rc = submit(&array, job, desk, err);
		if (rc == 0 && (rc = ba_array_record_write(desk, &array, err)))
			ba_slurm_cancel(&array, NULL);
	}
	if (rc)
		return rc;
	*tasks = crew_of(&array, job, desk, &relay);
	const ba_muster muster = ba_slurm_crew_muster(*tasks);
	ba_job_crew_set_muster(*crew, &muster);
	return 0;
}

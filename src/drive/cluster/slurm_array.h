/*
 * A job array of Slurm: submitted with sbatch, watched with squeue, ended with scancel.
 * No other module runs programs of Slurm.
 *
 *     BA_AUTO(ba_slurm_array) ba_slurm_array a = {0};
 *     ba_slurm_submit(&a, &spec, &(ba_slurm_job){.command = "exec ...", ...}, err)
 *     while (wanted) {
 *             ba_slurm_poll(&a, 0, err)      a.tasks[i].state
 *             ...                            seconds: each answer is work for slurmctld
 *     }
 *     ba_slurm_cancel(&a, err)
 *
 * Needs Slurm 20.11 or newer. Accounting (sacct) is not needed: most sites that are small
 * have none. So a task that Slurm has forgotten (MinJobAge, 300 s) keeps its last state, or
 * is BA_SLURM_TASK_GONE if it was running when it was last seen.
 */
#pragma once

#include "proc/proc.h"

#define BA_SLURM_TASKS_MOST 1000

/* Where members run: `--on 'slurm: --partition=gpu --gres=gpu:1 --array=8'`. The options are
 * sbatch's and the site's; only --array is ours: each task is a member. */
typedef struct ba_slurm_spec {
	ba_strv options; /* options for sbatch, without --array */
	size_t tasks;	 /* number of members; 1 without --array */
	size_t at_once;	 /* --array=8%2: run at most 2 at a time; 0: no limit */
} ba_slurm_spec;

BA_DECLARE_DISPOSE(ba_slurm_spec)

/* BA_EINVAL for another scheduler, an --array without a number of tasks, and options that would
 * replace the script, its output or sbatch's answer; sbatch rejects other wrong ones. `option`
 * is the name of the option for messages: "--on". */
int ba_slurm_spec_parse(ba_slurm_spec *out, const char *option, const char *text, ba_error *err);

typedef enum ba_slurm_task_state {
	/* waits for its start, or for a restart after a requeue */
	BA_SLURM_TASK_PENDING,
	/* has a node; also while it starts, ends or is suspended */
	BA_SLURM_TASK_RUNNING,
	BA_SLURM_TASK_DONE,	 /* its command ended with status 0 */
	BA_SLURM_TASK_FAILED,	 /* its command ended with another status, or by a signal */
	BA_SLURM_TASK_NODE_LOST, /* its node failed, and it is not requeued */
	BA_SLURM_TASK_TIMED_OUT, /* its time limit passed */
	BA_SLURM_TASK_CANCELLED, /* by a user, or by ba_slurm_cancel */
	BA_SLURM_TASK_GONE,	 /* Slurm no longer knows it */
} ba_slurm_task_state;

typedef struct ba_slurm_task {
	ba_slurm_task_state state;
	unsigned restarts; /* how often Slurm put it back into the queue */
	char *job;	   /* the number that srun uses, "131"; "" before the first answer */
	char *node;	   /* "" while it waits */
	char *reason;	   /* Slurm's reason for waiting, "Resources"; "" if none */
	int exit_code;	   /* of FAILED: exit status, or 128 + signal */
} ba_slurm_task;

typedef struct ba_slurm_array {
	char *job;     /* "123" */
	char *cluster; /* with --clusters; else NULL */
	ba_slurm_task *tasks;
	size_t count;
	ba_proc *asking; /* a running squeue, until its answer is complete */
} ba_slurm_array;

BA_DECLARE_DISPOSE(ba_slurm_array)

/* The command of every task. */
typedef struct ba_slurm_job {
	const char *command; /* for /bin/sh; SLURM_ARRAY_TASK_ID is 0, 1, ... */
	/* an existing directory, where each task appends to N.txt. NULL: no output */
	const char *output_dir;
} ba_slurm_job;

/* The array of an earlier submission; all tasks count as pending until the first poll. */
void ba_slurm_array_again(ba_slurm_array *out, const char *job, const char *cluster, size_t tasks);

/* BA_ENOTFOUND: there is no sbatch here. BA_EINVAL: it refused, with its own sentence. */
int ba_slurm_submit(
	ba_slurm_array *out, const ba_slurm_spec *spec, const ba_slurm_job *job, ba_error *err);
/* Asks for the states of all tasks. BA_ETIMEOUT: no answer yet; call again (without slurmctld
 * squeue tries for a minute). Another error: there is none, and nothing has changed. */
int ba_slurm_poll(ba_slurm_array *a, int64_t timeout_ns, ba_error *err);
/* Ends all tasks that wait or run. Returns when slurmctld has confirmed it. */
int ba_slurm_cancel(const ba_slurm_array *a, ba_error *err);

/* Has the task ended for good? */
bool ba_slurm_task_ended(const ba_slurm_task *t);
/* Did it end before its command began, because its node does not see the output directory? */
bool ba_slurm_task_has_no_output(const ba_slurm_task *t);
size_t ba_slurm_count(const ba_slurm_array *a, ba_slurm_task_state state);
/* "waits (Resources)", "runs on node7", "node7 failed", ... */
void ba_slurm_task_text(ba_buf *out, const ba_slurm_task *t);

/* The lines of squeue, for ba_slurm_poll. Lines of other jobs are skipped. */
void ba_slurm_read(ba_slurm_array *a, const char *lines);

/* Records in an exchange which job array runs its members, so that a coordinator that
 * resumes the run finds them ("123 8 cluster" in the file `array`). */

int ba_slurm_record_write(const char *exchange, const ba_slurm_array *a, ba_error *err);
/* All tasks count as pending. False: there is no array, or it is another user's. */
bool ba_slurm_record_read(ba_slurm_array *out, const char *exchange);

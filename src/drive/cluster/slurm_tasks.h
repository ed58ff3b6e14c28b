/* Members that run as tasks of a Slurm job array. */
#pragma once

#include "cluster/coordinator.h"
#include "cluster/slurm_array.h"

typedef struct ba_slurm_tasks ba_slurm_tasks;

/* Everything belongs to the caller and must outlive the tasks; log and stop may be NULL. */
typedef struct ba_slurm_tasks_spec {
	const char *output_dir; /* as in ba_slurm_job; copied; may be NULL */
	/* The command of a process of this host for each running task, to which the task's
	 * job and its member's id are appended; copied. NULL: nodes see the exchange. */
	const ba_strv *relay;
	int64_t start_within_ns; /* give up if no task starts within this time; 0: wait */
	const ba_log *log;
	const volatile sig_atomic_t *stop;
} ba_slurm_tasks_spec;

/* Takes the array, which was submitted. */
ba_slurm_tasks *ba_slurm_tasks_new(ba_slurm_array *a, const ba_slurm_tasks_spec *spec);
/* Does not end the tasks: ba_member_source.end does. NULL is fine. */
BA_DECLARE_FREE(ba_slurm_tasks)

/* The member's id that a task passes, for /bin/sh: "123_4", or "123_4.2" when started for the
 * third time. A restarted task is another member, possibly on another node. */
#define BA_SLURM_MEMBER_ID                             \
	"${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}" \
	"${SLURM_RESTART_COUNT:+.$SLURM_RESTART_COUNT}"
/* the job that a task passes */
#define BA_SLURM_MEMBER_JOB "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"

/* Borrows c. `wait` asks Slurm every few seconds; requeued tasks come back as new members. */
ba_member_source ba_slurm_tasks_source(ba_slurm_tasks *c);

/* The tasks, in the states of Slurm's last answer. */
const ba_slurm_array *ba_slurm_tasks_array(const ba_slurm_tasks *c);

/* Sites whose nodes share no directory with the submitting host (--ship): sbcast takes tool and
 * trees to a node, srun brings the members' files back (ship_near.sh, ship_far.sh). */

/* The path of this program, which members start. Caller frees. */
int ba_ship_tool(char **out, ba_error *err);
/* Packs what members need: the folder of the tool, the built trees, the test driver. */
int ba_ship_pack(const char *tar, const ba_variant *variants, size_t count, const ba_job_request *q,
	const ba_job_services *s, ba_error *err);
/* Unpacks the files on the node of a running job. */
int ba_ship_unpack(const char *tar, const char *job, ba_error *err);
/* A task's script: it waits while the coordinator needs the node, and keep_ns longer. */
char *ba_ship_task(int64_t keep_ns);
/* Carries the exchange to and from a task's node; its job and the member's id are appended. */
int ba_ship_relay(
	ba_strv *out, const char *exchange, const char *tar, const char *directory, ba_error *err);

/* Members that are tasks of a job array of Slurm. */
#ifndef CLUSTER_SLURM_TASKS_H
#define CLUSTER_SLURM_TASKS_H

#include <signal.h>

#include "base/base.h"
#include "base/log.h"
#include "cluster/member_source.h"
#include "cluster/slurm_array.h"

typedef struct ba_slurm_tasks ba_slurm_tasks;

/* Everything belongs to the caller and must outlive the tasks; log and stop may be NULL. */
typedef struct ba_slurm_tasks_spec {
	const char *output_dir;	 /* as in ba_slurm_job; copied; may be NULL */
	const ba_strv *relay;	 /* as in relays.h; copied; NULL: nodes see the exchange */
	int64_t start_within_ns; /* if no task starts in that time, give up; 0: wait */
	const ba_log *log;
	const volatile sig_atomic_t *stop;
} ba_slurm_tasks_spec;

/* Takes the array, which was submitted. */
ba_slurm_tasks *ba_slurm_tasks_new(ba_slurm_array *a, const ba_slurm_tasks_spec *spec);
/* Its tasks are not ended: that is ba_member_source.end. NULL is fine. */
void ba_slurm_tasks_free(ba_slurm_tasks *c);
BA_DEFINE_AUTO_PTR(ba_slurm_tasks, ba_slurm_tasks_free)

/* What a task passes as the id of its member, for /bin/sh: "123_4", and "123_4.2" when Slurm
 * has started it for the third time. Such a one is another member, perhaps on another
 * node. */
#define BA_SLURM_MEMBER_ID                             \
	"${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}" \
	"${SLURM_RESTART_COUNT:+.$SLURM_RESTART_COUNT}"
/* and as its job */
#define BA_SLURM_MEMBER_JOB "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"

/* Borrows c. Its `wait` asks Slurm every few seconds; tasks that Slurm requeues come again
 * as members of their own. */
ba_member_source ba_slurm_tasks_source(ba_slurm_tasks *c);

/* The tasks, in the states of Slurm's last answer. */
const ba_slurm_array *ba_slurm_tasks_array(const ba_slurm_tasks *c);

#endif

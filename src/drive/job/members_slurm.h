/* Members of a run on the nodes of a cluster (--on 'slurm: ...'). */
#ifndef JOB_MEMBERS_SLURM_H
#define JOB_MEMBERS_SLURM_H

#include "job/state.h"
#include "cluster/slurm_tasks.h"

/* Where the exchange of the run is: a function of its journal, so that --resume finds it. Caller
 * frees it. */
char *ba_job_exchange_dir(const ba_job *job);

/* Lays the exchange where the nodes see it, submits the array, and lets the coordinator take its members
 * from there. The coordinator goes before the tasks: *tasks must outlive *coordinator. */
int ba_job_start_tasks(
	ba_coordinator **coordinator, ba_slurm_tasks **tasks, ba_job *job, ba_error *err);

#endif

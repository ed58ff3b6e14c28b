/* Members of a run on the nodes of a cluster (--on 'slurm: ...'). */
#ifndef JOB_MEMBERS_SLURM_H
#define JOB_MEMBERS_SLURM_H

#include "job/state.h"
#include "cluster/slurm_tasks.h"

/* Where the desk of the run is: a function of its journal, so that --resume finds it. Caller
 * frees it. */
char *ba_cluster_desk(const ba_job *job);

/* Lays the desk where the nodes see it, submits the array, and lets the crew take its members
 * from there. The crew goes before the tasks: *tasks must outlive *crew. */
int ba_job_muster_cluster(ba_job_crew **crew, ba_slurm_crew **tasks, ba_job *job, ba_error *err);

#endif

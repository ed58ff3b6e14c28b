/* A member of a run on several devices: it takes plan and orders from the exchange of the run,
 * and measures for its coordinator (cluster/coordinator.h). */
#pragma once

#include "cluster/exchange.h"
#include "job/job.h"

/* The identity of a member. */
typedef struct ba_member_spec {
	const char *id;	  /* its id in the exchange: "gpu0" */
	const char *job;  /* its Slurm job, or NULL */
	pid_t parent;	  /* the coordinator if that started it; else 0 */
	const char *node; /* node of a cluster; NULL: use the host's name */
	int gpu;	  /* the node's number of device 0; negative: 0 */
	/* leave if the coordinator has written no orders for this time; 0: never */
	int64_t patience_ns;
} ba_member_spec;

/* Measures until the coordinator's orders end. `job`: of plan->argv, new and not resolved. */
int ba_job_serve(ba_job *job, const char *exchange, ba_exchange_plan *plan,
	const ba_member_spec *spec, ba_error *err);

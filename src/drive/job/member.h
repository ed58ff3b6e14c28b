/* A member of a run on several devices: it takes plan and orders from the exchange of the run,
 * and measures for its coordinator (cluster/coordinator.h). */
#ifndef JOB_MEMBER_H
#define JOB_MEMBER_H

#include "cluster/exchange_plan.h"
#include "job/job.h"

/* Who a member is. */
typedef struct ba_member_spec {
	const char *id;	  /* of the exchange: "gpu0" */
	const char *job;  /* of Slurm, or NULL */
	pid_t parent;	  /* the coordinator, which started it; 0: it did not */
	const char *node; /* of a cluster; NULL: the host's name tells it */
	int gpu;	  /* the number that the node has for device 0; negative: 0 */
	/* leave when the coordinator has written no orders for that time; 0: never */
	int64_t patience_ns;
} ba_member_spec;

/* Measures for the coordinator until its orders end. `job` is new, with a request made
 * from plan->argv, and nothing was resolved. */
int ba_job_serve(ba_job *job, ba_exchange *exchange, ba_exchange_plan *plan,
	const ba_member_spec *spec, ba_error *err);

#endif

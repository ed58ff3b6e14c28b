/* A node of the cluster, borrowed for the survey: the host that submits an array need not
 * have a GPU, and its GPU need not be one of the nodes'. Workers then start there, by
 * srun, in a job of one task. */
#ifndef RUN_NODE_H
#define RUN_NODE_H

#include "run/measure.h"

typedef struct ba_node ba_node;

/* Submits the job, waits until it runs, and makes the engines of p->spec start their
 * workers there. If the array of p->desk still runs, one of its nodes
 * serves. BA_EUNSUPPORTED: the job does not start in time (--start-within). */
int ba_node_borrow(
	ba_node **out, ba_measure_plan *p, const ba_result *r, ba_error *err);
/* Ends the job; engines start workers here again. NULL is fine. */
void ba_node_free(ba_node *n);
BA_DEFINE_AUTO_PTR(ba_node, ba_node_free)

#endif

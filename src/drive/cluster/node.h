/* A node of the cluster, borrowed in a job of one task. The host that submits need not have a
 * GPU or a compiler: workers of the survey start on the node (ba_node_wrapper), and trees are
 * built there (node_build.h). Everything there is started with srun. */
#pragma once

#include "request/request.h"
#include "request/services.h"

typedef struct ba_node ba_node;

/* Why a node is borrowed. */
typedef struct ba_node_spec {
	const char *option, *on; /* "--on" and its value, with options for one task */
	const char *waiting;	 /* the phase: "waiting for a node" */
	const char *before;	 /* for messages: "before a node was examined" */
} ba_node_spec;

/* Submits the job and waits until it runs; it ends with the handle, or a minute after this
 * process is killed. Borrows q and s. BA_EUNSUPPORTED: not started in time (--start-within). */
int ba_node_borrow(ba_node **out, const ba_node_spec *spec, const ba_job_request *q,
	const ba_job_services *s, ba_error *err);
/* The node of a running task of the array recorded in the exchange, if there is one;
 * the task continues when the handle is freed. NULL: there is none. */
ba_node *ba_node_of_array(const char *exchange);
/* The command prefix, with NULL at its end, that starts a worker there; the node's. */
const char *const *ba_node_wrapper(const ba_node *n);
const char *ba_node_job(const ba_node *n); /* the number of its job */
/* After the survey failed with `code`: if the job has ended, says so instead. Returns code. */
int ba_node_explain(const ba_node *n, int code, ba_error *err);
/* Ends the job. NULL is fine. */
BA_DECLARE_FREE(ba_node)

/* For messages: "n1 (Slurm job 7)". */
const char *ba_node_name(const ba_node *n);
/* Runs this program on the node with that option and `input`; *out: its output after the line
 * BA_NODE_MARK. BA_EIO: it failed, or the job ended. BA_EINTERRUPTED: the run is stopping. */
int ba_node_run(ba_buf *out, ba_node *n, const char *option, const ba_buf *input, ba_error *err);

/* Printed first, because a site's scripts (TaskProlog) may print before it. */
#define BA_NODE_MARK "bench-against:begin"

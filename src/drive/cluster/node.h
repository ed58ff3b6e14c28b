/* A node of the cluster, borrowed in a job of one task. The host that submits need not have a
 * GPU or a compiler: workers of the survey start on the node (ba_node_wrapper), and trees are
 * built there (node_build.c). Everything there is started with srun. */
#pragma once

#include "request/request.h"
#include "build/build.h"
#include "json/fields.h"

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

/* Builds on a borrowed node (--build-on). Trees, cache and logs lie in a directory that both
 * sides see, and locks and keys are the coordinator's. The node identifies its toolchain,
 * and runs the commands: this program, once for each order.
 *
 *     the coordinator                      the node
 *     ba_node_toolchain, ba_node_build     ba_node_serve_build: bench-against --builder
 *
 * An order and its answer are JSON, on the channels of srun. */

/* Like ba_toolchain.sha256, for the node; cache_file as in ba_toolchain_identify. */
int ba_node_toolchain(char out[65], ba_node *n, const ba_build_recipe *recipe,
	const char *cache_file, ba_error *err);
/* Like ba_build_all, but all jobs have one recipe and the same artefacts. A tree to keep is
 * complete only when this host sees all of its files, too: network file systems may show
 * them late. */
int ba_node_build(ba_node *n, ba_build_job *jobs, size_t count, const ba_build_options *options,
	ba_error *err);

/* ---- for both sides ---- */

typedef struct ba_node_target {
	char *label, *dir, *log_path; /* of a ba_build_job */
	bool kept;		      /* the coordinator needs the tree's digest */
} ba_node_target;

typedef struct ba_node_order {
	ba_build_recipe recipe; /* without its sandbox */
	bool sandbox, network;
	ba_strv readable, writable, hidden, env; /* of the sandbox */
	ba_strv artefacts, frozen;
	unsigned parallel;
	char *tmp_root, *hashes; /* hashes: the cache_file of ba_node_toolchain */
	ba_node_target *targets; /* none: only the toolchain is asked for */
	size_t count;
} ba_node_order;

extern const ba_json_fields ba_node_order_fields;
/* what became of a ba_build_job, in an answer */
extern const ba_json_fields ba_node_outcome_fields;

/* The node's side. Errors are part of the answer. */
void ba_node_serve_build(ba_buf *answer, const char *order, size_t size);

/* Builds on a borrowed node (--build-on). Trees, cache and logs lie in a directory that both
 * sides see, and locks and keys are the coordinator's. The node identifies its toolchain,
 * and runs the commands: this program, once for each order.
 *
 *     the coordinator                      the node
 *     ba_node_toolchain, ba_node_build     ba_node_serve_build: bench-against --builder
 *
 * An order and its answer are JSON, on the channels of srun. */
#pragma once

#include "build/build.h"
#include "cluster/node.h"
#include "json/fields.h"

/* Like ba_toolchain.sha256, for the node; cache_file as in ba_toolchain_identify. */
int ba_node_toolchain(char out[65], ba_node *n, const ba_build_recipe *recipe,
	const char *cache_file, ba_error *err);
/* Like ba_build_all, but all jobs have one recipe and the same artefacts. A tree to keep is complete only when this
 * host sees all of its files, too: network file systems may show them late. */
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

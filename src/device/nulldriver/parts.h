/* What the files of our own drivers use of each other. */
#pragma once

#include "nulldriver/api.h"
#include "nulldriver/object.h"
#include "base/base.h"
#include "gpu/abi.h"

/* ---- device memory, and memory that host and device share; cuMemFree() frees both ---- */

cu_result memory_alloc_device(cu_deviceptr *address, size_t bytes);
/* real memory, in all of the tool's drivers */
cu_result memory_alloc_shared(cu_deviceptr *address, size_t bytes, bool is_managed);

/* ---- stream capture ---- */

/* As far as the tool needs it: kernel launches between the two calls become the nodes of a graph,
 * one after the other. A call that a driver forbids during capture invalidates it, as in the
 * driver. */

bool graph_is_stream_captured(cu_stream stream);
/* For a call that waits or allocates: 900 during a capture, which it invalidates; else
 * 0. */
cu_result graph_forbids(void);

/* ---- how a capture receives launches, which otherwise take the fast path ---- */

/* Is this stream being captured? Then the launch becomes a node, with its result in *result,
 * and must not be submitted. config may be NULL. */
typedef bool launch_taker(cu_result *result, const cu_kernel_node_params *launch,
	const cu_launch_config *config, cu_stream stream);
/* From now on launches are passed to this function; NULL: to none. */
void launch_capture(launch_taker *taker);

/* ---- objects to be destroyed with graphs (CUuserObject) ---- */

/* When a graph is destroyed: drops its references, and destroys objects without any. */
void user_objects_leave(const object *graph);

/* ---- ptxscan.c: reads just enough of PTX text: its kernels, and their parameters ---- */

typedef struct ptx_params {
	size_t count;
	size_t offset[4096];
	size_t bytes[4096];
} ptx_params;

/* is the image PTX text, and not a cubin or fatbin? */
bool ptx_is_text(const void *image);
/* The parameters of the kernel `entry`; false if the text has no such kernel. out may
 * be NULL. */
bool ptx_find_entry(ptx_params *out, const char *text, const char *entry);

/* ---- graphs: nodes in the order in which they were added, each with its dependencies ---- */

#define NODE_ATTRIBUTES_MOST 16

typedef struct graph_node graph_node;
struct graph_node {
	int type; /* BA_CU_NODE_... */
	object *graph;
	graph_node **befores;
	size_t before_count;
	/* of a kernel */
	cu_kernel_node_params launch;
	unsigned char *values;
	cu_launch_attribute attributes[NODE_ATTRIBUTES_MOST];
	uint32_t attribute_count;
};

/* the content of an OBJECT_GRAPH */
typedef struct graph_nodes {
	graph_node *nodes[4096];
	size_t count;
} graph_nodes;

static inline cu_graph_node graph_handle_of(graph_node *n)
{
	return (cu_graph_node)(void *)n;
}

/* The node, or NULL unless it belongs to a live graph. */
graph_node *graph_node_of(cu_graph_node handle);

object *graph_new(void);
/* Frees the graph with all its nodes. */
void graph_free(object *graph);
/* NULL: the graph is full, or one of `befores` belongs to another graph. */
graph_node *graph_append(object *graph, int type, const cu_graph_node *befores, size_t count);
/* Appends after the last node; NULL: the graph is full. */
graph_node *graph_append_last(object *graph, int type);
/* Copies parameters if their sizes are known, that is for PTX; otherwise they are
 * omitted. */
cu_result graph_set_launch(graph_node *n, const cu_kernel_node_params *launch);

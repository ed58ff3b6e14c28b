/* What the files of our own drivers use of each other. */
#pragma once

#include "nulldriver/api.h"

/*
 * Handles of our own drivers: contexts, modules, functions, streams, events. A list has
 * every live one, so a foreign or deleted handle is recognised without a look at its
 * memory.
 */

typedef enum object_kind {
	OBJECT_CONTEXT = 1,
	OBJECT_MODULE,	 /* also used for a CUlibrary: is_library */
	OBJECT_FUNCTION, /* also a CUkernel */
	OBJECT_STREAM,
	OBJECT_EVENT,
	OBJECT_GRAPH,
	OBJECT_POOL,
	OBJECT_USER,  /* user_object.c */
	OBJECT_HOLD,  /* a graph's reference to a user object */
	OBJECT_OTHER, /* executable graphs, ... */
	OBJECT_HOST_MEMORY
} object_kind;

typedef struct object object;
struct object {
	object_kind kind;
	object *next;
	object *owner; /* a function's module */
	char *text;    /* module: PTX or NULL; function: entry name */
	void *memory;  /* host memory, a graph's nodes, or other content */
	size_t bytes;  /* of host memory */
	/* fake driver: an event's time, or the end of a stream's last kernel */
	int64_t at_ns;
	bool is_library;
	bool is_managed; /* managed host memory, which the device has, too */
};

object *object_new(object_kind kind, object *owner, const char *text);
/* The object, or NULL unless `handle` is live and of that kind. */
object *object_of(const void *handle, object_kind kind);
/* Frees it and the objects that it owns; false if it was not of that kind. */
bool object_delete(const void *handle, object_kind kind);
/* The function with that name, if it was requested before; or NULL. */
object *object_find_function(const object *module, const char *name);
/* the block of host memory that holds p, or NULL */
object *object_of_memory(const void *p);
/* Iterates over the live objects of a kind: the first if `after` is NULL; NULL at the
 * end. */
object *object_next(object_kind kind, const object *after);

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

/* Graphs: nodes in the order in which they were added, each with its dependencies. */
#pragma once

#include "gpu/abi.h"
#include "nulldriver/object.h"

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

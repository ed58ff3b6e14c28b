/* Queries of graphs: nodes, edges, parameters. */
#include "nulldriver/parts.h"

/* Collects handles up to the caller's room. nodes NULL: the caller asks how many there are. */
typedef struct list {
	cu_graph_node *nodes, *others; /* others: second ends of edges, or NULL */
	uint64_t *edges;	       /* CUgraphEdgeData, or NULL */
	size_t room, count;
} list;

static void put(list *l, graph_node *n, graph_node *other)
{
	if (l->nodes && l->count < l->room) {
		l->nodes[l->count] = graph_handle_of(n);
		if (l->others)
			l->others[l->count] = graph_handle_of(other);
		if (l->edges)
			l->edges[l->count] = 0;
	}
	l->count++;
}

/* lists all nodes of a graph, or those without dependencies */
static cu_result list_nodes(list *l, cu_graph handle, bool roots, size_t *count)
{
	const object *o = object_of(handle, OBJECT_GRAPH);
	if (!o)
		return BA_CU_INVALID_HANDLE;
	const graph_nodes *g = o->memory;
	l->room = l->nodes ? *count : 0;
	for (size_t i = 0; i < g->count; i++)
		if (!roots || g->nodes[i]->before_count == 0)
			put(l, g->nodes[i], NULL);
	*count = l->count;
	return 0;
}

/* lists the edges of a graph; with `from` or `to`, only those of that node, as their
 * other ends */
static void list_edges(
	list *l, const object *o, const graph_node *from, const graph_node *to, size_t *count)
{
	const graph_nodes *g = o->memory;
	l->room = l->nodes ? *count : 0;
	for (size_t i = 0; i < g->count; i++) {
		graph_node *n = g->nodes[i];
		for (size_t j = 0; j < n->before_count; j++)
			if ((!from || n->befores[j] == from) && (!to || n == to))
				put(l, from ? n : n->befores[j], n);
	}
	*count = l->count;
}

API_RETURN(cuGraphGetNodes, list_nodes(&(list){.nodes = nodes}, graph, false, count),
	cu_graph graph, cu_graph_node *nodes, size_t *count)
API_RETURN(cuGraphGetRootNodes, list_nodes(&(list){.nodes = nodes}, graph, true, count),
	cu_graph graph, cu_graph_node *nodes, size_t *count)

API(cuGraphGetEdges_v2, cu_graph graph, cu_graph_node *from, cu_graph_node *to, uint64_t *edges,
	size_t *count)
{
	HOOK_ENTER(cuGraphGetEdges_v2);
	const object *o = object_of(graph, OBJECT_GRAPH);
	list l = {.nodes = from, .others = to, .edges = edges};
	if (!o)
		return BA_CU_INVALID_HANDLE;
	list_edges(&l, o, NULL, NULL, count);
	return 0;
}

API_RETURN(cuGraphGetEdges, cuGraphGetEdges_v2(graph, from, to, NULL, count), cu_graph graph,
	cu_graph_node *from, cu_graph_node *to, size_t *count)

/* Lists the nodes before or after it. */
static cu_result list_neighbours(list l, cu_graph_node handle, bool after, size_t *count)
{
	const graph_node *n = graph_node_of(handle);
	if (!n)
		return BA_CU_INVALID_HANDLE;
	list_edges(&l, n->graph, after ? n : NULL, after ? NULL : n, count);
	return 0;
}

#define NEIGHBOURS(name, after)                                                              \
	API_RETURN(name##_v2,                                                                \
		list_neighbours((list){.nodes = nodes, .edges = edges}, node, after, count), \
		cu_graph_node node, cu_graph_node *nodes, uint64_t *edges, size_t *count)    \
	API_RETURN(name, name##_v2(node, nodes, NULL, count), cu_graph_node node,            \
		cu_graph_node *nodes, size_t *count)
NEIGHBOURS(cuGraphNodeGetDependencies, false)
NEIGHBOURS(cuGraphNodeGetDependentNodes, true)

API(cuGraphNodeGetType, cu_graph_node handle, int *type)
{
	HOOK_ENTER(cuGraphNodeGetType);
	const graph_node *n = graph_node_of(handle);
	if (!n)
		return BA_CU_INVALID_HANDLE;
	*type = n->type;
	return 0;
}

static const graph_node *kernel_of(cu_graph_node handle)
{
	const graph_node *n = graph_node_of(handle);
	return n && n->type == BA_CU_NODE_KERNEL ? n : NULL;
}

static cu_result get_params(cu_graph_node handle, void *out, size_t bytes)
{
	const graph_node *n = kernel_of(handle);
	if (!n)
		return BA_CU_INVALID_VALUE;
	memcpy(out, &n->launch, bytes);
	return 0;
}
API_RETURN(cuGraphKernelNodeGetParams_v2, get_params(handle, out, sizeof(*out)),
	cu_graph_node handle, cu_kernel_node_params *out)
API_RETURN(cuGraphKernelNodeGetParams,
	get_params(handle, out, offsetof(cu_kernel_node_params, kernel)), cu_graph_node handle,
	void *out)

API(cuGraphKernelNodeGetAttribute, cu_graph_node handle, int id, uint64_t value[8])
{
	HOOK_ENTER(cuGraphKernelNodeGetAttribute);
	const graph_node *n = kernel_of(handle);
	if (!n)
		return BA_CU_INVALID_VALUE;
	memset(value, 0, 8 * sizeof(*value));
	for (uint32_t i = 0; i < n->attribute_count; i++)
		if ((int)n->attributes[i].id == id)
			memcpy(value, n->attributes[i].value, 8 * sizeof(*value));
	return 0;
}

/* What graphs say of themselves. */
#include "nulldriver/api.h"
#include "nulldriver/graph_nodes.h"

/* Handles for a caller that has room for some of them; or NULL, who asks how many. */
typedef struct list {
	cu_graph_node *nodes, *others; /* others: of an edge, or NULL */
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

/* all nodes of a graph; edges: all pairs */
static cu_result list_graph(list *l, cu_graph handle, size_t *count, char what)
{
	const object *o = object_of(handle, OBJECT_GRAPH);
	if (!o)
		return BA_CU_INVALID_HANDLE;
	const graph_nodes *g = o->memory;
	l->room = l->nodes ? *count : 0;
	for (size_t i = 0; i < g->count; i++) {
		graph_node *n = g->nodes[i];
		if (what == 'n' || (what == 'r' && n->before_count == 0))
			put(l, n, NULL);
		for (size_t j = 0; what == 'e' && j < n->before_count; j++)
			put(l, n->befores[j], n);
	}
	*count = l->count;
	return 0;
}

static cu_result list_befores(list *l, cu_graph_node handle, size_t *count)
{
	const graph_node *n = graph_node_of(handle);
	if (!n)
		return BA_CU_INVALID_HANDLE;
	l->room = l->nodes ? *count : 0;
	for (size_t i = 0; i < n->before_count; i++)
		put(l, n->befores[i], NULL);
	*count = l->count;
	return 0;
}

static cu_result list_afters(list *l, cu_graph_node handle, size_t *count)
{
	const graph_node *n = graph_node_of(handle);
	if (!n)
		return BA_CU_INVALID_HANDLE;
	const graph_nodes *g = n->graph->memory;
	l->room = l->nodes ? *count : 0;
	for (size_t i = 0; i < g->count; i++)
		for (size_t j = 0; j < g->nodes[i]->before_count; j++)
			if (g->nodes[i]->befores[j] == n)
				put(l, g->nodes[i], NULL);
	*count = l->count;
	return 0;
}

API(cuGraphGetNodes, cu_graph graph, cu_graph_node *nodes, size_t *count)
{
	HOOK_ENTER(cuGraphGetNodes);
	return list_graph(&(list){.nodes = nodes}, graph, count, 'n');
}

API(cuGraphGetRootNodes, cu_graph graph, cu_graph_node *nodes, size_t *count)
{
	HOOK_ENTER(cuGraphGetRootNodes);
	return list_graph(&(list){.nodes = nodes}, graph, count, 'r');
}

API(cuGraphGetEdges_v2, cu_graph graph, cu_graph_node *from, cu_graph_node *to, uint64_t *edges,
	size_t *count)
{
	HOOK_ENTER(cuGraphGetEdges_v2);
	list l = {.nodes = from, .others = to, .edges = edges};
	return list_graph(&l, graph, count, 'e');
}

API(cuGraphGetEdges, cu_graph graph, cu_graph_node *from, cu_graph_node *to, size_t *count)
{
	HOOK_ENTER(cuGraphGetEdges);
	return cuGraphGetEdges_v2(graph, from, to, NULL, count);
}

#define NEIGHBOURS(name, lister)                                                                 \
	API(name##_v2, cu_graph_node node, cu_graph_node *nodes, uint64_t *edges, size_t *count) \
	{                                                                                        \
		HOOK_ENTER(name##_v2);                                                           \
		return lister(&(list){.nodes = nodes, .edges = edges}, node, count);             \
	}                                                                                        \
	API(name, cu_graph_node node, cu_graph_node *nodes, size_t *count)                       \
	{                                                                                        \
		HOOK_ENTER(name);                                                                \
		return lister(&(list){.nodes = nodes}, node, count);                             \
	}
NEIGHBOURS(cuGraphNodeGetDependencies, list_befores)
NEIGHBOURS(cuGraphNodeGetDependentNodes, list_afters)

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

API(cuGraphKernelNodeGetParams_v2, cu_graph_node handle, cu_kernel_node_params *out)
{
	HOOK_ENTER(cuGraphKernelNodeGetParams_v2);
	const graph_node *n = kernel_of(handle);
	if (!n)
		return BA_CU_INVALID_VALUE;
	*out = n->launch;
	return 0;
}

API(cuGraphKernelNodeGetParams, cu_graph_node handle, void *out)
{
	HOOK_ENTER(cuGraphKernelNodeGetParams);
	const graph_node *n = kernel_of(handle);
	if (!n)
		return BA_CU_INVALID_VALUE;
	memcpy(out, &n->launch, offsetof(cu_kernel_node_params, kernel));
	return 0;
}

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

#define NO_SUCH_NODE(name)                         \
	API(name, cu_graph_node handle, void *out) \
	{                                          \
		HOOK_ENTER(name);                  \
		return BA_CU_INVALID_VALUE;        \
	}
NO_SUCH_NODE(cuGraphMemcpyNodeGetParams)
NO_SUCH_NODE(cuGraphMemsetNodeGetParams)
NO_SUCH_NODE(cuGraphChildGraphNodeGetGraph)

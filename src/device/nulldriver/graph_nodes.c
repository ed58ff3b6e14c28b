#include "nulldriver/parts.h"

static graph_node *public_of(cu_graph_node handle)
{
	return (graph_node *)(void *)handle;
}

static bool has_node(const object *g, const graph_node *n)
{
	const graph_nodes *nodes = g->memory;
	return BA_ANY(nodes->nodes, nodes->count, one, *one == n);
}

graph_node *graph_node_of(cu_graph_node handle)
{
	graph_node *n = public_of(handle);
	for (object *g = NULL; (g = object_next(OBJECT_GRAPH, g));)
		if (has_node(g, n))
			return n;
	return NULL;
}

/* ---- made and freed ---- */

object *graph_new(void)
{
	graph_nodes *g = calloc(1, sizeof(*g));
	if (!g)
		return NULL;
	object *o = object_new(OBJECT_GRAPH, NULL, NULL);
	o->memory = g;
	return o;
}

static void free_node(graph_node *n)
{
	BA_FREE(n->launch.params, n->values, n->befores, n);
}

void graph_free(object *o)
{
	graph_nodes *g = o->memory;
	user_objects_leave(o);
	for (size_t i = 0; i < g->count; i++)
		free_node(g->nodes[i]);
	object_delete(o, OBJECT_GRAPH); /* and o->memory */
}

graph_node *graph_append(object *o, int type, const cu_graph_node *befores, size_t count)
{
	graph_nodes *g = o->memory;
	graph_node *n = calloc(1, sizeof(*n));
	if (!n)
		return NULL;
	n->type = type;
	n->graph = o;
	n->befores = calloc(count + 1, sizeof(*n->befores));
	bool good = n->befores && g->count < BA_COUNT(g->nodes);
	for (size_t i = 0; good && i < count; i++) {
		n->befores[n->before_count++] = public_of(befores[i]);
		good = has_node(o, public_of(befores[i]));
	}
	if (!good) {
		free_node(n);
		return NULL;
	}
	g->nodes[g->count++] = n;
	return n;
}

graph_node *graph_append_last(object *o, int type)
{
	graph_nodes *g = o->memory;
	cu_graph_node last = g->count ? graph_handle_of(g->nodes[g->count - 1]) : NULL;
	return graph_append(o, type, &last, last != NULL);
}

static bool copy_values(graph_node *n, const ptx_params *p, void **params)
{
	size_t bytes = p->count ? p->offset[p->count - 1] + p->bytes[p->count - 1] : 0;
	n->values = calloc(1, bytes + 1);
	n->launch.params = calloc(p->count + 1, sizeof(void *));
	for (size_t i = 0; n->values && n->launch.params && i < p->count; i++) {
		n->launch.params[i] = n->values + p->offset[i];
		memcpy(n->launch.params[i], params[i], p->bytes[i]);
	}
	return n->values && n->launch.params;
}

cu_result graph_set_launch(graph_node *n, const cu_kernel_node_params *launch)
{
	const cu_function handle = launch->function ? launch->function : launch->kernel;
	const object *f = object_of(handle, OBJECT_FUNCTION);
	const char *text = f && f->owner ? f->owner->text : NULL;
	void **params = launch->params;
	n->launch = *launch;
	n->launch.params = NULL;
	n->launch.extra = NULL;
	if (!f)
		return BA_CU_INVALID_VALUE;
	if (!text)
		return 0;
	ptx_params *p = calloc(1, sizeof(*p));
	cu_result r = !p				  ? BA_CU_OUT_OF_MEMORY
		      : !ptx_find_entry(p, text, f->text) ? BA_CU_INVALID_VALUE
		      : p->count && !params		  ? BA_CU_INVALID_VALUE
		      : !copy_values(n, p, params)	  ? BA_CU_OUT_OF_MEMORY
							  : 0;
	free(p);
	return r;
}

API_SAY(cuGraphCreate, out, (cu_graph)graph_new(), cu_graph *out, unsigned flags)

API(cuGraphDestroy, cu_graph handle)
{
	HOOK_ENTER(cuGraphDestroy);
	object *o = object_of(handle, OBJECT_GRAPH);
	if (!o)
		return BA_CU_INVALID_HANDLE;
	graph_free(o);
	return 0;
}

/* ---- added one by one ---- */

static cu_result add(
	graph_node **out, cu_graph graph, int type, const cu_graph_node *befores, size_t count)
{
	object *o = object_of(graph, OBJECT_GRAPH);
	*out = o ? graph_append(o, type, befores, count) : NULL;
	return *out ? 0 : BA_CU_INVALID_VALUE;
}

#define ADD(name, type)                                                                           \
	API_RETURN(name, add(out, graph, type, befores, count), graph_node **out, cu_graph graph, \
		const cu_graph_node *befores, size_t count)
ADD(cuGraphAddMemcpyNode, BA_CU_NODE_MEMCPY)
ADD(cuGraphAddMemsetNode, BA_CU_NODE_MEMSET)
ADD(cuGraphAddHostNode, BA_CU_NODE_HOST)
ADD(cuGraphAddChildGraphNode, BA_CU_NODE_GRAPH)
ADD(cuGraphAddEmptyNode, BA_CU_NODE_EMPTY)
ADD(cuGraphAddEventWaitNode, BA_CU_NODE_WAIT_EVENT)
ADD(cuGraphAddEventRecordNode, BA_CU_NODE_EVENT_RECORD)

static cu_result add_kernel(graph_node **out, cu_graph graph, const cu_graph_node *befores,
	size_t count, const void *params, size_t bytes)
{
	cu_kernel_node_params launch = {0};
	cu_result r = add(out, graph, BA_CU_NODE_KERNEL, befores, count);
	memcpy(&launch, params, bytes);
	return r ? r : graph_set_launch(*out, &launch);
}

/* its parameters end before `kernel` */
API_RETURN(cuGraphAddKernelNode,
	add_kernel(out, graph, befores, count, params, offsetof(cu_kernel_node_params, kernel)),
	graph_node **out, cu_graph graph, const cu_graph_node *befores, size_t count,
	const void *params)

API_RETURN(cuGraphAddKernelNode_v2,
	add_kernel(out, graph, befores, count, params, sizeof(cu_kernel_node_params)),
	graph_node **out, cu_graph graph, const cu_graph_node *befores, size_t count,
	const void *params)

/* CUgraphNodeParams: the type, and its parameters at byte 16 */
API(cuGraphAddNode, graph_node **out, cu_graph graph, const cu_graph_node *befores, size_t count,
	const void *params)
{
	HOOK_ENTER(cuGraphAddNode);
	int type;
	memcpy(&type, params, sizeof(type));
	if (type == BA_CU_NODE_KERNEL)
		return add_kernel(out, graph, befores, count, (const char *)params + 16,
			sizeof(cu_kernel_node_params));
	/* later types create memory, conditions, semaphores */
	return type > BA_CU_NODE_EVENT_RECORD ? BA_CU_NOT_SUPPORTED
					      : add(out, graph, type, befores, count);
}

API_RETURN(cuGraphAddNode_v2, cuGraphAddNode(out, graph, befores, count, params), graph_node **out,
	cu_graph graph, const cu_graph_node *befores, const void *edges, size_t count,
	const void *params)

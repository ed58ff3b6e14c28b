#include "nulldriver/graph.h"

#include <stdlib.h>
#include <string.h>

#include "nulldriver/api.h"
#include "nulldriver/launch.h"
#include "nulldriver/object.h"
#include "nulldriver/ptxscan.h"

#define NODES_MOST 4096
#define ATTRIBUTES_MOST 16

typedef struct node {
	cu_kernel_node_params launch;
	unsigned char *values;
	size_t count;
	cu_launch_attribute attributes[ATTRIBUTES_MOST];
	uint32_t attribute_count;
} node;

typedef struct graph {
	node *nodes[NODES_MOST];
	size_t count;
} graph;

/* one at a time is enough */
static struct {
	object *stream;
	graph *graph;
	bool spoilt;
} capture;

static void free_graph(graph *g)
{
	for (size_t i = 0; g && i < g->count; i++) {
		free(g->nodes[i]->launch.params);
		free(g->nodes[i]->values);
		free(g->nodes[i]);
	}
	free(g);
}

bool graph_is_capturing(void)
{
	return capture.stream != NULL;
}

bool graph_is_stream_captured(cu_stream stream)
{
	return capture.stream && (object *)stream == capture.stream;
}

cu_result graph_forbids(void)
{
	if (!capture.stream)
		return 0;
	capture.spoilt = true;
	return BA_CU_CAPTURE_UNSUPPORTED;
}

/* Parameters are copied, as by the driver: their sizes are in the PTX. */
static cu_result copy_params(node *n, void **params)
{
	const object *f = object_of(n->launch.function, OBJECT_FUNCTION);
	ptx_params *p = calloc(1, sizeof(*p));
	size_t bytes = 0;
	if (!p || !f || !f->owner || !f->owner->text ||
		!ptx_find_entry(p, f->owner->text, f->text) || (p->count && !params)) {
		free(p);
		return BA_CU_INVALID_VALUE;
	}
	if (p->count)
		bytes = p->offset[p->count - 1] + p->bytes[p->count - 1];
	n->count = p->count;
	n->values = calloc(1, bytes + 1);
	n->launch.params = calloc(p->count + 1, sizeof(void *));
	for (size_t i = 0; n->values && n->launch.params && i < p->count; i++) {
		n->launch.params[i] = n->values + p->offset[i];
		memcpy(n->launch.params[i], params[i], p->bytes[i]);
	}
	free(p);
	return n->values && n->launch.params ? 0 : BA_CU_OUT_OF_MEMORY;
}

bool graph_takes(cu_result *result, const cu_kernel_node_params *launch,
	const cu_launch_config *config, cu_stream stream)
{
	if (!graph_is_stream_captured(stream))
		return false;
	node *n = calloc(1, sizeof(*n));
	*result = BA_CU_OUT_OF_MEMORY;
	if (!n || capture.graph->count == NODES_MOST) {
		free(n);
		return true;
	}
	n->launch = *launch;
	for (uint32_t i = 0; config && i < config->attr_count && i < ATTRIBUTES_MOST;
		i++)
		n->attributes[n->attribute_count++] = config->attrs[i];
	capture.graph->nodes[capture.graph->count++] = n;
	*result = copy_params(n, launch->params);
	return true;
}

API(cuStreamBeginCapture, cu_stream stream, int mode)
{
	HOOK_ENTER(cuStreamBeginCapture);
	object *s = object_of(stream, OBJECT_STREAM);
	if (!s || capture.stream)
		return BA_CU_INVALID_VALUE;
	capture.graph = calloc(1, sizeof(*capture.graph));
	if (!capture.graph)
		return BA_CU_OUT_OF_MEMORY;
	capture.stream = s;
	capture.spoilt = false;
	launch_attend();
	return 0;
}
API_ALIAS(cuStreamBeginCapture, cuStreamBeginCapture_v2)
API_ALIAS(cuStreamBeginCapture, cuStreamBeginCapture_ptsz)

API(cuStreamEndCapture, cu_stream stream, cu_graph *out)
{
	HOOK_ENTER(cuStreamEndCapture);
	*out = NULL;
	if (!graph_is_stream_captured(stream))
		return BA_CU_INVALID_VALUE;
	graph *g = capture.graph;
	capture.stream = NULL;
	capture.graph = NULL;
	launch_attend();
	if (capture.spoilt) {
		free_graph(g);
		return BA_CU_CAPTURE_INVALIDATED;
	}
	object *o = object_new(OBJECT_GRAPH, NULL, NULL);
	o->memory = g;
	*out = (cu_graph)o;
	return 0;
}
API_ALIAS(cuStreamEndCapture, cuStreamEndCapture_ptsz)

API_SAY(cuGraphCreate, out, (cu_graph)object_new(OBJECT_GRAPH, NULL, NULL),
	cu_graph *out, unsigned flags)

API(cuGraphDestroy, cu_graph handle)
{
	HOOK_ENTER(cuGraphDestroy);
	object *o = object_of(handle, OBJECT_GRAPH);
	if (!o)
		return BA_CU_INVALID_HANDLE;
	free_graph(o->memory);
	o->memory = NULL;
	object_delete(o, OBJECT_GRAPH);
	return 0;
}

/* NULL: how many */
API(cuGraphGetNodes, cu_graph handle, cu_graph_node *nodes, size_t *count)
{
	HOOK_ENTER(cuGraphGetNodes);
	const object *o = object_of(handle, OBJECT_GRAPH);
	if (!o)
		return BA_CU_INVALID_HANDLE;
	const graph *g = o->memory;
	size_t room = nodes ? *count : 0;
	for (size_t i = 0; g && i < g->count && i < room; i++)
		nodes[i] = (cu_graph_node)(void *)g->nodes[i];
	*count = g ? g->count : 0;
	return 0;
}

/* each after the one before it */
API(cuGraphGetEdges, cu_graph handle, cu_graph_node *from, cu_graph_node *to,
	size_t *count)
{
	HOOK_ENTER(cuGraphGetEdges);
	const object *o = object_of(handle, OBJECT_GRAPH);
	if (!o)
		return BA_CU_INVALID_HANDLE;
	const graph *g = o->memory;
	size_t room = from ? *count : 0, edges = g && g->count ? g->count - 1 : 0;
	for (size_t i = 0; i < edges && i < room; i++) {
		from[i] = (cu_graph_node)(void *)g->nodes[i];
		to[i] = (cu_graph_node)(void *)g->nodes[i + 1];
	}
	*count = edges;
	return 0;
}

API_SAY(cuGraphNodeGetType, type, BA_CU_NODE_KERNEL, cu_graph_node handle, int *type)
API_SAY(cuGraphKernelNodeGetParams, out, ((const node *)(const void *)handle)->launch,
	cu_graph_node handle, cu_kernel_node_params *out)
API_ALIAS(cuGraphKernelNodeGetParams, cuGraphKernelNodeGetParams_v2)

API(cuGraphKernelNodeGetAttribute, cu_graph_node handle, int id, uint64_t value[8])
{
	HOOK_ENTER(cuGraphKernelNodeGetAttribute);
	const node *n = (const void *)handle;
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

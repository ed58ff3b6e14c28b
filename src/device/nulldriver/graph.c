#include "nulldriver/parts.h"

/* one capture at a time is enough */
static struct {
	object *stream, *graph;
	bool is_lent; /* the graph belongs to the program */
	bool spoilt;
} capture;

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

static bool take_launch(cu_result *result, const cu_kernel_node_params *launch,
	const cu_launch_config *config, cu_stream stream)
{
	if (!graph_is_stream_captured(stream))
		return false;
	graph_node *n = graph_append_last(capture.graph, BA_CU_NODE_KERNEL);
	*result = BA_CU_OUT_OF_MEMORY;
	if (!n)
		return true;
	for (uint32_t i = 0; config && i < config->attr_count && i < NODE_ATTRIBUTES_MOST; i++)
		n->attributes[n->attribute_count++] = config->attrs[i];
	*result = graph_set_launch(n, launch);
	return true;
}

static cu_result begin(cu_stream stream, object *lent)
{
	object *s = object_of(stream, OBJECT_STREAM);
	if (!s || capture.stream)
		return BA_CU_INVALID_VALUE;
	capture.graph = lent ? lent : graph_new();
	if (!capture.graph)
		return BA_CU_OUT_OF_MEMORY;
	capture.stream = s;
	capture.is_lent = lent != NULL;
	capture.spoilt = false;
	launch_capture(take_launch);
	return 0;
}

API_RETURN(cuStreamBeginCapture, begin(stream, NULL), cu_stream stream, int mode)
API_ALIAS(cuStreamBeginCapture, cuStreamBeginCapture_v2)
API_ALIAS(cuStreamBeginCapture, cuStreamBeginCapture_v2_ptsz)
API_ALIAS(cuStreamBeginCapture, cuStreamBeginCapture_ptsz)

API(cuStreamBeginCaptureToGraph, cu_stream stream, cu_graph graph)
{
	HOOK_ENTER(cuStreamBeginCaptureToGraph);
	object *o = object_of(graph, OBJECT_GRAPH);
	return o ? begin(stream, o) : BA_CU_INVALID_HANDLE;
}
API_ALIAS(cuStreamBeginCaptureToGraph, cuStreamBeginCaptureToGraph_ptsz)

API(cuStreamEndCapture, cu_stream stream, cu_graph *out)
{
	HOOK_ENTER(cuStreamEndCapture);
	*out = NULL;
	if (!graph_is_stream_captured(stream))
		return BA_CU_INVALID_VALUE;
	object *graph = capture.graph;
	capture.stream = NULL;
	capture.graph = NULL;
	launch_capture(NULL);
	if (capture.spoilt) {
		if (!capture.is_lent)
			graph_free(graph);
		return BA_CU_CAPTURE_INVALIDATED;
	}
	*out = (cu_graph)graph;
	return 0;
}
API_ALIAS(cuStreamEndCapture, cuStreamEndCapture_ptsz)

API_SAY(cuStreamIsCapturing, status,
	!graph_is_stream_captured(stream) ? 0
	: capture.spoilt		  ? 2
					  : 1,
	cu_stream stream, int *status)
API_ALIAS(cuStreamIsCapturing, cuStreamIsCapturing_ptsz)

/* The values that all three forms report; all pointers but the status may be NULL. */
static cu_result capture_info(cu_stream stream, int *status, uint64_t *id, cu_graph *graph)
{
	cu_result r = cuStreamIsCapturing(stream, status);
	if (id)
		*id = (uint64_t)*status; /* there is at most one capture */
	if (graph)
		*graph = *status ? (cu_graph)capture.graph : NULL;
	return r;
}

/* The nodes that the next one depends on are not reported: callers ask in order to
 * change them, which is not supported. */
static void say_no_nodes(const cu_graph_node **nodes, size_t *count)
{
	if (nodes)
		*nodes = NULL;
	if (count)
		*count = 0;
}

API_RETURN(cuStreamGetCaptureInfo, capture_info(stream, status, id, NULL), cu_stream stream,
	int *status, uint64_t *id)
API_ALIAS(cuStreamGetCaptureInfo, cuStreamGetCaptureInfo_ptsz)

API(cuStreamGetCaptureInfo_v2, cu_stream stream, int *status, uint64_t *id, cu_graph *graph,
	const cu_graph_node **nodes, size_t *count)
{
	HOOK_ENTER(cuStreamGetCaptureInfo_v2);
	say_no_nodes(nodes, count);
	return capture_info(stream, status, id, graph);
}
API_ALIAS(cuStreamGetCaptureInfo_v2, cuStreamGetCaptureInfo_v2_ptsz)

API(cuStreamGetCaptureInfo_v3, cu_stream stream, int *status, uint64_t *id, cu_graph *graph,
	const cu_graph_node **nodes, const void **edges, size_t *count)
{
	HOOK_ENTER(cuStreamGetCaptureInfo_v3);
	if (edges)
		*edges = NULL;
	say_no_nodes(nodes, count);
	return capture_info(stream, status, id, graph);
}
API_ALIAS(cuStreamGetCaptureInfo_v3, cuStreamGetCaptureInfo_v3_ptsz)

/* the old mode equals the given one */
API_RETURN(cuThreadExchangeStreamCaptureMode, 0, int *mode)

/* What the files of our own drivers use of each other. */
#pragma once

#include "nulldriver/api.h"
#include "nulldriver/object.h"

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

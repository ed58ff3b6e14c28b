/* Stream capture as far as the tool needs it: kernel launches between the two calls
 * become the nodes of a graph, one after the other. A call that a driver forbids during
 * capture invalidates it, as in the driver. */
#ifndef NULLDRIVER_GRAPH_H
#define NULLDRIVER_GRAPH_H

#include <stdbool.h>

#include "gpu/abi.h"

/* is some stream being captured? If not, launch.c takes its fast path */
bool graph_is_capturing(void);
bool graph_is_stream_captured(cu_stream stream);
/* Is this stream being captured? Then the launch becomes a node, with its result in
 * *result, and must not be submitted. */
bool graph_takes(cu_result *result, const cu_kernel_node_params *launch,
	const cu_launch_config *config, cu_stream stream);
/* For a call that waits or allocates: 900 during a capture, which it invalidates; else
 * 0. */
cu_result graph_forbids(void);

#endif

/* Stream capture as far as the tool needs it: kernel launches between the two calls
 * become the nodes of a graph, in a line. What a driver does not let be captured
 * spoils the capture, as there. */
#ifndef NULLDRIVER_GRAPH_H
#define NULLDRIVER_GRAPH_H

#include <stdbool.h>

#include "gpu/abi.h"

/* some stream is being captured; launch.c asks off its fast path */
bool graph_is_capturing(void);
bool graph_is_stream_captured(cu_stream stream);
/* Is that stream? Then the launch is a node and nothing is submitted: *result. */
bool graph_takes(cu_result *result, const cu_kernel_node_params *launch,
	const cu_launch_config *config, cu_stream stream);
/* A call that waits, or allocates: 900 while something is captured, which is spoilt
 * then; else 0. */
cu_result graph_forbids(void);

#endif

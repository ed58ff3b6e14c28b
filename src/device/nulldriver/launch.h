/* How a capture receives launches, which otherwise take the fast path. */
#pragma once

#include "gpu/abi.h"

/* Is this stream being captured? Then the launch becomes a node, with its result in *result,
 * and must not be submitted. config may be NULL. */
typedef bool launch_taker(cu_result *result, const cu_kernel_node_params *launch,
	const cu_launch_config *config, cu_stream stream);
/* From now on launches are passed to this function; NULL: to none. */
void launch_capture(launch_taker *taker);

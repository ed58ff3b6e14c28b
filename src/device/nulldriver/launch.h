/* How a capture gets the launches, which otherwise stay on their fast path. */
#ifndef NULLDRIVER_LAUNCH_H
#define NULLDRIVER_LAUNCH_H

#include <stdbool.h>

#include "gpu/abi.h"

/* Is this stream being captured? Then the launch becomes a node, with its result in *result,
 * and must not be submitted. config may be NULL. */
typedef bool launch_taker(cu_result *result, const cu_kernel_node_params *launch,
	const cu_launch_config *config, cu_stream stream);
/* From now on launches are offered to it; NULL: to nobody. */
void launch_capture(launch_taker *taker);

#endif

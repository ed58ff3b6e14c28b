/* Stream capture as far as the tool needs it: kernel launches between the two calls
 * become the nodes of a graph, one after the other. A call that a driver forbids during
 * capture invalidates it, as in the driver. */
#pragma once

#include "gpu/abi.h"

bool graph_is_stream_captured(cu_stream stream);
/* For a call that waits or allocates: 900 during a capture, which it invalidates; else
 * 0. */
cu_result graph_forbids(void);

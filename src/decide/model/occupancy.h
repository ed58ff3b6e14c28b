/*
 * How many warps of a kernel a multiprocessor holds at the same time, by the rules that
 * NVIDIA publishes: "Technical Specifications per Compute Capability" of the CUDA C++
 * Programming Guide, and cuda_occupancy.h of the toolkit.
 *
 * It is what registers, shared memory and threads of a block allow. The kernel may have
 * fewer: a grid may be too small. Assumed: as much shared memory as the architecture
 * has (cuFuncSetAttribute can ask for less), no clusters, and at most as many barriers
 * as blocks can have.
 */
#pragma once

#include "model/code.h"

typedef struct ba_occupancy {
	unsigned blocks; /* on one multiprocessor; at least 1 */
	unsigned warps, warps_most;
	/* what is used up first: "registers", "shared memory", "threads", "blocks" */
	const char *limit;
} ba_occupancy;

/* `capability`: the device's, "9.0". False: its limits are unknown, or a block does not fit. */
bool ba_occupancy_of(ba_occupancy *out, const ba_kernel *k, const char *capability);

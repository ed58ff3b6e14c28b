/*
 * Measures the highest rates that this GPU reaches in the tool's kernels:
 *
 *     copy     bytes that a copy reads and writes
 *     matrix   operations of a loop of bf16 matrix instructions: the faster of mma.sync
 *              and, on compute capability 9.0, wgmma
 *
 * Code with newer instructions may exceed the rate of `matrix`.
 */
#pragma once

#include "gpu/device.h"
#include "gpu/stopwatch.h"

typedef struct ba_ceilings {
	double copy_gb_per_s;
	double matrix_gflop_per_s; /* 0: compute capability is below 8.0 */
} ba_ceilings;

/* Returns the best of several tries. Takes about 100 ms and allocates up to 4 GiB of
 * device memory meanwhile. */
int ba_ceilings_measure(ba_ceilings *out, const ba_device *device, ba_stopwatch *w,
	cu_stream stream, ba_error *err);

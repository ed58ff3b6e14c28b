/* What this GPU does at most, measured: bytes that a copy reads and writes, and
 * operations of a loop of matrix instructions on bf16: mma.sync, and wgmma on compute
 * capability 9.0, whichever is faster. Instructions newer than those may exceed it. */
#ifndef GPU_CEILING_H
#define GPU_CEILING_H

#include "gpu/device.h"
#include "gpu/stopwatch.h"

typedef struct ba_ceilings {
	double copy_gb_per_s;
	double matrix_gflop_per_s; /* 0: before compute capability 8.0 */
} ba_ceilings;

/* The best of some tries; about 100 ms, and up to 4 GiB of memory while it runs. */
int ba_ceilings_measure(ba_ceilings *out, const ba_device *device, ba_stopwatch *w,
	cu_stream stream, ba_error *err);

#endif

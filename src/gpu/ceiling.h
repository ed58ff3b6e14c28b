/* What this GPU does at most, measured: bytes that a copy reads and writes, and
 * operations of a loop of matrix instructions (mma.sync on bf16; newer instructions may
 * exceed it). */
#ifndef GPU_CEILING_H
#define GPU_CEILING_H

#include "gpu/device.h"
#include "gpu/stopwatch.h"

typedef struct ba_ceilings {
	double copy_gb_per_s;
	double matrix_gflop_per_s; /* 0: before compute capability 8.0 */
} ba_ceilings;

/* The best of some tries; about 50 ms, and up to 2 GB of memory while it runs. */
int ba_ceilings_measure(ba_ceilings *out, const ba_device *device, ba_stopwatch *w,
	cu_stream stream, ba_error *err);

#endif

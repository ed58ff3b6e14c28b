/*
 * attention_plan.h -- which of the tiled attention kernels a problem gets. No GPU is
 * asked: what it is like are arguments.
 */
#ifndef KERNELS_ATTENTION_PLAN_H
#define KERNELS_ATTENTION_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum attention_family { ATTENTION_MMA, ATTENTION_WGMMA } attention_family;

/* one row of attention_shapes.h */
typedef struct attention_kernel {
	attention_family family;
	const char *name; /* "mma_64x64w4" */
	int d;
	int rows, cols; /* of a block's tile */
	int threads;
	int blocks;  /* a multiprocessor */
	bool splits; /* without a mask a block may have fewer rows: attention_split */
	unsigned shared_bytes;
} attention_kernel;

/* numbered from 1 in the order of attention_shapes.h: the values of the axis `kernel`
 */
size_t attention_kernel_count(void);
const attention_kernel *attention_kernel_at(size_t number);

/* Can it run there? NULL: yes; else why not. */
const char *attention_kernel_unfit(const attention_kernel *kernel, int d, int sm_arch);

/* the kernel for so many heads (of all of the batch) and queries; NULL: none has this d
 */
const attention_kernel *attention_choose(
	size_t heads, int sequence, int d, bool causal, int sm_arch, int multiprocessors);

/* The blocks of a head: `whole` ones with all rows of the kernel's tile, then others of
 * 64 * rest rows. Those run last: of all heads, so that few multiprocessors are left
 * with much to do. */
typedef struct attention_split {
	int blocks, whole, rest;
} attention_split;

void attention_split_rows(attention_split *out, const attention_kernel *kernel, size_t heads,
	int sequence, bool causal, int multiprocessors);

#ifdef __cplusplus
}
#endif

#endif

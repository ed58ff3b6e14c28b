/*
 * attention_shapes.h -- the shapes in which the tiled attention kernels are built. The
 * device code makes entry points of these rows, the plugin its table of kernels, the
 * tests their list.
 */
#ifndef KERNELS_ATTENTION_SHAPES_H
#define KERNELS_ATTENTION_SHAPES_H

/* attention_mma.cuh: X(name, d, query rows, keys of a tile, warps, stages,
 * blocks a multiprocessor has registers and shared memory for) */
#define ATTENTION_MMA_SHAPES(X)           \
	X(32x64w2, 64, 32, 64, 2, 3, 4)   \
	X(64x64w4, 64, 64, 64, 4, 3, 4)   \
	X(128x64w8, 64, 128, 64, 8, 3, 2) \
	X(128x64w4, 64, 128, 64, 4, 3, 2) \
	X(64x64w4, 128, 64, 64, 4, 2, 2)  \
	X(128x64w8, 128, 128, 64, 8, 2, 1)

/* attention_wgmma.cuh: X(name, d, warpgroups, keys of a tile, stages, way, blocks) */
#define ATTENTION_WGMMA_SHAPES(X)                       \
	X(64x64, 64, 1, 64, 3, ATTENTION_PLAIN, 4)      \
	X(128x64, 64, 2, 64, 4, ATTENTION_PLAIN, 2)     \
	X(128x128, 64, 2, 128, 2, ATTENTION_PLAIN, 2)   \
	X(128x64, 128, 2, 64, 2, ATTENTION_PLAIN, 2)    \
	X(128x128t, 128, 2, 128, 2, ATTENTION_TURNS, 1) \
	X(192x80t, 128, 3, 80, 3, ATTENTION_TURNS, 1)

#define ATTENTION_PLAIN 0
#define ATTENTION_TURNS 1
/* TURNS has a warpgroup that asks for tiles */
#define ATTENTION_WGMMA_THREADS(GROUPS, WAY) (128 * ((GROUPS) + ((WAY) == ATTENTION_TURNS)))

#endif

/*
 * rows.cuh -- softmax and layer norm of the rows of a matrix. A block of 256 threads
 * has a row, and keeps it in registers: at most CHUNKS * 1024 columns, a multiple of 4.
 */
#ifndef KERNELS_ROWS_CUH
#define KERNELS_ROWS_CUH

#include "block.cuh"

enum { ROWS_THREADS = 256, ROWS_WARPS = ROWS_THREADS / 32 };

/* where is no column is `none` */
template <int CHUNKS>
KERNEL_INLINE void rows_load(
	float (&v)[CHUNKS][4], const float *x, int columns, float none)
{
#pragma unroll
	for (int i = 0; i < CHUNKS; i++) {
		int column = (i * ROWS_THREADS + threadIdx.x) * 4;
		float4 u = {none, none, none, none};

		if (column < columns)
			u = *(const float4 *)(x + (size_t)blockIdx.x * columns +
					      column);
		v[i][0] = u.x;
		v[i][1] = u.y;
		v[i][2] = u.z;
		v[i][3] = u.w;
	}
}

template <int CHUNKS>
KERNEL_INLINE void rows_store(float *out, const float (&v)[CHUNKS][4], int columns)
{
#pragma unroll
	for (int i = 0; i < CHUNKS; i++) {
		int column = (i * ROWS_THREADS + threadIdx.x) * 4;
		float4 u = {v[i][0], v[i][1], v[i][2], v[i][3]};

		if (column < columns)
			*(float4 *)(out + (size_t)blockIdx.x * columns + column) = u;
	}
}

template <int CHUNKS>
KERNEL_INLINE void rows_softmax(float *out, const float *x, int columns)
{
	const float log2_e = 1.44269504088896341f;
	__shared__ float warps[ROWS_WARPS];
	float v[CHUNKS][4], top = -INFINITY, sum = 0;

	rows_load(v, x, columns, -INFINITY);
#pragma unroll
	for (int i = 0; i < CHUNKS * 4; i++)
		top = fmaxf(top, v[i / 4][i % 4]);
	top = block_all<take_max, ROWS_WARPS>(top, warps);
#pragma unroll
	for (int i = 0; i < CHUNKS * 4; i++) {
		v[i / 4][i % 4] = exp2_fast((v[i / 4][i % 4] - top) * log2_e);
		sum += v[i / 4][i % 4];
	}
	sum = block_all<take_sum, ROWS_WARPS>(sum, warps);
#pragma unroll
	for (int i = 0; i < CHUNKS * 4; i++)
		v[i / 4][i % 4] *= 1 / sum;
	rows_store(out, v, columns);
}

/* out = (x - mean) / sqrt(variance + epsilon) * gamma + beta */
template <int CHUNKS>
KERNEL_INLINE void rows_layer_norm(float *out, const float *x, const float *gamma,
	const float *beta, int columns, float epsilon)
{
	__shared__ float warps[ROWS_WARPS];
	float v[CHUNKS][4], sum = 0, squares = 0, mean, scale;

	rows_load(v, x, columns, 0);
#pragma unroll
	for (int i = 0; i < CHUNKS * 4; i++)
		sum += v[i / 4][i % 4];
	mean = block_all<take_sum, ROWS_WARPS>(sum, warps) / columns;
#pragma unroll
	for (int i = 0; i < CHUNKS * 4; i++) {
		int column = (i / 4 * ROWS_THREADS + threadIdx.x) * 4;

		if (column < columns) {
			v[i / 4][i % 4] -= mean;
			squares += v[i / 4][i % 4] * v[i / 4][i % 4];
		}
	}
	squares = block_all<take_sum, ROWS_WARPS>(squares, warps);
	scale = 1 / sqrtf(squares / columns + epsilon);
#pragma unroll
	for (int i = 0; i < CHUNKS; i++) {
		int column = (i * ROWS_THREADS + threadIdx.x) * 4;

		if (column >= columns)
			continue;
		float4 g = *(const float4 *)(gamma + column);
		float4 b = *(const float4 *)(beta + column);

		v[i][0] = v[i][0] * scale * g.x + b.x;
		v[i][1] = v[i][1] * scale * g.y + b.y;
		v[i][2] = v[i][2] * scale * g.z + b.z;
		v[i][3] = v[i][3] * scale * g.w + b.w;
	}
	rows_store(out, v, columns);
}

#endif

/*
 * gemm.cuh -- C = alpha A B on the ordinary FP32 units, row-major: SGEMM, and with
 * 16-bit elements both products of the naive attention. A block of 256 threads has 128
 * x 128 of C, a thread 8 x 8 of these; tiles of A and B are two-fold in shared memory,
 * and the next ones are in registers while the current ones are used.
 *
 * A: [m][k]; B: [k][n], or [n][k] if B_TRANSPOSED; all of a batch behind one another. k
 * and n are multiples of 4.
 */
#ifndef KERNELS_GEMM_CUH
#define KERNELS_GEMM_CUH

#include "port.cuh"

enum {
	GEMM_THREADS = 256,
	GEMM_TILE = 128,	  /* rows and columns of C */
	GEMM_DEPTH = 16,	  /* of a step */
	GEMM_LINE = GEMM_TILE + 4 /* floats of a line of shared memory */
};

KERNEL_INLINE float4 load4(const float *from)
{
	return *(const float4 *)from;
}

template <typename T> KERNEL_INLINE float4 load4(const T *from)
{
	uint2 pairs = *(const uint2 *)from;
	const T a = {(uint16_t)pairs.x}, b = {(uint16_t)(pairs.x >> 16)};
	const T c = {(uint16_t)pairs.y}, d = {(uint16_t)(pairs.y >> 16)};
	float4 wide = {to_float(a), to_float(b), to_float(c), to_float(d)};

	return wide;
}

KERNEL_INLINE void store4(float *to, float a, float b, float c, float d)
{
	float4 four = {a, b, c, d};

	*(float4 *)to = four;
}

template <typename T>
KERNEL_INLINE void store4(T *to, float a, float b, float c, float d)
{
	uint2 pairs = {pack2<T>(a, b), pack2<T>(c, d)};

	*(uint2 *)to = pairs;
}

/* 128 rows and 16 columns of a [rows][depth] matrix, two times four elements a thread
 */
template <typename T>
KERNEL_INLINE void gemm_load_rows(
	float4 (&v)[2], const T *x, int row, int rows, int step, int depth)
{
	int at = step + threadIdx.x % 4 * 4;

#pragma unroll
	for (int i = 0; i < 2; i++) {
		int r = row + threadIdx.x / 4 + i * 64;
		float4 none = {0, 0, 0, 0};

		v[i] = r < rows && at < depth ? load4(x + (size_t)r * depth + at)
					      : none;
	}
}

/* ... into lines of 128, one for each column */
KERNEL_INLINE void gemm_keep_rows(float (*shared)[GEMM_LINE], const float4 (&v)[2])
{
#pragma unroll
	for (int i = 0; i < 2; i++) {
		int row = threadIdx.x / 4 + i * 64, at = threadIdx.x % 4 * 4;

		shared[at][row] = v[i].x;
		shared[at + 1][row] = v[i].y;
		shared[at + 2][row] = v[i].z;
		shared[at + 3][row] = v[i].w;
	}
}

/* 16 rows and 128 columns of a [depth][columns] matrix */
template <typename T>
KERNEL_INLINE void gemm_load_columns(
	float4 (&v)[2], const T *x, int column, int columns, int step, int depth)
{
	int c = column + threadIdx.x % 32 * 4;

#pragma unroll
	for (int i = 0; i < 2; i++) {
		int at = step + threadIdx.x / 32 + i * 8;
		float4 none = {0, 0, 0, 0};

		v[i] = c < columns && at < depth ? load4(x + (size_t)at * columns + c)
						 : none;
	}
}

KERNEL_INLINE void gemm_keep_columns(float (*shared)[GEMM_LINE], const float4 (&v)[2])
{
#pragma unroll
	for (int i = 0; i < 2; i++)
		*(float4 *)&shared[threadIdx.x / 32 + i * 8][threadIdx.x % 32 * 4] =
			v[i];
}

/* rows and columns of a thread: 4 at 4 x its place, and 4 more 64 further on */
KERNEL_INLINE void gemm_take(float (&v)[8], const float *line, int place)
{
	float4 low = *(const float4 *)(line + place * 4);
	float4 high = *(const float4 *)(line + place * 4 + 64);

	v[0] = low.x, v[1] = low.y, v[2] = low.z, v[3] = low.w;
	v[4] = high.x, v[5] = high.y, v[6] = high.z, v[7] = high.w;
}

KERNEL_INLINE void gemm_step(float (&c)[8][8], const float (*a_tile)[GEMM_LINE],
	const float (*b_tile)[GEMM_LINE])
{
#pragma unroll
	for (int k = 0; k < GEMM_DEPTH; k++) {
		float a[8], b[8];

		gemm_take(a, a_tile[k], threadIdx.x / 16);
		gemm_take(b, b_tile[k], threadIdx.x % 16);
#pragma unroll
		for (int i = 0; i < 8; i++)
#pragma unroll
			for (int j = 0; j < 8; j++)
				c[i][j] = fmaf(a[i], b[j], c[i][j]);
	}
}

/* grid: tiles of columns x tiles of rows x batch */
template <typename T, bool B_TRANSPOSED>
KERNEL_INLINE void gemm(
	T *out, const T *a, const T *b, int m, int n, int k, float alpha)
{
	__shared__ __align__(16) float a_tiles[2][GEMM_DEPTH][GEMM_LINE];
	__shared__ __align__(16) float b_tiles[2][GEMM_DEPTH][GEMM_LINE];
	const int row = blockIdx.y * GEMM_TILE, column = blockIdx.x * GEMM_TILE;
	float c[8][8];
	float4 a_next[2], b_next[2];
	int now = 0;

	a += (size_t)blockIdx.z * m * k;
	b += (size_t)blockIdx.z * n * k;
	out += (size_t)blockIdx.z * m * n;
#pragma unroll
	for (int i = 0; i < 64; i++)
		c[i / 8][i % 8] = 0;
	for (int step = 0; step < k + GEMM_DEPTH; step += GEMM_DEPTH) {
		if (step < k) {
			gemm_load_rows(a_next, a, row, m, step, k);
			if (B_TRANSPOSED)
				gemm_load_rows(b_next, b, column, n, step, k);
			else
				gemm_load_columns(b_next, b, column, n, step, k);
		}
		if (step > 0)
			gemm_step(c, a_tiles[now], b_tiles[now]);
		now ^= 1;
		if (step < k) {
			gemm_keep_rows(a_tiles[now], a_next);
			if (B_TRANSPOSED)
				gemm_keep_rows(b_tiles[now], b_next);
			else
				gemm_keep_columns(b_tiles[now], b_next);
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 8; i++) {
		int r = row + threadIdx.x / 16 * 4 + i % 4 + i / 4 * 64;

#pragma unroll
		for (int j = 0; j < 8; j += 4) {
			int at = column + threadIdx.x % 16 * 4 + j * 16;

			if (r < m && at < n)
				store4(out + (size_t)r * n + at, c[i][j] * alpha,
					c[i][j + 1] * alpha, c[i][j + 2] * alpha,
					c[i][j + 3] * alpha);
		}
	}
}

#endif

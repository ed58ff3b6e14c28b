/*
 * attention.cuh -- what the tiled kernels share: the softmax that is kept while keys
 * come in tiles, on accumulators as mma and wgmma leave them: a warp has M groups of 16
 * rows; of s[m][n][i] lane l holds row l / 4 + i / 2 * 8, column 8 n + l % 4 * 2 + i
 * % 2.
 */
#ifndef KERNELS_ATTENTION_CUH
#define KERNELS_ATTENTION_CUH

#include "tile.cuh"

/* Q, K, V, O: [batch * heads][sequence][D], row-major */
struct attention_args {
	void *o;
	const void *q, *k, *v;
	int sequence;
	float scale_log2; /* scale * log2(e) */
};

/* keys that a row must not see: those after it (causal) and those behind the end */
template <bool CAUSAL, int M, int N>
KERNEL_INLINE void attention_mask(
	float (&s)[M][N][4], int first_row, int first_key, int sequence, int lane)
{
#pragma unroll
	for (int m = 0; m < M; m++)
#pragma unroll
		for (int i = 0; i < 4; i++) {
			int row = first_row + m * 16 + lane / 4 + i / 2 * 8;
			int end = CAUSAL && row + 1 < sequence ? row + 1 : sequence;

#pragma unroll
			for (int n = 0; n < N; n++)
				if (first_key + n * 8 + lane % 4 * 2 + i % 2 >= end)
					s[m][n][i] = -INFINITY;
		}
}

template <int M, int DN>
KERNEL_INLINE void attention_begin(
	float (&o)[M][DN][4], float (&highest)[M][2], float (&sum)[M][2])
{
#pragma unroll
	for (int m = 0; m < M; m++) {
#pragma unroll
		for (int half = 0; half < 2; half++) {
			highest[m][half] = -INFINITY;
			sum[m][half] = 0;
		}
#pragma unroll
		for (int n = 0; n < DN; n++)
#pragma unroll
			for (int i = 0; i < 4; i++)
				o[m][n][i] = 0;
	}
}

/* Scores become weights against the highest score so far; by `rescale` is to be
 * multiplied what was weighted before. sum is this lane's share of its rows' sums. */
template <int M, int N>
KERNEL_INLINE void attention_weights(float (&s)[M][N][4], float (&rescale)[M][2],
	float (&highest)[M][2], float (&sum)[M][2], float scale)
{
#pragma unroll
	for (int m = 0; m < M; m++)
#pragma unroll
		for (int half = 0; half < 2; half++) {
			float top = highest[m][half];

#pragma unroll
			for (int n = 0; n < N; n++)
				top = fmaxf(top, fmaxf(s[m][n][2 * half],
							 s[m][n][2 * half + 1]));
			top = fmaxf(top, shuffle_xor(top, 1));
			top = fmaxf(top, shuffle_xor(top, 2));

			float shift = top * scale;
			float total = 0;

			rescale[m][half] = exp2_fast(highest[m][half] * scale - shift);
			highest[m][half] = top;
#pragma unroll
			for (int n = 0; n < N; n++)
#pragma unroll
				for (int i = 2 * half; i < 2 * half + 2; i++) {
					s[m][n][i] = exp2_fast(
						fmaf(s[m][n][i], scale, -shift));
					total += s[m][n][i];
				}
			sum[m][half] = sum[m][half] * rescale[m][half] + total;
		}
}

template <int M, int DN>
KERNEL_INLINE void attention_rescale(float (&o)[M][DN][4], const float (&rescale)[M][2])
{
#pragma unroll
	for (int m = 0; m < M; m++)
#pragma unroll
		for (int n = 0; n < DN; n++)
#pragma unroll
			for (int i = 0; i < 4; i++)
				o[m][n][i] *= rescale[m][i / 2];
}

/* o / sum by way of the warp's own rows of a tile of TILE_ROWS, so that whole rows are
 * written 16 bytes at a time */
template <typename T, int TILE_ROWS, int D, int M>
KERNEL_INLINE void attention_store(T *out, const float (&o)[M][D / 8][4],
	float (&sum)[M][2], uint32_t tile, int tile_row, int first_row, int sequence,
	int lane)
{
	constexpr int CHUNKS = D / 8, PER_PASS = 32 / CHUNKS;

#pragma unroll
	for (int m = 0; m < M; m++)
#pragma unroll
		for (int half = 0; half < 2; half++) {
			float total = sum[m][half];

			total += shuffle_xor(total, 1);
			total += shuffle_xor(total, 2);

			float inverse = 1 / total;
			int row = tile_row + m * 16 + half * 8 + lane / 4;

#pragma unroll
			for (int n = 0; n < D / 8; n++)
				store_shared(tile + tile_offset<TILE_ROWS>(row, n) +
						     lane % 4 * 4,
					pack2<T>(o[m][n][2 * half] * inverse,
						o[m][n][2 * half + 1] * inverse));
		}
	__syncwarp();
#pragma unroll
	for (int pass = 0; pass < M * 16 / PER_PASS; pass++) {
		int row = pass * PER_PASS + lane / CHUNKS;
		int chunk = lane % CHUNKS;
		uint4 line = load_shared(
			tile + tile_offset<TILE_ROWS>(tile_row + row, chunk));

		if (first_row + row < sequence)
			*(uint4 *)(out + (size_t)(first_row + row) * D + chunk * 8) =
				line;
	}
}

#endif

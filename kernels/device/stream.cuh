/*
 * stream.cuh -- kernels that memory bounds: copy, saxpy, sum, transpose, histogram.
 * Each has blocks of 256 threads.
 */
#ifndef KERNELS_STREAM_CUH
#define KERNELS_STREAM_CUH

#include "block.cuh"

enum {
	STREAM_THREADS = 256,
	STREAM_CHUNK =
		16 *
		STREAM_THREADS, /* floats of a block: four 16-byte loads a thread */
	TRANSPOSE_TILE = 32,
	HISTOGRAM_BINS = 256,
	HISTOGRAM_CHUNK = 64 * STREAM_THREADS /* bytes of a block's round */
};

/* F::of(element of x, element of y) into out; y is read if F says so */
template <typename F>
KERNEL_INLINE void stream_map(
	float *out, const float *x, const float *y, float a, long long n)
{
	long long first = (long long)blockIdx.x * STREAM_CHUNK + threadIdx.x * 4;

	if ((long long)(blockIdx.x + 1) * STREAM_CHUNK <= n) {
		float4 u[4], v[4];

#pragma unroll
		for (int i = 0; i < 4; i++)
			u[i] = *(const float4 *)(x + first + i * 4 * STREAM_THREADS);
#pragma unroll
		for (int i = 0; i < 4 && F::READS_Y; i++)
			v[i] = *(const float4 *)(y + first + i * 4 * STREAM_THREADS);
#pragma unroll
		for (int i = 0; i < 4; i++) {
			float4 w = F::READS_Y ? v[i] : u[i];

			w.x = F::of(a, u[i].x, w.x);
			w.y = F::of(a, u[i].y, w.y);
			w.z = F::of(a, u[i].z, w.z);
			w.w = F::of(a, u[i].w, w.w);
			*(float4 *)(out + first + i * 4 * STREAM_THREADS) = w;
		}
		return;
	}
	for (long long i = (long long)blockIdx.x * STREAM_CHUNK + threadIdx.x; i < n;
		i += STREAM_THREADS)
		out[i] = F::of(a, x[i], F::READS_Y ? y[i] : 0);
}

struct map_copy {
	static constexpr bool READS_Y = false;
	static KERNEL_INLINE float of(float, float x, float)
	{
		return x;
	}
};
struct map_saxpy {
	static constexpr bool READS_Y = true;
	static KERNEL_INLINE float of(float a, float x, float y)
	{
		return fmaf(a, x, y);
	}
};

/* result = the sum of x, by way of partial[gridDim.x] */
KERNEL_INLINE void stream_sum(
	float *result, float *partial, unsigned *ticket, const float *x, long long n)
{
	__shared__ float warps[STREAM_THREADS / 32];
	float sums[4] = {0, 0, 0, 0}, sum;

	for (long long chunk = blockIdx.x; chunk * STREAM_CHUNK < n;
		chunk += gridDim.x) {
		long long first = chunk * STREAM_CHUNK + threadIdx.x * 4;

#pragma unroll
		for (int i = 0; i < 4; i++) {
			long long at = first + i * 4 * STREAM_THREADS;

			if (at + 4 <= n) {
				float4 v = *(const float4 *)(x + at);

				sums[i] += (v.x + v.y) + (v.z + v.w);
			} else {
				for (; at < n; at++)
					sums[i] += x[at];
			}
		}
	}
	sum = block_all<take_sum, STREAM_THREADS / 32>(
		(sums[0] + sums[1]) + (sums[2] + sums[3]), warps);
	if (threadIdx.x == 0)
		partial[blockIdx.x] = sum;
	if (!block_is_last(ticket))
		return;
	sum = 0;
	for (unsigned i = threadIdx.x; i < gridDim.x; i += STREAM_THREADS)
		sum += ((volatile float *)partial)[i];
	sum = block_all<take_sum, STREAM_THREADS / 32>(sum, warps);
	if (threadIdx.x == 0)
		*result = sum;
}

/* out[column][row] = x[row][column]; grid: tiles of columns x tiles of rows */
KERNEL_INLINE void stream_transpose(float *out, const float *x, int rows, int columns)
{
	/* one column more, so that a column of the tile is in 32 banks */
	__shared__ float tile[TRANSPOSE_TILE][TRANSPOSE_TILE + 1];
	int lane = threadIdx.x % TRANSPOSE_TILE, line = threadIdx.x / TRANSPOSE_TILE;
	int left = blockIdx.x * TRANSPOSE_TILE, top = blockIdx.y * TRANSPOSE_TILE;

#pragma unroll
	for (int i = line; i < TRANSPOSE_TILE; i += STREAM_THREADS / TRANSPOSE_TILE)
		if (top + i < rows && left + lane < columns)
			tile[i][lane] = x[(size_t)(top + i) * columns + left + lane];
	__syncthreads();
#pragma unroll
	for (int i = line; i < TRANSPOSE_TILE; i += STREAM_THREADS / TRANSPOSE_TILE)
		if (left + i < columns && top + lane < rows)
			out[(size_t)(left + i) * rows + top + lane] = tile[lane][i];
}

/* bins[v]: how often byte v is in x. A warp counts for itself, a block adds up, the
 * last block adds up the blocks' counts in partial[gridDim.x][256]. */
KERNEL_INLINE void stream_histogram(unsigned *bins, unsigned *partial, unsigned *ticket,
	const unsigned char *x, long long n)
{
	__shared__ unsigned counts[STREAM_THREADS / 32][HISTOGRAM_BINS];
	unsigned *mine = counts[threadIdx.x / 32];
	unsigned sum = 0;

	static_assert(STREAM_THREADS == HISTOGRAM_BINS, "a bin a thread");
	for (int i = threadIdx.x; i < STREAM_THREADS / 32 * HISTOGRAM_BINS;
		i += STREAM_THREADS)
		counts[i / HISTOGRAM_BINS][i % HISTOGRAM_BINS] = 0;
	__syncthreads();
	for (long long chunk = blockIdx.x; chunk * HISTOGRAM_CHUNK < n;
		chunk += gridDim.x)
#pragma unroll
		for (int i = 0; i < 4; i++) {
			long long at = chunk * HISTOGRAM_CHUNK +
				       (i * STREAM_THREADS + threadIdx.x) * 16LL;

			if (at + 16 <= n) {
				uint4 v = *(const uint4 *)(x + at);
				const unsigned words[4] = {v.x, v.y, v.z, v.w};

#pragma unroll
				for (int byte = 0; byte < 16; byte++)
					atomicAdd(
						&mine[words[byte / 4] >> byte % 4 * 8 &
							255],
						1u);
			} else {
				for (; at < n; at++)
					atomicAdd(&mine[x[at]], 1u);
			}
		}
	__syncthreads();
	for (int warp = 0; warp < STREAM_THREADS / 32; warp++)
		sum += counts[warp][threadIdx.x];
	partial[blockIdx.x * HISTOGRAM_BINS + threadIdx.x] = sum;
	if (!block_is_last(ticket))
		return;
	sum = 0;
	for (unsigned block = 0; block < gridDim.x; block++)
		sum += ((volatile unsigned *)
				partial)[block * HISTOGRAM_BINS + threadIdx.x];
	bins[threadIdx.x] = sum;
}

#endif

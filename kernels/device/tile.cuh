/*
 * tile.cuh -- tiles of 16-bit elements in shared memory.
 *
 * A tile of R rows and D columns is kept as D/64 panels of 64 columns; a row of a panel
 * is 128 bytes, eight chunks of 16, and chunk c of row r lies at place c ^ (r % 8).
 * Eight rows at one chunk, which is what ldmatrix reads, then lie in 32 different
 * banks. The same layout is what the copy engine and wgmma call the 128-byte swizzle.
 */
#ifndef KERNELS_TILE_CUH
#define KERNELS_TILE_CUH

#include "port.cuh"

/* where chunk `chunk` of row `row` lies in a tile of ROWS rows */
template <int ROWS> KERNEL_INLINE uint32_t tile_offset(int row, int chunk)
{
	return (chunk >> 3) * (ROWS * 128) + row * 128 + ((chunk ^ row) & 7) * 16;
}

/* rows first .. first + ROWS - 1 of a row-major matrix of D columns; those from `rows`
 * on are zeros */
template <int ROWS, int D, int THREADS, typename T>
KERNEL_INLINE void tile_load(uint32_t tile, const T *matrix, int first, int rows)
{
	constexpr int CHUNKS = D / 8;
	constexpr int STEP =
		THREADS / CHUNKS; /* rows that one pass of all threads loads */
	static_assert(THREADS % CHUNKS == 0 && STEP % 8 == 0 && ROWS % STEP == 0,
		"each thread keeps its chunk and its swizzle");
	int row = threadIdx.x / CHUNKS;
	int chunk = threadIdx.x % CHUNKS;
	uint32_t target = tile + tile_offset<ROWS>(row, chunk);
	const T *source = matrix + (size_t)(first + row) * D + chunk * 8;

#pragma unroll
	for (int pass = 0; pass < ROWS / STEP; pass++) {
		bool valid = first + row + pass * STEP < rows;

		copy_async(target + pass * STEP * 128,
			valid ? source + (size_t)pass * STEP * D : matrix, valid);
	}
}

#endif

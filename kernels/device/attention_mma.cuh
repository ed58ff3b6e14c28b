/*
 * attention_mma.cuh -- O = softmax(scale Q K^T) V with mma.sync, from sm_80 on.
 *
 * A block has ROWS query rows of one head and walks over the keys in tiles of COLS,
 * whose softmax is kept online (running maximum and sum). Each warp has 16 or 32 rows
 * of its own: Q stays in registers, scores and probabilities never leave them. K and V
 * come through STAGES tiles of shared memory by cp.async; one barrier a tile.
 *
 * Grid: query tiles x (batch * heads). Q, K, V, O: [batch * heads][sequence][D],
 * row-major.
 */
#ifndef KERNELS_ATTENTION_MMA_CUH
#define KERNELS_ATTENTION_MMA_CUH

#include "attention.cuh"

template <typename T_, int D_, int ROWS_, int COLS_, int WARPS_, int STAGES_,
	bool CAUSAL_>
struct attention_mma_shape {
	typedef T_ T;
	static constexpr int D = D_, ROWS = ROWS_, COLS = COLS_, WARPS = WARPS_;
	static constexpr int STAGES = STAGES_, THREADS = 32 * WARPS_;
	static constexpr bool CAUSAL = CAUSAL_;
	static constexpr int M = ROWS / (16 * WARPS); /* 16-row groups of a warp */
	static constexpr int Q_BYTES = ROWS * D * 2, KV_BYTES = COLS * D * 2;
	static constexpr int SHARED = Q_BYTES + STAGES * 2 * KV_BYTES;
	static_assert(M * 16 * WARPS == ROWS && D % 64 == 0 && STAGES >= 2, "shape");
};

/* what a lane knows of its place */
struct attention_lane {
	int row; /* of the tile: the first row of the warp */
	int lane;
	uint32_t swizzle; /* (lane % 8) * 16 */
};

/* Q of one warp, as the A operands of mma */
template <typename S>
KERNEL_INLINE void attention_load_q(
	uint32_t (&a)[S::M][S::D / 16][4], uint32_t tile, attention_lane at)
{
	int row = at.row + (at.lane & 15);
	uint32_t chunk = (at.lane >> 4) * 16;

#pragma unroll
	for (int m = 0; m < S::M; m++)
#pragma unroll
		for (int k = 0; k < S::D / 16; k++)
			load_matrices(
				a[m][k], tile + (k / 4) * (S::ROWS * 128) +
						 (row + m * 16) * 128 +
						 ((k % 4 * 32) ^ chunk ^ at.swizzle));
}

/* s = Q K^T of the warp's rows and one tile of keys */
template <typename S>
KERNEL_INLINE void attention_scores(float (&s)[S::M][S::COLS / 8][4],
	const uint32_t (&q)[S::M][S::D / 16][4], uint32_t tile, attention_lane at)
{
	/* matrices 0, 1: keys 0..7, both halves of 16 columns; 2, 3: keys 8..15 */
	int row = (at.lane & 7) + (at.lane >> 4) * 8;
	uint32_t chunk = (at.lane >> 3 & 1) * 16;

#pragma unroll
	for (int m = 0; m < S::M; m++)
#pragma unroll
		for (int n = 0; n < S::COLS / 8; n++)
#pragma unroll
			for (int i = 0; i < 4; i++)
				s[m][n][i] = 0;
#pragma unroll
	for (int k = 0; k < S::D / 16; k++)
#pragma unroll
		for (int n = 0; n < S::COLS / 16; n++) {
			uint32_t b[4];

			load_matrices(b, tile + (k / 4) * (S::COLS * 128) +
						 (row + n * 16) * 128 +
						 ((k % 4 * 32) ^ chunk ^ at.swizzle));
#pragma unroll
			for (int m = 0; m < S::M; m++) {
				multiply_add<typename S::T>(
					s[m][2 * n], q[m][k], b[0], b[1]);
				multiply_add<typename S::T>(
					s[m][2 * n + 1], q[m][k], b[2], b[3]);
			}
		}
}

/* o += P V: the probabilities are A operands as they lie, V is read transposed */
template <typename S>
KERNEL_INLINE void attention_values(float (&o)[S::M][S::D / 8][4],
	const float (&p)[S::M][S::COLS / 8][4], uint32_t tile, attention_lane at)
{
	typedef typename S::T T;
	int row = at.lane & 15;
	uint32_t chunk = (at.lane >> 4) * 16;

#pragma unroll
	for (int k = 0; k < S::COLS / 16; k++) {
		uint32_t a[S::M][4];

#pragma unroll
		for (int m = 0; m < S::M; m++) {
			a[m][0] = pack2<T>(p[m][2 * k][0], p[m][2 * k][1]);
			a[m][1] = pack2<T>(p[m][2 * k][2], p[m][2 * k][3]);
			a[m][2] = pack2<T>(p[m][2 * k + 1][0], p[m][2 * k + 1][1]);
			a[m][3] = pack2<T>(p[m][2 * k + 1][2], p[m][2 * k + 1][3]);
		}
#pragma unroll
		for (int n = 0; n < S::D / 16; n++) {
			uint32_t b[4];

			load_matrices_transposed(
				b, tile + (n / 4) * (S::COLS * 128) +
					   (row + k * 16) * 128 +
					   ((n % 4 * 32) ^ chunk ^ at.swizzle));
#pragma unroll
			for (int m = 0; m < S::M; m++) {
				multiply_add<T>(o[m][2 * n], a[m], b[0], b[1]);
				multiply_add<T>(o[m][2 * n + 1], a[m], b[2], b[3]);
			}
		}
	}
}

template <typename S> KERNEL_INLINE void attention_mma(attention_args args)
{
	typedef typename S::T T;
	const size_t head = (size_t)blockIdx.y * args.sequence * S::D;
	const T *q = (const T *)args.q + head;
	const T *k = (const T *)args.k + head;
	const T *v = (const T *)args.v + head;
	const int sequence = args.sequence;
	/* causal: the longest rows first, so that the last blocks are short ones */
	const int first_row =
		(S::CAUSAL ? gridDim.x - 1 - blockIdx.x : blockIdx.x) * S::ROWS;
	const int end = S::CAUSAL && first_row + S::ROWS < sequence
				? first_row + S::ROWS
				: sequence;
	const int tiles = (end + S::COLS - 1) / S::COLS;
	const uint32_t q_tile = shared_address(shared_memory());
	const uint32_t kv_tiles = q_tile + S::Q_BYTES;
	attention_lane at;

	at.lane = threadIdx.x % 32;
	at.row = threadIdx.x / 32 * (16 * S::M);
	at.swizzle = (at.lane & 7) * 16;
	const int warp_row = first_row + at.row;

	/* groups under way: Q and the first K, the first V, then a tile each */
	tile_load<S::ROWS, S::D, S::THREADS>(q_tile, q, first_row, sequence);
	tile_load<S::COLS, S::D, S::THREADS>(kv_tiles, k, 0, sequence);
	copy_commit();
	tile_load<S::COLS, S::D, S::THREADS>(kv_tiles + S::KV_BYTES, v, 0, sequence);
	copy_commit();
#pragma unroll
	for (int tile = 1; tile < S::STAGES - 1; tile++) {
		uint32_t stage = kv_tiles + tile * 2 * S::KV_BYTES;

		if (tile < tiles) {
			tile_load<S::COLS, S::D, S::THREADS>(
				stage, k, tile * S::COLS, sequence);
			tile_load<S::COLS, S::D, S::THREADS>(
				stage + S::KV_BYTES, v, tile * S::COLS, sequence);
		}
		copy_commit();
	}

	uint32_t q_regs[S::M][S::D / 16][4];
	float o[S::M][S::D / 8][4], highest[S::M][2], sum[S::M][2];
	uint32_t stage = kv_tiles, spare = kv_tiles + (S::STAGES - 1) * 2 * S::KV_BYTES;

	attention_begin(o, highest, sum);
	for (int tile = 0; tile < tiles; tile++) {
		const uint32_t k_tile = stage;
		const int first_key = tile * S::COLS;
		float s[S::M][S::COLS / 8][4], rescale[S::M][2];

		if (tile == 0)
			copy_wait<S::STAGES - 1>();
		else
			copy_wait<S::STAGES - 2>();
		__syncthreads(); /* and the tile before this one has no reader left */
		if (tile == 0)
			attention_load_q<S>(q_regs, q_tile, at);
		if (tile + S::STAGES - 1 < tiles) {
			int key = first_key + (S::STAGES - 1) * S::COLS;

			tile_load<S::COLS, S::D, S::THREADS>(spare, k, key, sequence);
			tile_load<S::COLS, S::D, S::THREADS>(
				spare + S::KV_BYTES, v, key, sequence);
		}
		copy_commit();
		spare = stage;
		stage += 2 * S::KV_BYTES;
		if (stage == kv_tiles + S::STAGES * 2 * S::KV_BYTES)
			stage = kv_tiles;
		if (S::CAUSAL && first_key > warp_row + 16 * S::M - 1)
			continue; /* all of it is after this warp's rows */

		attention_scores<S>(s, q_regs, k_tile, at);
		if (first_key + S::COLS > sequence ||
			(S::CAUSAL && first_key + S::COLS - 1 > warp_row))
			attention_mask<S::CAUSAL>(
				s, warp_row, first_key, sequence, at.lane);
		attention_weights(s, rescale, highest, sum, args.scale_log2);
		attention_rescale(o, rescale);
		if (tile == 0) {
			copy_wait<S::STAGES - 1>();
			__syncthreads();
		}
		attention_values<S>(o, s, k_tile + S::KV_BYTES, at);
	}
	__syncwarp();
	attention_store<T, S::ROWS, S::D, S::M>((T *)args.o + head, o, sum, q_tile,
		at.row, warp_row, sequence, at.lane);
}

#endif

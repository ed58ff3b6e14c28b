/*
 * attention_wgmma.cuh -- O = softmax(scale Q K^T) V for Hopper: wgmma, and the copy
 * engine instead of load instructions.
 *
 * A block has GROUPS warpgroups with 64 query rows each, and keeps STAGES tiles of keys
 * on their way. A stage has four barriers: k_full and v_full end a phase when their
 * bytes have arrived, k_empty and v_empty when every warp has read them. So tile t lies
 * in stage t % STAGES, and its phases have the parity of t / STAGES.
 *
 * Ways through the keys:
 *  - PLAIN: scores, softmax, values, one after the other; what keeps the tensor cores
 * busy meanwhile is the other warpgroups, of this block and of others on the
 * multiprocessor
 *  - TURNS: a warpgroup's scores of the next tile and values of the last one run while
 * it computes the softmax between them, and the warpgroups take turns at the tensor
 * cores, so that one computes powers while another multiplies (FlashAttention-3's
 * order); for blocks too large to share a multiprocessor. One more warpgroup asks for
 * the tiles; it gives its registers to the others
 *
 * In PLAIN thread 0 asks for tiles, when it knows that K and V of an earlier one were
 * read: v_empty is enough.
 */
#ifndef KERNELS_ATTENTION_WGMMA_CUH
#define KERNELS_ATTENTION_WGMMA_CUH

#include "attention.cuh"
#include "hopper.cuh"

/* The maps have the dimensions (64 columns, sequence, D / 64 panels, batch * heads) and
 * boxes of 64 x ROWS (q) or COLS (k, v) x D / 64 x 1, with the 128-byte swizzle. */
struct attention_wgmma_args {
	tensor_map q, k, v;
	void *o;
	int sequence;
	float scale_log2;
	int whole, rest; /* of what SPLIT is about */
};

template <typename T_, int D_, int GROUPS_, int COLS_, int STAGES_, int WAY_,
	bool CAUSAL_>
struct attention_wgmma_shape {
	typedef T_ T;
	static constexpr int D = D_, GROUPS = GROUPS_, COLS = COLS_, STAGES = STAGES_;
	static constexpr int WAY = WAY_;
	static constexpr bool TURNS = WAY == ATTENTION_TURNS, CAUSAL = CAUSAL_;
	static constexpr int ROWS = 64 * GROUPS;
	/* The sequence need not be tiles of ROWS. Its first `whole` tiles are, in
	 * blocks that come first, for all heads; the others have `rest` warpgroups with
	 * rows, so that less is left to do for few when most multiprocessors are done.
	 */
	static constexpr bool SPLIT = TURNS && !CAUSAL;
	static constexpr int THREADS = ATTENTION_WGMMA_THREADS(GROUPS, WAY);
	/* TURNS: a multiprocessor has 512 registers for threads of the same place in
	 * their warpgroups */
	static constexpr int REGISTERS = GROUPS == 2 ? 240 : 160;
	static constexpr int ASKING_REGISTERS = GROUPS == 2 ? 24 : 32;
	static constexpr int Q_BYTES = ROWS * D * 2, KV_BYTES = COLS * D * 2;
	static constexpr int BARRIERS =
		Q_BYTES + STAGES * 2 * KV_BYTES; /* where they lie */
	static constexpr int SHARED = BARRIERS + 8 * (1 + 4 * STAGES);
	static_assert((D == 64 || D == 128) && COLS % 16 == 0, "wgmma's shapes");
	static_assert(!TURNS || GROUPS == 2 || GROUPS == 3, "registers");
	/* thread 0 asks for the last tile, also one that its own warpgroup has no use
	 * for */
	static_assert(TURNS || (STAGES - 1) * COLS >= ROWS - 64, "stages");
};

/* shared memory of a block */
template <typename S> struct attention_wgmma_tiles {
	uint32_t base;

	KERNEL_INLINE uint32_t q() const
	{
		return base;
	}
	KERNEL_INLINE uint32_t k(int tile) const
	{
		return base + S::Q_BYTES + tile % S::STAGES * 2 * S::KV_BYTES;
	}
	KERNEL_INLINE uint32_t v(int tile) const
	{
		return k(tile) + S::KV_BYTES;
	}
	KERNEL_INLINE uint32_t barrier(int tile, int which) const
	{
		return base + S::BARRIERS + 8 + (tile % S::STAGES * 4 + which) * 8;
	}
	KERNEL_INLINE uint32_t q_full() const
	{
		return base + S::BARRIERS;
	}
	KERNEL_INLINE uint32_t k_full(int tile) const
	{
		return barrier(tile, 0);
	}
	KERNEL_INLINE uint32_t v_full(int tile) const
	{
		return barrier(tile, 1);
	}
	KERNEL_INLINE uint32_t k_empty(int tile) const
	{
		return barrier(tile, 2);
	}
	KERNEL_INLINE uint32_t v_empty(int tile) const
	{
		return barrier(tile, 3);
	}
	static KERNEL_INLINE uint32_t parity(int tile)
	{
		return tile / S::STAGES & 1;
	}
};

/* where a warp is, and what it has to see */
struct attention_wgmma_place {
	int head, group, lane, first_row, group_row, warp_row;
	int groups;		/* of the block that have rows */
	int block_tiles, tiles; /* of the block and of the warpgroup */
};

/* the block's rows, where they are no tile of their own place in the grid */
template <typename S>
KERNEL_INLINE void attention_wgmma_split(
	attention_wgmma_place &w, const attention_wgmma_args &args)
{
	const int first_rest = gridDim.y * args.whole, rests = gridDim.x - args.whole;
	const int block = blockIdx.y * gridDim.x + blockIdx.x;

	if (block < first_rest) {
		w.head = block / args.whole;
		w.first_row = block % args.whole * S::ROWS;
		return;
	}
	w.head = (block - first_rest) / rests;
	w.groups = args.rest;
	w.first_row =
		args.whole * S::ROWS + (block - first_rest) % rests * 64 * args.rest;
}

template <typename S>
KERNEL_INLINE attention_wgmma_place attention_wgmma_find(
	const attention_wgmma_args &args)
{
	const int sequence = args.sequence;
	attention_wgmma_place w;

	w.head = blockIdx.y;
	w.group = S::TURNS ? warp_uniform(threadIdx.x / 128) : threadIdx.x / 128;
	w.lane = threadIdx.x % 32;
	/* causal: the longest rows first, so that the last blocks are short ones */
	w.first_row = (S::CAUSAL ? gridDim.x - 1 - blockIdx.x : blockIdx.x) * S::ROWS;
	w.groups = S::GROUPS;
	if constexpr (S::SPLIT)
		attention_wgmma_split<S>(w, args);
	w.groups = min(w.groups, (sequence - w.first_row + 63) / 64);
	w.group_row = w.first_row + w.group * 64;
	w.warp_row = w.group_row + threadIdx.x % 128 / 32 * 16;
	int block_end = S::CAUSAL ? min(w.first_row + S::ROWS, sequence) : sequence;
	int end = S::CAUSAL ? min(w.group_row + 64, sequence) : sequence;

	w.block_tiles = (block_end + S::COLS - 1) / S::COLS;
	w.tiles = (end + S::COLS - 1) / S::COLS;
	return w;
}

/* one thread asks the copy engine for keys, and values, that are to arrive */
template <typename S>
KERNEL_INLINE void attention_ask_k(int tile, int head, attention_wgmma_tiles<S> at,
	const attention_wgmma_args &args)
{
	barrier_arrive_expect(at.k_full(tile), S::KV_BYTES);
	tensor_load(at.k(tile), &args.k, 0, tile * S::COLS, 0, head, at.k_full(tile));
}

template <typename S>
KERNEL_INLINE void attention_ask_v(int tile, int head, attention_wgmma_tiles<S> at,
	const attention_wgmma_args &args)
{
	barrier_arrive_expect(at.v_full(tile), S::KV_BYTES);
	tensor_load(at.v(tile), &args.v, 0, tile * S::COLS, 0, head, at.v_full(tile));
}

/* thread 0, as soon as the tile's stage is empty */
template <typename S>
KERNEL_INLINE void attention_ask(int tile, int head, attention_wgmma_tiles<S> at,
	const attention_wgmma_args &args)
{
	if (tile >= S::STAGES)
		barrier_wait(at.v_empty(tile), at.parity(tile) ^ 1);
	attention_ask_k(tile, head, at, args);
	attention_ask_v(tile, head, at, args);
}

/* the thread of the asking warpgroup: keys first, whose turn is a tile earlier */
template <typename S>
KERNEL_INLINE void attention_ask_all(int tiles, int head, attention_wgmma_tiles<S> at,
	const attention_wgmma_args &args)
{
	for (int tile = -1; tile < tiles; tile++) {
		const int next = tile + 1;

		if (next < tiles) {
			if (next >= S::STAGES)
				barrier_wait(at.k_empty(next), at.parity(next) ^ 1);
			attention_ask_k(next, head, at, args);
		}
		if (tile < 0)
			continue;
		if (tile >= S::STAGES)
			barrier_wait(at.v_empty(tile), at.parity(tile) ^ 1);
		attention_ask_v(tile, head, at, args);
	}
}

template <typename S>
KERNEL_INLINE void attention_wgmma_start(const attention_wgmma_place &w,
	attention_wgmma_tiles<S> at, const attention_wgmma_args &args)
{
	if (threadIdx.x == 0) {
		barrier_init(at.q_full(), 1);
#pragma unroll
		for (int stage = 0; stage < S::STAGES; stage++) {
			barrier_init(at.k_full(stage), 1);
			barrier_init(at.v_full(stage), 1);
			barrier_init(at.k_empty(stage), 4 * w.groups);
			barrier_init(at.v_empty(stage), 4 * w.groups);
		}
		barrier_init_done();
		tensor_prefetch(&args.q);
		tensor_prefetch(&args.k);
		tensor_prefetch(&args.v);
		barrier_arrive_expect(at.q_full(), S::Q_BYTES);
		tensor_load(at.q(), &args.q, 0, w.first_row, 0, w.head, at.q_full());
		for (int tile = 0; !S::TURNS && tile < min(w.block_tiles, S::STAGES);
			tile++)
			attention_ask(tile, w.head, at, args);
	}
	__syncthreads();
}

/* s = Q K^T: under way until waited for */
template <typename S>
KERNEL_INLINE void attention_wgmma_scores(
	float (&s)[1][S::COLS / 8][4], uint32_t q, uint32_t k)
{
#pragma unroll
	for (int step = 0; step < S::D / 16; step++) {
		uint64_t a = wgmma_operand(
			q + step / 4 * (S::ROWS * 128) + step % 4 * 32, 16);
		uint64_t b = wgmma_operand(
			k + step / 4 * (S::COLS * 128) + step % 4 * 32, 16);

		if (step == 0)
			wgmma_shared<typename S::T, false>(s[0], a, b);
		else
			wgmma_shared<typename S::T, true>(s[0], a, b);
	}
	wgmma_commit();
}

/* o += P V: under way until waited for */
template <typename S>
KERNEL_INLINE void attention_wgmma_values(
	float (&o)[1][S::D / 8][4], const uint32_t (&p)[S::COLS / 16][4], uint32_t v)
{
#pragma unroll
	for (int step = 0; step < S::COLS / 16; step++)
		wgmma_registers<typename S::T>(
			o[0], p[step], wgmma_operand(v + step * 2048, S::COLS * 128));
	wgmma_commit();
}

template <typename T, int STEPS>
KERNEL_INLINE void attention_pack(
	uint32_t (&p)[STEPS][4], const float (&s)[1][STEPS * 2][4])
{
#pragma unroll
	for (int step = 0; step < STEPS; step++)
#pragma unroll
		for (int i = 0; i < 4; i++)
			p[step][i] = pack2<T>(s[0][2 * step + i / 2][i % 2 * 2],
				s[0][2 * step + i / 2][i % 2 * 2 + 1]);
}

/* the softmax of one tile's scores */
template <typename S>
KERNEL_INLINE void attention_wgmma_weights(float (&s)[1][S::COLS / 8][4],
	float (&rescale)[1][2], float (&highest)[1][2], float (&sum)[1][2],
	const attention_wgmma_place &w, int tile, const attention_wgmma_args &args)
{
	const int first_key = tile * S::COLS;

	if (first_key + S::COLS > args.sequence ||
		(S::CAUSAL && first_key + S::COLS - 1 > w.warp_row))
		attention_mask<S::CAUSAL>(
			s, w.warp_row, first_key, args.sequence, w.lane);
	attention_weights(s, rescale, highest, sum, args.scale_log2);
}

/* the warpgroup's tiles one after the other */
template <typename S>
KERNEL_INLINE void attention_wgmma_plain(float (&o)[1][S::D / 8][4],
	float (&highest)[1][2], float (&sum)[1][2], attention_wgmma_tiles<S> at,
	const attention_wgmma_place &w, const attention_wgmma_args &args)
{
	const uint32_t q = at.q() + w.group * (64 * 128);

	for (int tile = 0; tile < w.tiles; tile++) {
		float s[1][S::COLS / 8][4], rescale[1][2];
		uint32_t p[S::COLS / 16][4];

		barrier_wait(at.k_full(tile), at.parity(tile));
		wgmma_fence();
		attention_wgmma_scores<S>(s, q, at.k(tile));
		if (threadIdx.x == 0 && tile > 0 &&
			tile + S::STAGES - 1 < w.block_tiles)
			attention_ask(tile + S::STAGES - 1, w.head, at, args);
		__syncwarp();
		wgmma_wait<0>();
		wgmma_keep(s);
		attention_wgmma_weights<S>(s, rescale, highest, sum, w, tile, args);
		attention_rescale(o, rescale);
		attention_pack<typename S::T>(p, s);
		barrier_wait(at.v_full(tile), at.parity(tile));
		wgmma_keep(o);
		wgmma_fence();
		attention_wgmma_values<S>(o, p, at.v(tile));
		wgmma_wait<0>();
		wgmma_keep(o);
		if (w.lane == 0)
			barrier_arrive(at.v_empty(tile));
	}
}

/* the named barrier at which a warpgroup waits for its turn; 1 to 3 are others */
KERNEL_INLINE int attention_turn(int group)
{
	return 4 + group;
}

/* The softmax of a tile while its predecessor's values are summed; from the second tile
 * on a warpgroup issues its products in its turn. The block's warpgroups that have rows
 * see the same tiles, also where one has nothing left to see. */
template <typename S>
KERNEL_INLINE void attention_wgmma_turns(float (&o)[1][S::D / 8][4],
	float (&highest)[1][2], float (&sum)[1][2], attention_wgmma_tiles<S> at,
	const attention_wgmma_place &w, const attention_wgmma_args &args)
{
	const uint32_t q = at.q() + w.group * (64 * 128);
	const int next = w.group == w.groups - 1 ? 0 : w.group + 1;
	const int last = w.block_tiles - 1;
	const bool turns = w.groups > 1;
	float s[1][S::COLS / 8][4], rescale[1][2];
	uint32_t p[S::COLS / 16][4];

	/* the first turn is given by the last warpgroup, whose own last one goes to
	 * nobody */
	if (turns && next == 0 && last > 0)
		turn_give(attention_turn(0));
	barrier_wait(at.k_full(0), 0);
	wgmma_fence();
	attention_wgmma_scores<S>(s, q, at.k(0));
	wgmma_wait<0>();
	wgmma_keep(s);
	if (w.lane == 0)
		barrier_arrive(at.k_empty(0));
	attention_wgmma_weights<S>(s, rescale, highest, sum, w, 0, args);
	attention_pack<typename S::T>(p, s);
	for (int tile = 1; tile <= last; tile++) {
		barrier_wait(at.k_full(tile), at.parity(tile));
		barrier_wait(at.v_full(tile - 1), at.parity(tile - 1));
		if (turns)
			turn_wait(attention_turn(w.group));
		wgmma_keep(s);
		wgmma_keep(o);
		wgmma_fence();
		attention_wgmma_scores<S>(s, q, at.k(tile));
		attention_wgmma_values<S>(o, p, at.v(tile - 1));
		if (turns && (next != 0 || tile < last))
			turn_give(attention_turn(next));
		wgmma_wait<1>();
		wgmma_keep(s);
		if (w.lane == 0)
			barrier_arrive(at.k_empty(tile));
		attention_wgmma_weights<S>(s, rescale, highest, sum, w, tile, args);
		wgmma_wait<0>();
		wgmma_keep(o);
		if (w.lane == 0)
			barrier_arrive(at.v_empty(tile - 1));
		attention_rescale(o, rescale);
		attention_pack<typename S::T>(p, s);
	}
	barrier_wait(at.v_full(last), at.parity(last));
	wgmma_keep(o);
	wgmma_fence();
	attention_wgmma_values<S>(o, p, at.v(last));
	wgmma_wait<0>();
	wgmma_keep(o);
}

template <typename S>
KERNEL_INLINE void attention_wgmma(const attention_wgmma_args &args)
{
	typedef typename S::T T;
	const attention_wgmma_tiles<S> at = {shared_address(shared_memory())};
	const attention_wgmma_place w = attention_wgmma_find<S>(args);
	float o[1][S::D / 8][4], highest[1][2], sum[1][2];

	attention_wgmma_start<S>(w, at, args);
	if (S::TURNS && w.group == S::GROUPS) {
		registers_less<S::ASKING_REGISTERS>();
		if (threadIdx.x == 128 * S::GROUPS)
			attention_ask_all<S>(w.block_tiles, w.head, at, args);
		return;
	}
	if (w.group >= w.groups)
		return;
	if constexpr (S::TURNS)
		registers_more<S::REGISTERS>();
	attention_begin(o, highest, sum);
	barrier_wait(at.q_full(), 0);
	if constexpr (S::TURNS)
		attention_wgmma_turns<S>(o, highest, sum, at, w, args);
	else
		attention_wgmma_plain<S>(o, highest, sum, at, w, args);
	/* all of the warpgroup have read Q, whose place O takes */
	if (w.group == 0)
		group_barrier<1>();
	else if (w.group == 1)
		group_barrier<2>();
	else
		group_barrier<3>();
	attention_store<T, S::ROWS, S::D, 1>(
		(T *)args.o + (size_t)w.head * args.sequence * S::D, o, sum, at.q(),
		w.warp_row - w.first_row, w.warp_row, args.sequence, w.lane);
}

#endif

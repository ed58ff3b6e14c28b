/*
 * hopper.cuh -- words of sm_90a: barriers that count bytes, the copy engine, wgmma.
 * As in port.cuh, the emulator of tests/kernels has its own meaning for each.
 */
#ifndef KERNELS_HOPPER_CUH
#define KERNELS_HOPPER_CUH

#include "port.cuh"

/* a CUtensorMap, which the host encodes */
struct alignas(64) tensor_map {
	uint64_t opaque[16];
};

/*
 * How wgmma finds a tile as tile.cuh lays it out: start address, leading and stride
 * byte offset in units of 16 bytes, 128-byte swizzle (1 at bit 62). Groups of eight
 * rows are 1024 bytes apart.
 *  - K-major (Q, K: 16 columns of one panel a step): the leading offset is not used
 *  - MN-major (V: 16 rows a step, all columns): the leading offset leads from one panel
 *    to the next
 */
KERNEL_INLINE uint64_t wgmma_operand(uint32_t address, uint32_t leading_bytes)
{
	return (uint64_t)(address >> 4 & 0x3fff) |
	       (uint64_t)(leading_bytes >> 4) << 16 | (uint64_t)(1024 >> 4) << 32 |
	       (uint64_t)1 << 62;
}

#ifdef KERNELS_EMULATED
#include "emulator_hopper.h"
#else

KERNEL_INLINE void barrier_init(uint32_t barrier, uint32_t arrivals)
{
	asm volatile(
		"mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals)
		: "memory");
}

/* after barrier_init(): the copy engine sees the barriers, and after __syncthreads()
 * others */
KERNEL_INLINE void barrier_init_done()
{
	asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

KERNEL_INLINE void barrier_arrive(uint32_t barrier)
{
	asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier)
		     : "memory");
}

/* arrives, and the phase also lasts until `bytes` more have been copied */
KERNEL_INLINE void barrier_arrive_expect(uint32_t barrier, uint32_t bytes)
{
	asm volatile(
		"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier),
		"r"(bytes)
		: "memory");
}

/* until the phase of this parity is over: 0 for the first, 1 for the second, 0 ... */
KERNEL_INLINE void barrier_wait(uint32_t barrier, uint32_t parity)
{
	asm volatile("{\n"
		     ".reg .pred over;\n"
		     "again:\n"
		     "mbarrier.try_wait.parity.shared::cta.b64 over, [%0], %1;\n"
		     "@!over bra again;\n"
		     "}" ::"r"(barrier),
		     "r"(parity)
		     : "memory");
}

/* among the 128 threads of a warpgroup; ID from 1 on */
template <int ID> KERNEL_INLINE void group_barrier()
{
	asm volatile("bar.sync %0, 128;" ::"n"(ID) : "memory");
}

/* two warpgroups meet at barrier `id`: one waits there for its turn, one gives it */
KERNEL_INLINE void turn_wait(int id)
{
	asm volatile("bar.sync %0, 256;" ::"r"(id) : "memory");
}

KERNEL_INLINE void turn_give(int id)
{
	asm volatile("bar.arrive %0, 256;" ::"r"(id) : "memory");
}

/* a warpgroup's threads have so many registers from here on: less, and more than they
 * were launched with once others gave theirs up */
template <int COUNT> KERNEL_INLINE void registers_less()
{
	asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(COUNT));
}

template <int COUNT> KERNEL_INLINE void registers_more()
{
	asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(COUNT));
}

KERNEL_INLINE void tensor_prefetch(const tensor_map *map)
{
	asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

/* the box at (column, row, panel, head); what lies outside of the tensor is zeros */
KERNEL_INLINE void tensor_load(uint32_t target, const tensor_map *map, int column,
	int row, int panel, int head, uint32_t barrier)
{
	asm volatile(
		"cp.async.bulk.tensor.4d.shared::cluster.global.tile"
		".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5}], [%6];" ::
			"r"(target),
		"l"(map), "r"(column), "r"(row), "r"(panel), "r"(head), "r"(barrier)
		: "memory");
}

/* before the first wgmma, and after registers of one were touched */
KERNEL_INLINE void wgmma_fence()
{
	asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

KERNEL_INLINE void wgmma_commit()
{
	asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <int PENDING> KERNEL_INLINE void wgmma_wait()
{
	asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(PENDING) : "memory");
}

/* keeps the compiler from moving these registers' uses across */
template <int M, int N> KERNEL_INLINE void wgmma_keep(float (&d)[M][N][4])
{
#pragma unroll
	for (int m = 0; m < M; m++)
#pragma unroll
		for (int n = 0; n < N; n++)
#pragma unroll
			for (int i = 0; i < 4; i++)
				asm volatile("" : "+f"(d[m][n][i])::"memory");
}

/* clang-format off */
#define ACCUMULATOR(d, n) "+f"(d[n][0]), "+f"(d[n][1]), "+f"(d[n][2]), "+f"(d[n][3])
#define ACCUMULATORS_8(d, n) ACCUMULATOR(d, n), ACCUMULATOR(d, n + 1), ACCUMULATOR(d, n + 2), \
	ACCUMULATOR(d, n + 3), ACCUMULATOR(d, n + 4), ACCUMULATOR(d, n + 5), \
	ACCUMULATOR(d, n + 6), ACCUMULATOR(d, n + 7)
#define REGISTERS_32 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
	"%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define REGISTERS_64 REGISTERS_32 ", " \
	"%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
	"%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define REGISTERS_40 REGISTERS_32 ", %32, %33, %34, %35, %36, %37, %38, %39"

/* d = a b or d += a b: 64 rows a warpgroup, 16 columns of a and rows of b; both K-major */
template <typename T, bool ADD>
KERNEL_INLINE void wgmma_shared(float (&d)[8][4], uint64_t a, uint64_t b);
template <typename T, bool ADD>
KERNEL_INLINE void wgmma_shared(float (&d)[10][4], uint64_t a, uint64_t b);
template <typename T, bool ADD>
KERNEL_INLINE void wgmma_shared(float (&d)[16][4], uint64_t a, uint64_t b);
/* d += a b with a in registers as an mma operand, b MN-major */
template <typename T>
KERNEL_INLINE void wgmma_registers(float (&d)[8][4], const uint32_t (&a)[4], uint64_t b);
template <typename T>
KERNEL_INLINE void wgmma_registers(float (&d)[16][4], const uint32_t (&a)[4], uint64_t b);

#define WGMMA_SHARED(TYPE, NAME, ADD, N, TILES, REGISTERS, A, B, P, ...) \
	template <> KERNEL_INLINE void wgmma_shared<TYPE, ADD>( \
		float (&d)[TILES][4], uint64_t a, uint64_t b) \
	{ \
		asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, " P ", 0;\n" \
			"wgmma.mma_async.sync.aligned.m64n" N "k16.f32." NAME "." NAME " {" \
			REGISTERS "}, " A ", " B ", add, 1, 1, 0, 0;\n}" \
			: __VA_ARGS__ : "l"(a), "l"(b), "n"(ADD)); \
	}
#define WGMMA_REGISTERS(TYPE, NAME, N, TILES, REGISTERS, A, B, ...) \
	template <> KERNEL_INLINE void wgmma_registers<TYPE>( \
		float (&d)[TILES][4], const uint32_t (&a)[4], uint64_t b) \
	{ \
		asm volatile("wgmma.mma_async.sync.aligned.m64n" N "k16.f32." NAME "." NAME \
			" {" REGISTERS "}, {" A "}, " B ", 1, 1, 1, 1;" \
			: __VA_ARGS__ : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b)); \
	}
#define WGMMA(TYPE, NAME) \
	WGMMA_SHARED(TYPE, NAME, true, "64", 8, REGISTERS_32, "%32", "%33", "%34", \
		ACCUMULATORS_8(d, 0)) \
	WGMMA_SHARED(TYPE, NAME, false, "64", 8, REGISTERS_32, "%32", "%33", "%34", \
		ACCUMULATORS_8(d, 0)) \
	WGMMA_SHARED(TYPE, NAME, true, "80", 10, REGISTERS_40, "%40", "%41", "%42", \
		ACCUMULATORS_8(d, 0), ACCUMULATOR(d, 8), ACCUMULATOR(d, 9)) \
	WGMMA_SHARED(TYPE, NAME, false, "80", 10, REGISTERS_40, "%40", "%41", "%42", \
		ACCUMULATORS_8(d, 0), ACCUMULATOR(d, 8), ACCUMULATOR(d, 9)) \
	WGMMA_SHARED(TYPE, NAME, true, "128", 16, REGISTERS_64, "%64", "%65", "%66", \
		ACCUMULATORS_8(d, 0), ACCUMULATORS_8(d, 8)) \
	WGMMA_SHARED(TYPE, NAME, false, "128", 16, REGISTERS_64, "%64", "%65", "%66", \
		ACCUMULATORS_8(d, 0), ACCUMULATORS_8(d, 8)) \
	WGMMA_REGISTERS(TYPE, NAME, "64", 8, REGISTERS_32, "%32, %33, %34, %35", "%36", \
		ACCUMULATORS_8(d, 0)) \
	WGMMA_REGISTERS(TYPE, NAME, "128", 16, REGISTERS_64, "%64, %65, %66, %67", "%68", \
		ACCUMULATORS_8(d, 0), ACCUMULATORS_8(d, 8))
WGMMA(fp16, "f16")
WGMMA(bf16, "bf16")
/* clang-format on */

#endif
#endif

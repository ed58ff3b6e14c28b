/*
 * port.cuh -- the words in which the kernels are written.
 *
 * nvcc gets PTX, one instruction a function. The emulator of tests/kernels compiles the
 * same kernels with g++ and gives each function a meaning in plain C++, with the GPU's
 * rules checked: what a warp does together, all lanes must do; a copy may land at any
 * time between its issue and its wait.
 */
#ifndef KERNELS_PORT_CUH
#define KERNELS_PORT_CUH

#include <stdint.h>
#include <stddef.h>

struct fp16 {
	uint16_t bits;
};
struct bf16 {
	uint16_t bits;
};

#ifdef KERNELS_EMULATED
#include "emulator.h"
#else

#define KERNEL_INLINE __device__ __forceinline__
#define KERNEL(threads, blocks) \
	extern "C" __global__ void __launch_bounds__(threads, blocks)

/* the block's dynamic shared memory; 1024 bytes aligned, as the swizzled tiles need it
 */
KERNEL_INLINE char *shared_memory()
{
	extern __shared__ __align__(1024) char memory[];

	return memory;
}

KERNEL_INLINE uint32_t shared_address(const void *pointer)
{
	return (uint32_t)__cvta_generic_to_shared(pointer);
}

KERNEL_INLINE float to_float(float value)
{
	return value;
}

KERNEL_INLINE float to_float(fp16 value)
{
	float wide;

	asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(value.bits));
	return wide;
}

KERNEL_INLINE float to_float(bf16 value)
{
	return __uint_as_float((uint32_t)value.bits << 16);
}

template <typename T> KERNEL_INLINE uint32_t pack2(float low, float high);

template <> KERNEL_INLINE uint32_t pack2<fp16>(float low, float high)
{
	uint32_t pair;

	asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
	return pair;
}

template <> KERNEL_INLINE uint32_t pack2<bf16>(float low, float high)
{
	uint32_t pair;

	asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
	return pair;
}

/* 2 to the power of x; 2 ulp, 0 for minus infinity */
KERNEL_INLINE float exp2_fast(float x)
{
	float power;

	asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
	return power;
}

KERNEL_INLINE float shuffle_xor(float value, int mask)
{
	return __shfl_xor_sync(0xffffffffu, value, mask);
}

KERNEL_INLINE uint32_t shuffle_xor(uint32_t value, int mask)
{
	return __shfl_xor_sync(0xffffffffu, value, mask);
}

/* what lane 0 has: the compiler then knows that the warp's lanes agree */
KERNEL_INLINE int warp_uniform(int value)
{
	return __shfl_sync(0xffffffffu, value, 0);
}

KERNEL_INLINE void store_shared(uint32_t address, uint32_t value)
{
	asm volatile("st.shared.b32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
}

KERNEL_INLINE uint4 load_shared(uint32_t address)
{
	uint4 v;

	asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
		     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
		     : "r"(address)
		     : "memory");
	return v;
}

/* four 8x8 matrices of 16-bit elements; lane i names row i % 8 of matrix i / 8 */
KERNEL_INLINE void load_matrices(uint32_t (&r)[4], uint32_t address)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
		     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
		     : "r"(address)
		     : "memory");
}

KERNEL_INLINE void load_matrices_transposed(uint32_t (&r)[4], uint32_t address)
{
	asm volatile(
		"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
		: "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
		: "r"(address)
		: "memory");
}

/* c += a b, 16x8x16, FP32 sums */
template <typename T>
KERNEL_INLINE void multiply_add(
	float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1);

template <>
KERNEL_INLINE void multiply_add<fp16>(
	float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1)
{
	asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
		     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
		     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
		     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

template <>
KERNEL_INLINE void multiply_add<bf16>(
	float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1)
{
	asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
		     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
		     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
		     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/* 16 bytes into shared memory some time before copy_wait(); zeros if not valid */
KERNEL_INLINE void copy_async(uint32_t target, const void *source, bool valid)
{
	asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target),
		     "l"(source), "r"(valid ? 16 : 0)
		     : "memory");
}

KERNEL_INLINE void copy_commit()
{
	asm volatile("cp.async.commit_group;" ::: "memory");
}

/* until at most PENDING of the groups that this thread has committed are under way */
template <int PENDING> KERNEL_INLINE void copy_wait()
{
	asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
}

#endif
#endif

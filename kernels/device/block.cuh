/* block.cuh -- sums and maxima over a warp and a block of whole warps, always in one
 * order */
#ifndef KERNELS_BLOCK_CUH
#define KERNELS_BLOCK_CUH

#include "port.cuh"

struct take_sum {
	static KERNEL_INLINE float of(float a, float b)
	{
		return a + b;
	}
};
struct take_max {
	static KERNEL_INLINE float of(float a, float b)
	{
		return fmaxf(a, b);
	}
};

template <typename F> KERNEL_INLINE float warp_all(float value)
{
#pragma unroll
	for (int mask = 16; mask > 0; mask /= 2)
		value = F::of(value, shuffle_xor(value, mask));
	return value;
}

/* every thread gets the result; shared: a float for each warp, free again on return */
template <typename F, int WARPS>
KERNEL_INLINE float block_all(float value, float *shared)
{
	value = warp_all<F>(value);
	if (threadIdx.x % 32 == 0)
		shared[threadIdx.x / 32] = value;
	__syncthreads();
	value = shared[0];
#pragma unroll
	for (int warp = 1; warp < WARPS; warp++)
		value = F::of(value, shared[warp]);
	__syncthreads();
	return value;
}

/* 1 in all threads of the block that comes last; what the others wrote before is then
 * visible to it. The ticket is 0 before and after. */
KERNEL_INLINE bool block_is_last(unsigned *ticket)
{
	__shared__ bool last;

	__threadfence();
	__syncthreads();
	if (threadIdx.x == 0) {
		last = atomicAdd(ticket, 1u) == gridDim.x - 1;
		if (last)
			*ticket = 0;
	}
	__syncthreads();
	__threadfence();
	return last;
}

#endif

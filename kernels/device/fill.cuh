/* fill.cuh -- inputs made where they are read; see inputs.h */
#ifndef KERNELS_FILL_CUH
#define KERNELS_FILL_CUH

#include "port.cuh"
#ifndef KERNELS_EMULATED
#define INPUTS_FUNCTION static KERNEL_INLINE
#endif
#include "../inputs.h"

enum { FILL_THREADS = 256, FILL_CHUNK = 16 * FILL_THREADS };

KERNEL_INLINE void fill_one(float *out, uint64_t seed, long long i)
{
	out[i] = inputs_normal(seed, i);
}

KERNEL_INLINE void fill_one(unsigned char *out, uint64_t seed, long long i)
{
	out[i] = (unsigned char)inputs_byte(seed, i);
}

template <typename T> KERNEL_INLINE void fill_one(T *out, uint64_t seed, long long i)
{
	out[i].bits = (uint16_t)pack2<T>(inputs_normal(seed, i), 0);
}

template <typename T> KERNEL_INLINE void fill(T *out, uint64_t seed, long long n)
{
	long long first = (long long)blockIdx.x * FILL_CHUNK + threadIdx.x;

	for (long long i = first; i < first + FILL_CHUNK && i < n; i += FILL_THREADS)
		fill_one(out, seed, i);
}

#endif

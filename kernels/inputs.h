/*
 * inputs.h -- the benchmarks' inputs: element i of a stream of numbers, on host and
 * device alike to the last bit, so that references know what kernels read.
 */
#ifndef KERNELS_INPUTS_H
#define KERNELS_INPUTS_H

#include <stdint.h>

#ifndef INPUTS_FUNCTION
#define INPUTS_FUNCTION static inline
#endif

/* 64 random bits (splitmix64's finisher) */
INPUTS_FUNCTION uint64_t inputs_bits(uint64_t seed, uint64_t i)
{
	uint64_t x = seed + (i + 1) * 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* nearly normal, mean 0, deviation 1: the sum of four uniform numbers, within 3.47 */
INPUTS_FUNCTION float inputs_normal(uint64_t seed, uint64_t i)
{
	uint64_t bits = inputs_bits(seed, i);
	int32_t sum = (int32_t)(bits & 0xffff) + (int32_t)(bits >> 16 & 0xffff) +
		      (int32_t)(bits >> 32 & 0xffff) + (int32_t)(bits >> 48);

	return (float)(sum - 131070) * (1.0f / 37837.23f);
}

/* a byte; small ones are more frequent than large ones */
INPUTS_FUNCTION unsigned inputs_byte(uint64_t seed, uint64_t i)
{
	uint64_t bits = inputs_bits(seed, i);
	unsigned a = bits & 255, b = bits >> 8 & 255;

	return a < b ? a : b;
}

/* the seed of one array: of set `set`, its array `which` */
INPUTS_FUNCTION uint64_t inputs_seed(uint64_t seed, unsigned set, unsigned which)
{
	return inputs_bits(seed ^ 0x6b65726e656c7321u, (uint64_t)set << 8 | which);
}

#endif

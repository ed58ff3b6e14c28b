/* splitmix64 (Steele, Lea, Flood 2014): seeded and reproducible, for schedules; not for
 * secrets. */
#pragma once

#include <stdint.h>

static inline uint64_t ba_splitmix64(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* Adds a word to a digest that depends on their order. It detects mistakes, not intent. */
#define BA_FOLD_FACTOR UINT64_C(0x9e3779b97f4a7c15)
#define BA_FOLD(digest, word) (((digest) + (uint64_t)(word)) * BA_FOLD_FACTOR)

/* uniform in 0..n-1, n > 0, without modulo bias (Lemire 2019) */
uint64_t ba_rng_below(uint64_t *state, uint64_t n);
/* from the system's entropy; the caller records it as a seed */
uint64_t ba_rng_entropy(void);

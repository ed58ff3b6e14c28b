#include "base/rng.h"

#include <sys/random.h>

#include "base/clock.h"

uint64_t ba_rng_below(uint64_t *state, uint64_t n)
{
	for (;;) {
		unsigned __int128 product = (unsigned __int128)ba_splitmix64(state) * n;
		uint64_t low = (uint64_t)product;
		if (low >= n || low >= -n % n)
			return (uint64_t)(product >> 64);
	}
}

uint64_t ba_rng_entropy(void)
{
	uint64_t seed;
	if (getrandom(&seed, sizeof(seed), 0) != (ssize_t)sizeof(seed))
		seed = (uint64_t)ba_now_ns();
	return seed;
}

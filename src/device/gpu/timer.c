#include "gpu/spin.h"

#define ROUNDS 101
#define READS 100

static int64_t common_divisor(int64_t a, int64_t b)
{
	while (b) {
		int64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* The step of a clock divides all differences. The smallest difference would be the
 * cost of a read if that is longer than a step. */
ba_timer ba_timer_measure(ba_now_fn *now)
{
	int64_t rounds[ROUNDS];
	int64_t tick = 0;
	for (int i = 0; i < ROUNDS; i++) {
		int64_t start = now();
		int64_t last = start;
		for (int k = 0; k < READS; k++) {
			int64_t t = now();
			tick = common_divisor(t - last, tick);
			last = t;
		}
		rounds[i] = last - start;
	}
	ba_sort_int64(rounds, ROUNDS);
	int64_t median = rounds[ROUNDS / 2];
	return (ba_timer){
		.read_ns = (double)median / READS,
		.tick_ns = (double)tick,
	};
}

#include "gpu/timer.h"

#include <stdlib.h>

#define ROUNDS 101
#define READS 100

static int compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

ba_timer ba_timer_measure(ba_now_fn *now)
{
	int64_t rounds[ROUNDS];
	int64_t tick = INT64_MAX;
	for (int i = 0; i < ROUNDS; i++) {
		int64_t start = now();
		int64_t last = start;
		for (int k = 0; k < READS; k++) {
			int64_t t = now();
			if (t != last && t - last < tick)
				tick = t - last;
			last = t;
		}
		rounds[i] = last - start;
	}
	qsort(rounds, ROUNDS, sizeof(rounds[0]), compare);
	return (ba_timer){
		.read_ns = (double)rounds[ROUNDS / 2] / READS,
		.tick_ns = tick == INT64_MAX ? 0 : (double)tick,
	};
}

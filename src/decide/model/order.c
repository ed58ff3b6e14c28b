#include "model/order.h"

#include "stats/schedule.h"

void ba_order_fill(ba_samples *s, const uint8_t *present, size_t n, uint8_t floor,
	uint64_t run_seed, const char *benchmark)
{
	uint8_t row[2 * BA_PARTICIPANTS_MAX];
	size_t visits = s->positions - s->has_floor;
	BA_REQUIRE(n <= BA_PARTICIPANTS_MAX && (visits == n || visits == 2 * n));
	for (unsigned b = 0; b < s->blocks; b++) {
		uint8_t *order = s->order + (size_t)b * s->positions;
		ba_schedule_block(row, n, run_seed, benchmark, s->invocation, b);
		for (size_t k = 0; k < visits; k++)
			order[k >= n ? k + s->has_floor : k] = present[row[k]];
		if (s->has_floor)
			order[n] = floor;
	}
}

const char *ba_order_key(const ba_benchmark *b)
{
	return b->kind == BA_SUITE_COMMAND ? b->suite : b->id;
}

void ba_order_of_programs(
	uint8_t *order, size_t n, uint64_t run_seed, const char *suite, unsigned invocation)
{
	uint8_t row[2 * BA_PARTICIPANTS_MAX];
	BA_REQUIRE(n <= BA_PARTICIPANTS_MAX);
	ba_schedule_block(row, n, run_seed, suite, invocation, 0);
	for (size_t k = 0; k < n; k++)
		order[k] = row[k];
}

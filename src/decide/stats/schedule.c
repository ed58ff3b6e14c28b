#include "stats/schedule.h"

/* Mixes one number into another. splitmix64 is a bijection: no information is lost. */
static uint64_t stir(uint64_t state, uint64_t with)
{
	uint64_t mixed = ba_splitmix64(&state) ^ with;
	return ba_splitmix64(&mixed);
}

uint64_t ba_schedule_seed(
	uint64_t run_seed, const char *benchmark, uint64_t invocation, uint64_t block)
{
	return stir(stir(stir(run_seed, ba_fnv1a(benchmark)), invocation), block);
}

static void shuffle(size_t *order, size_t n, uint64_t state)
{
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	for (size_t i = n; i > 1; i--) {
		size_t j = (size_t)ba_rng_below(&state, i), kept = order[i - 1];
		order[i - 1] = order[j];
		order[j] = kept;
	}
}

/* The participant at position `at` of row `row`: 0, n-1, 1, n-2, ... shifted by the
 * row. Odd designs also need the mirror images. */
static size_t williams(size_t n, size_t row, size_t at)
{
	size_t place = row < n ? at : n - 1 - at;
	size_t zigzag = place % 2 ? n - (place + 1) / 2 : place / 2;
	return (zigzag + row) % n;
}

size_t ba_schedule_period(size_t participants)
{
	if (participants <= 2)
		return 1;
	return participants % 2 ? 2 * participants : participants;
}

void ba_schedule_block(unsigned char *order, size_t participants, uint64_t run_seed,
	const char *benchmark, uint64_t invocation, uint64_t block)
{
	BA_REQUIRE(participants >= 1 && participants <= BA_PARTICIPANTS_MAX);
	size_t period = ba_schedule_period(participants);
	uint64_t seed = ba_schedule_seed(run_seed, benchmark, invocation, block / period);
	size_t labels[BA_PARTICIPANTS_MAX];

	if (participants == 2) {
		labels[0] = ba_splitmix64(&seed) >> 63;
		labels[1] = !labels[0];
	} else {
		shuffle(labels, participants, seed);
	}
	for (size_t i = 0; i < participants; i++) {
		size_t row = (size_t)(block % period);
		size_t at = participants > 2 ? williams(participants, row, i) : i;
		order[i] = (unsigned char)labels[at];
		order[2 * participants - 1 - i] = order[i];
	}
}

void ba_schedule_shuffle(size_t *order, size_t n, uint64_t run_seed, uint64_t invocation)
{
	shuffle(order, n, stir(stir(run_seed, UINT64_C(0x6f72646572)), invocation));
}

bool ba_schedule_load_reversed(uint64_t run_seed, uint64_t invocation)
{
	uint64_t state = stir(run_seed, UINT64_C(0x6c6f6164));
	return ((ba_splitmix64(&state) >> 63) ^ (invocation & 1)) != 0;
}

#include "wire/witness.h"

#include <inttypes.h>

#include "base/rng.h"

/* a ring and its pointers take no more of a cache of 32 KiB */
#define RING_BYTES 4096u
/* below 2^47, as addresses of user space are, and aligned */
#define VALUE_MASK UINT64_C(0x00007ffffffffff0)

static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t state = a ^ (b * UINT64_C(0xd1342543de82ef95));
	return ba_splitmix64(&state);
}

uint64_t ba_witness_seed(uint64_t seed, const char *mode, uint64_t visit)
{
	uint64_t name = 0;
	while (*mode)
		name = mix(name, (unsigned char)*mode++);
	return mix(mix(seed, name), visit) >> 11;
}

uint64_t ba_witness_visit(uint64_t seed, uint64_t visit)
{
	return mix(seed, visit + 1);
}

uint64_t ba_witness_value(uint64_t visit_seed, unsigned vector, unsigned argument)
{
	return mix(visit_seed, (uint64_t)argument << 32 | vector) & VALUE_MASK;
}

unsigned ba_witness_ring(size_t vector_bytes)
{
	unsigned ring = BA_WITNESS_RING_MOST;
	while (ring > 1 && ring * vector_bytes > RING_BYTES)
		ring /= 2;
	return ring;
}

/* The i-th launch of the burst has weight 2 (c + i) + 1, where c is the count before.
 * Those with one vector, at i = v, v + ring, ..., are summed up at once. */
void ba_witness_add(ba_witness *w, const ba_witness_burst *b)
{
	uint64_t mask = b->value_bytes < 8 ? (UINT64_C(1) << 8 * b->value_bytes) - 1 : UINT64_MAX;
	for (unsigned v = 0; v < b->ring && v < b->launches; v++) {
		uint64_t times = (b->launches - v + b->ring - 1) / b->ring;
		uint64_t first = 2 * (w->launches + v) + 1;
		/* times * (times - 1) is even: no half is lost */
		uint64_t weight = times * first + b->ring * (times * (times - 1));
		w->sum += (ba_witness_value(b->seed, v, 0) & mask) * weight;
	}
	w->launches += b->launches;
}

int ba_witness_check(
	const ba_witness *before, const ba_witness *want, const ba_witness *seen, ba_error *err)
{
	uint64_t launched = want->launches - before->launches;
	uint64_t arrived = seen->launches - before->launches;
	if (arrived != launched)
		return ba_fail(err, BA_EVARIANT, "launched %" PRIu64 " times, %" PRIu64 " arrived",
			launched, arrived);
	if (seen->sum != want->sum)
		return ba_fail(err, BA_EVARIANT,
			"%" PRIu64 " launches arrived, but with other arguments than were given",
			launched);
	return 0;
}

#include "wire/witness.h"

/* the ring and its pointers use only part of a 32 KiB cache */
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

uint64_t ba_witness_value(uint64_t visit_seed, unsigned vector, unsigned word, unsigned bytes)
{
	uint64_t mask = bytes < 8 ? (UINT64_C(1) << 8 * bytes) - 1 : VALUE_MASK;
	return mix(visit_seed, (uint64_t)word << 32 | vector) & mask;
}

uint64_t ba_witness_moment(uint64_t visit_seed, uint64_t launches)
{
	return launches ? mix(visit_seed, UINT64_MAX) % launches : 0;
}

unsigned ba_witness_ring(size_t vector_bytes)
{
	unsigned ring = BA_WITNESS_RING_MOST;
	while (ring > 1 && ring * vector_bytes > RING_BYTES)
		ring /= 2;
	return ring;
}

/* The sum of the words of a vector, which are also folded into *digest. */
static uint64_t vector_sum(uint64_t *digest, const ba_witness_burst *b, unsigned vector)
{
	uint64_t sum = 0;
	unsigned words = (b->bytes + 7) / 8;
	for (unsigned i = 0; i < b->params * words; i++) {
		unsigned left = b->bytes - i % words * 8;
		uint64_t value = ba_witness_value(b->seed, vector, i, left);
		sum += value;
		*digest = BA_FOLD(*digest, value);
	}
	return sum;
}

/* digest of a launch with that vector */
static uint64_t digest_of(const ba_witness_burst *b, unsigned vector)
{
	uint64_t digest = 0;
	for (int i = 0; i < 7; i++) /* 1 x 1 x 1, 1 x 1 x 1, no shared memory */
		digest = BA_FOLD(digest, i < 6);
	vector_sum(&digest, b, vector);
	return digest;
}

/* The i-th launch of the burst has weight 2 (c + i) + 1, where c is the count before.
 * Launches with the same vector (i = v, v + ring, ...) are summed together. */
void ba_witness_add(ba_witness *w, const ba_witness_burst *b)
{
	uint64_t unused = 0;
	for (unsigned v = 0; v < b->ring && v < b->launches; v++) {
		uint64_t times = (b->launches - v + b->ring - 1) / b->ring;
		uint64_t first = 2 * (w->launches + v) + 1;
		/* times * (times - 1) is even, so halving is exact */
		uint64_t weight = times * first + b->ring * (times * (times - 1));
		w->sum += vector_sum(&unused, b, v) * weight;
	}
	if (b->moment < b->launches)
		w->whole += digest_of(b, (unsigned)(b->moment % b->ring));
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
	if (seen->whole != want->whole)
		return ba_fail(err, BA_EVARIANT,
			"%" PRIu64
			" launches arrived, but the one that was looked at had another grid, block, shared memory or order of arguments than it was given",
			launched);
	return 0;
}

/*
 * The witness of launches: what the launches of a visit must leave behind.
 *
 * A launch that arrives leaves two marks: it is counted, and the sum of all its arguments,
 * in words of 8 bytes, is added, times an odd number that grows with the count. So the sum
 * depends on the values and on their order. One launch of each visit, chosen by chance,
 * leaves a third mark: a digest (BA_FOLD of base/rng.h) of the three numbers of its grid,
 * those of its block, its shared memory and all words of its arguments, in this order. On the host target our libcuda.so.1 does this, in
 * the page of the beacon; on a GPU the timed kernel does it, in device memory and, where
 * the host does not believe the worker, in the page of the beacon as well.
 *
 * The arguments come from a ring of vectors, drawn anew for each visit from a seed that
 * the host chooses. Both ends compute what must be there:
 *
 *     uint64_t visit = ba_witness_visit(seed_of_message, 0);
 *     ba_witness want = before;
 *     ba_witness_add(&want, &(ba_witness_burst){visit, ring, params, 8, launches, moment});
 *     if (ba_witness_check(&before, &want, &seen, err)) ...
 */
#pragma once

#include "base/base.h"

/* The marks that were seen; all values only grow, modulo 2^64. */
typedef struct ba_witness {
	uint64_t launches;
	uint64_t sum;	/* sum of words * (2 * launches before it + 1) */
	uint64_t whole; /* of digests */
} ba_witness;

/* The seed of a request `measure`, below 2^53: `seed` is the run's for this benchmark
 * and invocation, `visit` the first visit of the request. */
uint64_t ba_witness_seed(uint64_t seed, const char *mode, uint64_t visit);
/* The seed of one visit of a request. */
uint64_t ba_witness_visit(uint64_t seed, uint64_t visit);
/* What a word of the arguments of a vector holds. Each argument begins a new one; its last
 * has `bytes` bytes. A whole word looks like an aligned address of user space. */
uint64_t ba_witness_value(uint64_t visit_seed, unsigned vector, unsigned word, unsigned bytes);
/* The launch of a visit that leaves its digest. */
uint64_t ba_witness_moment(uint64_t visit_seed, uint64_t launches);

#define BA_WITNESS_RING_MOST 16u
/* The number of vectors of that size in the ring: a power of two, small enough for the
 * L1 cache. */
unsigned ba_witness_ring(size_t vector_bytes);

/* Launches one after the other, the i-th with vector i % ring; of one block of one thread. */
typedef struct ba_witness_burst {
	uint64_t seed; /* of the visit */
	unsigned ring;
	unsigned params, bytes; /* number of arguments, and bytes of each */
	uint64_t launches;
	uint64_t moment; /* the launch that leaves its digest; none: UINT64_MAX */
} ba_witness_burst;

/* Adds the marks that the burst must leave. */
void ba_witness_add(ba_witness *w, const ba_witness_burst *burst);

/* BA_EVARIANT: other marks were seen; the sentence has both numbers. */
int ba_witness_check(
	const ba_witness *before, const ba_witness *want, const ba_witness *seen, ba_error *err);

/*
 * Are the launches that a variant was asked for the launches that arrived? The witness
 * (wire/witness.h) is in the page of the beacon where the driver is our own, and on a
 * GPU in the report, where the timed kernel writes.
 *
 *     ba_launches_begin(&l, w, seed, err);     draws the arguments
 *     ...bursts, drained...
 *     ba_launches_expect(&l, w, count);        for each burst
 *     ba_launches_check(&l, w, err)
 */
#pragma once

#include "worker/worker.h"

typedef struct ba_launches {
	uint64_t seed;	 /* of the visit */
	uint64_t moment; /* the count before the launch that is looked at whole */
	ba_witness before, want;
} ba_launches;

/* The ring of arguments of a new case, whose `values` and `layout` are set. */
void ba_launches_make_ring(ba_case *c);

/* Fills the ring. From here on values count as well, and one of `launches` launches after
 * the next `discard` ones is looked at whole. BA_EVARIANT: launches have arrived since the
 * last check, which nobody asked for. */
int ba_launches_begin(ba_launches *l, ba_worker *w, uint64_t seed, uint64_t discard,
	uint64_t launches, ba_error *err);
/* Launches of one burst were asked for. */
void ba_launches_expect(ba_launches *l, const ba_worker *w, uint64_t launches);
/* BA_EVARIANT: others arrived, or fewer; waits a moment for those that are late. */
int ba_launches_check(ba_launches *l, ba_worker *w, ba_error *err);
/* How many have arrived so far. */
int ba_launches_arrived(uint64_t *out, const ba_worker *w, ba_error *err);
/* Launches until the next begin are nobody's fault. */
void ba_launches_ignore(ba_worker *w);

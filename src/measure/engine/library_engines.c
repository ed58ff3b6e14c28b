/* The engines whose workers are the tool's own, and the order of their visits. */
#include "base/clock.h"
#include "engine/row.h"

int ba_engine_alternate(ba_engine *e, const ba_visits *q, ba_failure *failure, ba_error *err)
{
	ba_samples *s = q->s;
	int64_t start = ba_now_ns();
	int rc = ba_engine_look_at_clock(e, q, -1, err);
	for (unsigned b = 0; rc == 0 && b < s->blocks; b++) {
		s->block_at_ns[b] = ba_now_ns() - start;
		for (unsigned k = 0; rc == 0 && k < s->positions; k++) {
			size_t visit = (size_t)b * s->positions + k;
			ba_worker_slot *mine = ba_engine_slot_of(e, s->order[visit]);
			rc = e->row->visit(e, mine, q, visit, failure, err);
		}
		rc = rc ? rc : ba_engine_look_at_clock(e, q, b, err);
	}
	return rc;
}

/* Blocks lie in one another. */
int ba_engine_take_turns(ba_engine *e, const ba_visits *q, ba_failure *failure, ba_error *err)
{
	const ba_samples *s = q->s;
	size_t visits = (size_t)s->blocks * s->positions;
	int rc = ba_engine_look_at_clock(e, q, -1, err);
	for (unsigned p = 0; rc == 0 && p <= e->spec->variant_count; p++)
		for (size_t i = 0; rc == 0 && i < visits; i++) {
			if (s->order[i] != p)
				continue;
			ba_worker_slot *mine = ba_engine_slot_of(e, p);
			int64_t block = (int64_t)(i / s->positions);
			rc = e->row->visit(e, mine, q, i, failure, err);
			rc = rc ? rc : ba_engine_look_at_clock(e, q, block, err);
		}
	return rc;
}

/* One that is alone has nobody to alternate with. */
static int measure_split(ba_engine *e, const ba_visits *q, ba_failure *failure, ba_error *err)
{
	return e->slot_count == 1 ? ba_library_measure(e, q, failure, err)
				  : ba_engine_alternate(e, q, failure, err);
}

static int measure_sequential(ba_engine *e, const ba_visits *q, ba_failure *failure, ba_error *err)
{
	return e->slot_count == 1 ? ba_library_measure(e, q, failure, err)
				  : ba_engine_take_turns(e, q, failure, err);
}

#define LIBRARY                                                                                    \
	.start = ba_library_start, .open = ba_library_open, .ask_prepare = ba_library_ask_prepare, \
	.prepare = ba_library_prepare, .count = ba_library_count, .counted = ba_library_counted

const ba_engine_row ba_engine_duet = {.name = "duet",
	.shares = true,
	.measure = ba_library_measure,
	.visit = ba_library_visit,
	LIBRARY};

const ba_engine_row ba_engine_split = {
	.name = "split", .measure = measure_split, .visit = ba_library_visit, LIBRARY};

const ba_engine_row ba_engine_sequential = {
	.name = "sequential", .measure = measure_sequential, .visit = ba_library_visit, LIBRARY};

const ba_engine_row ba_engine_untrusted = {
	.name = "untrusted", .measure = ba_untrusted_measure, .visit = ba_untrusted_visit, LIBRARY};

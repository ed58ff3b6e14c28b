#include "host/engine_row.h"

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
			ba_seat *mine = ba_engine_seat_of(e, p);
			int64_t block = (int64_t)(i / s->positions);
			rc = e->row->visit(e, mine, q, i, failure, err);
			rc = rc ? rc : ba_engine_look_at_clock(e, q, block, err);
		}
	return rc;
}

static int measure(ba_engine *e, const ba_visits *q, ba_failure *failure, ba_error *err)
{
	return e->seat_count == 1 ? ba_library_measure(e, q, failure, err)
				  : ba_engine_take_turns(e, q, failure, err);
}

const ba_engine_row ba_engine_sequential = {
	.name = "sequential",
	.start = ba_library_start,
	.open = ba_library_open,
	.ask_prepare = ba_library_ask_prepare,
	.prepare = ba_library_prepare,
	.measure = measure,
	.visit = ba_library_visit,
};

#include "base/clock.h"
#include "host/engine_row.h"

int ba_engine_alternate(ba_engine *e, const ba_visits *q, ba_failure *failure, ba_error *err)
{
	ba_samples *s = q->s;
	int64_t start = ba_now_ns();
	int rc = ba_engine_look_at_clock(e, q, -1, err);
	for (unsigned b = 0; rc == 0 && b < s->blocks; b++) {
		s->block_at_ns[b] = ba_now_ns() - start;
		for (unsigned k = 0; rc == 0 && k < s->positions; k++) {
			size_t visit = (size_t)b * s->positions + k;
			ba_seat *mine = ba_engine_seat_of(e, s->order[visit]);
			rc = e->row->visit(e, mine, q, visit, failure, err);
		}
		rc = rc ? rc : ba_engine_look_at_clock(e, q, b, err);
	}
	return rc;
}

/* One that is alone has nobody to alternate with. */
static int measure(ba_engine *e, const ba_visits *q, ba_failure *failure, ba_error *err)
{
	return e->seat_count == 1 ? ba_library_measure(e, q, failure, err)
				  : ba_engine_alternate(e, q, failure, err);
}

const ba_engine_row ba_engine_split = {
	.name = "split",
	.start = ba_library_start,
	.open = ba_library_open,
	.ask_prepare = ba_library_ask_prepare,
	.prepare = ba_library_prepare,
	.measure = measure,
	.visit = ba_library_visit,
	.count = ba_library_count,
	.counted = ba_library_counted,
};

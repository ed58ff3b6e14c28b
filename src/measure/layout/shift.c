#include "layout/shift.h"

BA_OWNS(ba_movable, m, BA_FREE(m->file, m->fits))

static int move(ba_buf *out, const ba_movable *m, size_t offset, ba_error *err)
{
	ba_moving e;
	BA_TRY(ba_moving_open(&e, m->file, m->size, err));
	size_t size = offset + e.loaded;
	BA_AUTO_FREE unsigned char *bytes = ba_xcalloc(1, size);
	memcpy(bytes + offset, m->file, e.loaded);
	e.bytes = bytes;
	e.offset = offset;
	BA_TRY(ba_moving_set_addresses(&e, err));
	ba_moving_set_headers(&e, m->page);
	ba_buf_put(out, bytes, size);
	return 0;
}

static int find_offsets(ba_movable *m, const ba_moving *e, ba_error *err)
{
	size_t slots = m->page / BA_SHIFT_STEP, first = 0;
	size_t step = (size_t)ba_moving_step(e);
	m->step = step < BA_SHIFT_STEP ? BA_SHIFT_STEP : step;
	if (m->step >= m->page)
		return ba_fail(err, BA_ELIBRARY,
			"a section is aligned to %zu bytes: it cannot be moved by less than a page",
			m->step);
	m->fits = ba_xcalloc(slots, sizeof(*m->fits));
	for (size_t offset = m->page - m->step; offset; offset -= m->step)
		if (ba_moving_fits(e, offset, m->page)) {
			m->fits[offset / BA_SHIFT_STEP] = true;
			first = offset;
		}
	if (!first)
		return ba_fail(err, BA_ELIBRARY,
			"its segments lie so close together that code would become writable");
	/* an error with one offset occurs with all */
	BA_AUTO(ba_buf) ba_buf trial = BA_BUF_INIT;
	return move(&trial, m, first, err);
}

int ba_movable_of(ba_movable *out, const void *file, size_t size, size_t page, ba_error *err)
{
	ba_moving e;
	BA_AUTO(ba_movable) ba_movable m = {.size = size, .page = page};
	BA_REQUIRE(page >= 4096 && page <= 65536 && (page & (page - 1)) == 0);
	m.file = ba_xcalloc(1, size + 1);
	memcpy(m.file, file, size);
	BA_TRY(ba_moving_open(&e, m.file, size, err));
	BA_TRY(find_offsets(&m, &e, err));
	*out = BA_MOVE(m);
	return 0;
}

bool ba_movable_fits(const ba_movable *m, size_t offset)
{
	return offset < m->page && offset % BA_SHIFT_STEP == 0 && m->fits[offset / BA_SHIFT_STEP];
}

void ba_movable_shift(ba_buf *out, const ba_movable *m, size_t offset)
{
	BA_REQUIRE(ba_movable_fits(m, offset));
	int rc = move(out, m, offset, NULL);
	BA_REQUIRE(rc == 0);
}

/*
 * A shared library at other addresses within a page, for `--layouts`.
 *
 * Code that is aligned to 16 bytes has 256 places in a page, and its time may depend on
 * the place: on what shares a line of a cache or an entry of a predictor with it. The
 * system draws pages anew for each process, but never moves code within its page. A
 * shifted copy of the library does: all of its addresses grow by the same number of
 * bytes, so distances between them stay, and code that is relative to the program
 * counter needs no change. What has an absolute address in it is moved along: headers,
 * dynamic entries, symbols, relocations, and addresses that relocations add to.
 *
 *     ba_movable_of(&m, file, size, 4096, &err);
 *     ba_movable_shift(&copy, &m, 48);       for a 48 with ba_movable_fits(&m, 48)
 *
 * Only x86-64. On AArch64 an ADRP instruction addresses data by its page and its place
 * in that page, so that a library cannot be moved by less than a page.
 *
 * The file is a stranger's: every offset in it is checked.
 */
#ifndef LAYOUT_SHIFT_H
#define LAYOUT_SHIFT_H

#include "base/base.h"

#define BA_SHIFT_STEP 16u

/* A library that can be moved. */
typedef struct ba_movable {
	unsigned char *file; /* as it is */
	size_t size;
	size_t page;
	/* offsets are multiples of it: of the alignment of code and data, where data
	 * aligned to 32 bytes counts as 16 if no instruction needs more */
	size_t step;
	bool *fits; /* [page / BA_SHIFT_STEP] can it be moved by so many steps? */
} ba_movable;

void ba_movable_dispose(ba_movable *m);
BA_DEFINE_AUTO(ba_movable, ba_movable_dispose)

/* A library whose file is file[size], of which it keeps a copy. page: the system's, in
 * bytes, a power of two from 4096 to 65536. BA_ELIBRARY with the reason why the library
 * cannot be moved, or not by less than a page. */
int ba_movable_of(ba_movable *out, const void *file, size_t size, size_t page, ba_error *err);

/* Can it be moved by `offset` bytes? Not if segments with other permissions would come
 * to share a page and be writable and executable there. */
bool ba_movable_fits(const ba_movable *m, size_t offset);

/* Appends the copy to *out. It has no sections, so debuggers find no symbols in it. The
 * offset must fit. */
void ba_movable_shift(ba_buf *out, const ba_movable *m, size_t offset);

#endif

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
#pragma once

#include <elf.h>

#include "base/base.h"

/* A library that is being moved; for the files of this module. */

#define BA_SEGMENTS_MOST 64u

typedef struct ba_moving {
	unsigned char *bytes; /* all bytes of the file, moved by `offset` */
	size_t size;	      /* of the file */
	uint64_t offset;
	size_t loaded; /* the end of what is loaded, in the file */
	/* the headers as in the original file */
	Elf64_Ehdr header;
	Elf64_Phdr segments[BA_SEGMENTS_MOST];
	Elf64_Phdr loads[BA_SEGMENTS_MOST]; /* the loaded segments, ascending */
	size_t load_count;
	uint64_t code_aligned, data_aligned; /* the largest of a section */
	uint64_t symbols, symbol_count;	     /* the section of dynamic symbols */
} ba_moving;

/* Where the file has the `bytes` bytes that are loaded from that address on; NULL: it
 * does not have them. */
unsigned char *ba_moving_at(const ba_moving *e, uint64_t address, uint64_t bytes);

/* addresses.c: adds the offset to every address in what is loaded. */
int ba_moving_set_addresses(ba_moving *e, ba_error *err);

#define BA_SHIFT_STEP 16u

/* A library that can be moved. */
typedef struct ba_movable {
	unsigned char *file; /* as it is */
	size_t size, page;
	/* offsets are multiples of it: of the alignment of code and data, where data
	 * aligned to 32 bytes counts as 16 if no instruction needs more */
	size_t step;
	bool *fits; /* [page / BA_SHIFT_STEP] can it be moved by so many steps? */
} ba_movable;

BA_DECLARE_DISPOSE(ba_movable)

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

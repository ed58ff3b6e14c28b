/*
 * A pile of bytes that grows at its end, for perhaps millions of records. Bytes beyond
 * BA_PILE_MEMORY are in an unnamed temporary file ($TMPDIR, else /tmp); at most
 * BA_PILE_WINDOW of them, those that were used last, count as memory of the process. If
 * the file cannot be made or the disk is full, the whole pile is in memory. A pile that is
 * used in no order is kept in memory after a while, instead of being read again and again.
 *
 *     ba_pile *p = ba_pile_new();
 *     size_t place = ba_pile_add(p, sizeof(thing));
 *     thing *t = ba_pile_at(p, place);
 *
 * Nothing moves: a pointer stays valid until ba_pile_free. Not for several threads.
 */
#pragma once

#include <stddef.h>

#include "base/auto.h"

enum { BA_PILE_SHIFT = 18 };
#define BA_PILE_CHUNK ((size_t)1 << BA_PILE_SHIFT)
#define BA_PILE_MEMORY (80 * BA_PILE_CHUNK)
#define BA_PILE_WINDOW (16 * BA_PILE_CHUNK)

typedef struct ba_pile {
	char **chunks; /* [count], of BA_PILE_CHUNK bytes */
	size_t last;   /* chunk used last */
	struct ba_pile_rest *rest;
} ba_pile;

ba_pile *ba_pile_new(void);
void ba_pile_free(ba_pile *p); /* NULL is fine */
BA_DEFINE_AUTO_PTR(ba_pile, ba_pile_free)

/* The place of `size` new bytes, which are zero and consecutive. Up to BA_PILE_CHUNK of
 * them lie within one chunk: a new one begins if they do not fit into the last. Places
 * ascend. */
size_t ba_pile_add(ba_pile *p, size_t size);

void ba_pile_use_(ba_pile *p, size_t chunk);
static inline void *ba_pile_at(ba_pile *p, size_t place)
{
	size_t chunk = place >> BA_PILE_SHIFT;
	if (chunk != p->last)
		ba_pile_use_(p, chunk);
	return p->chunks[chunk] + (place & (BA_PILE_CHUNK - 1));
}

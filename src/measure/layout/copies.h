/*
 * Copies of the variants' libraries at other addresses, for `--layouts N`: so that the
 * place of code and data in memory is averaged, and not taken for a change.
 *
 *     ba_copies_new     reads the libraries once, and says which cannot be moved
 *     ba_copies_draw    for each invocation: N offsets from the run's seed, the same for
 *                       all variants; writes the copies
 *
 * Offsets are less than a page (layout/shift.h); the system draws the pages anew for
 * each process. The places within a line of 64 bytes are drawn evenly: of N copies each
 * place that the alignment allows has as many as the others, or one more. Beside the
 * copies are links to the files that lie beside the library.
 */
#pragma once

#include "base/base.h"

typedef struct ba_copies ba_copies;

/* libraries[variants], absolute. failures[v]: why the variant is not measured, or NULL;
 * gets a sentence if its library cannot be moved. dir: the copies go into a directory in
 * it. BA_EINVAL: there are fewer offsets than copies. */
int ba_copies_new(ba_copies **out, size_t copies, const char *const *libraries, char **failures,
	size_t variants, const char *dir, ba_error *err);
BA_DECLARE_FREE(ba_copies) /* removes the files; NULL is fine */

/* Writes the copies of an invocation over those of the last one. paths: those of
 * variant v are (*paths)[v * copies ...], and belong to *c; NULL if it has none. */
int ba_copies_draw(const char *const **paths, ba_copies *c, uint64_t run_seed, const char *suite,
	unsigned invocation, ba_error *err);

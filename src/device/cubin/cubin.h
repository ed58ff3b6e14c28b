/* Makes the graph of a cubin. Internal to this module. */
#ifndef CUBIN_CUBIN_H
#define CUBIN_CUBIN_H

#include "cubin/elf.h"
#include "cubin/graph.h"

#define BA_NO_NODE SIZE_MAX

typedef struct ba_cubin {
	ba_elf f;
	ba_graph g;
	/* [section_count] the function whose name the section's has at its end, and the
	 * length of what is before it */
	size_t *owner_of_section, *base_of_section;
	size_t *node_of_symbol; /* [symbol_count] */
	bool is_linked;
	ba_sha256 common; /* what counts for every kernel */
	char *open;	  /* for every kernel */
} ba_cubin;

/* *out was zeroed. gpu: 103 for a GPU of compute capability 10.3; 0: one for which the
 * cubin was made. On another one the second form of its code, in .nv.merc.* and
 * .nv.capmerc.*, counts as well. BA_EINVAL. */
int ba_cubin_read(ba_cubin *out, const void *data, size_t bytes, int gpu, ba_error *err);
void ba_cubin_dispose(ba_cubin *c);
BA_DEFINE_AUTO(ba_cubin, ba_cubin_dispose)

static inline void ba_cubin_number(ba_sha256 *sum, uint64_t n)
{
	ba_sha256_add(sum, &n, sizeof(n));
}
/* keeps the first reason why no kernel can be compared */
void ba_cubin_open(ba_cubin *c, const char *what, const char *name);

/* ---- info.c ---- */

/* Reads a section of records, the one of a function or (BA_NO_NODE) of all. */
int ba_cubin_info(ba_cubin *c, size_t node, size_t section, ba_error *err);

#endif

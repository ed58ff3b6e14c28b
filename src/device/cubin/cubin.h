/* Makes the graph of a cubin. Internal to this module. */
#ifndef CUBIN_CUBIN_H
#define CUBIN_CUBIN_H

#include "cubin/elf.h"
#include "cubin/graph.h"
#include "cubin/sections.h"

#define BA_NO_NODE SIZE_MAX

/* Where a variable is. */
typedef struct ba_range {
	size_t section, node;
	uint64_t at, bytes;
} ba_range;

/* What a slot of constant bank 4 leads to; symbol 0: nothing. */
typedef struct ba_slot {
	size_t symbol;
	int64_t addend;
} ba_slot;

typedef struct ba_cubin {
	ba_elf f;
	ba_graph g;
	ba_role *roles;		  /* [section_count] */
	size_t *owner_of_section; /* [section_count] node of its function, or BA_NO_NODE */
	size_t *node_of_symbol;	  /* [symbol_count] */
	ba_range *ranges;	  /* of variables, sorted */
	size_t range_count, range_capacity;
	ba_slot *slots; /* [slot_count] */
	size_t slot_count;
	size_t variables; /* section of constant bank 3, or SIZE_MAX */
	unsigned arch, gpu;
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

/* ---- symbols.c ---- */

/* Fills roles, owner_of_section, node_of_symbol and ranges. */
void ba_cubin_symbols(ba_cubin *c);
/* the variable in that section that covers the address `at`, or NULL */
const ba_range *ba_cubin_variable_at(const ba_cubin *c, size_t section, uint64_t at);

/* ---- info.c ---- */

/* Reads a section of records, the one of a function or (BA_NO_NODE) of all. */
int ba_cubin_info(ba_cubin *c, size_t node, size_t section, ba_error *err);

#endif

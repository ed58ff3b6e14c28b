/* Finds the cubins in fatbins, and makes the graph of a cubin. Internal to this module. */
#pragma once

#include "base/elf.h"
#include "cubin/graph.h"

#define BA_ELF_CUDA 190 /* e_machine */

#define BA_NO_NODE SIZE_MAX

/* What the sections of a cubin are. They have the name of their function as a suffix:
 * .text.K, .nv.info.K, .nv.constant0.K, .nv.shared.K, ... */
typedef enum ba_role {
	BA_ROLE_IGNORED,
	BA_ROLE_TEXT,	/* machine code of a function */
	BA_ROLE_CODE,	/* constants of a function */
	BA_ROLE_INFO,	/* records: of a function, or of all */
	BA_ROLE_LIMITS, /* counts as the records of a function */
	BA_ROLE_SHARED,
	BA_ROLE_MEMORY, /* variables */
	BA_ROLE_SLOTS,	/* constant bank 4 */
	BA_ROLE_COMMON,
	BA_ROLE_MERCURY, /* a second form of the code, for other GPUs */
	BA_ROLE_RELOCATIONS,
	BA_ROLE_UNKNOWN,
} ba_role;

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

static inline void ba_cubin_number(ba_sha256 *sum, uint64_t n)
{
	ba_sha256_add(sum, &n, sizeof(n));
}
int ba_cubin_damaged(ba_error *err);
/* keeps the first reason why no kernel can be compared */
void ba_cubin_open(ba_cubin *c, const char *what, const char *name);

/* ---- sections.c ---- */

ba_role ba_section_role(const ba_elf *f, size_t section);
/* Does the section belong to the function whose name its own ends with? */
bool ba_section_is_owned(const ba_elf *f, size_t section);
/* where the function's name begins in the section's: behind ".nv.info." or ".text." */
size_t ba_section_base(const char *name);

/* ---- symbols.c ---- */

/* Fills roles, owner_of_section, node_of_symbol and ranges. */
void ba_cubin_symbols(ba_cubin *c);
/* the variable in that section that covers the address `at`, or NULL */
const ba_range *ba_cubin_variable_at(const ba_cubin *c, size_t section, uint64_t at);

/* ---- info.c ---- */

/* Reads a section of records, the one of a function or (BA_NO_NODE) of all. */
int ba_cubin_info(ba_cubin *c, size_t node, size_t section, ba_error *err);

/* ---- sass.c: machine code from compute capability 7.0 on: instructions of 16 bytes, their
 * constant operands and accesses of local memory ---- */

#define BA_SASS_BYTES ((size_t)16)
#define BA_BANK_ANY 32u /* a register has the number of the bank, too */

/* c[bank][offset], or c[bank][register + offset] */
typedef struct ba_constant {
	unsigned bank;
	uint32_t offset;
	bool is_indexed; /* by a register whose value is not known */
	size_t at;	 /* the instruction that holds the offset: this one or one before */
	unsigned shift, bits;
} ba_constant;

/* The constant operand of the instruction at that offset of `code`; false: it has none. */
bool ba_sass_constant(ba_constant *out, const unsigned char *code, size_t at);
/* Replaces the offset by zeros. */
void ba_sass_clear(unsigned char *code, const ba_constant *c);
/* Adds instructions and local accesses, without the padding after them. */
void ba_sass_count(ba_kernel_metrics *m, const unsigned char *code, size_t bytes);

/* ---- x86.c: instructions of x86-64, and their addresses that move with the code ---- */

/* The bytes of the instruction at `code`, of which `most` follow; 0: it is not known, or
 * does not end there. *relative: where its last 4-byte distance from its own end begins (of a
 * jump, a call, or memory relative to the instruction); 0: it has none. */
size_t ba_x86_length(size_t *relative, const unsigned char *code, size_t most);

/* ---- fatbin.c: the entries of a fatbin: a container of cubins, PTX texts and code for a linker,
 * each of which may be compressed ---- */

#define BA_FATBIN_MAGIC 0xba55ed50u

/* as the headers of entries have them */
enum { BA_FATBIN_PTX = 1, BA_FATBIN_CUBIN = 2 };

typedef struct ba_fatbin_entry {
	unsigned kind;
	int arch;
	bool is_packed;
	const unsigned char *data; /* packed, if it is */
	size_t bytes, raw_bytes;
} ba_fatbin_entry;

/* Could a fatbin begin at `data`, which has its magic number? True if too little follows to tell. */
bool ba_fatbin_begins(const void *data, size_t most);
/* The size by its header of a fatbin that begins at `data`; 0: it is none, or damaged. */
size_t ba_fatbin_bytes(const void *data, size_t most);

/* Reads the entry at *at and moves *at behind it. *at is 0 before the first; *more: false
 * after the last one, and *out is not set. BA_EINVAL. */
int ba_fatbin_next(bool *more, ba_fatbin_entry *out, size_t *at, const unsigned char *fatbin,
	size_t bytes, ba_error *err);

/* What the entry holds: *data points into the entry or into *owned, which the caller
 * frees. BA_EINVAL. */
int ba_fatbin_unpack(const unsigned char **data, size_t *bytes, unsigned char **owned,
	const ba_fatbin_entry *entry, ba_error *err);

/* What must be known of machine code from compute capability 7.0 on, where each
 * instruction has 16 bytes: its constant operands and its accesses of local memory.
 * Internal to this module. */
#pragma once

#include "cubin/kernels.h"

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

/* What the machine code of a kernel consists of, as a disassembler reads it. All numbers
 * are static: how many instructions there are, not how often they execute. */
#pragma once

#include "base/base.h"

typedef enum ba_instruction_class {
	BA_CLASS_GLOBAL_LOAD,
	BA_CLASS_GLOBAL_STORE,
	BA_CLASS_GENERIC_LOAD, /* generic: the address selects the memory */
	BA_CLASS_GENERIC_STORE,
	BA_CLASS_LOCAL_LOAD,
	BA_CLASS_LOCAL_STORE,
	BA_CLASS_SHARED_LOAD,
	BA_CLASS_SHARED_STORE,
	BA_CLASS_CONSTANT_LOAD,
	BA_CLASS_COPY, /* asynchronous copies into or out of shared memory */
	BA_CLASS_TEXTURE,
	BA_CLASS_ATOMIC,
	BA_CLASS_FP32,
	BA_CLASS_FP64,
	BA_CLASS_FP16, /* and BF16 */
	BA_CLASS_SPECIAL,
	BA_CLASS_TENSOR,
	BA_CLASS_INTEGER,
	BA_CLASS_CONVERSION,
	BA_CLASS_MOVE,
	BA_CLASS_WARP, /* shuffles, votes, matches, reductions of a warp */
	BA_CLASS_BARRIER,
	BA_CLASS_CONTROL,
	BA_CLASS_OTHER,
	BA_CLASS_COUNT
} ba_instruction_class;

const char *ba_class_key(ba_instruction_class c);   /* "global_load" */
const char *ba_class_title(ba_instruction_class c); /* "global loads" */

/* How the basic blocks of a candidate's kernel differ from those of the baseline's. Two
 * blocks are the same if their instructions are, whatever registers they use. */
typedef struct ba_block_changes {
	unsigned baseline, candidate; /* blocks */
	unsigned same;		      /* in both, in the same order */
	/* The first block that differs: its number (from 1), label and source line, the
	 * candidate's if it has a block there, else the baseline's. number 0: none differs. */
	unsigned number;
	char *label; /* NULL: the block has none */
	char *file;  /* NULL: the cubin has no line information */
	unsigned line;
	/* instructions from there on; empty: that variant has no block there */
	ba_strv baseline_code, candidate_code;
} ba_block_changes;

/* *b must come from malloc(); NULL is fine */
void ba_block_changes_free(ba_block_changes *b);

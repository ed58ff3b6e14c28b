/*
 * Reads the machine code of one kernel as `nvdisasm -c -g` prints it: instructions in
 * basic blocks. Its output may be of any origin and version: lines that make no sense
 * are skipped.
 *
 *     ba_listing a = {0}, b = {0};
 *     ba_listing_read(&a, text, size, "saxpy");
 *     ...
 *     ba_block_changes *changes = ba_listing_compare(&a, &b);
 *
 * Pure; docs/reports.md says what the numbers mean.
 */
#pragma once

#include "model/code.h"
#include "sandbox/sandbox.h"

/* The most blocks that are compared. */
#define BA_BLOCKS_MOST 4096u
/* The most instructions shown for each side of a difference. */
#define BA_CODE_SHOWN 6u

typedef struct ba_instruction {
	char *text;  /* "@!P0 LDG.E R0, desc[UR6][R2.64]" */
	char *plain; /* the same without numbers of registers and labels */
	unsigned line;
	const char *file; /* owned by the listing; NULL: unknown */
} ba_instruction;

typedef struct ba_block {
	char *label; /* ".L_x_1"; NULL: the block follows a branch */
	size_t first, count;
} ba_block;

typedef struct ba_listing {
	ba_instruction *instructions; /* [count] without the padding after the kernel */
	size_t count, room;
	ba_block *blocks; /* [block_count] */
	size_t block_count, block_room;
	ba_strv files;
} ba_listing;

BA_DECLARE_DISPOSE(ba_listing)

/* Reads the section of that kernel; false: it is missing, or has no instructions. *out
 * was zeroed. */
bool ba_listing_read(ba_listing *out, const char *text, size_t size, const char *kernel);

void ba_listing_classes(uint64_t classes[BA_CLASS_COUNT], const ba_listing *l);

/* Caller frees. NULL: one of them has more than BA_BLOCKS_MOST blocks. */
ba_block_changes *ba_listing_compare(const ba_listing *baseline, const ba_listing *candidate);

/* Runs NVIDIA's disassembler if this machine has it; the tool also works without. */

/* The program `name` of a CUDA toolkit: on the PATH, in CUDA_HOME or CUDA_PATH, or
 * where toolkits are usually installed. Caller frees; NULL: not found. */
char *ba_toolkit_find(const char *name);
/* where ba_toolkit_find() searches, for messages */
#define BA_TOOLKIT_PLACES "PATH, CUDA_HOME, CUDA_PATH, /usr/local/cuda/bin"

typedef struct ba_nvdisasm {
	const char *program;
	int64_t limit_ns; /* of one call */
	const volatile sig_atomic_t *stop;
	/* sandbox with access to the program and the cubin; NULL: none. Foreign code
	 * may be crafted to mislead a disassembler. */
	const ba_sandbox *sandbox;
} ba_nvdisasm;

/* The code of one kernel of the cubin; symbol: its index in the cubin's table. *out was
 * zeroed. BA_EUNSUPPORTED with a sentence: nvdisasm failed, or its output makes no
 * sense; BA_EINTERRUPTED. */
int ba_nvdisasm_read(ba_listing *out, const ba_nvdisasm *d, const char *cubin, const char *kernel,
	uint64_t symbol, ba_error *err);

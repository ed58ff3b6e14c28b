/* The device code that a variant runs for a benchmark: which kernels, in which shape,
 * with which resources. Digests tell whether two variants run the same. */
#pragma once

#include "base/base.h"

/* What the machine code of a kernel consists of, as a disassembler reads it. All numbers
 * are static: how many instructions there are, not how often they execute. */

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

/* A counter of one launch, as Nsight Compute reports it. */
typedef struct ba_counter_value {
	char *name; /* "dram__bytes_read.sum" */
	double value;
} ba_counter_value;

/* One kernel in one shape. */
typedef struct ba_kernel {
	char *name;	   /* mangled, as the compiler writes it */
	char sha256[65];   /* digest of its machine code or PTX */
	uint64_t launches; /* in one run, over all sets of inputs examined */
	unsigned grid_x, grid_y, grid_z;
	unsigned block_x, block_y, block_z;
	unsigned dynamic_shared_bytes;
	unsigned registers, shared_bytes, local_bytes, constant_bytes, max_threads;
	unsigned binary_version, ptx_version; /* 90: 9.0 */
	uint64_t code_bytes;		      /* size of its machine code; 0: unknown, as for PTX */
	/* its symbol number in its cubin; valid only while a run has the file open */
	uint64_t symbol;
	bool listed; /* its machine code was read: `classes` are known */
	uint64_t classes[BA_CLASS_COUNT];
	/* in a candidate: the difference from the paired baseline kernel, or NULL */
	ba_block_changes *blocks;
	ba_counter_value *counters; /* [counter_count] */
	size_t counter_count;
} ba_kernel;

typedef struct ba_device_code {
	char *reason; /* why it is unknown, or NULL */
	/* why differing kernels have no classes, and requested counters are missing; or NULL */
	char *listing_reason, *counters_reason;
	/* "" if unknown. code: the kernels' code and resources. work: the launches,
	 * their order and parameters. memory: the memory that the parameters reach. */
	char code_sha256[65], work_sha256[65], memory_sha256[65];
	ba_kernel *kernels;
	size_t kernel_count;
} ba_device_code;

BA_DECLARE_DISPOSE(ba_device_code)
ba_kernel *ba_device_code_add(ba_device_code *c); /* zeroed; valid until the next */

/* Places in the two arrays of kernels; SIZE_MAX: that side has no such kernel. */
typedef struct ba_kernel_pair {
	size_t base, mine;
} ba_kernel_pair;

/* The kernels of both sides, paired by name, the rest by order. Caller frees. */
ba_kernel_pair *ba_kernel_pairs(
	size_t *count, const ba_device_code *base, const ba_device_code *mine);

/* instructions of all classes; 0: not listed */
uint64_t ba_kernel_instructions(const ba_kernel *k);

/* Are both known and equal in everything? */
bool ba_device_code_is_same(const ba_device_code *a, const ba_device_code *b);

/* ---- the counters that are asked of Nsight Compute ---- */

typedef struct ba_counter_info {
	const char *name;  /* ncu's */
	const char *title; /* "DRAM bytes read" */
	const char *unit;  /* "B", "%", "ns", "" */
} ba_counter_info;

#define BA_COUNTERS 18
/* the first ones, which ncu has on every GPU */
#define BA_COUNTERS_EVERYWHERE 9
extern const ba_counter_info ba_counter_infos[BA_COUNTERS];

/* NaN: the kernel has no such counter */
double ba_kernel_counter(const ba_kernel *k, const char *name);
/* replaces an earlier value */
void ba_kernel_set_counter(ba_kernel *k, const char *name, double value);

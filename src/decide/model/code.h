/* The device code that a variant runs for a benchmark: which kernels, in which shape,
 * with which resources. Digests tell whether two variants run the same. */
#pragma once

#include "model/instructions.h"

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

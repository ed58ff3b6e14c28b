/* The device code that a variant runs for a benchmark: which kernels, in which shape,
 * with which resources. Digests tell whether two variants run the same. */
#ifndef MODEL_CODE_H
#define MODEL_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/auto.h"

/* One kernel in one shape. */
typedef struct ba_kernel {
	char *name;	   /* mangled, as the compiler writes it */
	char sha256[65];   /* of its machine code or PTX */
	uint64_t launches; /* in one run, over all sets of inputs examined */
	unsigned grid_x, grid_y, grid_z;
	unsigned block_x, block_y, block_z;
	unsigned dynamic_shared_bytes;
	unsigned registers, shared_bytes, local_bytes, constant_bytes, max_threads;
	unsigned binary_version, ptx_version; /* 90: 9.0 */
	uint64_t code_bytes; /* of its machine code; 0: not known, as of PTX */
} ba_kernel;

typedef struct ba_device_code {
	char *reason; /* why it is unknown, or NULL */
	/* "" if unknown. code: the kernels' code and resources. work: the launches,
	 * their order and parameters. memory: the memory that the parameters reach. */
	char code_sha256[65], work_sha256[65], memory_sha256[65];
	ba_kernel *kernels;
	size_t kernel_count;
} ba_device_code;

void ba_device_code_dispose(ba_device_code *c);
BA_DEFINE_AUTO(ba_device_code, ba_device_code_dispose)
ba_kernel *ba_device_code_add(ba_device_code *c); /* zeroed; valid until the next */

/* Are both known and equal in everything? */
bool ba_device_code_is_same(const ba_device_code *a, const ba_device_code *b);

#endif

/*
 * The execution proof: a kernel over input drawn at run time whose result must be
 * right. What returns success without executing cannot pass it.
 */
#ifndef GPU_PROOF_H
#define GPU_PROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "gpu/driver.h"

#define BA_PROOF_THREADS 256 /* of a block */

typedef struct ba_proof {
	bool ran;	    /* the driver accepted every call */
	size_t wrong;	    /* results that differ from the host's */
	size_t first_wrong; /* index of the first of them */
	size_t threads;
	unsigned multiprocessors; /* distinct ids seen */
	unsigned highest_sm;
	bool clocks_advance; /* clock64 rose in every block, and was not the same for
				all */
	char failure[256];   /* the driver's sentence where it did not run, else "" */
} ba_proof;

/* Run it in the current context, on `blocks` blocks. A driver that says no is no error
 * of this function but a proof that did not run. BA_EINVAL: 0 blocks or more than 4096.
 */
int ba_proof_run(ba_proof *out, const ba_driver *drv, unsigned blocks, uint64_t seed,
	ba_error *err);

/* The same on the host: blocks * 256 words. */
void ba_proof_expect(
	uint64_t *out, const uint64_t *in, unsigned blocks, unsigned rounds);

#endif

/*
 * The execution proof: a kernel computes on input that is random in each run, and the
 * result must be right. A driver that returns success without executing cannot pass.
 */
#ifndef GPU_PROOF_H
#define GPU_PROOF_H

#include "gpu/driver.h"

#define BA_PROOF_THREADS 256 /* of a block */

typedef struct ba_proof {
	bool ran;	    /* the driver accepted every call */
	size_t wrong;	    /* number of results that differ from the host's */
	size_t first_wrong; /* index of the first wrong one */
	size_t threads;
	unsigned multiprocessors; /* distinct ids seen */
	unsigned highest_sm;
	/* clock64 grew in every block, and differs between blocks */
	bool clocks_advance;
	char failure[256]; /* the driver's error if it did not run, else "" */
} ba_proof;

/* Runs the proof in the current context, on `blocks` blocks. If the driver reports an
 * error, this returns 0, and out->ran is false. BA_EINVAL: 0 blocks or more than
 * 4096. */
int ba_proof_run(
	ba_proof *out, const ba_driver *drv, unsigned blocks, uint64_t seed, ba_error *err);

/* The same computation on the host: blocks * 256 words. */
void ba_proof_expect(uint64_t *out, const uint64_t *in, unsigned blocks, unsigned rounds);

#endif

/* The highest rates of a machine's GPU (gpu/ceiling.h), measured once and
 * kept beside the calibrations. */
#ifndef STORE_CEILINGS_H
#define STORE_CEILINGS_H

#include "model/environment.h"

/* Reads into env->copy_gb_per_s and matrix_gflop_per_s. BA_ENOTFOUND: not measured yet.
 * A damaged file, or a file of another machine or driver, is treated as missing. */
int ba_ceilings_read(ba_environment *env, const char *cache_root, ba_error *err);
int ba_ceilings_write(const ba_environment *env, const char *cache_root, ba_error *err);

#endif

/* What a machine's GPU does at most, kept beside the calibrations: measured once. */
#ifndef STORE_CEILINGS_H
#define STORE_CEILINGS_H

#include "base/error.h"
#include "model/environment.h"

/* Into env->copy_gb_per_s and matrix_gflop_per_s. BA_ENOTFOUND: not measured yet; a
 * file of another machine or driver, or a damaged one, is as good as none. */
int ba_ceilings_read(ba_environment *env, const char *cache_root, ba_error *err);
int ba_ceilings_write(const ba_environment *env, const char *cache_root, ba_error *err);

#endif

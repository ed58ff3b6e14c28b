/* Calibrations on disk: one JSON document (`bench-against.calibration/1`) for each
 * machine and driver, in DIR/calibration/KEY.json, always replaced as a whole. */
#pragma once

#include "json/fields.h"
#include "model/calibration.h"

/* DIR is the cache; caller frees */
char *ba_calibration_path(const char *dir, const ba_environment *env);

extern const ba_json_fields ba_calibration_fields;
int ba_calibration_write(const char *path, const ba_calibration *c, ba_error *err);

/* The file is untrusted, like results. BA_ENOTFOUND: there is none. BA_EDATA: it is not
 * a calibration, or belongs to another machine than env (which may be NULL). *out is
 * zeroed first; the caller disposes of it, also after an error. */
int ba_calibration_read(
	ba_calibration *out, const char *path, const ba_environment *env, ba_error *err);

/* A GPU's highest rates (gpu/stopwatch.h), measured once, beside the calibrations. */

/* Reads into env->copy_gb_per_s and matrix_gflop_per_s. BA_ENOTFOUND: not measured yet.
 * A damaged file, or a file of another machine or driver, is treated as missing. */
int ba_ceilings_read(ba_environment *env, const char *cache_root, ba_error *err);
int ba_ceilings_write(const ba_environment *env, const char *cache_root, ba_error *err);

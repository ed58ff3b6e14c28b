/* A calibration from a run of code against itself, and what it says about another run.
 * Pure. */
#ifndef HOST_CALIBRATE_H
#define HOST_CALIBRATE_H

#include "model/calibration.h"
#include "model/result.h"

/* Enters every verdict metric that was measured in r, two variants of the same code,
 * and replaces the findings. plan_sha256[benchmark] names the benchmarks. Returns how
 * many were entered. */
size_t ba_calibration_learn(
	ba_calibration *c, const ba_result *r, const char (*plan_sha256)[65]);

/* The upper limit of the spread where an invocation has that many blocks; 0: as many as
 * in the calibration. */
double ba_noise_s_upper(const ba_noise *n, double blocks);

/* Is the spread that was seen in `invocations` values beyond what the calibration
 * leaves room for, at 1 % for all of `count` such questions together? */
bool ba_noise_is_exceeded(
	const ba_noise *n, double s, size_t invocations, double blocks, size_t count);

#endif

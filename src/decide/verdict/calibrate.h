/* Makes a calibration from a run of code against itself, and applies it to others. Pure. */
#pragma once

#include "model/calibration.h"
#include "model/result.h"

/* Enters every verdict metric that r measured, whose variants must be the same code, and
 * replaces the findings. plan_sha256[benchmark] identifies benchmarks. Returns how many. */
size_t ba_calibration_learn(ba_calibration *c, const ba_result *r, const char (*plan_sha256)[65]);

/* The upper limit of the spread with `blocks` blocks; 0: as many as in the calibration. */
double ba_noise_s_upper(const ba_noise *n, double blocks);

/* Is s, the spread of `invocations` values, larger than the calibration permits, at a
 * level of 1 % for all of `count` such questions together? */
bool ba_noise_is_exceeded(
	const ba_noise *n, double s, size_t invocations, double blocks, size_t count);

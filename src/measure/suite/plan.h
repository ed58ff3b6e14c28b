/* A digest of what is measured: with equal digests, the same was measured. Labels,
 * seeds and numbers of invocations are not part of it. */
#pragma once

#include "model/benchmark.h"

/* rules: versions of everything that turns a benchmark into samples: the kernels' text
 * and the lengths of readings */
void ba_plan_sha256(char out[65], const ba_benchmark *benchmarks, size_t count, const char *rules);

/* The throughput that a time implies, and its share of this GPU's measured ceilings.
 * The amounts of work are those that the benchmark's author states. */
#pragma once

#include "model/result.h"

/* from a variant's trimmed mean; launches have no throughput */
ba_throughput ba_throughput_of(const ba_result *r, const ba_series *s, size_t variant);

/* The rate of work that a time means, and its share of this GPU's measured ceilings.
 * The counts of work are those that a benchmark's author gives. */
#ifndef MODEL_THROUGHPUT_H
#define MODEL_THROUGHPUT_H

#include "model/result.h"

/* from a variant's trimmed mean; launches have no throughput */
ba_throughput ba_throughput_of(const ba_result *r, const ba_series *s, size_t variant);

#endif

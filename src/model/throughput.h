/* How much work a time means, by the counts that a benchmark's author gives, and how
 * near that is to what this GPU was measured to do. */
#ifndef MODEL_THROUGHPUT_H
#define MODEL_THROUGHPUT_H

#include "model/result.h"

/* 0: not known */
typedef struct ba_throughput {
	double gflop_per_s, gb_per_s, items_per_s;
	double of_copy, of_matrix; /* parts of the measured ceilings */
} ba_throughput;

/* of a variant's trimmed mean; launches have none */
ba_throughput ba_throughput_of(const ba_result *r, const ba_series *s, size_t variant);

#endif

/* How much work a time means, by the counts that a benchmark's author gives, and how
 * near that is to what this GPU was measured to do. */
#ifndef MODEL_THROUGHPUT_H
#define MODEL_THROUGHPUT_H

#include "model/result.h"

/* of a variant's trimmed mean; launches have none */
ba_throughput ba_throughput_of(const ba_result *r, const ba_series *s, size_t variant);

#endif

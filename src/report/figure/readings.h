/* Raw samples as figures need them: in ns per launch, of one variant, few enough. */
#ifndef REPORT_FIGURE_READINGS_H
#define REPORT_FIGURE_READINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/result.h"

/* Readings of one participant over all invocations, at most `most` of them, taken
 * evenly; *total is how many there are. Caller frees; NULL and 0 where there are none.
 */
double *ba_readings_of(size_t *count, size_t *total, const ba_series *s,
	unsigned participant, size_t most);

size_t ba_blocks_of(const ba_series *s); /* of all invocations */

/* What the participant did in a block: the mean of the middle half of its readings
 * there; NaN where it has none. */
double ba_block_ns(const ba_samples *x, unsigned block, unsigned participant);

#endif

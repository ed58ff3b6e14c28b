/* Raw samples for plots: ns per launch of one variant, not too many. */
#ifndef REPORT_FIGURE_READINGS_H
#define REPORT_FIGURE_READINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/result.h"

/* The readings of one participant over all invocations, or evenly chosen ones if
 * there are more than `most`; *total is their full number. Caller frees; NULL
 * and 0 if none. */
double *ba_readings_of(
	size_t *count, size_t *total, const ba_series *s, unsigned participant, size_t most);

size_t ba_blocks_of(const ba_series *s); /* of all invocations */

/* The time of the participant in a block: the mean of the middle half of its readings
 * there; NaN if it has none. */
double ba_block_ns(const ba_samples *x, unsigned block, unsigned participant);

#endif

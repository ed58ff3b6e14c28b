/* Did a variant run at two speeds, one in some invocations and one in the others? A
 * single level and interval do not show that. */
#ifndef REPORT_SPEEDS_H
#define REPORT_SPEEDS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/result.h"

/* levels in ns, each the least and the largest of its invocations */
typedef struct ba_speeds {
	size_t invocations;
	size_t fewer; /* how many of them ran at the less frequent speed */
	double fewer_least, fewer_most;
	double others_least, others_most;
} ba_speeds;

/* False if there are less than 3 invocations, if readings are left in the document, or
 * if the levels of the invocations lie close together: two speeds are at least a tenth
 * apart, and twice as far as levels at one speed. Places have speeds of their own: each is
 * asked by itself, and the first with two speeds is reported. */
bool ba_speeds_of(ba_speeds *out, const ba_result *r, const ba_series *s, size_t variant);

#endif

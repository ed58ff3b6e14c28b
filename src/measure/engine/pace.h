/*
 * Do a variant's runs overlap? The inputs of a visit arrive together, so a variant could
 * process many at once and look as fast as one that processes them in sequence. With a
 * single input it cannot.
 */
#pragma once

#include "model/sample.h"

/* The durations of a variant's visits by the host's clock, with one run and with many. */
typedef struct ba_pace {
	bool known;
	/* for one run: the lower quartile, and from the minimum to the median */
	double alone, spread;
	double together; /* for all runs of a visit: the lower quartile */
} ba_pace;

/* The faster of these visits of one run, and earlier ones; sorts them. */
void ba_pace_take_alone(ba_pace *p, double *ns, size_t count);
/* Takes visits with many runs; sorts them. */
void ba_pace_take_together(ba_pace *p, double *ns, size_t count);
/* first: of the baseline. A variant whose visits take more than twice as long as the baseline's
 * passes: whatever overlaps in it, it is slower. */
bool ba_pace_overlaps(const ba_pace *first, const ba_pace *p, uint64_t runs);

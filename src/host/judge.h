/* From raw samples to estimates: what one invocation adds, and what the end shows. Pure
 * but for the result it fills. */
#ifndef HOST_JUDGE_H
#define HOST_JUDGE_H

#include "model/result.h"
#include "stats/sequential.h"

/* The log ratio of the candidate in these samples, appended to the comparison. */
void ba_judge_add(ba_comparison *c, const ba_samples *s, unsigned candidate);

/* Means and spreads of every variant (and of the floor) over all samples. */
void ba_judge_summaries(ba_series *series, size_t variant_count);

/* Ratio, interval, p-values and spread of a comparison from its decision. base_ns is
 * the baseline's time. */
void ba_judge_comparison(ba_comparison *c, const ba_series *series,
	const ba_decision *d, unsigned candidate);

/* A comparison that decides nothing: ratio and a plain 95 % interval over invocations.
 */
void ba_judge_reported(ba_comparison *c, const ba_series *series, unsigned candidate);

#endif

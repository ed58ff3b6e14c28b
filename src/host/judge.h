/* From raw samples to estimates: what one invocation adds, and what the end shows. Pure
 * but for the result it fills. */
#ifndef HOST_JUDGE_H
#define HOST_JUDGE_H

#include "model/result.h"
#include "stats/planning.h"
#include "stats/sequential.h"

/* Do these samples hold visits of both? */
bool ba_judge_has_both(const ba_samples *s, unsigned candidate);

/* The log ratio of the candidate in these samples, appended to the comparison. */
void ba_judge_add(ba_comparison *c, const ba_samples *s, unsigned candidate);

/* The least standard deviation of y that is believed, from the timer's step and the
 * shortest reading of the baseline in the first invocation. */
double ba_judge_s_floor(const ba_series *series, double tick_ns);

/* Noise within and between the invocations of a comparison; its y are there. */
ba_components ba_judge_components(
	const ba_comparison *c, const ba_series *series, unsigned candidate);

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

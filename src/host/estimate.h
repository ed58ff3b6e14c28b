/* From raw samples to estimates: what one invocation adds to the record, and what the
 * end shows of it. Pure but for the result it fills. */
#ifndef HOST_ESTIMATE_H
#define HOST_ESTIMATE_H

#include "model/result.h"
#include "stats/planning.h"
#include "stats/sequential.h"

/* Documents of an earlier schema_revision are judged as their version did: by the
 * trimmed ratio alone, with levels over all readings together. */
bool ba_estimate_has_means(const ba_result *r);

/* One invocation's readings, one of the series' samples, become its record: the log
 * ratios and the noise of each candidate that has visits in them, the level of each
 * variant and of the floor. They are reduced here, once. */
void ba_estimate_add(const ba_result *r, ba_series *series, const ba_samples *s);
/* The record of no invocation: what was measured does not count. */
void ba_estimate_forget(const ba_result *r, ba_series *series);

/* The least standard deviation of y that is believed, from the timer's step and the
 * shortest reading of the baseline in the first invocation. */
double ba_estimate_s_floor(const ba_series *series, double tick_ns);

/* Noise within and between the invocations of a comparison, from its record. */
ba_components ba_estimate_components(const ba_comparison *c);

/* Spreads of every variant (and of the floor) over all samples, and their levels. */
void ba_estimate_summaries(const ba_result *r, ba_series *series);

/* Ratios, intervals, p-values and spread of a comparison from its decision, and the
 * level of its candidate. */
void ba_estimate_comparison(const ba_result *r, ba_series *series, const ba_decision *d,
	unsigned candidate);

/* A comparison that decides nothing: ratio and a plain 95 % interval over invocations.
 */
void ba_estimate_reported(const ba_result *r, ba_series *series, unsigned candidate);

#endif

/* Turns raw samples into estimates: the record of each invocation, and the summaries at
 * the end of the run. Pure, except that it fills the result. */
#pragma once

#include "model/result.h"
#include "stats/planning.h"

/* The decision rule for the comparisons of r. */
ba_policy ba_policy_of(const ba_result *r, double s_floor);

/* The least invocations that a verdict is based on. A start and a first call are one value of a
 * process, which often has one of two speeds. If a side is the faster one by chance in each of four
 * processes (one run of 128), their differences are alike, and no interval shows it: 1 of 24 equal runs
 * on an H200 was called 28 % slower (25 .. 31 %). With six it is one of 2048. */
#define BA_STARTS_LEAST 6u
static inline unsigned ba_estimate_least(const ba_series *s)
{
	return s->info->starts && !s->info->repeats ? BA_STARTS_LEAST : 1;
}

/* Does the document's schema_revision use the means? Earlier ones are judged as then: by the
 * trimmed ratio alone, with levels over all readings together. */
bool ba_estimate_has_means(const ba_result *r);

/* Reduces the readings of one invocation (which must be among the series' samples) to
 * its record: log ratios and noise of each candidate that has visits, and the level of
 * each variant and of the floor. Call it once for each invocation. */
void ba_estimate_add(const ba_result *r, ba_series *series, const ba_samples *s);
/* Empties the record, because its measurements do not count. */
void ba_estimate_forget(const ba_result *r, ba_series *series);

/* The smallest plausible standard deviation of y, from the timer's step and the
 * baseline's shortest reading in the first invocation. */
double ba_estimate_s_floor(const ba_series *series, double tick_ns);

/* For instructions: is each variant's count the same in all invocations, of which there
 * must be at least BA_EXACT_LEAST? */
bool ba_estimate_is_exact(const ba_series *series, unsigned candidate);

/* S1^2: the variance of a block's log ratio in one invocation; 0: one was not measured. */
double ba_estimate_within(const ba_samples *s, unsigned candidate);

/* The noise of a comparison within and between invocations, from its record. */
ba_components ba_estimate_components(const ba_comparison *c);

/* The spreads and levels of every variant (and of the floor) over all samples. */
void ba_estimate_summaries(const ba_result *r, ba_series *series);

/* Fills a comparison from its decision: ratios, intervals, p-values, spread. */
void ba_estimate_decided(ba_comparison *c, const ba_decision *d);
/* The same for a comparison of a series, with its noise and the level of its candidate. */
void ba_estimate_comparison(
	const ba_result *r, ba_series *series, const ba_decision *d, unsigned candidate);

/* Fills a comparison without a verdict: ratio, and a plain 95 % interval over invocations. */
void ba_estimate_reported(const ba_result *r, ba_series *series, unsigned candidate);

/* ---- origins (origin_groups.c): each value's place, and the looks of merged runs ---- */

/* The place of each y of a comparison; NULL: all are at one. The caller frees it. */
unsigned *ba_origin_groups_of(const ba_result *r, const ba_comparison *c);
/* Sets the estimates of each place, from the decision. */
void ba_origin_groups_estimate(ba_comparison *c, const ba_decision *d);

/* If places differ, sets the reason: "slower only on GPU 1: +3.1 %; GPU 0: +0.1 %". */
void ba_origin_groups_explain(ba_comparison *c, const ba_result *r);

/* The single look of a merged result (ba_measured_is_combined): repeats the looks of
 * each run, then combines them. */
void ba_origin_groups_combine(
	ba_decision *d, const ba_result *r, const ba_comparison *c, const ba_policy *policy);

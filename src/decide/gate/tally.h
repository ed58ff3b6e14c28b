/* Counts what happened to the benchmarks of one candidate. Inside the module only. */
#pragma once

#include "gate/policy.h"
#include "model/result.h"

typedef enum ba_fate {
	BA_FATE_REGRESSED,
	BA_FATE_IMPROVED,
	BA_FATE_UNCHANGED,
	BA_FATE_UNDECIDED,
	BA_FATE_IDENTICAL,
	BA_FATE_FAILED,	 /* in the candidate; the baseline may have failed, too */
	BA_FATE_NO_BASE, /* the baseline failed, the candidate did not */
	BA_FATE_EMPTY,	 /* both have it, but there are neither samples nor a reason */
	BA_FATE_CUT,	 /* it has samples, but was skipped or failed later */
	BA_FATE_ADDED,
	BA_FATE_REMOVED,
	BA_FATE_LOST,	 /* the baseline has it, the candidate skipped it */
	BA_FATE_SKIPPED, /* skipped in the baseline or in both */
	BA_FATE_ABSENT,	 /* neither variant has it, but another candidate does */
	BA_FATE_COUNT
} ba_fate;

ba_fate ba_fate_of(const ba_series *s, size_t candidate);
/* does the series have a result for every variant? */
bool ba_gate_measured(const ba_result *r, const ba_series *s);

typedef struct ba_tally {
	size_t candidate;
	size_t total; /* all but ABSENT */
	size_t count[BA_FATE_COUNT];
	size_t slower_within; /* of the unchanged: slower by less than the threshold */
	/* the series that the answer names: the largest change; of the inconclusive the one
	 * that could be slowest; of other fates the first */
	const ba_series *first[BA_FATE_COUNT];
	double low, high; /* the range of the intervals of all measured series */
} ba_tally;

ba_tally ba_tally_empty(size_t candidate);
/* Counts a series. Does not set `first`. */
ba_fate ba_tally_count(ba_tally *t, const ba_series *s);
/* Of the series of one fate, the answer names the one with the highest rank. */
double ba_fate_rank(const ba_series *s, size_t candidate, ba_fate fate);
/* the tally of all series that were added, without `first` */
const ba_tally *ba_digest_tally(const ba_digest *d, size_t candidate);

/* how many have a result, measured or proved; inconclusive ones count */
size_t ba_tally_known(const ba_tally *t);
/* how many should have been measured but were not */
size_t ba_tally_lacking(const ba_tally *t);
/* Is the first inconclusive series probably slower, or faster? The series are ranked by
 * their worst case, so if the first is probably faster, no other can be slower. */
ba_shift ba_tally_probably(const ba_tally *t);
/* how many are not regressions but count as such under a strict policy */
size_t ba_tally_refused(const ba_tally *t);

/* Appends the clause about t's candidate: "3 of 5 benchmarks got slower, ..." With
 * several metrics a benchmark can count more than once, so comparisons are counted. */
void ba_gate_put_clause(ba_buf *out, const ba_result *r, const ba_tally *t, bool several_metrics);

/* The answer. `missing`: the first expected but unmeasured pattern, or NULL. Caller frees. */
char *ba_gate_answer(
	const ba_result *r, const ba_gate_policy *p, const ba_tally *tallies, const char *missing);
/* Appends " In launch/args=2, code HEAD~ to HEAD +3.1 % ...", if the variants are a grid. */
void ba_gate_put_factors(ba_buf *out, const ba_result *r, bool several_metrics);
/* the same for a run of one variant */
char *ba_gate_answer_one(const ba_result *r, size_t measured, size_t total,
	const ba_series *problem, const char *missing);

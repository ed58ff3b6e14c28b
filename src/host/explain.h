/* Sentences about what the noise permitted: why something is inconclusive, what
 * would lead to a decision, and what looks wrong with a run. Pure, from what
 * the result contains. */
#ifndef HOST_EXPLAIN_H
#define HOST_EXPLAIN_H

#include "model/result.h"
#include "stats/sequential.h"

/* The duration of one more invocation of each benchmark: its own time, and the time to
 * start workers, which is what the run needed beside its samples. From the samples and
 * r->measure_seconds. */
typedef struct ba_pace {
	double *seconds; /* [benchmark_count]; NAN: unknown */
} ba_pace;
void ba_pace_of(ba_pace *out, const ba_result *r);
void ba_pace_dispose(ba_pace *p);
BA_DEFINE_AUTO(ba_pace, ba_pace_dispose)

/* Sets reason and hint of an inconclusive comparison. Needs r->stopped and the values
 * of the comparison. */
void ba_explain_inconclusive(ba_comparison *k, const ba_result *r,
	const ba_series *series, const ba_decision *d, const ba_pace *pace);

/* Sets the reason of a comparison whose verdict is about its tail: what
 * the mean did. */
void ba_explain_mean(ba_comparison *k);

/* Adds notes on the run as a whole: "clocks not steady", from the placebo that it
 * contains, and a GPU clock that differed between variants. */
void ba_explain_run(ba_result *r);

#endif

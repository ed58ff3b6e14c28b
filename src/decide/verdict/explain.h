/* Sentences about what the noise permitted: why something is inconclusive, what
 * would lead to a decision, and what looks wrong with a run. Pure, from what
 * the result contains. */
#ifndef VERDICT_EXPLAIN_H
#define VERDICT_EXPLAIN_H

#include "model/result.h"
#include "stats/sequential.h"

/* What a longer run would do. */
typedef struct ba_prospect {
	double seconds;	      /* of one more invocation of what is open; NAN: unknown */
	size_t open, settled; /* comparisons that are inconclusive; of them, after */
	double more;	      /* so many more invocations */
} ba_prospect;

/* What the explanations of all inconclusive comparisons share. */
typedef struct ba_outlook {
	ba_family family;
	ba_prospect *prospect; /* its seconds are known; the rest is counted here */
} ba_outlook;

/* The duration of one more invocation of the open benchmarks: their own time, and the
 * time to start workers, which is what the run needed beside its samples. From the
 * samples and r->measure_seconds. open: [benchmark_count]. */
double ba_seconds_of_one_more(const ba_result *r, const bool *open);

/* Sets reason and hint of an inconclusive comparison. Needs r->stopped and the values
 * of the comparison. The reason is the one that holds: if the number of invocations
 * alone rules out a change in this family, noise is not blamed. The hint says how many
 * more would be enough with today's estimate and spread. */
void ba_explain_inconclusive(ba_comparison *k, const ba_result *r, const ba_series *series,
	const ba_decision *d, const ba_outlook *outlook);

/* Sets the reason of a comparison whose verdict is about its tail: what
 * the mean did. */
void ba_explain_mean(ba_comparison *k);

/* Adds notes on the run as a whole: "clocks not steady", from the placebo that it
 * contains, and a GPU clock that differed between variants. */
void ba_explain_run(ba_result *r);

#endif

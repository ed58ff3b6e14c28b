/* Sentences about what the noise allowed: why something is not decided, what would
 * decide it, and what looks wrong with a run. Pure, from what is in the result. */
#ifndef HOST_EXPLAIN_H
#define HOST_EXPLAIN_H

#include "model/result.h"
#include "stats/sequential.h"

/* What one more invocation takes for each benchmark: its own time, and that of starting
 * workers, which is what the run needed beside its samples. From the samples and
 * r->measure_seconds. */
typedef struct ba_pace {
	double *seconds; /* [benchmark_count]; NAN: not known */
} ba_pace;
void ba_pace_of(ba_pace *out, const ba_result *r);
void ba_pace_dispose(ba_pace *p);
BA_DEFINE_AUTO(ba_pace, ba_pace_dispose)

/* Sets reason and hint of a comparison that ended undecided. Needs r->stopped, and the
 * comparison's figures. */
void ba_explain_inconclusive(ba_comparison *k, const ba_result *r,
	const ba_series *series, const ba_decision *d, const ba_pace *pace);

/* Sets the reason of a comparison whose verdict is of its tail: what the mean did. */
void ba_explain_mean(ba_comparison *k);

/* Notes for the run as a whole: "clocks not steady", from the placebo that it contains;
 * and a GPU clock that was not the same for all variants.
 */
void ba_explain_run(ba_result *r);

#endif

/*
 * Does a result document say what its samples say?
 *
 * Everything that is computed is computed again with the code of a run (host/decide.h,
 * gate/status.h) and compared: y of each invocation, summaries, each look that was
 * taken, p-values, intervals, verdicts, reasons, the answer, the exit status; and the
 * order of visits is drawn again from the seed. Given, because no sample can show it,
 * are thresholds and policy, names, the environment, and whether a variant has a
 * benchmark or failed in it.
 *
 * Floating-point results may differ by a billionth, which other machines' logarithms
 * may.
 */
#ifndef HOST_VERIFY_H
#define HOST_VERIFY_H

#include "base/strv.h"
#include "model/result.h"

typedef struct ba_verification {
	ba_strv disagreements; /* "launch/args=2, submit, v2: ratio is 1.2 in the file,
				  1.04 from the samples" */
	size_t compared;       /* values */
	size_t missing;	       /* numbers that earlier versions did not write: nothing
				  can be said of them */
	ba_strv missing_names; /* "iqr_ns" */
	size_t readings, invocations; /* they were computed from */
} ba_verification;

/* "WHERE: " and the sentence, as a disagreement: for what a caller checks besides */
void ba_verify_say(ba_verification *v, const char *where, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

void ba_verification_dispose(ba_verification *v);
BA_DEFINE_AUTO(ba_verification, ba_verification_dispose)

/* r is as ba_results_read left it; afterwards it holds what was recomputed, where it
 * could be. Where the rule itself is impossible (a threshold of 0, looks that go
 * backwards) that is what is reported, and nothing is decided again. */
void ba_verify(ba_verification *out, ba_result *r);

#endif

/*
 * Does a results document say what its samples say?
 *
 * Everything that can be computed is computed again with the code of a run
 * (host/decide.h, gate/status.h) and compared: y of each invocation, summaries, each
 * look, p-values, intervals, verdicts, reasons, the answer and the exit status. The
 * order of visits is drawn again from the seed.
 *
 * Samples cannot show the rest, which is taken as given: thresholds and policy, names,
 * the environment, and whether a variant has a benchmark or failed in it.
 *
 * Floating-point results may differ by a billionth, because logarithms
 * of other machines may.
 */
#ifndef HOST_VERIFY_H
#define HOST_VERIFY_H

#include "base/strv.h"
#include "model/result.h"

typedef struct ba_verification {
	/* "launch/args=2, submit, v2: ratio is 1.2 in the file,
	 * 1.04 from the samples" */
	ba_strv disagreements;
	size_t compared; /* how many values */
	/* how many numbers the document lacks because its version did not write them;
	 * they cannot be checked */
	size_t missing;
	ba_strv missing_names;	      /* "iqr_ns" */
	size_t readings, invocations; /* that everything was computed from */
} ba_verification;

/* Adds a disagreement, "WHERE: " and the sentence, that a caller found itself. */
void ba_verify_say(ba_verification *v, const char *where, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

void ba_verification_dispose(ba_verification *v);
BA_DEFINE_AUTO(ba_verification, ba_verification_dispose)

/* r is as ba_results_read left it; afterwards it holds the recomputed values, where
 * that was possible. If the rule itself is impossible (a threshold of 0, looks that go
 * backwards), only that is reported, and nothing is decided again. */
void ba_verify(ba_verification *out, ba_result *r);

/* The same for a document that has no verdicts yet, or others: as many looks as its
 * samples are enough for, or until everything is conclusive. r then has everything that
 * follows from the samples, the answer and the exit status; explanations stay.
 * BA_EDATA: its rule or its samples are impossible, or there is no candidate. */
int ba_decide_again(ba_result *r, ba_error *err);

#endif

/*
 * Does a results document say what its samples say?
 *
 * Everything that can be computed is computed again with the code of a run
 * (verdict/decide.h, gate/status.h) and compared: y of each invocation, summaries, each
 * look, p-values, intervals, verdicts, reasons, the answer and the exit status. The
 * order of visits is drawn again from the seed.
 *
 * Samples cannot show the rest, which is taken as given: thresholds and policy, names,
 * the environment, and whether a variant has a benchmark or failed in it.
 *
 * Floating-point results may differ by a billionth, because logarithms
 * of other machines may.
 */
#pragma once

#include "model/result.h"

/* What a verification found: the disagreements between a document and its samples. */
typedef struct ba_verification {
	/* "launch/args=2, submit, v2: ratio is 1.2 in the file,
	 * 1.04 from the samples" */
	ba_strv disagreements;
	size_t compared; /* how many values */
	/* how many numbers cannot be checked, because the document's version did not
	 * write them */
	size_t missing;
	ba_strv missing_names;	      /* "iqr_ns" */
	size_t readings, invocations; /* the samples from which everything was computed */
} ba_verification;

/* Adds the disagreement "WHERE: " and the sentence. For disagreements that a caller
 * found. */
void ba_verify_say(ba_verification *v, const char *where, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

BA_DECLARE_DISPOSE(ba_verification)

/* "launch/args=2, submit", and ", v2" for a variant; variant <
 * 0: none. Caller frees. */
char *ba_verify_place(const ba_result *r, const ba_series *series, int variant);

/* r is as ba_results_read left it; afterwards it holds the recomputed values, where
 * that was possible. If the rule itself is impossible (a threshold of 0, looks that go
 * backwards), only that is reported, and nothing is decided again. */
void ba_verify(ba_verification *out, ba_result *r);

/* The same for a document without verdicts, or to replace its verdicts. It takes as
 * many looks as the samples allow, or until everything is conclusive. Then r has
 * everything that follows from the samples, the answer and the exit status;
 * explanations stay. BA_EDATA: its rule or its samples are impossible, or there is no
 * candidate. */
int ba_decide_again(ba_result *r, ba_error *err);

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

#include "verify/verification.h"

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

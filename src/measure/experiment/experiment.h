/*
 * A run: invocations until every comparison has its verdict, or until the looks of the
 * design or the budget are used up.
 *
 *     ba_suite_survey    for each suite: one worker examines the variants' libraries, and
 *                      for the first suite the machine
 *     (caller)         chooses benchmarks from the paths found, sets result->benchmarks
 *     ba_experiment_run   rehearsal (checks, sizes), then invocations and looks, then
 *                      judgement
 *
 * What a variant does wrong is a result, not an error: it becomes `failed`, with a
 * sentence, and the others continue. An error means that nothing could be measured.
 */
#pragma once

#include "session/spec.h"

/* has[benchmark * variant_count + variant]: does the variant have the benchmark? */
int ba_experiment_run(
	ba_result *result, const ba_session_spec *spec, const bool *has, ba_error *err);

/* Instead, for a member of a run of several processes: measures by its orders, until they end or
 * its GPU is no longer fit (BA_EGPU), and gives no verdict. Each complete invocation
 * goes to spec->invoked. */
int ba_experiment_follow(
	ba_result *result, const ba_session_spec *spec, const bool *has, ba_error *err);

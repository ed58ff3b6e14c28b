/* Takes the readings of one metric of a benchmark with the open engine. */
#pragma once

#include "session/session.h"

/* Measures the blocks set in *out, in `mode`, in the order drawn for this task and
 * invocation: a palindrome, or each participant once. */
int ba_session_measure(ba_session *s, ba_task *t, ba_samples *out, const char *mode,
	unsigned discard, bool palindrome, ba_clock_report *clocks, ba_failure *f);
/* The same to find sizes, with the workers' own times: never use it for a verdict. */
int ba_session_rehearse(
	ba_session *s, ba_task *t, ba_samples *out, const char *mode, ba_failure *f);
/* throttle.c: the same for a metric of runs, but repeats blocks during which the clock
 * was held down; BA_EGPU if the clock is always held down. */
int ba_session_measure_fit(
	ba_session *s, ba_task *t, ba_metric m, ba_samples *out, unsigned discard, ba_failure *f);

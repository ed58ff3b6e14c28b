/* One benchmark in one invocation: its blocks, and the readings of its metrics. */
#pragma once

#include "session/task.h"

/* Measures the task once with the open engine, and handles failures. 0 also if every
 * variant failed; an error if the run cannot continue. */
int ba_session_invoke(ba_session *s, ba_task *t, ba_error *err);

/* ---- the number of blocks, from earlier measurements ---- */

/* After the rehearsal: measures a trial of the deciding metric, which may raise its
 * number of blocks. */
int ba_session_first_blocks(ba_session *s, ba_task *t, ba_failure *f);
/* The expected duration of the next invocation, from starting, preparing and blocks; 0:
 * unknown. */
double ba_session_expected_ns(const ba_session *s);
/* The same of one benchmark, with its share of starting. */
double ba_session_task_ns(const ba_session *s, ba_task *t);
/* After a look: sets the numbers of blocks that reach the open verdicts soonest. */
void ba_session_next_blocks(ba_session *s);

/* ---- the readings of one metric, with the open engine ---- */

/* Measures the blocks set in *out, in `mode`, in the order drawn for this task and
 * invocation: a palindrome, or each participant once. */
int ba_session_measure(ba_session *s, ba_task *t, ba_samples *out, const char *mode,
	unsigned discard, bool palindrome, ba_clock_report *clocks, ba_failure *f);
/* The same to find sizes, with the workers' own times: never use it for a verdict. */
int ba_session_rehearse(
	ba_session *s, ba_task *t, ba_samples *out, const char *mode, ba_failure *f);
/* A metric of starts: the one value of each process. */
int ba_session_measure_start(
	ba_session *s, ba_task *t, ba_metric m, ba_samples *out, ba_failure *f);
/* measure.c: the same for a metric of runs, but repeats blocks during which the clock
 * was held down; BA_EGPU if the clock is always held down. */
int ba_session_measure_fit(
	ba_session *s, ba_task *t, ba_metric m, ba_samples *out, unsigned discard, ba_failure *f);

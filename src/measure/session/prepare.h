/* Sets up a benchmark in an open engine, and takes what its variants report about it. */
#pragma once

#include "session/task.h"

/* Lets all participants set up the task's kernels or cases. A variant that says it cannot
 * run here takes no part from then on. */
int ba_session_prepare(ba_session *s, ba_task *t, ba_failure *f);
/* Who they are. */
void ba_task_choose_variants(bool *out, const ba_session *s, const ba_task *t);
/* For gpu_rotate: prepares the task again, with enough sets of inputs that the cache no
 * longer holds them. */
int ba_session_make_sets(ba_session *s, ba_task *t, ba_failure *f);

/* Prepares only the variants in `only`, in another engine, and ignores what they
 * report. */
int ba_task_prepare_alone(
	ba_session *s, ba_engine *e, const ba_task *t, const bool *only, ba_failure *f);
/* Only sends the request; ba_task_prepare_alone receives the answers. */
int ba_task_ask_alone(
	ba_session *s, ba_engine *e, const ba_task *t, const bool *only, ba_failure *f);
/* The same without checks, with the fewest sets of inputs that the metrics need.
 * *skipped: a variant skips it. */
int ba_task_prepare_plain(bool *skipped, ba_session *s, ba_engine *e, const ba_task *t,
	const bool *only, unsigned warm_up, ba_failure *f);

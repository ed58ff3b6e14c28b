/* Opens engines, sets up benchmarks in them, and takes what the variants report about it. */
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

/* ---- failure.c: opens engines, and decides what happens to a variant, or to an engine, that fails ---- */

/* Opens the suite's engine with all variants that can be opened. 0 also if none can, or if
 * the engine was changed; suite->engine is then NULL. */
int ba_session_open_engine(ba_session *s, ba_session_suite *suite, bool reversed, ba_error *err);
/* Chooses the observer (NULL: none) of processes of the suite. Beside it, they open the driver by its
 * path, because both have one name. */
void ba_session_observe(ba_engine_spec *spec, const ba_session_suite *suite, const char *observer);
/* Takes an engine that is open for this invocation, which continues with *spec. NULL: none. */
void ba_session_take_ahead(ba_engine **out, ba_session *s, ba_session_suite *suite,
	ba_engine_spec *spec, bool reversed);
/* Chooses the variants whose processes an invocation needs. False: none. */
bool ba_session_choose_variants(bool *out, const ba_session *s, ba_session_suite *suite);
/* From here on each variant of the suite has its own process; a sentence says why. */
void ba_session_split(ba_session *s, ba_session_suite *suite, const char *why);
/* After BA_EVARIANT: changes the engine, or excludes the variant. t is NULL if a library
 * cannot be opened. */
int ba_session_settle(ba_session *s, ba_session_suite *suite, ba_task *t, ba_failure *f);
/* Excludes the variant from this benchmark. */
void ba_task_fail(ba_session *s, ba_task *t, const ba_failure *f);
/* Copies failures into the series, because a look needs them. */
void ba_session_note_failures(ba_session *s);

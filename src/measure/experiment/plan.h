/* Plans a run: a task for each benchmark, a series for each of its metrics, and which of them
 * are not measured, or only as a control. */
#pragma once

#include "session/task.h"

/* Sets up all of it, from the design to the benchmarks' tasks. Dispose of it also after
 * an error, which is an interruption. */
int ba_session_plan(ba_session *s, ba_result *result, const ba_session_spec *spec, const bool *has,
	ba_error *err);
void ba_session_dispose(ba_session *s);
/* Is the suite measured in two processes, because its variants cannot share one? */
bool ba_result_is_split(const ba_result *r, const char *suite);
/* Benchmarks that are measured only as controls (identity.h) get a part of the usual
 * time; all others get all of it. */
void ba_session_set_controls(ba_session *s);
/* From now on benchmarks with equal code are measured, too (identity.h). Then begin again. */
void ba_session_distrust(ba_session *s);
/* Processes the files opened since the last call. Call it before an invocation counts
 * as measured. */
void ba_session_take_opened(ba_session *s);

/* ---- resume.c: an invocation as a checkpoint, and those that another process wrote ---- */

/* Restores the engines; call it before the session is set up. */
void ba_resume_engines(ba_result *r, const ba_resumed *from);
/* Counts the invocation as made. BA_EDATA: it does not fit this run. */
int ba_resume_invocation(ba_session *s, ba_error *err);
/* Passes an invocation that was made here to spec->invoked. */
void ba_session_checkpoint(ba_session *s);
/* Takes what another process (an earlier run, or a member) measured in this invocation. */
int ba_resume_take(ba_session *s, ba_resumed_samples *samples, size_t count, const ba_checkpoint *c,
	bool by_member, ba_error *err);

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

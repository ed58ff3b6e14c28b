/*
 * Counts instructions in an invocation, before anything of it is timed: each variant has
 * a process of its own, all of them work at the same time, and no clock runs.
 *
 * A count that is the same in BA_EXACT_LEAST invocations is exact, and is not made
 * again. One that is not is counted in each invocation, and its spread goes through the
 * decision rule like that of a time.
 */
#ifndef HOST_COUNT_H
#define HOST_COUNT_H

#include "host/session.h"

/* Counts what is due, and keeps it as samples: one reading a variant, the smallest of a
 * few calls. What cannot be counted has a reason in the task; that is not an error. */
int ba_session_count(ba_session *s, ba_error *err);

/* Is there something to time in that task, and not only to count? */
bool ba_task_is_timed(const ba_task *t);

#endif

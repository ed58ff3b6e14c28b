/* One benchmark in one invocation. */
#pragma once

#include "session/session.h"

/* Measures the task once with the open engine, and handles failures. 0 also if every
 * variant failed; an error if the run cannot continue. */
int ba_session_invoke(ba_session *s, ba_task *t, ba_error *err);

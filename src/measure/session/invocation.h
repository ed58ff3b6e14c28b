/* One benchmark in one invocation. */
#ifndef SESSION_INVOCATION_H
#define SESSION_INVOCATION_H

#include "session/session.h"

/* Measures the task once with the open engine, and handles failures. 0 also if every
 * variant failed; an error if the run cannot continue. */
int ba_session_invoke(ba_session *s, ba_task *t, ba_error *err);

#endif

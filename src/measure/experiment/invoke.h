/* One invocation of all benchmarks that are active. */
#ifndef EXPERIMENT_INVOKE_H
#define EXPERIMENT_INVOKE_H

#include "session/session.h"

/* One invocation of everything that is active, or as far as it gets before the engine is
 * changed (s->restart). Where processes are dear to start and others have processors for
 * them, it may make up to `most` invocations in rotation (rotation.h): s->invocation is then
 * the last of them. */
int ba_session_invoke_all(ba_session *s, size_t planned, size_t most, ba_error *err);
/* Forgets what was measured before that. */
void ba_session_begin_again(ba_session *s);

#endif

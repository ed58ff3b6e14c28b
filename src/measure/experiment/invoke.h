/* One invocation of all benchmarks that are active, by this process or a member of the run. */
#pragma once

#include "session/task.h"

/* Measures one invocation of all active benchmarks, or less if the engine is changed
 * (s->restart). If processes are expensive to start and there are processors for them,
 * it may make up to `most` invocations in rotation (rotation.h): s->invocation is then
 * the last of them. */
int ba_session_invoke_all(ba_session *s, size_t planned, size_t most, ba_error *err);
/* Discards everything measured before the restart. */
void ba_session_begin_again(ba_session *s);

/* ---- fetch.c ---- */

/* The coordinator's next invocation, measured by a member. May set s->restart. */
int ba_members_fetch(ba_session *s, size_t planned, ba_error *err);
/* For a member, before an invocation counts: BA_EGPU if another process uses the GPU,
 * or if the GPU caused the failures. */
int ba_session_check_gpu(ba_session *s, ba_error *err);

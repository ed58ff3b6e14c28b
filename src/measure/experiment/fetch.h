/* An invocation measured by another process of the run, and the check whether a member
 * may continue. */
#pragma once

#include "session/session.h"

/* The coordinator's next invocation, measured by a member. May set s->restart. */
int ba_members_fetch(ba_session *s, size_t planned, ba_error *err);
/* For a member, before an invocation counts: BA_EGPU if another process uses the GPU,
 * or if the GPU caused the failures. */
int ba_session_check_gpu(ba_session *s, ba_error *err);

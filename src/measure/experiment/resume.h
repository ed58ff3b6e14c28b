/* Writes an invocation to a checkpoint, and takes one that another process wrote. */
#pragma once

#include "session/task.h"

/* Restores the engines; call it before the session is set up. */
void ba_resume_engines(ba_result *r, const ba_resumed *from);
/* Counts the invocation as made. BA_EDATA: it does not fit this run. */
int ba_resume_invocation(ba_session *s, ba_error *err);
/* Passes an invocation that was made here to spec->invoked. */
void ba_session_checkpoint(ba_session *s);
/* Takes what another process (an earlier run, or a member) measured in this invocation. */
int ba_resume_take(ba_session *s, ba_resumed_samples *samples, size_t count, const ba_checkpoint *c,
	bool by_member, ba_error *err);

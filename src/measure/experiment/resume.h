/* Writes an invocation to a checkpoint, and takes one that another process wrote. */
#ifndef EXPERIMENT_RESUME_H
#define EXPERIMENT_RESUME_H

#include "session/session.h"

/* Restores the engines; call it before the session is set up. */
void ba_resume_engines(ba_result *r, const ba_resumed *from);
/* Restores the clock. */
void ba_resume_begin(ba_session *s);
/* Counts it as made. BA_EDATA: it does not fit this run. */
int ba_resume_invocation(ba_session *s, ba_error *err);
/* Passes an invocation that was made here to spec->invoked. */
void ba_session_checkpoint(ba_session *s);
/* Are the state's sizes none at all, or each above 0? */
bool ba_resume_fits(const ba_task *t, const ba_benchmark_state *b);
/* Takes its sizes and what the benchmark counts; thresholds only if asked to. */
void ba_resume_sizes(ba_session *s, ba_task *t, const ba_benchmark_state *b, bool thresholds);

#endif

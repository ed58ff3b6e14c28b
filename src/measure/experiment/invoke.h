/* One invocation of all benchmarks that are active, by this process or a member of the run. */
#pragma once

#include "session/task.h"

/* Measures one invocation of all active benchmarks, or less if the engine is changed
 * (s->restart). If processes are expensive to start and there are processors for them,
 * it may make up to `most` invocations in rotation: s->invocation is then
 * the last of them. */
int ba_session_invoke_all(ba_session *s, size_t planned, size_t most, ba_error *err);
/* Discards everything measured before the restart. */
void ba_session_begin_again(ba_session *s);

/* For a member, before an invocation counts: BA_EGPU if another process uses the GPU,
 * or if the GPU caused the failures. */
int ba_session_check_gpu(ba_session *s, ba_error *err);

/* ---- rotation.c ----
 *
 * Several invocations in rotation: each has processes of its own, which prepare the next
 * benchmark while those of another invocation measure. Only one of them measures at a time,
 * and what prepares has other cores.
 *
 * An invocation of five Python interpreters that compile kernels takes 2.7 s to start, 5 s to
 * prepare ten benchmarks, and 5 s to measure them. In rotation it takes hardly more than the 5 s. */

/* How many of the next invocations, at most `most`, can be measured in rotation:
 * limited by processors, or as the options say, and only if everything due is a host
 * time of programs. Below 2: none. */
size_t ba_rotation_turns(const ba_session *s, size_t most);
/* The same before the run, when memory and failures are unknown. 1: none. */
size_t ba_rotation_foreseen(const ba_session_spec *spec, const ba_result *r);
/* Measures that many invocations, starting with s->invocation, which becomes the last
 * of them. Their samples and checkpoints are as if they had been made in sequence. If
 * the run is interrupted, none of them counts. */
int ba_rotation_invoke(ba_session *s, size_t turns, ba_error *err);
/* The same for invocations in which instructions are counted and nothing is timed; if the
 * budget ends, what was counted is kept. */
int ba_rotation_count(ba_session *s, size_t turns, ba_error *err);
/* For invocations that are measured one after the other: starts the processes of the next
 * ones, at most `most`, together, if none are open yet. */
void ba_rotation_start(ba_session *s, size_t most);

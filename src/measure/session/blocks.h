/* Chooses the number of blocks of a benchmark in an invocation, from earlier
 * measurements. */
#pragma once

#include "session/session.h"

/* After the rehearsal: measures a trial of the deciding metric, which may raise its
 * number of blocks. */
int ba_session_first_blocks(ba_session *s, ba_task *t, ba_failure *f);
/* The expected duration of the next invocation, from starting, preparing and blocks; 0:
 * unknown. */
double ba_session_expected_ns(const ba_session *s);
/* After a look: sets the numbers of blocks that reach the open verdicts soonest. */
void ba_session_next_blocks(ba_session *s);

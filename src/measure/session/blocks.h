/* How many blocks a benchmark has in an invocation, by what was measured so far. */
#ifndef SESSION_BLOCKS_H
#define SESSION_BLOCKS_H

#include "session/session.h"

/* After the rehearsal: a trial of what decides, which may raise its blocks. */
int ba_session_first_blocks(ba_session *s, ba_task *t, ba_failure *f);
/* What the next invocation will take, from what starting, preparing and a block took;
 * 0: unknown. */
double ba_session_expected_ns(const ba_session *s);
/* After a look: the blocks that lead to the open verdicts soonest. */
void ba_session_next_blocks(ba_session *s);

#endif

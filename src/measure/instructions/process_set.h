/* A lane counts instructions: it has one process of each variant, and the task that they
 * are at. Several lanes can be at work at the same time. Only for count.c. */
#ifndef INSTRUCTIONS_PROCESS_SET_H
#define INSTRUCTIONS_PROCESS_SET_H

#include "session/session.h"

/* consecutive calls; a worker counts fewer of longer ones (docs/worker-protocol.md) */
#define BA_COUNT_CALLS 8u
/* what a warm-up changes (caches of an interpreter, bound symbols) is done by then */
#define BA_COUNT_WARM_UP 300u

typedef struct ba_lane {
	ba_session *s;
	ba_session_suite *suite;
	ba_engine_spec spec;
	ba_engine *engine;
	bool *open; /* [variants] has a process */
	char **traces;
	const char *exclude[2]; /* objects of ours */
	ba_task *task;
	uint64_t most; /* instructions of a call of the task */
	size_t index;  /* of the task in the pass */
	bool *wanted;  /* [variants] count it */
	/* what was asked and is not answered yet */
	enum { BA_LANE_IDLE, BA_LANE_OPENING, BA_LANE_PREPARING, BA_LANE_COUNTING } phase;
	int64_t start_ns; /* of the task, once there are processes */
} ba_lane;

/* number: of the lane, among so many */
void ba_lane_init(ba_lane *q, ba_session *s, ba_session_suite *suite, size_t number, size_t of);
void ba_lane_dispose(ba_lane *q);
/* Is the variant counted in that task? */
bool ba_lane_takes(const ba_task *t, size_t variant);

/* Makes the first request for q->task. Without an engine that is to open one. */
int ba_lane_begin(ba_lane *q, ba_failure *f, ba_error *err);
/* Hears an answer, and makes the next request. The task is counted once the lane is idle. */
int ba_lane_go_on(ba_lane *q, ba_failure *f, ba_error *err);
/* After a failure of theirs: that variant is not counted, in the task or at all. */
void ba_lane_blame(ba_lane *q, const ba_failure *f);
/* Can it go on without a wait? */
bool ba_lane_is_ready(const ba_lane *q);
/* Asks its processes to end; ba_lane_close waits for them, too. */
void ba_lane_ask_to_end(ba_lane *q);
void ba_lane_close(ba_lane *q);
void ba_lane_drop(ba_lane *q); /* kills them, whose answers may still come */

#endif

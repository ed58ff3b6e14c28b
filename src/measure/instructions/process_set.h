/* One process of each variant, which count the instructions of one benchmark at a time.
 * Several sets can be at work at the same time. Only for count.c. */
#ifndef INSTRUCTIONS_PROCESS_SET_H
#define INSTRUCTIONS_PROCESS_SET_H

#include "session/session.h"

/* consecutive calls; a worker counts fewer of longer ones (docs/worker-protocol.md) */
#define BA_COUNT_CALLS 8u
/* what a warm-up changes (caches of an interpreter, bound symbols) is done by then */
#define BA_COUNT_WARM_UP 300u

typedef struct ba_process_set {
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
	enum {
		BA_PROCESS_SET_IDLE,
		BA_PROCESS_SET_OPENING,
		BA_PROCESS_SET_PREPARING,
		BA_PROCESS_SET_COUNTING
	} phase;
	int64_t start_ns; /* of the task, once there are processes */
} ba_process_set;

/* number: of this set, among `of` */
void ba_process_set_init(
	ba_process_set *q, ba_session *s, ba_session_suite *suite, size_t number, size_t of);
void ba_process_set_dispose(ba_process_set *q);
/* Is the variant counted in that task? */
bool ba_process_set_takes(const ba_task *t, size_t variant);

/* Makes the first request for q->task. Without an engine that is to open one. */
int ba_process_set_begin(ba_process_set *q, ba_failure *f);
/* Hears an answer, and makes the next request. The task is counted once the set is idle. */
int ba_process_set_go_on(ba_process_set *q, ba_failure *f);
/* After a failure of theirs: that variant is not counted, in the task or at all. */
void ba_process_set_blame(ba_process_set *q, const ba_failure *f);
/* Can it go on without a wait? */
bool ba_process_set_is_ready(const ba_process_set *q);
/* Asks its processes to end; ba_process_set_close waits for them, too. */
void ba_process_set_ask_to_end(ba_process_set *q);
void ba_process_set_close(ba_process_set *q);
void ba_process_set_drop(ba_process_set *q); /* kills them, whose answers may still come */

#endif

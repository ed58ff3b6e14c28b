/* One process for each variant; together they count one benchmark at a time. Several
 * sets can work at the same time. Only for count.c. */
#pragma once

#include "session/session.h"
#include "profile/profile.h"

/* consecutive calls; a worker counts fewer of longer ones (docs/worker-protocol.md) */
#define BA_COUNT_CALLS 8u
/* enough calls for warm-up effects: caches of an interpreter, bound symbols */
#define BA_COUNT_WARM_UP 300u
/* calls before a census: what is loaded and allocated once is there */
#define BA_CENSUS_WARM_UP 20u
/* calls before the one that shows what is launched */
#define BA_LAUNCHED_WARM_UP 4u

typedef struct ba_process_set {
	ba_session *s;
	ba_session_suite *suite;
	ba_engine_spec spec;
	ba_engine *engine;
	bool *open; /* [variants] the variant has a process */
	char **traces;
	const char *exclude[2]; /* objects of ours */
	ba_task *task;
	bool census;   /* counts calls to the driver, and no instructions */
	uint64_t most; /* limit of instructions for a call of the task */
	/* index of the task in the pass, whose tasks are repeated for each invocation; it
	 * advances by `step` up to `end` */
	size_t index, step, end;
	unsigned invocation; /* of the task's count */
	bool explains; /* it counts bytecodes, too, for invocations that are counted together */
	bool *wanted;  /* [variants] count it */
	/* the request that is not answered yet */
	enum {
		BA_PROCESS_SET_IDLE,
		BA_PROCESS_SET_OPENING,
		BA_PROCESS_SET_PREPARING,
		BA_PROCESS_SET_COUNTING
	} phase;
	int64_t start_ns; /* start of the task, once there are processes */
} ba_process_set;

/* number: of this set, among `of` */
void ba_process_set_init(ba_process_set *q, ba_session *s, ba_session_suite *suite, bool census,
	size_t number, size_t of);
void ba_process_set_dispose(ba_process_set *q);
/* Is the variant counted in that task? */
bool ba_process_set_takes(const ba_session *s, const ba_task *t, bool census, size_t variant);

/* Sends the first request for q->task: if there is no engine, the request to open one. */
int ba_process_set_begin(ba_process_set *q, ba_failure *f);
/* Receives an answer, and sends the next request. The task is counted when the set is
 * idle. */
int ba_process_set_go_on(ba_process_set *q, ba_failure *f);
/* After a failure: excludes the variant from the task's count, or from counting. */
void ba_process_set_blame(ba_process_set *q, const ba_failure *f);
/* Can it continue without waiting? */
bool ba_process_set_is_ready(const ba_process_set *q);
/* Asks its processes to end; ba_engine_close(q->engine) waits for them, too. */
void ba_process_set_ask_to_end(ba_process_set *q);
/* kills them, although answers may be pending */
void ba_process_set_drop(ba_process_set *q);

/* Samples of the counted variants, one block without its readings. positions 0: there are
 * none. */
ba_samples ba_process_set_samples(const ba_process_set *q, const ba_task *t, const bool *counted,
	size_t readings, unsigned batch);
/* census.c: keeps in the benchmark what it executes, by the kernels that it launched */
void ba_launched_keep(ba_process_set *q, ba_task *t, ba_count_answer *answers);
/* census.c: keeps the variants' answers in the series of the task. answers: [variants] */
void ba_census_keep(ba_process_set *q, ba_task *t, ba_count_answer *answers);

/* Turns a variant's answer and trace into a count, and two of them into an explanation. */

typedef struct ba_call_count {
	uint64_t count;	 /* deciding instructions of the call with the fewest */
	uint64_t *calls; /* the same of each call of trace.calls */
	bool differ;
	ba_trace trace;
	ba_profile_side side;
	char *tree;
	bool traced; /* has addresses: scopes are known */
} ba_call_count;

/* Where a count comes from. */
typedef struct ba_count_source {
	size_t variant;
	const char *trace, *tree;   /* paths; tree: NULL or "" if unknown */
	const char *const *exclude; /* as in ba_profile_side; must outlive what is read */
} ba_count_source;

/* *out was zeroed. BA_EVARIANT: the file, which the variant's process wrote, makes no sense. */
int ba_call_count_read(
	ba_call_count *out, const ba_count_source *from, const ba_count_answer *a, ba_failure *f);
/* frees the array of n, too */
void ba_call_counts_free(ba_call_count *all, size_t n);

/* Appends what work() answers in a child process with limits (proc/aside.h), so that damaged
 * files cannot crash the run through libdw. */
int ba_explain_aside(ba_buf *answer, void (*work)(ba_buf *, void *), void *data,
	const volatile sig_atomic_t *stop, ba_error *err);
/* NULL: no explanation is possible; the log says why. Caller frees. Symbols and lines of the
 * variants' files are read aside. */
ba_explanation *ba_call_counts_explain(const ba_call_count *baseline,
	const ba_call_count *candidate, const ba_count_answer *a, const ba_count_answer *b,
	const volatile sig_atomic_t *stop, const ba_log *log);

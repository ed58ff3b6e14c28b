/* The state of a run while it is measured; private to host/. */
#ifndef HOST_SESSION_H
#define HOST_SESSION_H

#include "host/decide.h"
#include "host/run.h"

/* One benchmark. */
typedef struct ba_task {
	const ba_benchmark *benchmark;
	size_t index;	  /* in result->benchmarks */
	bool *wanted;	  /* [variants] has it and has not failed */
	size_t has_count; /* variants that have the launch path, or are not known not to
			   */
	bool baseline_has;
	char **failure; /* [variants] sentence, or NULL */
	char **output;	/* [variants] last lines of the worker then, or NULL */
	bool active;	/* more invocations are to come */
	bool sized;
	double *ns; /* [variants] per launch, from the rehearsal */
	unsigned batch, blocks, readings;
	unsigned blocks_most;  /* to which they may be doubled */
	unsigned repeats_done; /* of `sustained` */
} ba_task;

typedef struct ba_session {
	ba_result *result;
	const ba_run_spec *spec;
	const ba_survey *survey;
	ba_engine_spec engine_spec; /* kind may change: duet to split */
	ba_engine *engine;	    /* NULL: to be opened */
	bool *usable;		    /* [variants] the library can be used */
	ba_task *tasks;
	size_t task_count;
	ba_decisions decisions;
	int64_t started_ns;
	unsigned invocation;
	bool restart; /* the engine was changed: begin again */
} ba_session;

/* invocation.c: measure the task once with the open engine, settling failures on the
 * way. 0 also when every variant failed; an error when the run cannot go on. */
int ba_session_open_engine(ba_session *s, bool reversed, ba_error *err);
int ba_session_invoke(ba_session *s, ba_task *t, ba_error *err);
bool ba_task_is_measurable(const ba_session *s, const ba_task *t);

/* sizes.c: how long a burst, how many of them */
typedef struct ba_sizes {
	unsigned batch, blocks, readings;
} ba_sizes;
/* ns: the fastest participant's time of a launch; total_ns: of all of them together */
ba_sizes ba_sizes_for(const ba_session *s, double ns, double total_ns, double theta);
/* escalate.c: the most blocks, from those at first */
unsigned ba_sizes_blocks_most(const ba_session *s, unsigned blocks);
/* After a look: more blocks where noise within the invocations keeps a benchmark
 * undecided. */
void ba_session_escalate(ba_session *s);

#endif

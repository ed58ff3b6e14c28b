/* The length and the number of bursts of a benchmark in an invocation. */
#ifndef SESSION_SIZES_H
#define SESSION_SIZES_H

#include "session/session.h"

typedef struct ba_sizes {
	unsigned batch, blocks, readings;
} ba_sizes;

/* how many launches a reading may have before the queue makes it measure the GPU */
unsigned ba_sizes_batch_most(const ba_session *s);
/* ns: a launch's time of the fastest participant; total_ns: of all together */
ba_sizes ba_sizes_for(
	const ba_session *s, const ba_task *t, double ns, double total_ns, double theta);
/* how many launches may follow one another without a wait for the GPU */
unsigned ba_sizes_burst_most(const ba_session *s);
/* how long the visit of a worker of its own should be */
double ba_sizes_visit_ns(const ba_task *t);
/* With several layouts: the next number of blocks that goes round them, forward and
 * back, often enough. */
unsigned ba_sizes_rounds(const ba_task *t, unsigned blocks);
/* What an invocation costs before the first block of this benchmark: setting it up, and
 * its part of starting the suite's processes. 0: unknown. */
double ba_sizes_start_ns(const ba_task *t);
/* How long a benchmark may measure in an invocation before its variances are known; for a
 * control, a part of that. */
double ba_sizes_task_ns(const ba_session *s, const ba_task *t);
/* that part; 1 for a benchmark that is not a control */
double ba_sizes_part(const ba_task *t);
/* the least of that, which the first rehearsal plans for */
double ba_sizes_least_ns(const ba_session *s, const ba_task *t);
/* Before the first look: fewer blocks, if invocations that take next_ns would not fit into
 * left_ns. */
void ba_session_fit_blocks(ba_session *s, double left_ns, double next_ns);
/* how many runs can be queued while a gate holds, so that none waits for it to open */
unsigned ba_sizes_gated_batch_most(const ba_session *s);
/* The limit of blocks, from their first number. */
unsigned ba_sizes_blocks_most(const ba_session *s, unsigned blocks);

#endif

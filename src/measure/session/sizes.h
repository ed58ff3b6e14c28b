/* Chooses the length and the number of bursts of a benchmark in an invocation. */
#pragma once

#include "session/task.h"

/* The most launches of a reading before the queue makes it measure the GPU. */
unsigned ba_sizes_batch_most(const ba_session *s);
/* ns: time of a launch, for the fastest participant; total_ns: sum over all
 * participants. */
ba_metric_state ba_sizes_for(
	const ba_session *s, const ba_task *t, double ns, double total_ns, double theta);
/* The most launches without waiting for the GPU. */
unsigned ba_sizes_burst_most(const ba_session *s);
/* The intended duration of a visit of a separate worker. */
double ba_sizes_visit_ns(const ba_task *t);
/* With several layouts: the next number of blocks that rotates through them forward and
 * back often enough. */
unsigned ba_sizes_rounds(const ba_task *t, unsigned blocks);
/* The cost of a benchmark in an invocation before its first block: setting it up, and
 * its share of starting the suite's processes. 0: unknown. */
double ba_sizes_start_ns(const ba_task *t);
/* The measuring time of a benchmark in an invocation until its variances are known; for
 * a control, a part of that. */
double ba_sizes_task_ns(const ba_session *s, const ba_task *t);
/* The part for a control; 1 for other benchmarks. */
double ba_sizes_part(const ba_task *t);
/* The least measuring time, which the first rehearsal plans with. */
double ba_sizes_least_ns(const ba_session *s, const ba_task *t);
/* What an invocation of the active benchmarks costs before its first block; 0: unknown. */
double ba_session_start_ns(const ba_session *s);
/* Reduces the blocks if invocations of next_ns until the look at `look` invocations would
 * not fit into left_ns. */
void ba_session_fit_blocks(ba_session *s, size_t look, double left_ns, double next_ns);
/* The most runs that can be queued behind a closed gate without blocking. */
unsigned ba_sizes_gated_batch_most(const ba_session *s);
/* The limit of blocks, from their first number. */
unsigned ba_sizes_blocks_most(const ba_session *s, unsigned blocks);
/* Of launches, and of programs on the host: the metric whose number of blocks may grow
 * (session/blocks.h). */
ba_metric ba_session_paced(const ba_session *s);

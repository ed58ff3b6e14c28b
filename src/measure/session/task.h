/* Answers what a benchmark needs now: which variants take part, in which metrics, and
 * whether it is finished. */
#pragma once

#include "session/session.h"

/* Does the condition hold for a metric? BA_ANY_METRIC(m, s->spec->measure[m]) */
#define BA_ANY_METRIC(m, condition)                         \
	__extension__({                                     \
		ba_metric m = 0;                            \
		while (m < BA_METRIC_COUNT && !(condition)) \
			m++;                                \
		m < BA_METRIC_COUNT;                        \
	})

/* The task's series of that metric, or NULL. */
ba_series *ba_task_series(const ba_session *s, const ba_task *t, ba_metric metric);
/* Sets whether the task takes part in later invocations, and updates the number of
 * active tasks. */
void ba_task_set_active(ba_session *s, ba_task *t, bool active);
/* The benchmark turns out to have no such metric: nothing of it is judged, or in the family. */
void ba_task_drop_metric(ba_session *s, ba_task *t, ba_metric m);
/* The budget has no time for it: it takes part in no more invocations. */
void ba_task_leave_out(ba_session *s, ba_task *t);
size_t ba_task_wanted_count(const ba_session *s, const ba_task *t);

/* Is there enough to compare: the baseline and another variant? */
bool ba_task_is_measurable(const ba_session *s, const ba_task *t);
/* Is the variant measured in that metric? Not if its verdict is known. The baseline is
 * measured as long as a candidate needs it. */
bool ba_task_takes_part(const ba_session *s, const ba_task *t, ba_metric metric, size_t variant);
/* Is the variant measured in any metric? If not, it is not even started. */
bool ba_task_needs(const ba_session *s, const ba_task *t, size_t variant);
/* Does no candidate need another sample of that metric? */
bool ba_task_is_settled(const ba_session *s, const ba_task *t, ba_metric metric);
/* Has a comparison of that metric no verdict yet? */
bool ba_task_is_undecided(const ba_session *s, const ba_task *t, ba_metric metric);
/* Is that metric measured in this invocation? */
bool ba_task_is_due(const ba_session *s, const ba_task *t, ba_metric metric);
/* Is there something to time, or to check for the first time, in this invocation? */
bool ba_task_is_due_now(const ba_session *s, const ba_task *t);
/* Is anything in that task timed, rather than only counted? */
bool ba_task_is_timed(const ba_task *t);

/* Is more measured of it than the start of its processes? */
bool ba_task_is_warm(const ba_session *s, const ba_task *t);
/* Needs each of its samples a process in which nothing was called before? */
bool ba_task_needs_start(const ba_session *s, const ba_task *t);

bool ba_suite_is_on_host(const ba_suite_spec *suite);
/* Is it a GPU benchmark on the host target, whose driver executes no kernels? */
bool ba_task_executes_nothing(const ba_task *t);

/* The threshold of the metric with a verdict, the smaller of the two directions. */
double ba_task_threshold(const ba_session *s, const ba_task *t, ba_metric metric);
/* Computes thresholds with an absolute part, once the baseline's time is known. */
void ba_task_apply_absolute(ba_session *s, const ba_task *t);
/* The same for one metric; t->ns must be of that metric. */
void ba_task_apply_absolute_to(ba_session *s, const ba_task *t, ba_metric metric);

/* Sets t->ns to the fastest reading of each participant in a rehearsal, in ns of a run (0:
 * none). Returns the fastest of all. */
double ba_task_take_fastest(const ba_session *s, ba_task *t, const ba_samples *rehearsal);

/* Takes *samples into the series, and their estimates into its comparisons. */
void ba_session_keep(ba_session *s, ba_task *t, ba_metric metric, ba_samples *samples);

/* ---- sizes.c: the length and the number of bursts of a benchmark in an invocation ---- */

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
 * (session/blocks.c). */
ba_metric ba_session_paced(const ba_session *s);

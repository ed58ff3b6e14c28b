/*
 * Chooses how long a reading is, and how many there are.
 *
 * A visit is one burst of READINGS batches. Measured on an H200 (A/A, two pointer
 * arguments, equal measuring time of 0.2 s): bursts of 16 launches read as a whole give
 * a standard deviation of the log ratio of 0.152 %, the same bursts read every 4
 * launches and trimmed 0.123 %, bursts of 64 read as a whole 0.223 %, and visits of
 * five bursts of 16 about 0.33 %: short visits follow the wander of the clock and the
 * driver, and reading inside the burst lets the trimmed mean drop single slow launches.
 * Reading every 2 launches would give 0.096 %, and let the clock's own cost into the
 * figure by 0.6 %.
 *
 * A batch must be long beside the clock's step (docs/statistics.md section 2) and its
 * cost; a burst short beside the queue, since a full queue makes the GPU's time out of
 * the host's. No burst is discarded: the mean of the first launch after a drain was
 * within 1 % of that of the others.
 */
#include "session/task.h"

#include "stats/layouts.h"

#define BATCH_MOST 65536u
#define BURST_UNPROBED 64u /* launches, if the queue's depth is unknown */
#define BATCH_LEAST_NS 8000.0
#define READ_COST_SHARE 0.004 /* the largest share of a batch for one clock read */
#define READINGS 4u
/* a visit of a separate worker: long compared with a wake-up (0.08 ms). On an H100, visits of
 * 1 ms gave a block of five programs the same noise, and took twice as long */
#define SPLIT_VISIT_NS 5e5
#define TIMED_VISIT_NS 1e7 /* a visit timed by the host */
#define TIMED_BATCH_MOST (1u << 20)
#define TIMED_BLOCKS_LEAST 10u
#define TASK_LEAST_NS 150e6
#define TASK_MOST_NS 2400e6
/* share of the budget until the first look, because sizes are estimates */
#define BUDGET_SHARE 0.8
/* from this number of benchmarks on, most leave the run at the first look, */
#define MANY 100
#define SHARE_OF_MANY 0.25 /* so all get this share of the time, and open ones the rest */
/* the least share of that for measuring, even if starting takes long */
#define BUDGET_LEAST 0.25
#define BLOCKS_LEAST 20u
#define CONTROL_SHARE 0.25 /* share of the usual time for controls */
#define BLOCKS_MOST 4000u
#define BLOCKS_GROWTH 4u
#define GATED_BATCH_MOST 64u
#define GATED_BATCH_UNPROBED 16u /* if the queue's depth is unknown */

unsigned ba_sizes_batch_most(const ba_session *s)
{
	if (s->spec->measure[BA_METRIC_HOST])
		return BATCH_MOST;
	unsigned depth = s->result->run.env.queue_depth;
	unsigned burst = depth ? depth / 4 : BURST_UNPROBED;
	return burst < READINGS ? 1 : burst / READINGS;
}

static bool is_timed_by_host(const ba_task *t)
{
	return t->suite->engine_spec.kind == BA_ENGINE_UNTRUSTED;
}

double ba_sizes_visit_ns(const ba_task *t)
{
	return is_timed_by_host(t) ? TIMED_VISIT_NS : SPLIT_VISIT_NS;
}

unsigned ba_sizes_burst_most(const ba_session *s)
{
	return READINGS * ba_sizes_batch_most(s);
}

double ba_sizes_part(const ba_task *t)
{
	return t->control_only ? CONTROL_SHARE : 1;
}

double ba_sizes_start_ns(const ba_task *t)
{
	return t->suite->start_ns / fmax((double)t->suite->active_count, 1) + t->prepare_ns;
}

/* No verdict comes before the first look, so the first look must fit into the budget. */
static double within_budget(const ba_session *s, const ba_task *t, double ns)
{
	double share = s->active_count < MANY ? BUDGET_SHARE : SHARE_OF_MANY;
	double each = share * (double)s->spec->budget_ns / (double)s->spec->design.at[0] /
		      fmax((double)s->active_count, 1);
	double affordable = fmax(each - ba_sizes_start_ns(t), BUDGET_LEAST * each);
	return s->spec->budget_ns > 0 ? fmin(affordable, ns) : ns;
}

double ba_sizes_least_ns(const ba_session *s, const ba_task *t)
{
	return within_budget(s, t, TASK_LEAST_NS) * ba_sizes_part(t);
}

/* As long as starting took: more would take most of the time, perhaps without need. */
double ba_sizes_task_ns(const ba_session *s, const ba_task *t)
{
	double start = fmax(ba_sizes_start_ns(t), TASK_LEAST_NS);
	return within_budget(s, t, fmin(start, TASK_MOST_NS)) * ba_sizes_part(t);
}

unsigned ba_sizes_rounds(const ba_task *t, unsigned blocks)
{
	unsigned round = 2 * t->suite->spec->layouts;
	if (!round)
		return blocks;
	unsigned rounds = (blocks + round - 1) / round;
	unsigned least = BA_LAYOUT_BLOCKS / 2;
	return (rounds < least ? least : rounds) * round;
}

static unsigned fewer(const ba_task *t, unsigned blocks, double share)
{
	double least = fmin(blocks, is_timed_by_host(t) ? TIMED_BLOCKS_LEAST : BLOCKS_LEAST);
	return blocks ? ba_sizes_rounds(t, (unsigned)fmax(blocks * share, least)) : 0;
}

double ba_session_start_ns(const ba_session *s)
{
	double sum = 0;
	for (size_t i = 0; i < s->task_count; i++)
		sum += s->tasks[i].active ? ba_sizes_start_ns(&s->tasks[i]) : 0;
	return sum;
}

void ba_session_fit_blocks(ba_session *s, size_t look, double left_ns, double next_ns)
{
	double start_ns = ba_session_start_ns(s);
	if (s->invocation >= look || s->spec->blocks || s->spec->members || next_ns <= start_ns)
		return;
	double each = left_ns / (double)(look - s->invocation);
	double share = fmax((each - start_ns) / (next_ns - start_ns), BUDGET_LEAST);
	for (size_t i = 0; i < s->task_count && share < 1; i++) {
		ba_task *t = &s->tasks[i];
		for (int m = 0; m < BA_METRIC_COUNT; m++)
			t->rounds[m].blocks = fewer(t, t->rounds[m].blocks, share);
	}
}

ba_metric_state ba_sizes_for(
	const ba_session *s, const ba_task *t, double ns, double total_ns, double theta)
{
	double least = BATCH_LEAST_NS;
	double tick = s->result->run.env.timer_tick_ns * 20 / theta;
	double cost = s->result->run.env.timer_read_ns / READ_COST_SHARE;
	if (!ba_engine_shares(&t->suite->engine_spec))
		least = ba_sizes_visit_ns(t) / READINGS;
	least = tick > least ? tick : least;
	least = cost > least ? cost : least;
	unsigned ceiling = ba_sizes_batch_most(s), batch = 1;
	if (is_timed_by_host(t))
		ceiling = TIMED_BATCH_MOST;
	while (batch < ceiling && batch * ns < least)
		batch *= 2;
	if (batch > ceiling)
		batch = ceiling;
	if (s->spec->batch)
		batch = s->spec->batch;
	double block = 2.0 * READINGS * batch * total_ns;
	double blocks = ba_sizes_least_ns(s, t) / (block > 1 ? block : 1);
	double fewest = is_timed_by_host(t) ? TIMED_BLOCKS_LEAST : BLOCKS_LEAST;
	if (blocks < fewest)
		blocks = fewest;
	if (blocks > BLOCKS_MOST)
		blocks = BLOCKS_MOST;
	unsigned count = s->spec->blocks ? s->spec->blocks : ba_sizes_rounds(t, (unsigned)blocks);
	return (ba_metric_state){.batch = batch,
		.readings = READINGS,
		.blocks = count,
		.blocks_most = ba_sizes_blocks_most(s, count)};
}

/* ---- behind a gate ---- */

unsigned ba_sizes_gated_batch_most(const ba_session *s)
{
	unsigned eighth = s->result->run.env.queue_depth / 8;
	if (!s->result->run.env.queue_depth)
		return GATED_BATCH_UNPROBED;
	return eighth < 1 ? 1 : eighth < GATED_BATCH_MOST ? eighth : GATED_BATCH_MOST;
}

/* An explicitly requested number of blocks is kept. */
unsigned ba_sizes_blocks_most(const ba_session *s, unsigned blocks)
{
	return s->spec->blocks ? blocks : BLOCKS_GROWTH * blocks;
}

ba_metric ba_session_paced(const ba_session *s)
{
	return s->spec->measure[BA_METRIC_HOST] ? BA_METRIC_HOST : BA_METRIC_SUBMIT;
}

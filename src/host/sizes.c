/*
 * How long a burst is and how many there are (STATISTICS.md section 2, DESIGN.md
 * section 7). A burst must be long beside the clock's step and its cost, and short
 * beside the queue, since a full queue makes the GPU's time out of the host's. A block
 * must be short beside the drifts that it cancels; an invocation has as many as fit its
 * share of time.
 */
#include "host/session.h"

#define BATCH_LEAST 16u
#define BATCH_MOST 65536u
#define BATCH_UNPROBED 64u /* where the queue's depth is not known */
#define BURST_LEAST_NS 20000.0
#define READ_COST_SHARE 0.001 /* of a burst, the two clock reads */
#define READINGS 5u
#define SPLIT_VISIT_NS 1e6 /* a visit of a worker of its own: long beside a wake-up */
#define TASK_NS 120e6	   /* of one benchmark and invocation */
#define BLOCKS_LEAST 20u
#define BLOCKS_MOST 400u

static unsigned batch_ceiling(const ba_session *s)
{
	if (s->spec->measure[BA_METRIC_HOST])
		return BATCH_MOST;
	unsigned depth = s->survey->env.queue_depth;
	unsigned most = depth ? depth / 4 : BATCH_UNPROBED;
	return most < 1 ? 1 : most;
}

ba_sizes ba_sizes_for(const ba_session *s, double ns, double total_ns, double theta)
{
	double least = BURST_LEAST_NS;
	double tick = s->survey->tick_ns * 20 / theta;
	double cost = s->survey->clock_read_ns / READ_COST_SHARE;
	if (s->engine_spec.kind != BA_ENGINE_DUET)
		least = SPLIT_VISIT_NS / (READINGS + 1);
	least = tick > least ? tick : least;
	least = cost > least ? cost : least;
	unsigned ceiling = batch_ceiling(s), batch = BATCH_LEAST;
	while (batch < ceiling && batch * ns < least)
		batch *= 2;
	if (batch > ceiling)
		batch = ceiling;
	if (s->spec->batch)
		batch = s->spec->batch;
	double block = 2.0 * (READINGS + 1) * batch * total_ns;
	double blocks = TASK_NS / (block > 1 ? block : 1);
	if (blocks < BLOCKS_LEAST)
		blocks = BLOCKS_LEAST;
	if (blocks > BLOCKS_MOST)
		blocks = BLOCKS_MOST;
	return (ba_sizes){.batch = batch,
		.readings = READINGS,
		.blocks = s->spec->blocks ? s->spec->blocks : (unsigned)blocks};
}

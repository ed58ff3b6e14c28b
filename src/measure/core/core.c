#include "bench_against/core.h"

#include "core/interleave.h"
#include "stats/logratio.h"
#include "stats/schedule.h"
#include "stats/sequential.h"

enum {
	READINGS = 8,
	BLOCKS_LEAST = 5,
	BLOCKS_MOST = 1000,
	READING_NS = 20000, /* long enough that the steps of the clock do not matter */
	TIMES_MOST = 1 << 30,
	INVOCATIONS_MOST = 32, /* the last look */
};
#define SECONDS 0.25

typedef struct measurement {
	const ba_core_function *f;
	size_t count;
	int64_t (*clock)(void);
	uint64_t times; /* of a reading */
	unsigned char *order;
	uint64_t *ns;
} measurement;

static uint64_t reading(const measurement *m, const ba_core_function *f, uint64_t times)
{
	int64_t start = m->clock();
	f->run(f->data, times);
	return ba_reading_ns(start, m->clock());
}

/* The number of calls per reading: the same for all functions, so that each reading
 * takes at least READING_NS. */
static uint64_t times_of_reading(const measurement *m)
{
	uint64_t times = 1;
	for (size_t i = 0; i < m->count; i++)
		while (times < TIMES_MOST && reading(m, &m->f[i], times) < READING_NS)
			times *= 2;
	return times;
}

static int visit(void *data, uint64_t index)
{
	measurement *m = data;
	const ba_core_function *f = &m->f[m->order[index]];
	f->run(f->data, 1); /* warm the caches before the clock starts */
	for (size_t i = 0; i < READINGS; i++)
		m->ns[index * READINGS + i] = reading(m, f, m->times);
	return 0;
}

/* The number of blocks that fit into the time, estimated from one block that is not
 * kept. */
static size_t blocks_within(measurement *m, double seconds)
{
	ba_interleave once = {.blocks = 1, .positions = 2 * m->count, .visit = visit, .data = m};
	int64_t start = m->clock();
	ba_interleave_run(&once);
	double block = fmax(1, (double)(m->clock() - start));
	return (size_t)fmin(fmax(seconds * 1e9 / block, BLOCKS_LEAST), BLOCKS_MOST);
}

static void estimate(ba_core_value *values, const measurement *m, const ba_readings *r)
{
	BA_AUTO_FREE double *v = ba_xcalloc(r->blocks * r->positions, sizeof(*v));
	ba_visits_of(v, r);
	for (unsigned i = 1; i < m->count; i++)
		values[i - 1] = (ba_core_value){.typical = ba_logratio_of_visits(v, r, 0, i).y,
			.mean = ba_mean_logratio(r, 0, i, BA_MEAN_CUT),
			.baseline_ns = exp(ba_level_of_visits(v, r, 0))};
}

int ba_core_measure(
	ba_core_value *values, const ba_core_function *f, size_t count, const ba_core_plan *plan)
{
	if (count < 2 || count > BA_CORE_FUNCTIONS_MOST)
		return -1;
	size_t positions = 2 * count;
	BA_AUTO_FREE unsigned char *order = ba_xcalloc(BLOCKS_MOST, positions);
	BA_AUTO_FREE uint64_t *ns = ba_xcalloc(BLOCKS_MOST * positions, READINGS * sizeof(*ns));
	measurement m = {.f = f, .count = count, .order = order, .ns = ns};
	m.clock = plan->clock ? plan->clock : ba_now_ns;
	m.times = times_of_reading(&m);
	for (size_t b = 0; b < BLOCKS_MOST; b++)
		ba_schedule_block(order + b * positions, count, plan->seed,
			plan->benchmark ? plan->benchmark : "", plan->invocation, b);
	size_t blocks = blocks_within(&m, plan->seconds > 0 ? plan->seconds : SECONDS);
	ba_interleave_run(&(ba_interleave){
		.blocks = blocks, .positions = positions, .visit = visit, .data = &m});
	ba_readings r = {.blocks = blocks,
		.positions = positions,
		.readings = READINGS,
		.batch = (double)m.times,
		.order = order,
		.ns = ns};
	estimate(values, &m, &r);
	return 0;
}

/* y[k]: the value of comparison i of n in invocation k. */
static void take(
	double *y, const ba_core_value *values, size_t n, size_t i, size_t count, bool mean)
{
	for (size_t k = 0; k < count; k++)
		y[k] = mean ? values[k * n + i].mean : values[k * n + i].typical;
}

static void tell(ba_core_verdict *out, const ba_decision *d)
{
	*out = (ba_core_verdict){.verdict = ba_verdict_name(d->verdict),
		.ratio = ba_decision_ratio(d),
		.low = exp(d->lo),
		.high = exp(d->hi),
		.invocations = d->invocations};
}

size_t ba_core_decide(ba_core_verdict *verdicts, const ba_core_value *values, size_t count,
	const ba_core_family *family)
{
	size_t n = family->comparisons ? family->comparisons : 1, open = n;
	double theta = family->threshold > 0 ? family->threshold : 0.02, y[INVOCATIONS_MOST];
	ba_design design = ba_design_sequential();
	size_t looks = ba_design_looks_within(&design, count);
	ba_policy policy = BA_POLICY_DEFAULT;
	policy.candidates = family->candidates;
	policy.alpha = family->error > 0 ? family->error : policy.alpha;
	BA_AUTO_FREE ba_decision *d = ba_xcalloc(n, sizeof(*d));
	for (size_t i = 0; i < n; i++)
		ba_decision_init(&d[i], theta, theta);
	for (size_t at = 0; at < looks && open; at++) {
		for (size_t i = 0; i < n; i++) {
			take(y, values, n, i, design.at[at], false);
			ba_decision_look(&d[i], &policy, &design, at, y);
			take(y, values, n, i, design.at[at], true);
			ba_decision_look_mean(&d[i], &policy, &design, at, y);
		}
		open = ba_family_decide(d, n, n, &policy, at + 1 == design.looks);
	}
	if (!looks && count > 1)
		for (size_t i = 0; i < n; i++) {
			take(y, values, n, i, count, false);
			ba_decision_estimate(&d[i], &policy, y, count);
		}
	for (size_t i = 0; i < n; i++)
		tell(&verdicts[i], &d[i]);
	return open && looks < design.looks ? design.at[looks] : 0;
}

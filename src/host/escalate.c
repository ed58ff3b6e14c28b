/*
 * Gives a benchmark more blocks if noise within invocations keeps it inconclusive.
 *
 * Blocks begin with a share of the invocation's time (sizes.c). After a look that did
 * not decide they are doubled where the blocks' noise makes up half of what differs
 * between invocations and the next look would not decide either (docs/statistics.md
 * section 2), up to BLOCKS_GROWTH times as many: 0.6 to 2.4 s of measuring a benchmark
 * and invocation, beyond which fresh processes are the better use of time.
 */
#include "base/log.h"
#include "host/estimate.h"
#include "host/session.h"

#define BLOCKS_GROWTH 4u

/* A number of blocks that was asked for is kept. */
unsigned ba_sizes_blocks_most(const ba_session *s, unsigned blocks)
{
	return s->spec->blocks ? blocks : BLOCKS_GROWTH * blocks;
}

/* The number that is doubled, and its limit; NULL: of a metric that has none. */
static unsigned *blocks_of(ba_task *t, const ba_series *series, unsigned *most)
{
	bool paced =
		series->metric == BA_METRIC_HOST || series->metric == BA_METRIC_SUBMIT;
	if (ba_metric_get(series->metric)->runs && series->role == BA_ROLE_VERDICT) {
		*most = t->rounds[series->metric].blocks_most;
		return &t->rounds[series->metric].blocks;
	}
	*most = t->blocks_most;
	return paced ? &t->blocks : NULL;
}

static unsigned blocks_for(ba_session *s, unsigned blocks, unsigned most,
	size_t series_index, size_t candidate)
{
	const ba_result *r = s->result;
	const ba_series *series = &r->series[series_index];
	const ba_comparison *k = &series->comparisons[candidate - 1];
	const ba_decision *d = ba_decisions_at(&s->decisions, series_index, candidate);
	if (d->verdict != BA_VERDICT_UNDECIDED || d->invocations < 2)
		return blocks;
	ba_policy policy = ba_policy_of(r, series->s_floor);
	ba_components noise = ba_estimate_components(k);
	double level =
		ba_multiple_level(0, r->family_size, r->alpha, policy.multiplicity);
	return (unsigned)ba_blocks_next(blocks, most, noise.s1_sq, noise.s2_sq, d,
		&policy, &s->spec->design, level);
}

void ba_session_escalate(ba_session *s)
{
	const ba_result *r = s->result;
	for (size_t i = 0; i < r->series_count; i++) {
		ba_task *t = &s->tasks[r->series[i].benchmark];
		unsigned most = 0, *blocks = blocks_of(t, &r->series[i], &most);
		if (!blocks || !t->active)
			continue;
		unsigned before = *blocks, after = before;
		for (size_t c = 1; c < r->variant_count; c++) {
			unsigned mine = blocks_for(s, before, most, i, c);
			after = mine > after ? mine : after;
		}
		*blocks = after;
		if (after > before)
			ba_log_printf(s->spec->log, BA_LOG_DEBUG,
				"%s: %u blocks an invocation from here on, not %u",
				t->benchmark->id, after, before);
	}
}

#include <math.h>
#include <string.h>

#include "base/auto.h"
#include "base/mem.h"
#include "base/rng.h"
#include "simulate.h"
#include "stats/logratio.h"
#include "stats/blocks.h"
#include "stats/planning.h"
#include "stats/quantile.h"
#include "stats/schedule.h"

enum {
	BLOCKS_MAX = 80,
	READINGS_MAX = 5,
	INVOCATION_MS = 500,
	MODE_VISITS = 8,
	START_COST = 2,
	TRIAL_BLOCKS = 8,
	TRIAL_NUMBER = 999,
	TRIAL_SEED = 77
};

/* how often a timer of this tick must be read to see theta (section 2) */
static unsigned batch_of(const simulation *s)
{
	double least = 20 * s->model->tick / s->theta;

	return least <= 1 ? 1 : (unsigned)ceil(least - 1e-9);
}

static unsigned readings_of(unsigned batch)
{
	unsigned wanted = (16 + batch - 1) / batch;

	return wanted < 1 ? 1 : (wanted > READINGS_MAX ? READINGS_MAX : wanted);
}

double simulated_launches(const simulation *s)
{
	unsigned batch = batch_of(s);

	return 4 * (1 + (double)readings_of(batch) * batch);
}

/* one invocation: what its visits and its readings say */
typedef struct outcome {
	ba_logratio trimmed;
	double z;
} outcome;

/* is this visit of the candidate a slow one? */
static bool is_slow_visit(const tail *t, bool *in_mode, uint64_t *rng)
{
	if (t->kind == TAIL_VISITS)
		return noise_uniform(rng) < t->share;
	if (t->kind != TAIL_MODE)
		return false;
	double leave = 1.0 / MODE_VISITS, enter = leave * t->share / (1 - t->share);

	*in_mode = noise_uniform(rng) < (*in_mode ? 1 - leave : enter);
	return *in_mode;
}

static double reading_of(
	noise_world *w, noise_process *p, const simulation *s, bool candidate, bool slow)
{
	double ms = noise_reading(w, p, batch_of(s));

	if (candidate && s->tail.kind == TAIL_READINGS)
		slow = noise_uniform(&w->rng) < s->tail.share;
	if (slow)
		ms *= s->tail.factor;
	if (s->spikes > 0 && noise_uniform(&w->rng) < s->spikes)
		ms += s->spike_ms;
	return ms;
}

static outcome invocation(
	noise_world *w, const simulation *s, size_t number, size_t blocks, double *launches)
{
	double v[4 * BLOCKS_MAX], reading[READINGS_MAX];
	double all[2][2 * BLOCKS_MAX * READINGS_MAX];
	double pooled[4 * BLOCKS_MAX * READINGS_MAX];
	size_t count[2] = {0, 0};
	unsigned char order[4 * BLOCKS_MAX];
	unsigned batch = batch_of(s), readings = readings_of(batch);
	bool in_mode = s->tail.kind == TAIL_MODE && noise_uniform(&w->rng) < s->tail.share;
	noise_process p[2];

	noise_wait(w, INVOCATION_MS);
	noise_process_start(&p[0], w, 0);
	noise_process_start(&p[1], w, log1p(s->effect));
	for (size_t b = 0; b < blocks; b++) {
		ba_schedule_block(order + 4 * b, 2, s->seed, "simulated", number, b);
		for (size_t i = 4 * b; i < 4 * b + 4; i++) {
			unsigned who = order[i];
			bool slow = who && is_slow_visit(&s->tail, &in_mode, &w->rng);

			noise_launch(w, &p[who]); /* discarded */
			for (unsigned r = 0; r < readings; r++)
				all[who][count[who]++] = reading[r] =
					reading_of(w, &p[who], s, who, slow);
			v[i] = ba_visit_value(reading, readings);
			*launches += 1 + readings * batch;
		}
	}
	memcpy(pooled, all[0], count[0] * sizeof(*pooled));
	memcpy(pooled + count[0], all[1], count[1] * sizeof(*pooled));
	return (outcome){
		.trimmed = ba_logratio_of_visits(
			v, &(ba_readings){.blocks = blocks, .positions = 4, .order = order}, 0, 1),
		.z = ba_mean_logratio_of(pooled, count[0], count[0] + count[1], BA_MEAN_CUT)};
}

/* The rule of earlier versions, which the tool's is compared with: twice as many where
 * noise within invocations dominates and the next look will not decide. */
static size_t doubled(size_t blocks, size_t most, const ba_components *noise, const ba_decision *d,
	const ba_policy *policy, const ba_design *design, double level)
{
	size_t next = ba_design_looks_within(design, d->invocations);

	if (noise->s1_sq / (double)blocks < 0.5 * noise->s2_sq ||
		(next < design->looks &&
			ba_decision_would_decide(d, policy, design, next, level, 1, false)))
		return blocks;
	return 2 * blocks < most ? 2 * blocks : most;
}

/* A trial of some blocks, as session/blocks.c makes it: as many as its noise asks for, for at
 * most as long as starting takes. */
static size_t first_blocks(const simulation *s, size_t least, double *cost)
{
	noise_world w;
	double launches = 0;

	noise_world_init(&w, s->model, s->seed ^ TRIAL_SEED);
	outcome o = invocation(&w, s, TRIAL_NUMBER, TRIAL_BLOCKS, &launches);
	double wanted = fmin(ba_blocks_first(o.trimmed.s1_sq, log1p(s->theta), s->start_cost, 1),
		fmin(s->start_cost, BLOCKS_MAX / 4.0));
	*cost += TRIAL_BLOCKS;
	return wanted > (double)least ? (size_t)wanted : least;
}

static size_t next_blocks(const simulation *s, size_t now, const ba_decision *d,
	const ba_policy *policy, const ba_design *design, ba_components noise)
{
	const ba_blocks_plan plan = {.now = now,
		.most = s->first_blocks ? BLOCKS_MAX : 32,
		.invocation_cost = s->start_cost ? s->start_cost : START_COST,
		.block_cost = 1,
		.s1_sq = noise.s1_sq,
		.s2_sq = noise.s2_sq};
	double level = ba_multiple_level(0, s->family, policy->alpha, policy->multiplicity);

	return s->doubles ? doubled(now, plan.most, &noise, d, policy, design, level)
			  : ba_blocks_next(&plan, d, policy, design, level);
}

simulated simulate(const simulation *s)
{
	noise_world w;
	ba_design design = ba_design_sequential();
	simulated result = {.launches = 0};
	ba_decision *d = &result.decision;
	ba_policy policy = BA_POLICY_DEFAULT;
	double *y = result.y, *z = result.z, s1_sq[32];
	size_t counts[32];
	size_t first = s->first_blocks ? s->first_blocks : 2;
	size_t blocks = s->blocks ? s->blocks : first;
	if (s->tries)
		blocks = first_blocks(s, blocks, &result.cost);

	policy.s_floor = ba_s_floor(s->model->tick, batch_of(s));
	noise_world_init(&w, s->model, s->seed);
	ba_decision_init(d, s->theta, s->theta);
	for (size_t look = 0; look < design.looks; look++) {
		for (; result.done < design.at[look]; result.done++) {
			size_t done = result.done;
			outcome o = invocation(&w, s, done, blocks, &result.launches);
			y[done] = o.trimmed.y;
			z[done] = o.z;
			s1_sq[done] = o.trimmed.s1_sq;
			counts[done] = blocks;
			result.cost +=
				(double)blocks + (s->start_cost ? s->start_cost : START_COST);
		}
		ba_decision_look(d, &policy, &design, look, y);
		ba_decision_look_mean(d, &policy, &design, look, z);
		if (ba_family_decide(d, 1, s->family, &policy, look + 1 == design.looks) == 0)
			break;
		if (s->blocks == 0)
			blocks = next_blocks(s, blocks, d, &policy, &design,
				ba_components_of(y, s1_sq, counts, result.done));
	}
	return result;
}

void simulate_both(double *y, double *z, size_t n, const simulation *s)
{
	noise_world w;
	double launches = 0;

	noise_world_init(&w, s->model, s->seed);
	for (size_t i = 0; i < n; i++) {
		outcome o = invocation(&w, s, i, s->blocks, &launches);
		y[i] = o.trimmed.y;
		z[i] = o.z;
	}
}

void simulate_values(double *y, size_t n, const simulation *s)
{
	BA_AUTO_FREE double *z = ba_xcalloc(n + 1, sizeof(*z));

	simulate_both(y, z, n, s);
}

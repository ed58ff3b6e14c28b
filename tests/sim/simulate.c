#include <math.h>

#include "base/rng.h"
#include "simulate.h"
#include "stats/logratio.h"
#include "stats/planning.h"
#include "stats/quantile.h"
#include "stats/schedule.h"

enum { BLOCKS_MAX = 32, READINGS_MAX = 5, INVOCATION_MS = 500 };

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

static ba_logratio invocation(noise_world *w, const simulation *s, size_t number,
	size_t blocks, double *launches)
{
	double v[4 * BLOCKS_MAX], reading[READINGS_MAX];
	unsigned char order[4 * BLOCKS_MAX];
	unsigned batch = batch_of(s), readings = readings_of(batch);
	noise_process p[2];

	noise_wait(w, INVOCATION_MS);
	noise_process_start(&p[0], w, 0);
	noise_process_start(&p[1], w, log1p(s->effect));
	for (size_t b = 0; b < blocks; b++) {
		ba_schedule_block(order + 4 * b, 2, s->seed, "simulated", number, b);
		for (size_t i = 4 * b; i < 4 * b + 4; i++) {
			noise_launch(w, &p[order[i]]); /* discarded */
			for (unsigned r = 0; r < readings; r++)
				reading[r] = noise_reading(w, &p[order[i]], batch);
			v[i] = ba_visit_value(reading, readings);
			*launches += 1 + readings * batch;
		}
	}
	return ba_logratio_of_visits(v, order, blocks, 4, 0, 1);
}

simulated simulate(const simulation *s)
{
	noise_world w;
	ba_design design = ba_design_sequential();
	simulated result = {.launches = 0};
	ba_decision *d = &result.decision;
	ba_policy policy = BA_POLICY_DEFAULT;
	double y[32], s1_sq[32];
	double level =
		ba_multiple_level(0, s->family, policy.alpha, policy.multiplicity);
	size_t blocks = s->blocks ? s->blocks : 2, done = 0;

	policy.s_floor = ba_s_floor(s->model->tick, batch_of(s));
	noise_world_init(&w, s->model, s->seed);
	ba_decision_init(d, s->theta, s->theta);
	for (size_t look = 0; look < design.looks; look++) {
		for (; done < design.at[look]; done++) {
			ba_logratio l =
				invocation(&w, s, done, blocks, &result.launches);
			y[done] = l.y;
			s1_sq[done] = l.s1_sq;
		}
		ba_decision_look(d, &policy, &design, look, y);
		if (ba_family_decide(
			    d, 1, s->family, &policy, look + 1 == design.looks) == 0)
			break;
		if (s->blocks == 0)
			blocks = ba_blocks_next(blocks, BLOCKS_MAX,
				ba_mean(s1_sq, done), ba_variance(y, done), d, &policy,
				&design, level);
	}
	return result;
}

void simulate_values(double *y, size_t n, const simulation *s)
{
	noise_world w;
	double launches = 0;

	noise_world_init(&w, s->model, s->seed);
	for (size_t i = 0; i < n; i++)
		y[i] = invocation(&w, s, i, s->blocks, &launches).y;
}

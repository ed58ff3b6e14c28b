#include <math.h>

#include "base/rng.h"
#include "noise.h"

const noise_model noise_models[NOISE_MODELS] = {
	{.name = "quiet", .iid = .003},
	{.name = "tails", .iid = .005, .outlier_share = .03, .outlier_mean = .1},
	{.name = "ar1",
		.iid = .003,
		.fast_sd = .005,
		.fast_ms = 20,
		.slow_sd = .007,
		.slow_ms = 3000},
	{.name = "drift",
		.iid = .003,
		.fast_sd = .002,
		.fast_ms = 20,
		.ramp = .015,
		.ramp_ms = 20000},
	{.name = "bimodal", .iid = .003, .mode = .03, .mode_share = .3, .mode_ms = 30},
	{.name = "launch", .iid = .003, .launch = .005},
	{.name = "launch2", .iid = .003, .launch_law = NOISE_TWO_SPEEDS, .launch = .01},
	{.name = "quant", .iid = .003, .tick = .02},
	{.name = "mixed",
		.iid = .005,
		.outlier_share = .01,
		.outlier_mean = .1,
		.fast_sd = .003,
		.fast_ms = 20,
		.slow_sd = .004,
		.slow_ms = 3000,
		.ramp = .01,
		.ramp_ms = 20000,
		.mode = .01,
		.mode_share = .3,
		.mode_ms = 30,
		.launch = .003,
		.tick = .001},
};

double noise_uniform(uint64_t *rng)
{
	return (double)(ba_splitmix64(rng) >> 11) * 0x1p-53;
}

/* Marsaglia's polar method */
double noise_normal(noise_world *w)
{
	double x, y, r;

	if (w->has_spare) {
		w->has_spare = false;
		return w->spare;
	}
	do {
		x = 2 * noise_uniform(&w->rng) - 1;
		y = 2 * noise_uniform(&w->rng) - 1;
		r = x * x + y * y;
	} while (r >= 1 || r == 0);
	r = sqrt(-2 * log(r) / r);
	w->spare = y * r;
	w->has_spare = true;
	return x * r;
}

static double wander(noise_world *w, double x, double sd, double keep)
{
	return x * keep + sd * sqrt(1 - keep * keep) * noise_normal(w);
}

void noise_world_init(noise_world *w, const noise_model *model, uint64_t seed)
{
	*w = (noise_world){.model = model, .rng = seed};
	if (model->fast_ms > 0)
		w->fast_keep = exp(-1 / model->fast_ms);
	if (model->slow_ms > 0)
		w->slow_keep = exp(-1 / model->slow_ms);
	w->fast = model->fast_sd * noise_normal(w);
	w->slow = model->slow_sd * noise_normal(w);
}

void noise_wait(noise_world *w, double ms)
{
	const noise_model *m = w->model;

	w->now_ms += ms;
	if (m->fast_sd > 0)
		w->fast = wander(w, w->fast, m->fast_sd, exp(-ms / m->fast_ms));
	if (m->slow_sd > 0)
		w->slow = wander(w, w->slow, m->slow_sd, exp(-ms / m->slow_ms));
}

static double speed_of(noise_world *w)
{
	const noise_model *m = w->model;
	double z;

	switch (m->launch_law) {
	case NOISE_TWO_SPEEDS:
		return m->launch * (noise_uniform(&w->rng) < 0.5);
	case NOISE_THREE_SPEEDS:
		return m->launch * floor(3 * noise_uniform(&w->rng));
	case NOISE_LOGNORMAL: /* sd 1, skewness 6.2 */
		z = (exp(noise_normal(w)) - exp(0.5)) / 2.161197415895;
		return m->launch * z;
	case NOISE_STUDENT3:
		z = noise_normal(w);
		for (double sum = 0, i = 0; i < 3; i++) {
			double part = noise_normal(w);

			sum += part * part;
			if (i == 2)
				z /= sqrt(sum); /* t3 over its sd, sqrt(3) */
		}
		return m->launch * z;
	case NOISE_NORMAL:
		break;
	}
	return m->launch * noise_normal(w);
}

void noise_process_start(noise_process *p, noise_world *w, double effect)
{
	const noise_model *m = w->model;

	*p = (noise_process){
		.effect = effect,
		.launch = m->launch > 0 ? speed_of(w) : 0,
		.seen_ms = w->now_ms,
		.in_mode = m->mode > 0 && noise_uniform(&w->rng) < m->mode_share,
	};
}

/* leaves the mode after mode_ms on average, and is in it mode_share of the time; time
 * passes too while another process has its turn */
static void change_mode(noise_process *p, noise_world *w)
{
	const noise_model *m = w->model;
	double other_ms = m->mode_ms * (1 - m->mode_share) / m->mode_share;
	double rate = 1 / m->mode_ms + 1 / other_ms;
	double keep = exp(-rate * (w->now_ms - p->seen_ms));

	p->seen_ms = w->now_ms;
	p->in_mode = noise_uniform(&w->rng) < m->mode_share + (p->in_mode - m->mode_share) * keep;
}

double noise_launch(noise_world *w, noise_process *p)
{
	const noise_model *m = w->model;
	double x = p->effect + p->launch + m->iid * noise_normal(w);

	if (m->fast_sd > 0)
		x += w->fast = wander(w, w->fast, m->fast_sd, w->fast_keep);
	if (m->slow_sd > 0)
		x += w->slow = wander(w, w->slow, m->slow_sd, w->slow_keep);
	if (m->ramp > 0)
		x += m->ramp * -expm1(-w->now_ms / m->ramp_ms);
	if (m->outlier_share > 0 && noise_uniform(&w->rng) < m->outlier_share)
		x += -m->outlier_mean * log1p(-noise_uniform(&w->rng));
	if (m->mode > 0) {
		change_mode(p, w);
		x += p->in_mode ? m->mode : 0;
	}
	double ms = exp(x);

	w->now_ms += ms;
	return ms;
}

double noise_reading(noise_world *w, noise_process *p, unsigned batch)
{
	double tick = w->model->tick, total = 0;

	for (unsigned i = 0; i < batch; i++)
		total += noise_launch(w, p);
	if (tick > 0) {
		/* both looks at the timer are cut to its tick */
		double phase = noise_uniform(&w->rng);
		total = tick * floor(total / tick + phase);
	}
	return total / batch;
}

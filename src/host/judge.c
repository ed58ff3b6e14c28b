#include "host/judge.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "stats/logratio.h"
#include "stats/quantile.h"

static ba_readings readings_of(const ba_samples *s)
{
	return (ba_readings){.blocks = s->blocks,
		.positions = s->positions,
		.readings = s->readings,
		.batch = s->batch,
		.order = s->order,
		.ns = s->ns};
}

void ba_judge_add(ba_comparison *c, const ba_samples *s, unsigned candidate)
{
	ba_readings r = readings_of(s);
	c->y = ba_xreallocarray(c->y, c->y_count + 1, sizeof(*c->y));
	c->y[c->y_count++] = ba_logratio_of(&r, 0, candidate).y;
}

static size_t visits_in_block(const ba_samples *s, unsigned participant)
{
	size_t n = 0;
	for (unsigned k = 0; s->blocks && k < s->positions; k++)
		n += s->order[k] == participant;
	return n;
}

/* readings of one participant in all invocations, in ns per launch */
static double *collect(size_t *count, uint64_t *launches, const ba_series *series,
	unsigned participant)
{
	size_t capacity = 0, n = 0;
	for (size_t i = 0; i < series->sample_count; i++)
		capacity += (size_t)series->samples[i].blocks *
			    visits_in_block(&series->samples[i], participant) *
			    series->samples[i].readings;
	double *all = ba_xcalloc(capacity, sizeof(*all));
	*launches = 0;
	for (size_t i = 0; i < series->sample_count; i++) {
		const ba_samples *s = &series->samples[i];
		size_t visits = (size_t)s->blocks * s->positions;
		for (size_t v = 0; v < visits; v++)
			for (unsigned k = 0; s->order[v] == participant &&
					     k < s->readings && n < capacity;
				k++) {
				all[n++] =
					(double)s->ns[v * s->readings + k] / s->batch;
				*launches += s->batch;
			}
	}
	*count = n;
	return all;
}

/* Visits whose clock is not known are left out. */
static double mean_mhz(const ba_series *series, unsigned participant)
{
	double sum = 0;
	size_t n = 0;
	for (size_t i = 0; i < series->sample_count; i++) {
		const ba_samples *s = &series->samples[i];
		size_t visits = (size_t)s->blocks * s->positions;
		for (size_t k = 0; s->khz && k < visits; k++)
			if (s->order[k] == participant && s->khz[k]) {
				sum += (double)s->khz[k] * 1e-3;
				n++;
			}
	}
	return n ? sum / (double)n : 0;
}

static void summarise(ba_summary *out, const ba_series *series, unsigned participant)
{
	size_t n;
	BA_AUTO_FREE double *all = collect(&n, &out->launches, series, participant);
	if (n == 0)
		return;
	ba_distribution d = ba_distribution_of(all, n);
	out->present = true;
	out->mean = d.mean;
	out->stdev = d.stdev;
	out->iqr = d.iqr;
	out->min = d.min;
	out->median = d.median;
	out->p95 = d.p95;
	out->p99 = d.p99;
	out->max = d.max;
	out->trimmed = d.trimmed;
	out->sm_mhz = mean_mhz(series, participant);
}

void ba_judge_summaries(ba_series *series, size_t variant_count)
{
	bool has_floor = series->sample_count && series->samples[0].has_floor;
	for (size_t v = 0; v < variant_count; v++)
		summarise(&series->variants[v], series, (unsigned)v);
	if (!has_floor)
		return;
	summarise(&series->floor, series, (unsigned)variant_count);
	free(series->net_ns);
	series->net_ns = ba_xcalloc(variant_count, sizeof(*series->net_ns));
	for (size_t v = 0; v < variant_count; v++)
		series->net_ns[v] =
			series->variants[v].present
				? series->variants[v].trimmed - series->floor.trimmed
				: 0;
}

bool ba_judge_has_both(const ba_samples *s, unsigned candidate)
{
	return visits_in_block(s, 0) > 0 && visits_in_block(s, candidate) > 0;
}

double ba_judge_s_floor(const ba_series *series, double tick_ns)
{
	uint64_t shortest = 0;
	if (series->sample_count == 0)
		return BA_S_FLOOR;
	const ba_samples *s = &series->samples[0];
	size_t readings = (size_t)s->blocks * s->positions * s->readings;
	for (size_t i = 0; i < readings; i++)
		if (s->order[i / s->readings] == 0 &&
			(shortest == 0 || s->ns[i] < shortest))
			shortest = s->ns[i];
	return shortest ? ba_s_floor(tick_ns, (double)shortest) : BA_S_FLOOR;
}

ba_components ba_judge_components(
	const ba_comparison *c, const ba_series *series, unsigned candidate)
{
	BA_AUTO_FREE double *s1_sq =
		ba_xcalloc(series->sample_count + 1, sizeof(*s1_sq));
	BA_AUTO_FREE size_t *blocks =
		ba_xcalloc(series->sample_count + 1, sizeof(*blocks));
	size_t n = 0;
	for (size_t i = 0; i < series->sample_count && n < c->y_count; i++) {
		if (!ba_judge_has_both(&series->samples[i], candidate))
			continue;
		ba_readings r = readings_of(&series->samples[i]);
		s1_sq[n] = ba_logratio_of(&r, 0, candidate).s1_sq;
		blocks[n++] = series->samples[i].blocks;
	}
	if (n == 0)
		return (ba_components){.blocks = 1};
	return ba_components_of(c->y, s1_sq, blocks, n);
}

/* ratio of the plain means of one invocation, as a logarithm */
static double mean_ratio_log(const ba_samples *s, unsigned candidate)
{
	double sum[2] = {0}, count[2] = {0};
	size_t visits = (size_t)s->blocks * s->positions;
	for (size_t v = 0; v < visits; v++) {
		if (s->order[v] != 0 && s->order[v] != candidate)
			continue;
		int side = s->order[v] != 0;
		for (unsigned k = 0; k < s->readings; k++)
			sum[side] += (double)s->ns[v * s->readings + k];
		count[side] += s->readings;
	}
	return log(sum[1] / count[1]) - log(sum[0] / count[0]);
}

static void judge_noise(ba_comparison *c, const ba_series *series, unsigned candidate)
{
	BA_AUTO_FREE double *shape =
		ba_xcalloc(series->sample_count + 1, sizeof(*shape));
	double s1 = 0, drift = 0;
	size_t n = 0;
	for (size_t i = 0; i < series->sample_count; i++) {
		if (!ba_judge_has_both(&series->samples[i], candidate))
			continue;
		ba_readings r = readings_of(&series->samples[i]);
		ba_logratio ratio = ba_logratio_of(&r, 0, candidate);
		s1 += ratio.s1_sq;
		drift += ba_placebo_of(&r).drift_log;
		shape[n++] = mean_ratio_log(&series->samples[i], candidate) - ratio.y;
	}
	if (n) {
		c->s_within = sqrt(s1 / (double)n);
		c->drift_per_block = drift / (double)n;
	}
	c->delta_ns = series->variants[0].trimmed * (c->ratio - 1);
	c->shape_changed = ba_shape_changed(shape, n, log1p(c->threshold_slower));
}

void ba_judge_comparison(ba_comparison *c, const ba_series *series,
	const ba_decision *d, unsigned candidate)
{
	if (d->invocations == 0) {
		ba_judge_reported(c, series, candidate);
		return;
	}
	c->ratio = exp(d->ybar);
	c->low = exp(d->lo);
	c->high = exp(d->hi);
	c->s = d->s;
	c->p_regressed = d->p_reg;
	c->p_improved = d->p_imp;
	c->p_unchanged = d->p_eq;
	c->invocations = (unsigned)d->invocations;
	c->unstable = ba_decision_is_unstable(d);
	judge_noise(c, series, candidate);
}

void ba_judge_reported(ba_comparison *c, const ba_series *series, unsigned candidate)
{
	if (c->y_count == 0)
		return;
	c->p_regressed = c->p_improved = c->p_unchanged = 1;
	c->invocations = (unsigned)c->y_count;
	c->ratio = exp(ba_mean(c->y, c->y_count));
	c->low = 0;
	c->high = INFINITY;
	if (c->y_count >= 2) {
		double theta = c->threshold_slower > 0 ? c->threshold_slower : 0.02;
		ba_design design = ba_design_fixed(c->y_count);
		const ba_policy policy = {.alpha = 0.05, .s_floor = 2e-4};
		ba_decision d;
		ba_decision_init(&d, theta, theta);
		ba_decision_look(&d, &policy, &design, 0, c->y);
		c->low = exp(d.lo);
		c->high = exp(d.hi);
		c->s = d.s;
	}
	judge_noise(c, series, candidate);
}

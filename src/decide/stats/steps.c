#include "stats/steps.h"

#include "stats/student.h"

/* The log marginal likelihood of a model with p steps that explains this part of the
 * total, relative to the model without a step. */
static double evidence(const ba_step_cells *c, size_t r, unsigned p, double explained)
{
	double n = (double)c->df, g = n, total = c->fit[r].total;
	if (c->df <= p || total <= 0)
		return c->fit[r].base;
	double rest = fmax(1 - explained / total, 1e-15);
	return c->fit[r].base + (n - p) / 2 * log1p(g) - n / 2 * log1p(g * rest);
}

/* delta of one step in cell j; 0: the step is faster, or delta cannot be estimated */
static double one_delta(const ba_step_cells *c, size_t r, size_t j)
{
	double a = c->fit[r].cross[j * c->count + j];
	return a > 0 ? fmax(c->fit[r].sum[j] / a, 0) : 0;
}

typedef struct pair {
	double first, second, explained;
	double var_first, var_second; /* in units of the variance of e */
} pair;

static bool pair_of(pair *out, const ba_step_cells *c, size_t r, size_t i, size_t j)
{
	const ba_step_fit *f = &c->fit[r];
	double a = f->cross[i * c->count + i], b = f->cross[i * c->count + j];
	double d = f->cross[j * c->count + j];
	double det = a * d - b * b;
	if (det <= 1e-9 * a * d)
		return false;
	out->first = (d * f->sum[i] - b * f->sum[j]) / det;
	out->second = (a * f->sum[j] - b * f->sum[i]) / det;
	out->var_first = d / det;
	out->var_second = a / det;
	out->explained = out->first * f->sum[i] + out->second * f->sum[j];
	return true;
}

/* log(exp(a) + exp(b)) */
static double log_add(double a, double b)
{
	double most = fmax(a, b);
	return isinf(most) ? most : most + log(exp(a - most) + exp(b - most));
}

/* log weights of the models; -inf: impossible */
typedef struct weights {
	double none, drift;
	double *one;  /* [count] */
	double *pair; /* [count * count] */
	double greatest;
	size_t best;	/* cell of the best single step, */
	size_t best_r;	/* and the fit that found it */
	pair two;	/* the best two, if pair_r is a fit */
	size_t pair_r;	/* BA_STEP_FITS: there is no fit with two steps */
	size_t drift_r; /* the fit in which a drift has the most weight */
} weights;

static double weight_of_pair(
	weights *w, double *most, const ba_step_cells *c, size_t i, size_t j, double least)
{
	double sum = -INFINITY;
	for (size_t r = 0; r < BA_STEP_FITS; r++) {
		pair two;
		if (!pair_of(&two, c, r, i, j) || fabs(two.first) < least ||
			fabs(two.second) < least)
			continue;
		double here = evidence(c, r, 2, two.explained);
		sum = log_add(sum, here);
		here += log(c->mass[i] * c->mass[j]);
		if (here > *most) {
			*most = here;
			w->two = two;
			w->pair_r = r;
		}
	}
	return sum;
}

/* If most places lie between two measured neighbours, a drift looks like a step. */
static bool can_drift(const ba_step_cells *c)
{
	return BA_ALL(c->mass + 1, c->count - 1, x, *x <= 1.0 / 3);
}

static void weigh_ones(weights *w, const ba_step_cells *c)
{
	double most = -INFINITY, others = BA_STEPS_NONE + BA_STEPS_TWO;
	others += can_drift(c) ? BA_STEPS_DRIFT : 0;
	w->none = -INFINITY;
	w->best = c->count - 1;
	for (size_t r = 0; r < BA_STEP_FITS; r++)
		w->none = log_add(w->none, c->fit[r].base);
	w->none += log(BA_STEPS_NONE);
	w->greatest = w->none;
	for (size_t i = 1; i < c->count; i++) {
		double prior = log(1 - others) + log(c->mass[i]);
		w->one[i] = -INFINITY;
		for (size_t r = 0; r < BA_STEP_FITS; r++) {
			double delta = one_delta(c, r, i);
			double here = prior + evidence(c, r, 1, delta * c->fit[r].sum[i]);
			w->one[i] = log_add(w->one[i], here);
			if (here > most) {
				most = here;
				w->best = i;
				w->best_r = r;
			}
		}
		w->greatest = fmax(w->greatest, w->one[i]);
	}
}

static double drift_delta(const ba_step_fit *f)
{
	return f->ramp_cross > 0 ? fmax(f->ramp_sum / f->ramp_cross, 0) : 0;
}

static void weigh_drift(weights *w, const ba_step_cells *c)
{
	double most = -INFINITY;
	w->drift = -INFINITY;
	if (!can_drift(c))
		return;
	for (size_t r = 0; r < BA_STEP_FITS; r++) {
		const ba_step_fit *f = &c->fit[r];
		double here = log(BA_STEPS_DRIFT) + evidence(c, r, 1, drift_delta(f) * f->ramp_sum);
		w->drift = log_add(w->drift, here);
		w->drift_r = here > most ? r : w->drift_r;
		most = fmax(most, here);
	}
	w->greatest = fmax(w->greatest, w->drift);
}

static void weigh_pairs(weights *w, const ba_step_cells *c, double least)
{
	double pairs = 0, most = -INFINITY;
	for (size_t i = 1; i < c->count; i++)
		for (size_t j = i + 1; j < c->count; j++)
			pairs += c->mass[i] * c->mass[j];
	for (size_t i = 1; i < c->count; i++)
		for (size_t j = i + 1; j < c->count; j++) {
			double *out = &w->pair[i * c->count + j];
			double prior = c->mass[i] * c->mass[j] / pairs;
			*out = -INFINITY;
			if (prior <= 0 || pairs <= 0)
				continue;
			*out = log(BA_STEPS_TWO * prior) + weight_of_pair(w, &most, c, i, j, least);
			w->greatest = fmax(w->greatest, *out);
		}
}

/* Gives each place of a cell its share of the cell's probability. */
static void spread(double *at, const ba_step_cells *c, size_t j, double p, const double *prior)
{
	double mass = 0;
	for (size_t k = c->edge[j - 1] + 1; k <= c->edge[j]; k++)
		mass += prior[k];
	for (size_t k = c->edge[j - 1] + 1; mass > 0 && k <= c->edge[j]; k++)
		at[k] += p * prior[k] / mass;
}

static void normalise(double *p, size_t n)
{
	double sum = 0;
	for (size_t k = 0; k < n; k++)
		sum += p[k];
	for (size_t k = 0; sum > 0 && k < n; k++)
		p[k] /= sum;
}

static void share_out(ba_steps *out, const ba_step_cells *c, const weights *w, const double *prior)
{
	out->none = exp(w->none - w->greatest);
	for (size_t i = 1; i < c->count; i++) {
		double p = exp(w->one[i] - w->greatest);
		out->one += p;
		spread(out->at, c, i, p, prior);
		for (size_t j = i + 1; j < c->count; j++) {
			p = exp(w->pair[i * c->count + j] - w->greatest);
			out->two += p;
			spread(out->first, c, i, p, prior);
			spread(out->second, c, j, p, prior);
		}
	}
	out->drift = exp(w->drift - w->greatest);
	double sum = out->none + out->one + out->two + out->drift;
	out->drift /= sum;
	out->none /= sum;
	out->one /= sum;
	out->two /= sum;
	normalise(out->at, out->commits);
	normalise(out->first, out->commits);
	normalise(out->second, out->commits);
}

/* Estimates the step and the noise at the most likely place. */
static void estimate(ba_steps *out, const ba_step_cells *c, const weights *w)
{
	const ba_step_fit *f = &c->fit[w->best_r];
	double a = f->cross[w->best * c->count + w->best];
	out->low = -INFINITY;
	out->high = INFINITY;
	out->df = c->df > 1 ? c->df - 1 : 0;
	if (a <= 0 || out->df == 0)
		return;
	out->delta = one_delta(c, w->best_r, w->best);
	double rest = fmax(f->total - out->delta * f->sum[w->best], 0);
	out->s = sqrt(rest / (double)out->df);
	out->of_commit = sqrt(ba_step_ratios[w->best_r]) * out->s;
	double half = ba_t_isf(0.025, (double)out->df) * out->s / sqrt(a);
	out->low = out->delta - half;
	out->high = out->delta + half;
}

/* Estimates both steps at the most likely pair of places. */
static void estimate_two(ba_steps *out, const ba_step_cells *c, const weights *w)
{
	out->low_first = out->low_second = -INFINITY;
	out->high_first = out->high_second = INFINITY;
	if (w->pair_r == BA_STEP_FITS || c->df < 3)
		return;
	double df = (double)c->df - 2;
	double rest = fmax(c->fit[w->pair_r].total - w->two.explained, 0);
	double half = ba_t_isf(0.025, df) * sqrt(rest / df);
	out->delta_first = w->two.first;
	out->delta_second = w->two.second;
	out->low_first = w->two.first - half * sqrt(w->two.var_first);
	out->high_first = w->two.first + half * sqrt(w->two.var_first);
	out->low_second = w->two.second - half * sqrt(w->two.var_second);
	out->high_second = w->two.second + half * sqrt(w->two.var_second);
}

static void estimate_drift(ba_steps *out, const ba_step_cells *c, const weights *w)
{
	const ba_step_fit *f = &c->fit[w->drift_r];
	out->low_drift = -INFINITY;
	out->high_drift = INFINITY;
	if (!(f->ramp_cross > 0) || c->df < 2)
		return;
	double df = (double)c->df - 1;
	out->delta_drift = drift_delta(f);
	double rest = fmax(f->total - out->delta_drift * f->ramp_sum, 0);
	double half = ba_t_isf(0.025, df) * sqrt(rest / df / f->ramp_cross);
	out->low_drift = out->delta_drift - half;
	out->high_drift = out->delta_drift + half;
}

bool ba_steps_is_small(const ba_steps *s, double least)
{
	return s->df > 0 && s->high < least;
}

void ba_steps_update(ba_steps *out, const ba_step_data *d)
{
	ba_steps_dispose(out);
	BA_AUTO(ba_step_cells) ba_step_cells c = {0};
	ba_step_cells_of(&c, d);
	BA_AUTO_FREE double *one = ba_xcalloc(c.count, sizeof(*one));
	BA_AUTO_FREE double *two = ba_xcalloc(c.count * c.count, sizeof(*two));
	weights w = {.one = one, .pair = two, .pair_r = BA_STEP_FITS};
	out->commits = d->commits;
	out->at = ba_xcalloc(d->commits, sizeof(double));
	out->first = ba_xcalloc(d->commits, sizeof(double));
	out->second = ba_xcalloc(d->commits, sizeof(double));
	weigh_ones(&w, &c);
	weigh_pairs(&w, &c, d->least);
	weigh_drift(&w, &c);
	share_out(out, &c, &w, d->prior);
	estimate(out, &c, &w);
	estimate_two(out, &c, &w);
	estimate_drift(out, &c, &w);
}

BA_OWNS(ba_steps, s, BA_FREE(s->at, s->first, s->second))

/* ---- sets ---- */

void ba_steps_marginal(double *p, const ba_steps *s)
{
	for (size_t k = 0; k < s->commits; k++)
		p[k] = s->one * s->at[k] + s->two * (s->first[k] + s->second[k]);
}

size_t ba_steps_best(const double *p, size_t n)
{
	size_t best = 0;
	for (size_t k = 1; k < n; k++)
		best = p[k] > p[best] ? k : best;
	return best;
}

size_t ba_steps_set(bool *in, const double *p, size_t n, double level)
{
	double sum = 0;
	size_t count = 0;
	memset(in, 0, n * sizeof(*in));
	while (sum < level && count < n) {
		size_t best = n;
		for (size_t k = 0; k < n; k++)
			if (!in[k] && (best == n || p[k] > p[best]))
				best = k;
		if (p[best] <= 0)
			break;
		in[best] = true;
		sum += p[best];
		count++;
	}
	return count;
}

#include "stats/combine.h"

#include "stats/quantile.h"
#include "stats/sequential_internal.h"
#include "stats/student.h"

/* the upper tail of chi-square with 2 n degrees of freedom at 2 s: a Poisson sum, with its
 * largest term taken out */
static double even_chi2_sf(double s, size_t n)
{
	double most = -INFINITY, sum = 0;
	int sign;
	if (!(s > 0))
		return 1;
	if (isinf(s))
		return 0;
	for (size_t pass = 0; pass < 2; pass++)
		for (size_t k = 0; k < n; k++) {
			double term = (double)k * log(s) - s - lgamma_r((double)k + 1, &sign);
			if (pass == 0)
				most = fmax(most, term);
			else
				sum += exp(term - most);
		}
	return fmin(1, exp(most) * sum);
}

double ba_fisher_p(const double *p, size_t n)
{
	double s = 0;
	BA_REQUIRE(n >= 1);
	if (n == 1)
		return p[0];
	for (size_t i = 0; i < n; i++)
		s -= log(p[i]);
	return even_chi2_sf(s, n);
}

/* ---- intervals ---- */

/* The estimate of one run at its last look. */
typedef struct part {
	double mean, se, nu, weight;
} part;

typedef struct parts {
	part *of;
	size_t count;
	double *p; /* [count], for sums */
} parts;

static parts parts_new(size_t most)
{
	return (parts){.of = ba_xcalloc(most + 1, sizeof(part)),
		.p = ba_xcalloc(most + 1, sizeof(double))};
}

BA_OWNS_HERE(parts, x, BA_FREE(x->of, x->p))

/* is the truth above `mu`, on the side of `sign`? */
static double p_above(const parts *x, double mu, double sign)
{
	for (size_t i = 0; i < x->count; i++) {
		const part *a = &x->of[i];
		x->p[i] = fmin(1, ba_t_sf((sign * a->mean - mu) / a->se, a->nu) / a->weight);
	}
	return ba_fisher_p(x->p, x->count);
}

enum { HALVINGS = 60, DOUBLINGS = 60 };

/* the largest mu that the truth is shown to be above */
static double limit_of(const parts *x, double level, double sign)
{
	double low = INFINITY, high = -INFINITY, step = 0;
	for (size_t i = 0; i < x->count; i++) {
		ba_widen(&low, &high, sign * x->of[i].mean, sign * x->of[i].mean);
		step = fmax(step, x->of[i].se);
	}
	for (int k = 0; k < DOUBLINGS && p_above(x, low, sign) > level; k++, step *= 2)
		low -= step;
	for (int k = 0; k < HALVINGS; k++) {
		double mid = 0.5 * (low + high);
		if (p_above(x, mid, sign) > level)
			high = mid;
		else
			low = mid;
	}
	return low;
}

/* Intervals of contradicting runs may not overlap; then take the range between them. */
static void interval_of(double *lo, double *hi, const parts *x, double alpha, double estimate)
{
	if (!x->count)
		return;
	double a = limit_of(x, 0.5 * alpha, 1), b = -limit_of(x, 0.5 * alpha, -1);

	*lo = fmin(fmin(a, b), estimate);
	*hi = fmax(fmax(a, b), estimate);
}

/* ---- p-values ---- */

/* What the runs say about one comparison. */
typedef struct evidence {
	const ba_decision *const *runs;
	size_t count;
	double *p; /* [count] */
} evidence;

/* Combines a p-value of ba_decision, given by its offset. */
static double combined(const evidence *e, size_t offset)
{
	for (size_t i = 0; i < e->count; i++)
		e->p[i] = fmin(1, *(const double *)((const char *)e->runs[i] + offset));
	return e->count ? ba_fisher_p(e->p, e->count) : 1;
}

/* Combines a p-value of ba_place_decision, given by its offset. */
static double combined_at(const evidence *e, size_t place, size_t offset)
{
	for (size_t i = 0; i < e->count; i++)
		e->p[i] = *(const double *)((const char *)&e->runs[i]->place[place] + offset);
	return e->count ? ba_fisher_p(e->p, e->count) : 1;
}

#define COMBINED(e, member) combined(e, offsetof(ba_decision, member))
#define COMBINED_AT(e, place, member) combined_at(e, place, offsetof(ba_place_decision, member))

static void combine_place(ba_place_decision *out, const ba_policy *policy, const evidence *all,
	unsigned place, const ba_together *t)
{
	BA_AUTO_FREE const ba_decision **here = ba_xcalloc(all->count + 1, sizeof(*here));
	BA_AUTO_FREE double *y = ba_xcalloc(t->n + 1, sizeof(*y));
	BA_AUTO(parts) parts x = parts_new(all->count);
	evidence e = {.runs = here, .p = all->p};
	ba_pooled pooled;
	for (size_t i = 0; i < all->count; i++) {
		const ba_place_decision *p = &all->runs[i]->place[place];
		if (p->invocations < 2)
			continue;
		here[e.count++] = all->runs[i];
		x.of[x.count++] =
			(part){p->ybar, p->se, (double)p->invocations - 1, all->runs[i]->weight};
	}
	out->invocations = ba_values_at(y, t->y, t->at, t->n, place);
	ba_pool(&pooled, y, NULL, out->invocations, 1, policy->s_floor);
	out->ybar = out->invocations ? ba_mean(y, out->invocations) : 0;
	if (!pooled.places || !e.count)
		return;
	out->se = pooled.se;
	interval_of(&out->lo, &out->hi, &x, policy->alpha, out->ybar);
	out->p_reg = out->now_reg = COMBINED_AT(&e, place, p_reg);
	out->p_imp = out->now_imp = COMBINED_AT(&e, place, p_imp);
	out->p_eq = out->now_eq = COMBINED_AT(&e, place, p_eq);
}

static void combine_places(
	ba_decision *d, const ba_policy *policy, const evidence *all, const ba_together *t)
{
	double reg = 1, imp = 1, eq = 0;
	for (unsigned p = 0; p < d->place_count; p++) {
		ba_place_decision *place = &d->place[p];
		combine_place(place, policy, all, p, t);
		if (place->invocations == 0)
			continue;
		reg = fmin(reg, (double)d->places * place->p_reg);
		imp = fmin(imp, (double)d->places * place->p_imp);
		eq = fmax(eq, place->p_eq);
	}
	if (!ba_decision_places_differ(d))
		return;
	d->p_place_reg = reg;
	d->p_place_imp = imp;
	d->p_eq = fmax(d->p_eq, eq);
}

static void combine_mean(
	ba_decision *d, const ba_policy *policy, const evidence *e, const ba_together *t)
{
	ba_mean_decision *m = &d->mean;
	BA_AUTO(parts) parts x = parts_new(e->count);
	ba_pooled pooled;
	ba_pool(&pooled, t->z, t->at, t->n, d->place_count, policy->s_floor);
	if (!pooled.places)
		return;
	for (size_t i = 0; i < e->count; i++)
		x.of[x.count++] = (part){e->runs[i]->mean.zbar, e->runs[i]->mean.se, e->runs[i]->nu,
			e->runs[i]->weight};
	m->known = true;
	m->zbar = pooled.mean;
	m->s = pooled.s;
	m->se = pooled.se;
	interval_of(&m->lo, &m->hi, &x, policy->alpha, m->zbar);
	m->p_reg = COMBINED(e, mean.p_reg);
	m->p_imp = COMBINED(e, mean.p_imp);
	/* a hold can only withhold a verdict */
	const ba_look at = {.se = m->se,
		.nu = pooled.nu,
		.weight = 1,
		.floor_p = ba_tie_floor(policy, pooled.n)};
	m->now_reg = ba_look_mean_p(m->zbar, d->ybar, &at, d->d_reg, policy);
	m->now_imp = ba_look_mean_p(-m->zbar, -d->ybar, &at, d->d_imp, policy);
}

void ba_decision_combine(ba_decision *d, const ba_policy *policy, const ba_decision *const *runs,
	size_t count, const ba_together *all)
{
	BA_AUTO_FREE const ba_decision **said = ba_xcalloc(count + 1, sizeof(*said));
	BA_AUTO_FREE double *p = ba_xcalloc(count + 1, sizeof(*p));
	BA_AUTO(parts) parts x = parts_new(count);
	evidence e = {.runs = said, .p = p};
	ba_pooled pooled;
	for (size_t i = 0; i < count; i++) {
		const ba_decision *run = runs[i];
		if (!run->looks || !run->places)
			continue;
		said[e.count++] = run;
		x.of[x.count++] = (part){run->ybar, run->se, run->nu, run->weight};
	}
	ba_pool(&pooled, all->y, all->at, all->n, d->place_count, policy->s_floor);
	if (!e.count || !pooled.places)
		return;
	ba_decision_estimate(d, policy, all->y, all->n);
	d->looks = 1;
	d->places = pooled.places;
	d->p_agree = pooled.p_agree;
	d->ybar = pooled.mean;
	d->s = pooled.s;
	d->se = pooled.se;
	interval_of(&d->lo, &d->hi, &x, policy->alpha, d->ybar);
	d->p_reg = COMBINED(&e, p_reg);
	d->p_imp = COMBINED(&e, p_imp);
	d->p_eq = COMBINED(&e, p_eq);
	if (all->z)
		combine_mean(d, policy, &e, all);
	if (d->place_count > 1)
		combine_places(d, policy, &e, all);
}

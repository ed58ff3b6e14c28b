#include "stats/steps.h"

const double ba_step_ratios[BA_STEP_FITS] = {0, 0.1, 1, 10, 100};
/* half of the prior assumes that commits have no deviations of their own */
static const double ratio_prior[BA_STEP_FITS] = {0.5, 0.125, 0.125, 0.125, 0.125};

/* ---- eigenvectors of a symmetric matrix, by Jacobi's rotations ---- */

static void rotate(double *a, double *v, size_t n, size_t p, size_t q)
{
	double apq = a[p * n + q];
	if (fabs(apq) < 1e-14 * sqrt(fabs(a[p * n + p] * a[q * n + q]) + 1e-300))
		return;
	double theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
	double t = copysign(1, theta) / (fabs(theta) + hypot(theta, 1));
	double c = 1 / hypot(t, 1), s = t * c;
	for (size_t k = 0; k < n; k++) {
		double kp = a[k * n + p], kq = a[k * n + q];
		a[k * n + p] = c * kp - s * kq;
		a[k * n + q] = s * kp + c * kq;
	}
	for (size_t k = 0; k < n; k++) {
		double pk = a[p * n + k], qk = a[q * n + k];
		a[p * n + k] = c * pk - s * qk;
		a[q * n + k] = s * pk + c * qk;
		double kp = v[k * n + p], kq = v[k * n + q];
		v[k * n + p] = c * kp - s * kq;
		v[k * n + q] = s * kp + c * kq;
	}
}

/* Makes a diagonal. Column m of v becomes the eigenvector of a[m][m]. */
static void diagonalise(double *a, double *v, size_t n)
{
	enum { SWEEPS = 30 };
	for (size_t i = 0; i < n; i++)
		v[i * n + i] = 1;
	for (int sweep = 0; sweep < SWEEPS; sweep++) {
		double off = 0, on = 0;
		for (size_t p = 0; p < n; p++) {
			on += a[p * n + p] * a[p * n + p];
			for (size_t q = p + 1; q < n; q++)
				off += a[p * n + q] * a[p * n + q];
		}
		if (off <= 1e-24 * on)
			return;
		for (size_t p = 0; p < n; p++)
			for (size_t q = p + 1; q < n; q++)
				rotate(a, v, n, p, q);
	}
}

/* ---- what was measured ---- */

static void find_edges(ba_step_cells *c, const ba_step_data *d, size_t *index)
{
	BA_AUTO_FREE bool *seen = ba_xcalloc(d->commits, sizeof(*seen));
	seen[0] = seen[d->commits - 1] = true;
	for (size_t i = 0; i < d->count; i++)
		for (size_t k = 0; k < d->values[i].count; k++) {
			size_t commit = d->values[i].commits[k];
			BA_REQUIRE(commit > 0 && commit < d->commits);
			seen[commit] = true;
		}
	c->edge = ba_xcalloc(d->commits, sizeof(*c->edge));
	c->mass = ba_xcalloc(d->commits, sizeof(*c->mass));
	double total = 0, mass = 0;
	for (size_t k = 0; k < d->commits; k++) {
		mass += k ? d->prior[k] : 0;
		if (!seen[k])
			continue;
		index[k] = c->count;
		c->mass[c->count] = mass;
		c->edge[c->count++] = k;
		total += mass;
		mass = 0;
	}
	for (size_t j = 0; j < c->count && total > 0; j++)
		c->mass[j] /= total;
}

/* The normal equations for the levels of commits, without the invocations. */
typedef struct normal {
	double *a; /* [n * n]; diagonal after diagonalise() */
	double *v; /* [n * n] eigenvectors */
	double *q; /* [n] */
	double squares;
} normal;

static void add_values(normal *e, const ba_step_values *v, size_t n, const size_t *index)
{
	double sum = 0, squares = 0, k = (double)v->count + 1;
	BA_AUTO_FREE size_t *at = ba_xcalloc(v->count + 1, sizeof(*at));
	for (size_t i = 0; i < v->count; i++) {
		at[i + 1] = index[v->commits[i]];
		sum += v->y[i];
		squares += v->y[i] * v->y[i];
	}
	for (size_t i = 0; i <= v->count; i++) {
		e->q[at[i]] += (i ? v->y[i - 1] : 0) - sum / k;
		e->a[at[i] * n + at[i]] += 1;
		for (size_t j = 0; j <= v->count; j++)
			e->a[at[i] * n + at[j]] -= 1 / k;
	}
	e->squares += squares - sum * sum / k;
}

/* x[j * n + m] is the component along eigenvector m of a step at edge j. */
static void step_parts(double *x, const double *v, size_t n)
{
	for (size_t m = 0; m < n; m++) {
		double sum = 0;
		for (size_t j = n; j-- > 0;)
			x[j * n + m] = sum += v[j * n + m];
	}
}

/* Eigenvalues below this belong to contrasts that were not measured. */
#define NOTHING 1e-9

static void fit(ba_step_cells *c, size_t r, const normal *e, const double *x, double floor)
{
	size_t n = c->count;
	ba_step_fit *f = &c->fit[r];
	double determinant = 0;
	f->cross = ba_xcalloc(n * n, sizeof(*f->cross));
	f->sum = ba_xcalloc(n, sizeof(*f->sum));
	f->total = e->squares + (double)c->df * floor * floor;
	for (size_t m = 0; m < n; m++) {
		double lambda = e->a[m * n + m], along = 0;
		if (lambda < NOTHING)
			continue;
		for (size_t k = 0; k < n; k++)
			along += e->q[k] * e->v[k * n + m];
		double weight = lambda / (1 + ba_step_ratios[r] * lambda), ramp = 0;
		double level = along / lambda;
		determinant += log1p(ba_step_ratios[r] * lambda);
		f->total += (weight - lambda) * level * level;
		for (size_t j = 1; j < n; j++) {
			ramp += c->mass[j] * x[j * n + m];
			f->sum[j] += weight * x[j * n + m] * level;
			for (size_t i = 1; i <= j; i++)
				f->cross[i * n + j] += weight * x[i * n + m] * x[j * n + m];
		}
		f->ramp_sum += weight * ramp * level;
		f->ramp_cross += weight * ramp * ramp;
	}
	f->total = fmax(f->total, (double)c->df * floor * floor);
	f->base = log(ratio_prior[r]) - determinant / 2;
	if (f->total > 0)
		f->base -= (double)c->df / 2 * log(f->total);
}

void ba_step_cells_of(ba_step_cells *out, const ba_step_data *d)
{
	BA_AUTO_FREE size_t *index = ba_xcalloc(d->commits, sizeof(*index));
	find_edges(out, d, index);
	size_t n = out->count;
	BA_AUTO_FREE double *a = ba_xcalloc(n * n, sizeof(*a));
	BA_AUTO_FREE double *v = ba_xcalloc(n * n, sizeof(*v));
	BA_AUTO_FREE double *x = ba_xcalloc(n * n, sizeof(*x));
	BA_AUTO_FREE double *q = ba_xcalloc(n, sizeof(*q));
	normal e = {.a = a, .v = v, .q = q};
	for (size_t i = 0; i < d->count; i++) {
		add_values(&e, &d->values[i], n, index);
		out->df += d->values[i].count;
	}
	diagonalise(a, v, n);
	step_parts(x, v, n);
	for (size_t r = 0; r < BA_STEP_FITS; r++)
		fit(out, r, &e, x, d->floor);
}

BA_OWNS(ba_step_cells, c, BA_FREE(c->edge, c->mass),
	BA_EMPTY_EACH(fit, c->fit, BA_STEP_FITS, BA_FREE(fit->cross, fit->sum)))

#include "stats/unpaired.h"

#include "stats/sequential_internal.h"
#include "stats/student.h"

void ba_moments_add(ba_moments *m, double x)
{
	double delta = x - m->mean;
	m->least = m->n && m->least < x ? m->least : x;
	m->most = m->n && m->most > x ? m->most : x;
	m->n++;
	m->mean += delta / (double)m->n;
	m->m2 += delta * (x - m->mean);
}

double ba_moments_variance(const ba_moments *m)
{
	return m->n < 2 ? 0 : m->m2 / (double)(m->n - 1);
}

ba_moments ba_moments_negated(const ba_moments *m)
{
	return (ba_moments){
		.n = m->n, .mean = -m->mean, .m2 = m->m2, .least = -m->most, .most = -m->least};
}

/* ---- quantiles ----------------------------------------------------------- */

enum { STEPS = 16, STEPS_MOST = 16 * 4096 };

BA_OWNS(ba_t_table, t, BA_FREE(t->bounds.t, t->floors.t))

/* The t with P(T > t) = p, or slightly less; nu >= 1. */
static double quantile_at(ba_t_quantiles *table, double nu)
{
	double step = floor(nu * STEPS);
	size_t k = step >= STEPS_MOST ? STEPS_MOST : step < STEPS ? STEPS : (size_t)step;
	if (k >= table->count) {
		size_t count = 2 * k + 1;
		table->t = ba_xreallocarray(table->t, count, sizeof(*table->t));
		for (size_t i = table->count; i < count; i++)
			table->t[i] = 0;
		table->count = count;
	}
	if (table->t[k] == 0)
		table->t[k] = ba_t_isf(table->p, (double)k / STEPS);
	return table->t[k];
}

/* ---- the decision -------------------------------------------------------- */

double ba_unpaired_floor(size_t n, size_t m)
{
	size_t few = n < m ? n : m, all = n + m;
	double chances = 1;
	for (size_t i = 1; i <= few && chances < 1e300; i++)
		chances *= (double)(all - few + i) / (double)i;
	return 1 / chances;
}

double ba_t_table_floor(ba_t_table *t, size_t n, size_t m)
{
	if (t->n != n || t->m != m) {
		t->n = n;
		t->m = m;
		t->floor_p = ba_unpaired_floor(n, m);
	}
	return t->floor_p;
}

static ba_look welch_of(const ba_moments *a, const ba_moments *b, double s_floor, double floor_p)
{
	double least = s_floor * s_floor;
	double va = fmax(ba_moments_variance(a), least) / (double)a->n;
	double vb = fmax(ba_moments_variance(b), least) / (double)b->n;
	double sum = va + vb;
	return (ba_look){
		.se = sqrt(sum),
		.nu = sum * sum / (va * va / (double)(a->n - 1) + vb * vb / (double)(b->n - 1)),
		.weight = 1,
		.floor_p = floor_p,
	};
}

static double change_p(double y, double d, const ba_look *w, const ba_policy *policy)
{
	return y >= d && ba_look_is_clear(y, w, d, policy) ? ba_change_p(y, w, d, policy) : 1;
}

/* P(T > t), or the floor if that is larger. Usually the floor is larger, which a
 * comparison with its quantile shows without computing the tail. */
static double tail(ba_t_table *table, const ba_look *w, double t)
{
	if (table->floors.p == 0)
		table->floors.p = w->floor_p;
	bool below = table->floors.p == w->floor_p && t >= quantile_at(&table->floors, w->nu);
	return below ? w->floor_p : fmax(w->floor_p, ba_t_sf(t, w->nu));
}

void ba_decision_unpaired(ba_decision *d, const ba_policy *policy, ba_t_table *table,
	const ba_moments *base, const ba_moments *candidate)
{
	double y = candidate->mean - base->mean;
	d->ybar = d->hodges_lehmann = y;
	if (base->n < 2 || candidate->n < 2)
		return;
	ba_look w = welch_of(
		base, candidate, policy->s_floor, ba_t_table_floor(table, base->n, candidate->n));
	size_t few = base->n < candidate->n ? base->n : candidate->n;
	d->se = w.se;
	/* the spread of a single value, so that s means the same as elsewhere */
	d->s = w.se *
	       sqrt((double)base->n * (double)candidate->n / (double)(base->n + candidate->n));
	d->p_reg = change_p(y, d->d_reg, &w, policy);
	d->p_imp = change_p(-y, d->d_imp, &w, policy);
	d->invocations = few;
	d->looks = 1;
	if (table->bounds.p == 0)
		return;
	double half = quantile_at(&table->bounds, w.nu) * w.se;
	/* of the two one-sided tests, the one with the larger p-value */
	double least = fmin(1.25 * d->d_reg - y, 1.25 * d->d_imp + y);
	d->lo = y - half;
	d->hi = y + half;
	d->p_eq = tail(table, &w, least / w.se);
}

size_t ba_unpaired_count_for(size_t m, double alpha)
{
	size_t n = 2;
	while (n < 1000 && ba_unpaired_floor(n, n) * (double)m > alpha)
		n++;
	return n;
}

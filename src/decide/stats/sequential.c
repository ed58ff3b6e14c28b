#include "stats/quantile.h"
#include "stats/sequential.h"
#include "stats/sequential_internal.h"
#include "stats/student.h"

double ba_s_floor(double tick_ns, double interval_ns)
{
	return fmax(BA_S_FLOOR, tick_ns / interval_ns / sqrt(6));
}

/* the assumed ratio of a time threshold while the baseline's time is unknown */
#define THETA_LEAST 1e-9

double ba_threshold_of(double theta, double absolute_ns, double base_ns)
{
	if (absolute_ns <= 0)
		return theta;
	return fmax(theta, base_ns > 0 ? absolute_ns / base_ns : THETA_LEAST);
}

void ba_decision_init(ba_decision *d, double theta_reg, double theta_imp)
{
	BA_REQUIRE(theta_reg > 0 && theta_imp > 0);
	*d = (ba_decision){
		.d_reg = log1p(theta_reg),
		.d_imp = log1p(theta_imp),
		.p_reg = 1,
		.p_imp = 1,
		.p_eq = 1,
		.lo = -INFINITY,
		.hi = INFINITY,
		.mean = {.lo = -INFINITY,
			.hi = INFINITY,
			.p_reg = 1,
			.p_imp = 1,
			.now_reg = 1,
			.now_imp = 1},
		.p_agree = 1,
		.p_place_reg = 1,
		.p_place_imp = 1,
		.verdict = BA_VERDICT_UNDECIDED,
	};
}

bool ba_is_clear(double near, double d, const ba_policy *policy)
{
	return policy->rule < BA_RULE_GAPS || near > (policy->strict ? d : 0);
}

bool ba_look_is_clear(double estimate, const ba_look *at, double d, const ba_policy *policy)
{
	double from = policy->strict ? d : 0;
	return policy->rule < BA_RULE_GAPS ||
	       ba_t_sf((estimate - from) / at->se, at->nu) < 0.5 * policy->alpha * at->weight;
}

double ba_change_p(double ybar, const ba_look *at, double d, const ba_policy *policy)
{
	double margin = ba_margin(d, policy->strict);
	/* the effect is inside the p-value: filtering the output of Benjamini-Hochberg
	 * by effect would lose its guarantee, a larger p never does */
	return ybar >= d ? fmax(at->floor_p, ba_t_sf((ybar - margin) / at->se, at->nu)) : 1;
}

double ba_tie_floor(const ba_policy *policy, size_t invocations)
{
	/* the worst law on up to 20 values, found numerically: 1.072, 1.016, 1.004 for 2 to 4 */
	double worst = policy->rule < BA_RULE_GAPS ? 2 : invocations < 4 ? 1.08 : 1.01;
	return ldexp(worst, -2 * (int)(invocations < 500 ? invocations : 500));
}

double ba_family_alpha(const ba_policy *policy)
{
	return ba_gap_is_used(policy) ? (1 - ba_gap_share(policy)) * policy->alpha : policy->alpha;
}

ba_p_values ba_look_p(const ba_decision *d, const ba_policy *policy, const ba_look *at, double ybar)
{
	double above = ba_t_sf((1.25 * d->d_reg - ybar) / at->se, at->nu);
	double below = ba_t_sf((1.25 * d->d_imp + ybar) / at->se, at->nu);
	bool reg = ba_look_is_clear(ybar, at, d->d_reg, policy);
	bool imp = ba_look_is_clear(-ybar, at, d->d_imp, policy);

	double eq = fmax(above, below) / at->weight;
	/* counts that are equal by chance at a later look were equal at the first, so
	 * this share is spent once */
	eq = fmin(1, policy->counts ? fmax(at->floor_p, eq) : fmax(at->floor_p / at->weight, eq));
	return (ba_p_values){
		.reg = reg ? fmin(1, ba_change_p(ybar, at, d->d_reg, policy) / at->weight) : 1,
		.imp = imp ? fmin(1, ba_change_p(-ybar, at, d->d_imp, policy) / at->weight) : 1,
		.eq = eq,
	};
}

void ba_decision_estimate(ba_decision *d, const ba_policy *policy, const double *y, size_t n)
{
	d->invocations = n;
	d->ybar = ba_mean(y, n);
	d->s = fmax(ba_stdev(y, n), policy->s_floor);
	d->se = d->s / sqrt((double)n);
	d->hodges_lehmann = ba_hodges_lehmann(y, n);
}

#define ROUNDING 1e-12

void ba_decision_settle(ba_decision *d, double y, size_t count)
{
	d->exact = true;
	d->ybar = d->lo = d->hi = d->hodges_lehmann = y;
	d->s = d->se = 0;
	d->invocations = count;
	d->looks++;
	/* a change of exactly the threshold does not exceed it, however rounded */
	d->p_reg = y > d->d_reg * (1 + ROUNDING) ? 0 : 1;
	d->p_imp = -y > d->d_imp * (1 + ROUNDING) ? 0 : 1;
	d->p_eq = d->p_reg == 1 && d->p_imp == 1 ? 0 : 1;
	d->verdict = d->p_reg == 0   ? BA_VERDICT_REGRESSED
		     : d->p_imp == 0 ? BA_VERDICT_IMPROVED
				     : BA_VERDICT_UNCHANGED;
}

/* ---- a look ---- */

void ba_decision_set_places(ba_decision *d, ba_place_decision *each, size_t count)
{
	d->place = each;
	d->place_count = count;
	for (size_t p = 0; p < count; p++)
		each[p] = (ba_place_decision){
			.lo = -INFINITY,
			.hi = INFINITY,
			.p_reg = 1,
			.p_imp = 1,
			.p_eq = 1,
			.now_reg = 1,
			.now_imp = 1,
			.now_eq = 1,
		};
}

bool ba_decision_places_differ(const ba_decision *d)
{
	return d->places > 1 && d->p_agree < BA_PLACES_LEVEL;
}

static ba_look look_of(const ba_pooled *x, const ba_policy *policy, double weight)
{
	return (ba_look){
		.se = x->se, .nu = x->nu, .weight = weight, .floor_p = ba_tie_floor(policy, x->n)};
}

static double half_width(const ba_look *at, const ba_policy *policy)
{
	return ba_t_isf(0.5 * policy->alpha * at->weight, at->nu) * at->se;
}

static void look_at_place(const ba_decision *d, ba_place_decision *place, const ba_policy *policy,
	double weight, const double *y, size_t n)
{
	ba_pooled x;
	place->invocations = n;
	place->now_reg = place->now_imp = place->now_eq = 1;
	place->ybar = n ? ba_mean(y, n) : 0;
	ba_pool(&x, y, NULL, n, 1, policy->s_floor);
	if (!x.places)
		return;
	const ba_look at = look_of(&x, policy, weight);
	const ba_p_values p = ba_look_p(d, policy, &at, x.mean);
	double half = half_width(&at, policy);
	place->ybar = x.mean;
	place->se = x.se;
	place->lo = x.mean - half;
	place->hi = x.mean + half;
	place->now_reg = p.reg;
	place->now_imp = p.imp;
	place->now_eq = p.eq;
	place->p_reg = fmin(place->p_reg, p.reg);
	place->p_imp = fmin(place->p_imp, p.imp);
	place->p_eq = fmin(place->p_eq, p.eq);
}

/* Returns what each place's own values say about `unchanged`: the largest p. */
static double look_at_places(ba_decision *d, const ba_policy *policy, double weight,
	const double *y, const unsigned *at, size_t n)
{
	BA_AUTO_FREE double *own = ba_xcalloc(n + 1, sizeof(*own));
	double reg = 1, imp = 1, eq = 0;
	for (unsigned p = 0; p < d->place_count; p++) {
		ba_place_decision *place = &d->place[p];
		size_t count = ba_values_at(own, y, at, n, p);
		look_at_place(d, place, policy, weight, own, count);
		if (place->invocations == 0)
			continue;
		reg = fmin(reg, (double)d->places * place->now_reg);
		imp = fmin(imp, (double)d->places * place->now_imp);
		eq = fmax(eq, place->now_eq);
	}
	/* using a p-value only under a condition can only make it larger */
	if (ba_decision_places_differ(d)) {
		d->p_place_reg = fmin(d->p_place_reg, reg);
		d->p_place_imp = fmin(d->p_place_imp, imp);
	}
	return eq;
}

static void look_at_all(ba_decision *d, const ba_policy *policy, const ba_pooled *x, double weight,
	double eq_of_places)
{
	const ba_look look = look_of(x, policy, weight);
	ba_p_values p = ba_look_p(d, policy, &look, x->mean);
	double half = half_width(&look, policy);
	d->ybar = x->mean;
	d->s = x->s;
	d->se = x->se;
	d->nu = x->nu;
	d->weight = weight;
	d->lo = x->mean - half;
	d->hi = x->mean + half;
	d->p_reg = fmin(d->p_reg, p.reg);
	d->p_imp = fmin(d->p_imp, p.imp);
	d->p_eq = fmin(d->p_eq, fmax(p.eq, eq_of_places));
}

void ba_decision_look_at(ba_decision *d, const ba_policy *policy, const ba_design *design,
	size_t look, const double *y, const unsigned *at)
{
	BA_REQUIRE(look < design->looks && design->at[look] >= 2);
	if (d->verdict != BA_VERDICT_UNDECIDED)
		return;
	size_t n = design->at[look];
	double weight = design->weight[look], eq = 0;
	ba_pooled x;

	ba_pool(&x, y, at, n, d->place_count, policy->s_floor);
	ba_decision_estimate(d, policy, y, n);
	d->places = x.places;
	d->p_agree = x.p_agree;
	d->looks++;
	d->least = d->most = y[0];
	for (size_t i = 1; i < n; i++)
		ba_widen(&d->least, &d->most, y[i], y[i]);
	if (x.places > 1)
		eq = look_at_places(d, policy, weight, y, at, n);
	if (x.places)
		look_at_all(d, policy, &x, weight, ba_decision_places_differ(d) ? eq : 0);
}

void ba_decision_look(ba_decision *d, const ba_policy *policy, const ba_design *design, size_t look,
	const double *y)
{
	ba_decision_look_at(d, policy, design, look, y, NULL);
}

/* The same test for the mean. */
double ba_look_mean_p(
	double zbar, double ybar, const ba_look *at, double d, const ba_policy *policy)
{
	return zbar - ybar >= BA_MEAN_EXCESS * d ? ba_change_p(zbar, at, d, policy) : 1;
}

void ba_decision_look_mean_at(ba_decision *d, const ba_policy *policy, const ba_design *design,
	size_t look, const double *z, const unsigned *at)
{
	ba_mean_decision *m = &d->mean;
	size_t n = design->at[look];
	double weight = design->weight[look];
	ba_pooled x;
	BA_REQUIRE(look < design->looks);
	if (d->verdict != BA_VERDICT_UNDECIDED)
		return;
	BA_REQUIRE(d->invocations == n);
	ba_pool(&x, z, at, n, d->place_count, policy->s_floor);
	m->known = true;
	m->now_reg = m->now_imp = 1;
	if (!x.places)
		return;
	const ba_look of_z = look_of(&x, policy, weight);
	double half = half_width(&of_z, policy);

	m->zbar = x.mean;
	m->s = x.s;
	m->se = x.se;
	m->lo = m->zbar - half;
	m->hi = m->zbar + half;
	m->now_reg = ba_look_mean_p(m->zbar, d->ybar, &of_z, d->d_reg, policy);
	m->now_imp = ba_look_mean_p(-m->zbar, -d->ybar, &of_z, d->d_imp, policy);
	if (ba_look_is_clear(m->zbar, &of_z, d->d_reg, policy))
		m->p_reg = fmin(m->p_reg, m->now_reg / weight);
	if (ba_look_is_clear(-m->zbar, &of_z, d->d_imp, policy))
		m->p_imp = fmin(m->p_imp, m->now_imp / weight);
}

void ba_decision_look_mean(ba_decision *d, const ba_policy *policy, const ba_design *design,
	size_t look, const double *z)
{
	ba_decision_look_mean_at(d, policy, design, look, z, NULL);
}

bool ba_decision_mean_is_slower(const ba_decision *d)
{
	return d->mean.known && d->mean.now_reg <= BA_MEAN_HOLD;
}

bool ba_decision_mean_is_faster(const ba_decision *d)
{
	return d->mean.known && d->mean.now_imp <= BA_MEAN_HOLD;
}

double ba_decision_ratio(const ba_decision *d)
{
	return exp(d->ybar);
}

bool ba_decision_is_unstable(const ba_decision *d)
{
	return fabs(d->hodges_lehmann - d->ybar) > 0.5 * fmin(d->d_reg, d->d_imp);
}

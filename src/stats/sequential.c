#include <math.h>

#include "base/auto.h"
#include "base/mem.h"
#include "base/require.h"
#include "stats/quantile.h"
#include "stats/sequential.h"
#include "stats/student.h"

double ba_s_floor(double tick_ns, double interval_ns)
{
	return fmax(BA_S_FLOOR, tick_ns / interval_ns / sqrt(6));
}

/* what a time alone is until the baseline's time is known */
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
		.verdict = BA_VERDICT_UNDECIDED,
	};
}

/* one side: is the change, in this direction, more than its threshold says? */
static double change_p(double ybar, double se, double nu, double d, double floor_p,
	const ba_policy *policy)
{
	double margin = policy->strict ? d : 0.5 * d;

	/* the effect is inside the p-value: filtering the output of Benjamini-Hochberg
	 * by effect would lose its guarantee, a larger p never does */
	return ybar >= d ? fmax(floor_p, ba_t_sf((ybar - margin) / se, nu)) : 1;
}

/* processes of a few discrete speeds may all differ by the same amount: 2 * 4^-R */
static double tie_floor(size_t invocations)
{
	return ldexp(2, -2 * (int)(invocations < 500 ? invocations : 500));
}

/* one-sided p-values of a single look, before the minimum over looks */
typedef struct p_values {
	double reg, imp, eq;
} p_values;

static p_values look_p(const ba_decision *d, const ba_policy *policy,
	size_t invocations, double weight, double floor_p, double ybar, double s)
{
	double nu = (double)invocations - 1, se = s / sqrt((double)invocations);
	double above = ba_t_sf((1.25 * d->d_reg - ybar) / se, nu);
	double below = ba_t_sf((1.25 * d->d_imp + ybar) / se, nu);

	return (p_values){
		.reg = fmin(
			1, change_p(ybar, se, nu, d->d_reg, floor_p, policy) / weight),
		.imp = fmin(
			1, change_p(-ybar, se, nu, d->d_imp, floor_p, policy) / weight),
		.eq = fmin(1, fmax(floor_p, fmax(above, below)) / weight),
	};
}

void ba_decision_estimate(
	ba_decision *d, const ba_policy *policy, const double *y, size_t n)
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
	/* a change of exactly the threshold does not exceed it, however it is rounded */
	d->p_reg = y > d->d_reg * (1 + ROUNDING) ? 0 : 1;
	d->p_imp = -y > d->d_imp * (1 + ROUNDING) ? 0 : 1;
	d->p_eq = d->p_reg == 1 && d->p_imp == 1 ? 0 : 1;
	d->verdict = d->p_reg == 0   ? BA_VERDICT_REGRESSED
		     : d->p_imp == 0 ? BA_VERDICT_IMPROVED
				     : BA_VERDICT_UNCHANGED;
}

void ba_decision_look(ba_decision *d, const ba_policy *policy, const ba_design *design,
	size_t look, const double *y)
{
	BA_REQUIRE(look < design->looks && design->at[look] >= 2);
	if (d->verdict != BA_VERDICT_UNDECIDED)
		return;
	size_t n = design->at[look];
	double weight = design->weight[look];

	ba_decision_estimate(d, policy, y, n);
	double half = ba_t_isf(0.5 * policy->alpha * weight, (double)n - 1) * d->se;
	p_values p = look_p(d, policy, n, weight, tie_floor(n), d->ybar, d->s);

	d->lo = d->ybar - half;
	d->hi = d->ybar + half;
	d->p_reg = fmin(d->p_reg, p.reg);
	d->p_imp = fmin(d->p_imp, p.imp);
	d->p_eq = fmin(d->p_eq, p.eq);
	d->looks++;
}

/* the same for the mean; where it says no more than the trimmed estimate it says
 * nothing
 */
static double mean_p(double zbar, double ybar, double se, double nu, double d,
	double floor_p, const ba_policy *policy)
{
	bool beyond = zbar - ybar >= BA_MEAN_EXCESS * d;

	return beyond ? change_p(zbar, se, nu, d, floor_p, policy) : 1;
}

void ba_decision_look_mean(ba_decision *d, const ba_policy *policy,
	const ba_design *design, size_t look, const double *z)
{
	ba_mean_decision *m = &d->mean;
	size_t n = design->at[look];
	double nu = (double)n - 1, weight = design->weight[look];

	BA_REQUIRE(look < design->looks);
	if (d->verdict != BA_VERDICT_UNDECIDED)
		return;
	BA_REQUIRE(d->invocations == n);
	m->known = true;
	m->zbar = ba_mean(z, n);
	m->s = fmax(ba_stdev(z, n), policy->s_floor);
	m->se = m->s / sqrt((double)n);
	double half = ba_t_isf(0.5 * policy->alpha * weight, nu) * m->se;

	m->lo = m->zbar - half;
	m->hi = m->zbar + half;
	m->now_reg =
		mean_p(m->zbar, d->ybar, m->se, nu, d->d_reg, tie_floor(n), policy);
	m->now_imp =
		mean_p(-m->zbar, -d->ybar, m->se, nu, d->d_imp, tie_floor(n), policy);
	m->p_reg = fmin(m->p_reg, m->now_reg / weight);
	m->p_imp = fmin(m->p_imp, m->now_imp / weight);
}

bool ba_decision_mean_is_slower(const ba_decision *d)
{
	return d->mean.known && d->mean.now_reg <= BA_MEAN_HOLD;
}

bool ba_decision_mean_is_faster(const ba_decision *d)
{
	return d->mean.known && d->mean.now_imp <= BA_MEAN_HOLD;
}

/* What may be said of a comparison: which of its p-values are small enough. */
typedef struct rejected {
	bool slower, faster, mean_slower, mean_faster;
} rejected;

static ba_verdict verdict_of(const ba_decision *d, const rejected *r, double alpha)
{
	bool mean_slower = ba_decision_mean_is_slower(d);
	bool mean_faster = ba_decision_mean_is_faster(d);

	if (d->invocations == 0)
		return BA_VERDICT_UNDECIDED;
	if (r->slower && d->ybar >= d->d_reg)
		return BA_VERDICT_REGRESSED;
	/* now as well as at some look: estimates must not contradict the word */
	if (r->mean_slower && mean_slower)
		return BA_VERDICT_TAIL_REGRESSED;
	if (mean_slower)
		return BA_VERDICT_UNDECIDED;
	if (r->faster && d->ybar <= -d->d_imp)
		return BA_VERDICT_IMPROVED;
	if (r->mean_faster && mean_faster && d->ybar < d->d_reg)
		return BA_VERDICT_TAIL_IMPROVED;
	if (!mean_faster && d->p_eq <= alpha && d->ybar < d->d_reg &&
		d->ybar > -d->d_imp)
		return BA_VERDICT_UNCHANGED;
	return BA_VERDICT_UNDECIDED;
}

/* A comparison has one p-value in the family: the smaller of its two, each over its
 * share of alpha (a weighted Bonferroni correction). */
static double shared_p(const ba_decision *d, double p, double p_mean)
{
	if (!d->mean.known)
		return p;
	return fmin(1, fmin(p / (1 - BA_MEAN_SHARE), p_mean / BA_MEAN_SHARE));
}

static void reject(rejected *out, const ba_decision *d, size_t n, size_t m,
	const ba_policy *policy, bool slower)
{
	BA_AUTO_FREE double *p = ba_xreallocarray(NULL, n, sizeof(*p));
	BA_AUTO_FREE bool *any = ba_xcalloc(n, sizeof(*any));

	for (size_t i = 0; i < n; i++)
		p[i] = slower ? shared_p(&d[i], d[i].p_reg, d[i].mean.p_reg)
			      : shared_p(&d[i], d[i].p_imp, d[i].mean.p_imp);
	size_t count =
		ba_multiple_reject(any, p, n, m, policy->alpha, policy->multiplicity);
	double level = count ? ba_multiple_level(count - 1, m, policy->alpha,
				       policy->multiplicity)
			     : 0;
	for (size_t i = 0; i < n; i++) {
		double share = d[i].mean.known ? BA_MEAN_SHARE : 0;
		double own = slower ? d[i].p_reg : d[i].p_imp;
		double mean = slower ? d[i].mean.p_reg : d[i].mean.p_imp;
		bool of_own = any[i] && own <= (1 - share) * level;
		bool of_mean = any[i] && mean <= share * level;

		*(slower ? &out[i].slower : &out[i].faster) = of_own;
		*(slower ? &out[i].mean_slower : &out[i].mean_faster) = of_mean;
	}
}

size_t ba_family_decide(
	ba_decision *d, size_t n, size_t m, const ba_policy *policy, bool last)
{
	BA_REQUIRE(m >= n);
	BA_AUTO_FREE rejected *r = ba_xcalloc(n, sizeof(*r));
	size_t undecided = 0;

	reject(r, d, n, m, policy, true);
	reject(r, d, n, m, policy, false);
	for (size_t i = 0; i < n; i++) {
		if (d[i].verdict != BA_VERDICT_UNDECIDED)
			continue;
		d[i].verdict = verdict_of(&d[i], &r[i], policy->alpha);
		if (d[i].verdict == BA_VERDICT_UNDECIDED && last)
			d[i].verdict = BA_VERDICT_INCONCLUSIVE;
		undecided += d[i].verdict == BA_VERDICT_UNDECIDED;
	}
	return undecided;
}

void ba_decision_conclude(
	ba_decision *d, const ba_policy *policy, double slower, double faster)
{
	const rejected r = {.slower = d->p_reg <= slower, .faster = d->p_imp <= faster};

	BA_REQUIRE(!d->mean.known);
	d->verdict = verdict_of(d, &r, policy->alpha);
	if (d->verdict == BA_VERDICT_UNDECIDED)
		d->verdict = BA_VERDICT_INCONCLUSIVE;
}

double ba_decision_ratio(const ba_decision *d)
{
	return exp(d->ybar);
}

bool ba_decision_is_unstable(const ba_decision *d)
{
	return fabs(d->hodges_lehmann - d->ybar) > 0.5 * fmin(d->d_reg, d->d_imp);
}

/* would the mean be shown at this look, if estimate and spread stay what they are? */
static bool mean_would_decide(const ba_decision *d, const ba_policy *policy, size_t n,
	double weight, double level, double floor_p)
{
	double nu = (double)n - 1, se = d->mean.s / sqrt((double)n);
	double reg = mean_p(d->mean.zbar, d->ybar, se, nu, d->d_reg, floor_p, policy);
	double imp = mean_p(-d->mean.zbar, -d->ybar, se, nu, d->d_imp, floor_p, policy);

	return fmin(reg, imp) / weight <= BA_MEAN_SHARE * level;
}

/* would this look decide, if estimate and spread stay what they are? */
static bool would_decide(const ba_decision *d, const ba_policy *policy,
	const ba_design *design, size_t look, double level, double floor_p)
{
	size_t n = design->at[look];
	double weight = design->weight[look];
	p_values p = look_p(d, policy, n, weight, floor_p, d->ybar, d->s);
	double own = d->mean.known ? (1 - BA_MEAN_SHARE) * level : level;
	bool slower = ba_decision_mean_is_slower(d);
	bool held = slower || ba_decision_mean_is_faster(d);
	bool between = d->ybar < d->d_reg && d->ybar > -d->d_imp && !held;

	return p.reg <= own || (p.imp <= own && !slower) ||
	       (between && p.eq <= policy->alpha) ||
	       (held && mean_would_decide(d, policy, n, weight, level, floor_p));
}

double ba_family_level(
	const ba_family *family, const ba_decision *d, const ba_policy *policy)
{
	return ba_multiple_level(d->ybar > 0 ? family->slower : family->faster,
		family->size, policy->alpha, policy->multiplicity);
}

/* does the tie floor alone keep every change from being shown at this look? */
static bool is_below_floor(
	const ba_decision *d, const ba_design *design, size_t look, double level)
{
	double own = d->mean.known ? (1 - BA_MEAN_SHARE) * level : level;

	return tie_floor(design->at[look]) / design->weight[look] > own;
}

ba_obstacle ba_decision_obstacle(const ba_decision *d, const ba_policy *policy,
	const ba_design *design, const ba_family *family)
{
	double level = ba_family_level(family, d, policy);
	size_t look = d->looks ? d->looks - 1 : 0;
	bool changed = d->ybar >= d->d_reg || d->ybar <= -d->d_imp;

	if (d->looks == 0 || look >= design->looks)
		return BA_OBSTACLE_NOISE;
	if ((changed && is_below_floor(d, design, look, level)) ||
		would_decide(d, policy, design, look, level, 0))
		return BA_OBSTACLE_INVOCATIONS;
	if (family->size > 1 && would_decide(d, policy, design, look, policy->alpha,
					tie_floor(design->at[look])))
		return BA_OBSTACLE_FAMILY;
	if (ba_decision_mean_is_slower(d) || ba_decision_mean_is_faster(d))
		return BA_OBSTACLE_MEAN;
	return BA_OBSTACLE_NOISE;
}

size_t ba_decision_forecast(const ba_decision *d, const ba_policy *policy,
	const ba_design *design, double level)
{
	if (d->invocations < 2)
		return 0;
	for (size_t look = 0; look < design->looks; look++)
		if (design->at[look] > d->invocations &&
			would_decide(d, policy, design, look, level,
				tie_floor(design->at[look])))
			return design->at[look];
	return 0;
}

bool ba_decision_would_decide(const ba_decision *d, const ba_policy *policy,
	const ba_design *design, size_t look, double level, double spread,
	bool with_floor)
{
	ba_decision then = *d;

	then.s *= spread;
	then.mean.s *= spread;
	return would_decide(&then, policy, design, look, level,
		with_floor ? tie_floor(design->at[look]) : 0);
}

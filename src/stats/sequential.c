#include <math.h>

#include "base/auto.h"
#include "base/mem.h"
#include "base/require.h"
#include "stats/quantile.h"
#include "stats/rank.h"
#include "stats/sequential.h"
#include "stats/student.h"

ba_design ba_design_sequential(void)
{
	return (ba_design){
		.looks = 7,
		.at = {4, 6, 8, 12, 16, 24, 32},
		.weight = {.20, .20, .20, .15, .10, .10, .05},
	};
}

ba_design ba_design_fixed(size_t invocations)
{
	BA_REQUIRE(invocations >= 2);
	return (ba_design){.looks = 1, .at = {invocations}, .weight = {1}};
}

size_t ba_design_last(const ba_design *design)
{
	return design->at[design->looks - 1];
}

size_t ba_design_looks_within(const ba_design *design, size_t invocations)
{
	size_t looks = 0;

	while (looks < design->looks && design->at[looks] <= invocations)
		looks++;
	return looks;
}

double ba_s_floor(double tick_ns, double interval_ns)
{
	return fmax(BA_S_FLOOR, tick_ns / interval_ns / sqrt(6));
}

double ba_threshold_of(double theta, double absolute_ns, double base_ns)
{
	return fmax(theta, absolute_ns / base_ns);
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

static ba_look_p look_p(const ba_decision *d, const ba_policy *policy,
	size_t invocations, double weight, double floor_p, double ybar, double s)
{
	double nu = (double)invocations - 1, se = s / sqrt((double)invocations);
	double above = ba_t_sf((1.25 * d->d_reg - ybar) / se, nu);
	double below = ba_t_sf((1.25 * d->d_imp + ybar) / se, nu);

	return (ba_look_p){
		.reg = fmin(
			1, change_p(ybar, se, nu, d->d_reg, floor_p, policy) / weight),
		.imp = fmin(
			1, change_p(-ybar, se, nu, d->d_imp, floor_p, policy) / weight),
		.eq = fmin(1, fmax(floor_p, fmax(above, below)) / weight),
	};
}

ba_look_p ba_look_p_of(const ba_decision *d, const ba_policy *policy, double ybar,
	double s, size_t invocations, double weight)
{
	return look_p(d, policy, invocations, weight, tie_floor(invocations), ybar, s);
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
	ba_look_p p = ba_look_p_of(d, policy, d->ybar, d->s, n, weight);

	d->lo = d->ybar - half;
	d->hi = d->ybar + half;
	d->p_reg = fmin(d->p_reg, p.reg);
	d->p_imp = fmin(d->p_imp, p.imp);
	d->p_eq = fmin(d->p_eq, p.eq);
	d->looks++;
}

static ba_verdict verdict_of(
	const ba_decision *d, bool reg_rejected, bool imp_rejected, double alpha)
{
	if (d->invocations == 0)
		return BA_VERDICT_UNDECIDED;
	if (reg_rejected && d->ybar >= d->d_reg)
		return BA_VERDICT_REGRESSED;
	if (imp_rejected && d->ybar <= -d->d_imp)
		return BA_VERDICT_IMPROVED;
	if (d->p_eq <= alpha && d->ybar < d->d_reg && d->ybar > -d->d_imp)
		return BA_VERDICT_UNCHANGED;
	return BA_VERDICT_UNDECIDED;
}

size_t ba_family_decide(
	ba_decision *d, size_t n, size_t m, const ba_policy *policy, bool last)
{
	BA_REQUIRE(m >= n);
	BA_AUTO_FREE double *p = ba_xreallocarray(NULL, n, sizeof(*p));
	BA_AUTO_FREE bool *reg = ba_xcalloc(n, sizeof(*reg));
	BA_AUTO_FREE bool *imp = ba_xcalloc(n, sizeof(*imp));
	size_t undecided = 0;

	for (size_t i = 0; i < n; i++)
		p[i] = d[i].p_reg;
	ba_multiple_reject(reg, p, n, m, policy->alpha, policy->multiplicity);
	for (size_t i = 0; i < n; i++)
		p[i] = d[i].p_imp;
	ba_multiple_reject(imp, p, n, m, policy->alpha, policy->multiplicity);
	for (size_t i = 0; i < n; i++) {
		if (d[i].verdict != BA_VERDICT_UNDECIDED)
			continue;
		d[i].verdict = verdict_of(&d[i], reg[i], imp[i], policy->alpha);
		if (d[i].verdict == BA_VERDICT_UNDECIDED && last)
			d[i].verdict = BA_VERDICT_INCONCLUSIVE;
		undecided += d[i].verdict == BA_VERDICT_UNDECIDED;
	}
	return undecided;
}

double ba_decision_ratio(const ba_decision *d)
{
	return exp(d->ybar);
}

bool ba_decision_is_unstable(const ba_decision *d)
{
	return fabs(d->hodges_lehmann - d->ybar) > 0.5 * fmin(d->d_reg, d->d_imp);
}

/* would this look decide, if estimate and spread stay what they are? */
static bool would_decide(const ba_decision *d, const ba_policy *policy,
	const ba_design *design, size_t look, double level, double floor_p)
{
	ba_look_p p = look_p(d, policy, design->at[look], design->weight[look], floor_p,
		d->ybar, d->s);
	bool between = d->ybar < d->d_reg && d->ybar > -d->d_imp;

	return p.reg <= level || p.imp <= level || (between && p.eq <= policy->alpha);
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

size_t ba_blocks_next(size_t blocks, size_t most, double s1_sq, double s2_sq,
	const ba_decision *d, const ba_policy *policy, const ba_design *design,
	double level)
{
	size_t next = ba_design_looks_within(design, d->invocations);

	if (s1_sq / (double)blocks < 0.5 * s2_sq)
		return blocks;
	/* without the tie floor: more blocks do nothing against that */
	if (next < design->looks && would_decide(d, policy, design, next, level, 0))
		return blocks;
	return 2 * blocks < most ? 2 * blocks : (blocks < most ? most : blocks);
}

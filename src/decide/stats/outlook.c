/* What further invocations would decide, and what keeps a comparison open. */

#include "stats/sequential.h"
#include "stats/sequential_internal.h"

/* Would this look show a change of the mean, if estimate and spread stay unchanged? */
static bool mean_would_decide(
	const ba_decision *d, const ba_policy *policy, const ba_look *of_mean, double level)
{
	double z = d->mean.zbar, own = BA_MEAN_SHARE * level * of_mean->weight;
	bool reg = ba_look_mean_p(z, d->ybar, of_mean, d->d_reg, policy) <= own;
	bool imp = ba_look_mean_p(-z, -d->ybar, of_mean, d->d_imp, policy) <= own;
	return (reg && ba_look_is_clear(z, of_mean, d->d_reg, policy)) ||
	       (imp && ba_look_is_clear(-z, of_mean, d->d_imp, policy));
}

/* A look of n invocations with the spread s, equally many at each place. */
static ba_look look_of(const ba_decision *d, size_t n, double s, double weight, double floor_p)
{
	double lost = d->places > 1 ? (double)d->places : 1;
	return (ba_look){.se = s / sqrt((double)n),
		.nu = fmax((double)n - lost, 1),
		.weight = weight,
		.floor_p = floor_p};
}

/* Would this look be conclusive, if estimate and spread stay unchanged? */
static bool would_decide(const ba_decision *d, const ba_policy *policy, const ba_design *design,
	size_t look, double level, double floor_p)
{
	bool apart = d->gap_rank && d->gap_rank <= ba_gap_most(policy, design->at[look]);
	size_t n = design->at[look];
	double weight = design->weight[look];
	ba_look of_y = look_of(d, n, d->s, weight, floor_p);
	ba_look of_z = look_of(d, n, d->mean.s, weight, floor_p);
	ba_p_values p = ba_look_p(d, policy, &of_y, d->ybar);
	double own = apart ? 1 - 1e-9 : ba_own_share(d) * level;
	bool slower = ba_decision_mean_is_slower(d);
	bool held = slower || ba_decision_mean_is_faster(d);
	bool between = d->ybar < d->d_reg && d->ybar > -d->d_imp && !held;
	return p.reg <= own || (p.imp <= own && !slower) || (between && p.eq <= policy->alpha) ||
	       (held && mean_would_decide(d, policy, &of_z, level));
}

double ba_family_level(const ba_family *family, const ba_decision *d, const ba_policy *policy)
{
	return ba_multiple_level(d->ybar > 0 ? family->slower : family->faster, family->size,
		ba_family_alpha(policy), policy->multiplicity);
}

/* Does the floor for ties alone prevent any change from being shown at this look? */
static bool is_below_floor(const ba_decision *d, const ba_policy *policy, const ba_design *design,
	size_t look, double level)
{
	double own = ba_own_share(d) * level;
	return ba_tie_floor(policy, design->at[look]) / design->weight[look] > own;
}

ba_obstacle ba_decision_obstacle(const ba_decision *d, const ba_policy *policy,
	const ba_design *design, const ba_family *family)
{
	double level = ba_family_level(family, d, policy);
	size_t look = d->looks ? d->looks - 1 : 0;
	bool changed = d->ybar >= d->d_reg || d->ybar <= -d->d_imp;
	if (d->looks == 0 || look >= design->looks)
		return BA_OBSTACLE_NOISE;
	if ((changed && is_below_floor(d, policy, design, look, level)) ||
		would_decide(d, policy, design, look, level, 0))
		return BA_OBSTACLE_INVOCATIONS;
	if (family->size > 1 && would_decide(d, policy, design, look, policy->alpha,
					ba_tie_floor(policy, design->at[look])))
		return BA_OBSTACLE_FAMILY;
	if (ba_decision_mean_is_slower(d) || ba_decision_mean_is_faster(d))
		return BA_OBSTACLE_MEAN;
	return BA_OBSTACLE_NOISE;
}

bool ba_design_can_flag(const ba_design *design, size_t look, const ba_policy *policy, size_t m)
{
	double floor_p = ba_tie_floor(policy, design->at[look]) / design->weight[look];
	double level = ba_multiple_level(0, m, ba_family_alpha(policy), policy->multiplicity);
	return ba_gap_most(policy, design->at[look]) || floor_p <= level;
}

size_t ba_decision_forecast(
	const ba_decision *d, const ba_policy *policy, const ba_design *design, double level)
{
	if (d->invocations < 2)
		return 0;
	for (size_t look = 0; look < design->looks; look++)
		if (design->at[look] > d->invocations &&
			would_decide(d, policy, design, look, level,
				ba_tie_floor(policy, design->at[look])))
			return design->at[look];
	return 0;
}

bool ba_decision_would_decide(const ba_decision *d, const ba_policy *policy,
	const ba_design *design, size_t look, double level, double spread, bool with_floor)
{
	ba_decision then = *d;
	then.s *= spread;
	then.mean.s *= spread;
	return would_decide(&then, policy, design, look, level,
		with_floor ? ba_tie_floor(policy, design->at[look]) : 0);
}

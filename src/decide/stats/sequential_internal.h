/* Declarations shared by the files of the decision rule. Inside the module only. */
#pragma once

#include "base/base.h"

/* of stats/sequential.h */
typedef struct ba_decision ba_decision;
typedef struct ba_policy ba_policy;

/* one-sided p-values of a single look, divided by its weight */
typedef struct ba_p_values {
	double reg, imp, eq;
} ba_p_values;

/* An estimate at a look: its standard error, degrees of freedom, and the tie floor. */
typedef struct ba_look {
	double se, nu, weight, floor_p;
} ba_look;

/* Does the whole interval lie beyond no change (with `strict`: beyond d)? `near` is its end on
 * that side. Without this there is no verdict of a change. */
bool ba_is_clear(double near, double d, const ba_policy *policy);
/* The same for an interval that is not computed yet. */
bool ba_look_is_clear(double estimate, const ba_look *at, double d, const ba_policy *policy);

/* One-sided: is the change in this direction more than its threshold? */
double ba_change_p(double ybar, const ba_look *at, double d, const ba_policy *policy);
ba_p_values ba_look_p(
	const ba_decision *d, const ba_policy *policy, const ba_look *at, double ybar);
/* The p-value of the mean for one side; 1 if it shows no more than the trimmed estimate. */
double ba_look_mean_p(
	double zbar, double ybar, const ba_look *at, double d, const ba_policy *policy);
/* Processes of a few discrete speeds may all differ by the same amount: 1.01 * 4^-R; in
 * the first rule 2 * 4^-R. */
double ba_tie_floor(const ba_policy *policy, size_t invocations);

bool ba_gap_is_used(const ba_policy *policy);
/* share of alpha, if the gap rule is used */
double ba_gap_share(const ba_policy *policy);
/* The share of alpha for the trimmed estimate of all places together. */
double ba_own_share(const ba_decision *d);

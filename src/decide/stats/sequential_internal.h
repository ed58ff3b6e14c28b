/* What the files of the decision rule share. Inside the module only. */
#ifndef STATS_SEQUENTIAL_INTERNAL_H
#define STATS_SEQUENTIAL_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

/* of stats/sequential.h */
typedef struct ba_decision ba_decision;
typedef struct ba_policy ba_policy;

/* one-sided p-values of a single look, over its weight */
typedef struct ba_p_values {
	double reg, imp, eq;
} ba_p_values;

/* An estimate at a look: its standard error, degrees of freedom, and the tie floor. */
typedef struct ba_look {
	double se, nu, weight, floor_p;
} ba_look;

/* Is the end of an interval that is nearer to no change beyond it? With `strict`, beyond
 * the threshold d. Without that there is no verdict of a change. */
bool ba_is_clear(double near, double d, const ba_policy *policy);
/* The same of an interval that is yet to be made. */
bool ba_look_is_clear(double estimate, const ba_look *at, double d, const ba_policy *policy);

ba_p_values ba_look_p(
	const ba_decision *d, const ba_policy *policy, const ba_look *at, double ybar);
/* The p-value of the mean for one side. Where it says no more than the trimmed estimate
 * it says nothing: 1. */
double ba_look_mean_p(
	double zbar, double ybar, const ba_look *at, double d, const ba_policy *policy);
/* Processes of a few discrete speeds may all differ by the same amount: 1.01 * 4^-R; in
 * the first rule 2 * 4^-R. */
double ba_tie_floor(const ba_policy *policy, size_t invocations);

bool ba_gap_is_used(const ba_policy *policy);
double ba_gap_share(const ba_policy *policy); /* of alpha, where it is used */
/* Sets gap_rank of the undecided, at a look. Of the m hypotheses of the family, those that
 * are not among the n may vary as much as any. */
void ba_gap_rank(ba_decision *d, size_t n, size_t m, const ba_policy *policy);
bool ba_gap_is_likely(const ba_decision *d, const ba_policy *policy);
/* The part of alpha that the trimmed estimate of all places together has. */
double ba_own_share(const ba_decision *d);

#endif

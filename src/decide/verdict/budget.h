/* Estimates what a time budget is enough for, by cost and noise of the first invocations. */
#pragma once

#include "verdict/explain.h"

typedef struct ba_costs {
	double budget_ns, spent_ns;
	/* waits for the first look that can show a change, even beyond its budget */
	bool aims;
	double next_ns; /* of an invocation */
	size_t done;	/* invocations */
	const ba_design *design;
	/* noise and threshold of a typical comparison (ba_costs_learn); 0: unknown */
	double s, theta;
	size_t family;
} ba_costs;

typedef struct ba_bought {
	/* of the last look that fits, or as many as fit if that is before the first */
	size_t invocations;
	/* the ratio of a change that is found with 90 % probability; 0: unknown */
	double change;
	double enough_ns; /* the smallest budget that reaches the first look */
} ba_bought;

ba_bought ba_budget_plan(const ba_costs *c);
/* "about 8 invocations in 4 min, enough for changes of 3 %"; the caller frees it. */
char *ba_budget_text(const ba_costs *c);
/* For a run that aimed at the first look: which comparisons are inconclusive, and a
 * command that would settle more of them. */
char *ba_budget_more(const ba_result *r, const ba_prospect *p);
/* Takes the family's size, and the noise and threshold of its median comparison. */
void ba_costs_learn(ba_costs *c, const ba_result *r);

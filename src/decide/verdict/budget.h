/* What a time budget buys, planned from what the first invocations cost and how much
 * they vary. */
#ifndef VERDICT_BUDGET_H
#define VERDICT_BUDGET_H

#include "verdict/explain.h"
#include "model/result.h"
#include "stats/sequential.h"

typedef struct ba_costs {
	double budget_ns, spent_ns;
	bool aims;	/* the first look that can show a change is awaited */
	double next_ns; /* of an invocation */
	size_t done;	/* invocations */
	const ba_design *design;
	/* of a typical comparison (ba_costs_learn); 0: unknown */
	double s, theta;
	size_t family;
} ba_costs;

typedef struct ba_bought {
	size_t invocations; /* of the last look that fits, or as many as fit before the first */
	double change;	    /* a ratio that is found with 90 % probability; 0: unknown */
	double enough_ns;   /* a budget that reaches the first look */
} ba_bought;

ba_bought ba_budget_plan(const ba_costs *c);
/* "about 8 invocations in 4 min, enough for changes of 3 %"; the caller frees it. */
char *ba_budget_text(const ba_costs *c);
/* Of a run that aimed at it: what is open, and the command with which it would be less. */
char *ba_budget_more(const ba_result *r, const ba_prospect *p);
/* Takes the family's size, and noise and threshold of its median comparison. */
void ba_costs_learn(ba_costs *c, const ba_result *r);

#endif

/* Sentences about noise: why a comparison is inconclusive, what would make it conclusive, and
 * what looks wrong with a run. Pure, computed from the result. */
#pragma once

#include "model/result.h"

/* What a longer run would do. */
typedef struct ba_prospect {
	/* of one more invocation of the inconclusive benchmarks; NAN: unknown */
	double seconds;
	/* inconclusive comparisons, and how many of them would be settled by */
	size_t open, settled;
	double more; /* this many more invocations */
} ba_prospect;

/* What the explanations of all inconclusive comparisons share. */
typedef struct ba_outlook {
	ba_family family;
	/* its seconds are set by the caller; the rest is counted here */
	ba_prospect *prospect;
} ba_outlook;

/* The duration of one more invocation of the open benchmarks: their own time, and the
 * time to start workers, which is what the run needed beside its samples. From the
 * samples and r->measure_seconds. open: [benchmark_count]. */
double ba_seconds_of_one_more(const ba_result *r, const bool *open);

/* Sets reason and hint of an inconclusive comparison. Needs r->stopped and the values
 * of the comparison. The reason is the limiting one: if the number of invocations alone
 * rules out a change in this family, noise is not blamed. The hint says how many more
 * would be enough with today's estimate and spread. */
void ba_explain_inconclusive(ba_comparison *k, const ba_result *r, const ba_series *series,
	const ba_decision *d, const ba_outlook *outlook);

/* Sets the reason of a comparison whose verdict is about its tail. */
void ba_explain_mean(ba_comparison *k);

/* Makes a decided comparison inconclusive, with reason and hint, if what was measured
 * beside it contradicts its verdict: the elapsed time, the mean of the calls, a clock that
 * is too coarse, a candidate that nothing confirmed, or the place of the code in memory. */
void ba_withhold(ba_comparison *k, const ba_result *r, const ba_series *series, size_t candidate);
/* Would a verdict, if there were one, be withheld? */
bool ba_is_withheld(const ba_result *r, const ba_series *series, size_t candidate);

/* Adds notes about the whole run: "clocks not steady", from its placebo, and GPU clocks
 * that differed between variants. */
void ba_explain_run(ba_result *r);

/* ---- what a time budget is enough for, by cost and noise of the first invocations (budget.c) ---- */

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

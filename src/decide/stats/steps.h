/*
 * Which commit made it slower? The posterior over the place of a step in a sequence of
 * commits, and what to measure next.
 *
 * Commits are 0 (GOOD) .. n-1 (BAD). An invocation measures GOOD and some others and
 * gives y, the log ratio of each to GOOD:
 *
 *     level of commit c in invocation i  =  b_i + x_c * delta + u_c + e_ci
 *
 *     b_i    what the invocation adds to all: unknown, different each time
 *     x_c    0 before the step, 1 from the step on (the step is at k if commit k is the
 *            first one that is slower)
 *     u_c    what the commit does besides, which no repetition averages away: small
 *            changes, another layout of its code
 *     e_ci   noise of one standard deviation, which is unknown, too
 *
 * GOOD's own noise is in every ratio of its invocation. The model therefore has GOOD as
 * one of the commits, with y = 0, and subtracts the mean of each invocation: what is
 * left has no common error. Commits that lie far from the step are further readings of
 * GOOD or BAD.
 *
 * The place, delta and the noise are unknown together. Noise and delta are integrated
 * out, the noise with Jeffreys' prior, delta with a g-prior of the weight of one value
 * (Liang et al., JASA 103, 2008). So the evidence has the tails of Student's t, and few
 * values cannot give certainty. The variance of u is one of five multiples of that of e,
 * from 0 to 100, whose probabilities follow from the data, too. Models with no step and
 * with two steps compete; two steps count only if each is at least `least`. So does a
 * drift: many small changes, to which each place contributes alike.
 *
 * Measuring where it tells most, with the posterior as the state, is noisy binary
 * search: Burnashev and Zigangirov, Problems of Information Transmission 10 (1974);
 * Ben-Or and Hassidim, FOCS 2008; Waeber, Frazier and Henderson, SIAM J. Control Optim.
 * 51 (2013). Those ask one question at a time. Here an invocation measures several
 * commits, so that the choice is of a set: see ba_steps_choose.
 *
 * Pass only values measured after the benchmark was chosen. Values that were the reason
 * for the choice are biased.
 */
#pragma once

#include "base/base.h"

/* The values of one invocation. Every commit is > 0 and occurs once. */
typedef struct ba_step_values {
	const size_t *commits; /* [count] ascending */
	const double *y;       /* [count] log ratio to GOOD in this invocation */
	size_t count;
} ba_step_values;

typedef struct ba_step_data {
	size_t commits; /* n >= 2 */
	/* [n] prior weight of a step at k, 0: impossible; [0] is ignored */
	const double *prior;
	const ba_step_values *values; /* [count] */
	size_t count;
	double floor; /* smallest plausible standard deviation of e: BA_S_FLOOR */
	double least; /* the smallest size of each of two steps, as log ratio; > 0 */
} ba_step_data;

/* Prior probabilities of the number of steps, before fresh data. The first run showed
 * that BAD is slower than GOOD. */
#define BA_STEPS_NONE 0.02
#define BA_STEPS_TWO 0.08
#define BA_STEPS_DRIFT 0.02

typedef struct ba_steps {
	size_t commits;
	double none, one, two, drift; /* probabilities; their sum is 1 */
	double *at;		      /* [n] probability of a step at k, if there is one step */
	/* [n] the same for the first and the second, if there are two */
	double *first, *second;
	/* the step at the most likely place, if there is one step: log ratio and 95 %
	 * interval; infinite before there are values */
	double delta, low, high;
	/* the same for the most likely pair of steps */
	double delta_first, low_first, high_first;
	double delta_second, low_second, high_second;
	double delta_drift, low_drift, high_drift; /* the sum of all changes of a drift */
	double s;	  /* standard deviation of e, at the most likely place */
	double of_commit; /* standard deviation of u there; 0: none was detected */
	size_t df;
} ba_steps;

/* Replaces *out, which is zeroed or was set by an earlier call. */
void ba_steps_update(ba_steps *out, const ba_step_data *d);
/* Do the values show that a single step is smaller than `least`, if there is one? */
bool ba_steps_is_small(const ba_steps *s, double least);
BA_DECLARE_DISPOSE(ba_steps)

/* Marks in in[n] the fewest commits whose probabilities p[0..n-1] (sum 1) add up to
 * `level`; returns how many. Among equal commits it takes the earlier. */
size_t ba_steps_set(bool *in, const double *p, size_t n, double level);
/* Returns the most likely place. */
size_t ba_steps_best(const double *p, size_t n);

/* The choices for the next measurement, and what they cost. */
typedef struct ba_step_menu {
	const bool *measurable; /* [n]: can it be built? GOOD and BAD always are */
	/* [n] number of invocations that contained the commit so far */
	const size_t *measured;
	size_t most;	 /* commits between GOOD and BAD in one invocation */
	double delta, s; /* the estimated step, and the standard deviation of e */
	/* the standard deviation of u: it is not reduced by repeating a measurement */
	double of_commit;
	/* the cost of starting a run, and of an invocation without its variants, in
	 * units of one variant in one invocation */
	double run_cost, invocation_cost;
	const bool *built; /* [n]; NULL: building costs nothing */
	double build_cost; /* the cost of building one commit, in the same units */
	size_t builders;   /* how many commits can be built at the same time; >= 1 */
} ba_step_menu;

/*
 * Chooses commits besides GOOD and BAD, ascending, to out[menu->most], and how many
 * invocations to measure them in (2, 4 or 8): the greatest expected information per cost.
 * Returns the number of commits, 0 if none can tell places with probability apart.
 *
 * The information is that about the place of the step, whose observations are mixtures
 * of normal distributions: the lower bound of Kolchinsky and Tracey (Entropy 19, 2017)
 * with Bhattacharyya distances. Commits are added one by one.
 */
size_t ba_steps_choose(
	size_t *out, size_t *invocations, const ba_steps *s, const ba_step_menu *menu);

/* The commits that a step measures: `count` commits between GOOD and BAD, ascending. */
typedef struct ba_step_choice {
	const size_t *commits;
	size_t count, invocations;
} ba_step_choice;

/*
 * While a step measures `chosen`: the commits that the next choices will need, the
 * likeliest first, to out[most]. Returns how many.
 *
 * Each cell between measured neighbours is an outcome, as likely as the posterior `now` of
 * d says. The values that a step there would give, without noise, lead to another posterior
 * and to another choice, and so on: the likeliest outcome is always taken next. Commits
 * that are built or chosen are left out.
 */
size_t ba_steps_ahead(size_t *out, size_t most, const ba_step_data *d, const ba_steps *now,
	const ba_step_menu *menu, const ba_step_choice *chosen);

/* Sets p[n]: the probability that a step is at k, whether there is one step or two. */
void ba_steps_marginal(double *p, const ba_steps *s);
/* Sets until[n]: the probability of a step at k or before, whether there are one or two. */
void ba_steps_weigh(double *until, const ba_steps *s);

/* ---- for steps.c: the data as sums of squares, for several ratios of the two noises ---- */

enum { BA_STEP_FITS = 5 };
/* the variance of a commit's own deviation, in units of the noise of one invocation */
extern const double ba_step_ratios[BA_STEP_FITS];

/* Sums of squares for one ratio, weighted so that all values have one variance. */
typedef struct ba_step_fit {
	double *cross; /* [count * count] products of steps at edges i <= j */
	double *sum;   /* [count] products of a step at edge j with the values */
	/* the same for a drift, to which each cell adds its share of the prior */
	double ramp_cross, ramp_sum;
	double total; /* sum of squares of the values, including the floor's share */
	double base;  /* log likelihood without a step */
} ba_step_fit;

/* Places between two measured commits cannot be told apart: a cell. Cell j holds the
 * places k with edge[j-1] < k <= edge[j]; of one step there, the commits from edge[j] on
 * are slower. */
typedef struct ba_step_cells {
	size_t count; /* edges; edge[0] is GOOD, the last is BAD */
	size_t *edge;
	double *mass; /* [count] prior of the cell */
	size_t df;    /* number of values, less one for each invocation */
	ba_step_fit fit[BA_STEP_FITS];
} ba_step_cells;

void ba_step_cells_of(ba_step_cells *out, const ba_step_data *d);
BA_DECLARE_DISPOSE(ba_step_cells)

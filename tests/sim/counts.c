/*
 * What the rule of counts promises (docs/statistics.md section 3.10): the law that makes a
 * false alarm most likely beside a range as wide, false alarms in runs of equal code, and
 * the processes until a change is found. `--full`: the tables.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "stats/sequential.h"

enum { POINTS = 9, MOST = 8, FAMILY_MOST = 200 };

static uint64_t rng = 1;

static double uniform(void)
{
	return ((double)(ba_splitmix64(&rng) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

/* ---- the worst law: a count is i with the probability p[i] ---- */

typedef struct law {
	int n;
	double p[POINTS], y[2 * POINTS]; /* y[n - 1 + d]: two counts differ by d */
} law;

static double within(const law *l, int from, int to, int values)
{
	double sum = 0;
	for (int k = from < 0 ? 0 : from; k <= to && k < 2 * l->n - 1; k++)
		sum += l->y[k];
	return pow(sum, values);
}

/* all of r values at g or more, in a range of less than half of the least (and of what is
 * beyond half the threshold, `less`, of the gap) */
static double apart(const law *l, int r, int g, int less)
{
	double sum = 0;
	for (int m = g + less; m < l->n; m++) {
		int from = l->n - 1 + m, to = from + (m - less + 1) / 2 - 1;
		sum += within(l, from, to, r) - within(l, from + 1, to, r);
	}
	return sum;
}

static double ranges(const law *l, int values, int g)
{
	double below = 0;
	for (int m = 0; m < 2 * l->n - 1; m++)
		below += within(l, m, m + g - 1, values) - within(l, m + 1, m + g - 1, values);
	return 1 - below;
}

/* two counts of each side that repeat, and differ by g or more */
static double exact(const law *l, int g, int less)
{
	double sum = 0;
	for (int d = g + less; d < l->n; d++)
		for (int i = 0; i + d < l->n; i++)
			sum += pow(l->p[i] * l->p[i + d], 2);
	return sum;
}

static double alarms_for_a_range(law *l, int r, int g, int less)
{
	memset(l->y, 0, sizeof(l->y));
	for (int i = 0; i < l->n; i++)
		for (int k = 0; k < l->n; k++)
			l->y[l->n - 1 + k - i] += l->p[i] * l->p[k];
	double q = ranges(l, 2, g);
	return q < 1e-9 ? 0 : (r ? apart(l, r, g, less) : exact(l, g, less)) / q;
}

static void perturb(law *l, double step)
{
	double sum = 0;
	for (int i = 0; i < l->n; i++) {
		if (uniform() < .5)
			l->p[i] = fabs(l->p[i] + step * (uniform() - .5));
		sum += l->p[i];
	}
	for (int i = 0; i < l->n; i++)
		l->p[i] /= sum;
}

static double climb(int n, int r, int g, int less, int steps)
{
	law best = {.n = n}, next;
	double top, step = .5;
	for (int i = 0; i < n; i++)
		best.p[i] = pow(uniform(), 3);
	perturb(&best, 0);
	top = alarms_for_a_range(&best, r, g, less);
	for (int k = 0; k < steps; k++) {
		next = best;
		perturb(&next, step);
		double found = alarms_for_a_range(&next, r, g, less);
		if (found > top) {
			top = found;
			best = next;
		} else if (k % 15 == 14) {
			step *= .85;
		}
	}
	return top;
}

static int worst_law(int starts, int points)
{
	static const int at[] = {0, 3, 4, 6, 8};
	int failed = 0;
	for (size_t k = 0; k < 5; k++) {
		double top = 0, bound = at[k] ? ldexp(1.8, -2 * at[k]) : .1 + 1e-9;
		for (int n = 2; n <= points; n++)
			for (int g = 1; g < n; g++)
				for (int s = 0; s < starts; s++)
					top = fmax(top, climb(n, at[k], g, s % 3 ? 0 : s % 2, 400));
		printf("%d processes%s: at most %.6f of the ranges, bound %.6f\n",
			at[k] ? at[k] : 2, at[k] ? "" : " that repeat", top, bound);
		failed |= top > bound;
	}
	return failed;
}

/* ---- whole runs ---- */

typedef enum noise { EXACT, TWO, TWO_IN_ONE, THREE, RARE, NORMAL, SHARED, NOISES } noise;
static const char *const names[NOISES] = {"exact", "two states in all", "two states in one",
	"three states", "a rare state", "normal, 0.3 %", "a state that all share"};

static double count_of(noise kind, size_t benchmark, double shared)
{
	double u = uniform();
	switch (kind) {
	case TWO:
		return u < .5 ? 0 : .03;
	case TWO_IN_ONE:
		return benchmark == 0 && u < .5 ? .03 : 0;
	case THREE:
		return u < .45 ? 0 : u < .9 ? .05 : .02;
	case RARE:
		return u < .1 ? .03 * (1 + (double)(benchmark % 5)) : 0;
	case NORMAL:
		return .003 * normal();
	case SHARED:
		return shared;
	default:
		return 0;
	}
}

typedef struct run {
	double base[FAMILY_MOST][MOST], y[FAMILY_MOST][MOST];
	ba_decision d[FAMILY_MOST];
} run;

/* Do both sides repeat, and does no other vary by as much? As verdict/decide.c asks. */
static bool settles(const run *x, size_t i, size_t m, const ba_policy *p)
{
	double y = x->y[i][0], gap = fabs(y) - ba_margin(x->d[i].d_reg, p->strict);
	if (y != x->y[i][1] || x->base[i][0] != x->base[i][1])
		return false;
	for (size_t k = 0; k < m && fabs(y) > x->d[i].d_reg; k++)
		if (fabs(x->y[k][0] - x->y[k][1]) >= gap)
			return false;
	return true;
}

/* benchmark 0 changes; returns the processes until it is found, 0: not, or `regressed`
 * elsewhere as a negative number of processes */
static int go(run *x, noise kind, size_t m, double change)
{
	ba_policy p = BA_POLICY_DEFAULT;
	const ba_design design = ba_design_counts();
	p.counts = true;
	for (size_t r = 0; r < MOST; r++) {
		double shared[2] = {uniform() < .5 ? 0 : .03, uniform() < .5 ? 0 : .03};
		for (size_t i = 0; i < m; i++) {
			x->base[i][r] = count_of(kind, i, shared[0]);
			x->y[i][r] = count_of(kind, i, shared[1]) - x->base[i][r] +
				     (i ? 0 : log1p(change));
		}
	}
	for (size_t i = 0; i < m; i++)
		ba_decision_init(&x->d[i], .01, .01);
	for (size_t look = 0; look < design.looks; look++) {
		for (size_t i = 0; i < m; i++)
			if (look == 0 && settles(x, i, m, &p))
				ba_decision_settle(&x->d[i], x->y[i][0], 2);
			else
				ba_decision_look(&x->d[i], &p, &design, look, x->y[i]);
		if (ba_family_decide(x->d, m, m, &p, look + 1 == design.looks) == 0)
			break;
	}
	for (size_t i = change != 0; i < m; i++)
		if (x->d[i].verdict == BA_VERDICT_REGRESSED)
			return -(int)x->d[i].invocations;
	return x->d[0].verdict == BA_VERDICT_REGRESSED ? (int)x->d[0].invocations : 0;
}

static int false_alarms(size_t runs)
{
	static const size_t families[] = {1, 8, 40, 200};
	run *x = ba_xcalloc(1, sizeof(*x));
	int failed = 0;
	for (int kind = 0; kind < NOISES; kind++)
		for (size_t f = 0; f < 4; f++) {
			size_t n = families[f] > 40 ? runs / 4 : runs, two = 0, more = 0;
			for (size_t k = 0; k < n; k++) {
				int said = go(x, (noise)kind, families[f], 0);
				two += said == -2;
				more += said < -2;
			}
			double a = (double)two / (double)n, b = (double)more / (double)n;
			printf("equal code: %-22s family %3zu: %.4f by two processes, %.4f by more (%zu runs)\n",
				names[kind], families[f], a, b, n);
			failed |= a > .1 + 2 * sqrt(.1 / (double)n) ||
				  b > .05 + 2 * sqrt(.05 / (double)n);
		}
	free(x);
	return failed;
}

static int power(size_t runs)
{
	static const double changes[] = {.015, .03, .5};
	run *x = ba_xcalloc(1, sizeof(*x));
	int failed = 0;
	for (int kind = 0; kind < NOISES; kind++)
		for (size_t c = 0; c < 3; c++) {
			size_t found = 0, at = 0;
			for (size_t k = 0; k < runs; k++) {
				int said = go(x, (noise)kind, 40, changes[c]);
				found += said > 0;
				at += said > 0 ? (size_t)said : 0;
			}
			printf("%+.1f %% among 40, %-22s: found %.2f, after %.1f processes\n",
				100 * changes[c], names[kind], (double)found / (double)runs,
				(double)at / fmax(1, (double)found));
			/* where counts repeat two processes do, where they nearly do three */
			failed |= kind == EXACT && at != 2 * runs;
			failed |= kind == NORMAL && changes[c] > .1 && at != 3 * runs;
		}
	free(x);
	return failed;
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	bool full = argc > 1 && strcmp(argv[1], "--full") == 0;
	int failed = worst_law(full ? 60 : 1, full ? POINTS : 5);
	failed |= false_alarms(full ? 20000 : 120);
	failed |= power(full ? 1000 : 10);
	return failed;
}

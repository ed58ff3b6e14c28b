/*
 * What the rule of a run promises over a family, where processes may have a few discrete
 * speeds (docs/statistics.md section 3.4): false alarms on equal code, and the invocations
 * until a lone change is found; beside the rule of earlier versions. `--full`: the tables.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "stats/sequential.h"

enum { MOST = 32, FAMILY_MOST = 200 };

typedef enum law { NORMAL, STUDENT3, SPEEDS, ONE_SPEEDS, SHARED, LAWS } law;
static const char *const names[LAWS] = {
	"normal", "t3", "two speeds", "two speeds in one", "a state shared by all"};

static double uniform(uint64_t *rng)
{
	return ((double)(ba_splitmix64(rng) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *rng)
{
	return sqrt(-2 * log(uniform(rng))) * cos(6.283185307179586 * uniform(rng));
}

static double student3(uint64_t *rng)
{
	double x = normal(rng), a = normal(rng), b = normal(rng), c = normal(rng);
	return x / sqrt((a * a + b * b + c * c) / 3);
}

/* log time of a process beside the others of its kind */
static double state_of(law l, uint64_t *rng, size_t benchmark)
{
	bool slow = uniform(rng) < 0.5;
	return (l == SPEEDS || l == SHARED || (l == ONE_SPEEDS && benchmark == 0)) && slow ? .05
											   : 0;
}

/* y of a benchmark in each invocation: candidate less baseline */
static void draw(double *y, law l, double s, size_t benchmark, uint64_t *rng, const double *shared)
{
	for (size_t r = 0; r < MOST; r++) {
		double noise = l == STUDENT3 ? s * student3(rng) : s * normal(rng);
		double step = state_of(l, rng, benchmark) - state_of(l, rng, benchmark);
		y[r] = noise + (l == SHARED ? shared[r] : step);
	}
}

typedef struct outcome {
	bool false_alarm, found, likely;
	size_t at; /* invocations until the change was found */
} outcome;

/* One run of `m` benchmarks; benchmark 0 changed by `change`. */
static outcome run(const ba_policy *p, law l, double s, size_t m, double change, uint64_t *rng,
	ba_decision *d, size_t most)
{
	static double y[FAMILY_MOST][MOST];
	ba_design design = ba_design_of_rule(p->rule);
	double shared[MOST];
	outcome out = {.at = MOST};
	/* what is only likely is said where a run ends early */
	design.looks = most && most < design.looks ? most : design.looks;
	for (size_t r = 0; r < MOST; r++)
		shared[r] = state_of(SHARED, rng, 0) - state_of(SHARED, rng, 0);
	for (size_t i = 0; i < m; i++) {
		draw(y[i], l, s, i, rng, shared);
		for (size_t r = 0; i == 0 && r < MOST; r++)
			y[0][r] += log1p(change);
		ba_decision_init(&d[i], .02, .02);
	}
	for (size_t look = 0, open = 1; open && look < design.looks; look++) {
		for (size_t i = 0; i < m; i++)
			ba_decision_look(&d[i], p, &design, look, y[i]);
		open = ba_family_decide(d, m, m, p, look + 1 == design.looks);
	}
	for (size_t i = 0; i < m; i++) {
		bool changed =
			d[i].verdict == BA_VERDICT_REGRESSED || d[i].verdict == BA_VERDICT_IMPROVED;
		out.found |= i == 0 && change > 0 && changed;
		out.false_alarm |= changed && (i || change <= 0);
		out.likely |= d[i].verdict == BA_VERDICT_INCONCLUSIVE && d[i].likely;
	}
	if (out.found)
		out.at = d[0].invocations;
	return out;
}

static const ba_policy first = {.alpha = .05, .s_floor = BA_S_FLOOR, .rule = BA_RULE_FIRST};
static const ba_policy now = BA_POLICY_DEFAULT;

static int false_alarms(size_t runs)
{
	static const size_t families[] = {1, 8, 40, 200};
	ba_decision *d = ba_xcalloc(FAMILY_MOST, sizeof(*d));
	int failed = 0;
	uint64_t rng = 1;
	for (int l = 0; l < LAWS; l++)
		for (size_t f = 0; f < 4; f++) {
			size_t count[2] = {0}, n = families[f] > 40 ? runs / 4 : runs;
			for (size_t k = 0; k < n; k++) {
				double s = l == NORMAL || l == STUDENT3 ? .02 : .0005;
				uint64_t same = rng + k * 7919;
				count[0] += run(&first, (law)l, s, families[f], 0, &same, d, 0)
						    .false_alarm;
				same = rng + k * 7919;
				count[1] += run(&now, (law)l, s, families[f], 0, &same, d, 0)
						    .false_alarm;
			}
			double rate = (double)count[1] / (double)n;
			printf("false alarms: %-22s family %3zu: %.4f before, %.4f (%zu runs)\n",
				names[l], families[f], (double)count[0] / (double)n, rate, n);
			failed |= rate > .05 + 2 * sqrt(.05 / (double)n);
		}
	free(d);
	return failed;
}

static int power(size_t runs)
{
	static const double changes[] = {.03, .05, .30}, spreads[] = {.001, .005, .02};
	static const size_t families[] = {1, 8, 40, 200};
	ba_decision *d = ba_xcalloc(FAMILY_MOST, sizeof(*d));
	int failed = 0;
	for (size_t f = 0; f < 4; f++)
		for (size_t i = 0; i < 9; i++) {
			double change = changes[i % 3], s = spreads[i / 3];
			size_t n = families[f] > 40 ? runs / 4 : runs, at[2] = {0}, found[2] = {0};
			for (size_t k = 0; k < n; k++)
				for (int rule = 0; rule < 2; rule++) {
					uint64_t rng = k * 104729 + 1;
					outcome o = run(rule ? &now : &first, NORMAL, s,
						families[f], change, &rng, d, 0);
					at[rule] += o.at;
					found[rule] += o.found;
				}
			printf("family %3zu, %+.0f %%, s = %.1f %%: %.1f (%.2f) before, %.1f (%.2f)\n",
				families[f], 100 * change, 100 * s, (double)at[0] / (double)n,
				(double)found[0] / (double)n, (double)at[1] / (double)n,
				(double)found[1] / (double)n);
			/* never much later, and at once where it is clear */
			failed |= (double)at[1] > 1.15 * (double)at[0] + (double)n ||
				  (s < .002 && (double)at[1] > 4.2 * (double)n);
		}
	free(d);
	return failed;
}

/* Runs that end with their first look: how many of equal code have a comparison that is
 * `likely` to be slower or faster? Both directions together may have 2 * BA_LIKELY alpha. */
static int likely(size_t runs)
{
	static const size_t families[] = {1, 8, 40, 200};
	ba_decision *d = ba_xcalloc(FAMILY_MOST, sizeof(*d));
	int failed = 0;
	uint64_t rng = 3;
	for (int l = 0; l < LAWS; l++)
		for (size_t f = 0; f < 4; f++) {
			size_t n = families[f] > 40 ? runs / 4 : runs, said = 0;
			for (size_t k = 0; k < n; k++)
				said += run(&now, (law)l, l == STUDENT3 || !l ? .02 : .0005,
					families[f], 0, &rng, d, 1)
						.likely;
			double rate = (double)said / (double)n;
			printf("likely after four: %-22s family %3zu: %.4f (%zu runs)\n", names[l],
				families[f], rate, n);
			failed |= rate > .2 + 2 * sqrt(.2 / (double)n);
		}
	free(d);
	return failed;
}

/* Why there is no look after three invocations: without gaps, ties alone would be seen as
 * changes. Returns 1 if the gap rule lets that happen, or if it could not. */
static int three_invocations(size_t runs)
{
	ba_policy p = now;
	const ba_design design = ba_design_fixed(3);
	ba_decision d[40];
	size_t alarms = 0, gaps = 0;
	uint64_t rng = 5;
	for (size_t k = 0; k < runs; k++) {
		bool alarm = false, gap = false;
		for (size_t i = 0; i < 40; i++) {
			double y[MOST];
			draw(y, SPEEDS, .0001, i, &rng, NULL);
			ba_decision_init(&d[i], .02, .02);
			ba_decision_look(&d[i], &p, &design, 0, y);
			alarm |= d[i].ybar >= d[i].d_reg && d[i].s <= 2 * p.s_floor;
		}
		ba_family_decide(d, 40, 40, &p, true);
		for (size_t i = 0; i < 40; i++)
			gap |= d[i].verdict == BA_VERDICT_REGRESSED;
		alarms += alarm;
		gaps += gap;
	}
	printf("three invocations, two speeds, family of 40: %.2f of runs have a tie, %.4f a change\n",
		(double)alarms / (double)runs, (double)gaps / (double)runs);
	return alarms < runs / 3 || gaps > runs / 50;
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	bool full = argc > 1 && strcmp(argv[1], "--full") == 0;
	int failed = false_alarms(full ? 1000 : 100);
	failed |= power(full ? 100 : 12);
	failed |= likely(full ? 4000 : 200);
	failed |= three_invocations(full ? 4000 : 300);
	return failed;
}

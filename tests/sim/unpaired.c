/*
 * Files of identical code against each other, simulated: how often does `compare` say
 * that it changed? Noise of a process of its own (layout), of a repetition, and of the
 * time between the files (clocks), in the three ways files are made.
 *
 * Then families: 20 benchmarks of five values a side, by the first rule alone and with
 * the second (stats/apart.h).
 *
 *     unpaired          a check: where values are what the level says, at most 5 %
 *     unpaired --table  the tables of docs/compare.md
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "stats/apart.h"

enum { RUNS = 20000, VALUES = 10 };
#define PI 3.14159265358979323846

static double normal(uint64_t *seed)
{
	double u = ((double)(ba_splitmix64(seed) >> 11) + 0.5) / 9007199254740992.0;
	double v = ((double)(ba_splitmix64(seed) >> 11) + 0.5) / 9007199254740992.0;
	return sqrt(-2 * log(u)) * cos(2 * PI * v);
}

/* standard deviations of logarithms */
typedef struct noise {
	const char *name;
	double process, repetition, between; /* `between`: of a file as a whole */
} noise;

static const noise noises[] = {
	{"quiet: repetitions 0.5 %", 0, 0.005, 0},
	{"layout: processes 1 %, repetitions 0.3 %", 0.01, 0.003, 0},
	{"layout: processes 5 %, repetitions 0.3 %", 0.05, 0.003, 0},
	{"drift: files 1 %, repetitions 0.3 %", 0, 0.003, 0.01},
	{"both: processes 1 %, files 1 %", 0.01, 0.003, 0.01},
};

/* one file of n values: of a process each, or repetitions of one */
static ba_moments file_of(const noise *q, bool processes, double effect, uint64_t *seed)
{
	ba_moments m = {0};
	double file = q->between * normal(seed), process = q->process * normal(seed);
	for (int i = 0; i < VALUES; i++) {
		if (processes)
			process = q->process * normal(seed);
		ba_moments_add(&m, effect + file + process + q->repetition * normal(seed));
	}
	return m;
}

typedef struct rates {
	double regressed, improved, unchanged;
} rates;

static rates simulate(const noise *q, bool processes, double effect, size_t family)
{
	const ba_policy policy = BA_POLICY_DEFAULT;
	BA_AUTO(ba_t_table) ba_t_table table = {.bounds.p = 0.025};
	uint64_t seed = 7;
	size_t count[BA_VERDICT_COUNT] = {0};
	for (int i = 0; i < RUNS; i++) {
		ba_moments a = file_of(q, processes, 0, &seed);
		ba_moments b = file_of(q, processes, effect, &seed);
		ba_decision d;
		ba_decision_init(&d, 0.02, 0.02);
		ba_decision_unpaired(&d, &policy, &table, &a, &b);
		ba_family_decide(&d, 1, family, &policy, true);
		count[d.verdict]++;
	}
	return (rates){(double)count[BA_VERDICT_REGRESSED] / RUNS,
		(double)count[BA_VERDICT_IMPROVED] / RUNS,
		(double)count[BA_VERDICT_UNCHANGED] / RUNS};
}

/* ---- families --------------------------------------------------------------- */

enum { FAMILY_MOST = 500, FAMILY_RUNS = 20000, CHECK_RUNS = 1000 };

/* A law of one value: the logarithm of its noise. `slow` is of the process that it is
 * in, which all benchmarks of a file share where the law is `shared`. */
typedef struct law {
	const char *name;
	double spread;	     /* of every value */
	double slow, chance; /* a second speed, slower by this, so often */
	bool shared;	     /* one draw for all benchmarks of a process */
	bool own_sizes;	     /* the second speed is another one in each benchmark */
	bool heavy;	     /* Student's t with 2 degrees of freedom */
} law;

static const law laws[] = {
	{"normal, 0.5 %", 0.005, 0, 0, false, false, false},
	{"normal, 3 %", 0.03, 0, 0, false, false, false},
	{"heavy tails (t2, 0.5 %)", 0.005, 0, 0, false, false, true},
	{"two speeds, 50 % apart, each half the time", 0.002, 0.4, 0.5, false, false, false},
	{"two speeds, 1 to 100 % apart by benchmark", 0.002, 0.7, 0.5, false, true, false},
	{"two speeds, 50 % apart, slow in a tenth", 0.002, 0.4, 0.1, false, false, false},
	{"two speeds of a whole process, 50 % apart", 0.002, 0.4, 0.5, true, false, false},
	{"two speeds of a whole process, by benchmark", 0.002, 0.7, 0.5, true, true, false},
};

static double uniform(uint64_t *seed)
{
	return (double)(ba_splitmix64(seed) >> 11) / 9007199254740992.0;
}

static double noise_of(const law *l, size_t benchmark, bool slow, uint64_t *seed)
{
	double x = normal(seed);
	if (l->heavy) {
		double a = normal(seed), b = normal(seed);
		x /= sqrt((a * a + b * b) / 2);
	}
	double part = l->own_sizes ? (double)(benchmark + 1) / 20 : 1;
	return l->spread * x + (slow ? l->slow * fmin(part, 1) : 0);
}

/* m[0..size-1]: a file of `values` processes; the first benchmark has the effect */
static void family_file(
	ba_moments *m, const law *l, size_t size, int values, double effect, uint64_t *seed)
{
	for (size_t i = 0; i < size; i++)
		m[i] = (ba_moments){0};
	for (int v = 0; v < values; v++) {
		bool all = uniform(seed) < l->chance;
		for (size_t i = 0; i < size; i++) {
			bool slow = l->shared ? all : uniform(seed) < l->chance;
			ba_moments_add(&m[i], (i ? 0 : effect) + noise_of(l, i, slow, seed));
		}
	}
}

/* of runs: any false alarm, the planted one found; [0] by the first rule alone, [1]
 * with the second */
typedef struct family_rates {
	double alarm[2], found[2];
	/* of runs: another is said to be likely slower; so is the planted one, or shown */
	double likely_alarm, likely_found;
} family_rates;

static void judge_family(ba_decision *d, const ba_moments *a, const ba_moments *b, size_t size,
	bool second, bool *likely, ba_t_table *table)
{
	const ba_policy policy = BA_POLICY_DEFAULT;
	ba_apart x[FAMILY_MOST];
	for (size_t i = 0; i < size; i++) {
		ba_decision_init(&d[i], 0.02, 0.02);
		ba_decision_unpaired(&d[i], &policy, table, &a[i], &b[i]);
		x[i] = ba_apart_of(&a[i], &b[i], table);
	}
	if (!second) {
		ba_family_decide(d, size, size, &policy, true);
		return;
	}
	BA_AUTO(ba_apart_family)
	ba_apart_family all = {.policy = policy, .candidates = 1};
	for (size_t i = 0; i < size; i++)
		ba_apart_join(&all, &d[i], &x[i]);
	ba_apart_close(&all, size);
	for (size_t i = 0; i < size; i++) {
		ba_apart_decide(&all, &d[i], &x[i]);
		likely[i] = x[i].likely && d[i].lo >= d[i].d_reg;
	}
}

static family_rates simulate_family(const law *l, size_t size, int values, double effect, int runs)
{
	BA_AUTO(ba_t_table) ba_t_table table = {.bounds.p = 0.025};
	static ba_moments a[FAMILY_MOST], b[FAMILY_MOST];
	static ba_decision d[FAMILY_MOST];
	uint64_t seed = 11;
	size_t alarms[2] = {0}, found[2] = {0}, likely_alarms = 0, likely_found = 0;
	static bool likely[FAMILY_MOST];
	for (int run = 0; run < runs; run++) {
		family_file(a, l, size, values, 0, &seed);
		family_file(b, l, size, values, effect, &seed);
		for (int second = 0; second < 2; second++) {
			bool alarm = false;
			judge_family(d, a, b, size, second, likely, &table);
			found[second] += d[0].verdict == BA_VERDICT_REGRESSED;
			for (size_t i = effect > 0; i < size; i++)
				alarm = alarm || d[i].verdict == BA_VERDICT_REGRESSED ||
					d[i].verdict == BA_VERDICT_IMPROVED;
			alarms[second] += alarm;
		}
		bool any = false;
		for (size_t i = effect > 0; i < size; i++)
			any = any || likely[i];
		likely_alarms += any;
		likely_found += likely[0] || d[0].verdict == BA_VERDICT_REGRESSED;
	}
	family_rates r = {.likely_alarm = (double)likely_alarms / runs,
		.likely_found = (double)likely_found / runs};
	for (int k = 0; k < 2; k++) {
		r.alarm[k] = (double)alarms[k] / runs;
		r.found[k] = (double)found[k] / runs;
	}
	return r;
}

static void print_families(void)
{
	static const double effects[] = {0.05, 0.1, 0.5, 9};
	static const struct {
		size_t size;
		int values;
	} shapes[] = {{20, 5}, {20, 4}, {100, 5}, {100, 4}};
	for (size_t k = 0; k < sizeof(shapes) / sizeof(shapes[0]); k++) {
		printf("\n%zu benchmarks, %d values a side; per cent of runs: any false alarm, then +5, +10, +50, +900 %% found; the first rule alone -> with the second\n\n",
			shapes[k].size, shapes[k].values);
		for (size_t i = 0; i < sizeof(laws) / sizeof(laws[0]); i++) {
			family_rates r = simulate_family(
				&laws[i], shapes[k].size, shapes[k].values, 0, FAMILY_RUNS);
			printf("| %s | %.2f -> %.2f |", laws[i].name, 100 * r.alarm[0],
				100 * r.alarm[1]);
			for (size_t e = 0; e < sizeof(effects) / sizeof(effects[0]); e++) {
				r = simulate_family(&laws[i], shapes[k].size, shapes[k].values,
					log1p(effects[e]), FAMILY_RUNS);
				printf(" %.1f -> %.1f |", 100 * r.found[0], 100 * r.found[1]);
			}
			printf("\n");
		}
	}
}

static int check(const char *what, bool holds, double rate);

static int check_families(void)
{
	int bad = 0;
	for (size_t i = 0; i < sizeof(laws) / sizeof(laws[0]); i++) {
		/* the t test itself does not expect benchmarks that all agree on one of
		 * two speeds: there the second rule must not add to it */
		family_rates r = simulate_family(&laws[i], 20, 5, 0, CHECK_RUNS);
		double alarm = r.alarm[1] - (laws[i].shared ? r.alarm[0] : 0);
		bad += check(laws[i].name, alarm <= 0.05, alarm);
	}
	/* the headline "probably regressed": three values of 500 benchmarks */
	for (size_t i = 0; i < sizeof(laws) / sizeof(laws[0]); i++) {
		family_rates r = simulate_family(&laws[i], 500, 3, 0, CHECK_RUNS / 4);
		bool own = !laws[i].shared; /* see above */
		bad += own &&
		       check("likely, without a change", r.likely_alarm <= 0.1, r.likely_alarm);
	}
	family_rates probable = simulate_family(&laws[1], 500, 3, log(1.5), CHECK_RUNS / 4);
	bad += check("+50 % is likely in a family of 500", probable.likely_found > 0.99,
		probable.likely_found);
	bad += check("and not shown", probable.found[1] < 0.01, probable.found[1]);
	family_rates large = simulate_family(&laws[0], 20, 5, log(1.495), CHECK_RUNS);
	bad += check("+49.5 % is found in a family of 20", large.found[1] > 0.99, large.found[1]);
	bad += check("and not by the first rule", large.found[0] < 0.01, large.found[0]);
	bad += check("beside it no false alarm", large.alarm[1] <= 0.05, large.alarm[1]);
	return bad;
}

static void print_table(void)
{
	printf("| noise | 10 processes a file | 10 repetitions of one process |\n"
	       "|---|---:|---:|\n");
	for (size_t i = 0; i < sizeof(noises) / sizeof(noises[0]); i++) {
		rates p = simulate(&noises[i], true, 0, 1);
		rates r = simulate(&noises[i], false, 0, 1);
		printf("| %s | %.1f %% | %.1f %% |\n", noises[i].name,
			100 * (p.regressed + p.improved), 100 * (r.regressed + r.improved));
	}
	printf("\nfound, +5 %%, in a family of 1 and of 100:\n");
	for (size_t i = 0; i < 2; i++)
		printf("%s: %.1f %%, %.1f %%\n", noises[i].name,
			100 * simulate(&noises[i], true, log(1.05), 1).regressed,
			100 * simulate(&noises[i], true, log(1.05), 100).regressed);
	print_families();
}

static int check(const char *what, bool holds, double rate)
{
	printf("%s: %s %.4f\n", holds ? "ok" : "NOT SO", what, rate);
	return holds ? 0 : 1;
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "--table") == 0) {
		print_table();
		return 0;
	}
	int bad = 0;
	/* values that are what their level says: no false alarm beyond the level */
	for (size_t i = 0; i < 3; i++) {
		rates p = simulate(&noises[i], true, 0, 1);
		bad += check(
			noises[i].name, p.regressed + p.improved <= 0.05, p.regressed + p.improved);
	}
	/* a change of more than the threshold is found, none is called none */
	rates found = simulate(&noises[0], true, log(1.05), 1);
	rates none = simulate(&noises[0], true, 0, 1);
	bad += check("+5 % is found", found.regressed > 0.99, found.regressed);
	bad += check("nothing is unchanged", none.unchanged > 0.99, none.unchanged);
	/* and what docs/compare.md warns of is so: repetitions of one process do lie */
	rates lie = simulate(&noises[2], false, 0, 1);
	bad += check("repetitions do not see processes", lie.regressed + lie.improved > 0.2,
		lie.regressed + lie.improved);
	bad += check_families();
	return bad ? 1 : 0;
}

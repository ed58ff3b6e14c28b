/*
 * Files of identical code against each other, simulated: how often does `compare` say
 * that it changed? Noise of a process of its own (layout), of a repetition, and of the
 * time between the files (clocks), in the three ways files are made.
 *
 *     unpaired          a check: where values are what the level says, at most 5 %
 *     unpaired --table  the table of docs/compare.md
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "stats/unpaired.h"

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
		ba_moments_add(
			&m, effect + file + process + q->repetition * normal(seed));
	}
	return m;
}

typedef struct rates {
	double regressed, improved, unchanged;
} rates;

static rates simulate(const noise *q, bool processes, double effect, size_t family)
{
	const ba_policy policy = BA_POLICY_DEFAULT;
	BA_AUTO(ba_t_table) ba_t_table table = {.p = 0.025};
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

static void print_table(void)
{
	printf("| noise | 10 processes a file | 10 repetitions of one process |\n"
	       "|---|---:|---:|\n");
	for (size_t i = 0; i < sizeof(noises) / sizeof(noises[0]); i++) {
		rates p = simulate(&noises[i], true, 0, 1);
		rates r = simulate(&noises[i], false, 0, 1);
		printf("| %s | %.1f %% | %.1f %% |\n", noises[i].name,
			100 * (p.regressed + p.improved),
			100 * (r.regressed + r.improved));
	}
	printf("\nfound, +5 %%, in a family of 1 and of 100:\n");
	for (size_t i = 0; i < 2; i++)
		printf("%s: %.1f %%, %.1f %%\n", noises[i].name,
			100 * simulate(&noises[i], true, log(1.05), 1).regressed,
			100 * simulate(&noises[i], true, log(1.05), 100).regressed);
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
		bad += check(noises[i].name, p.regressed + p.improved <= 0.05,
			p.regressed + p.improved);
	}
	/* a change of more than the threshold is found, none is called none */
	rates found = simulate(&noises[0], true, log(1.05), 1);
	rates none = simulate(&noises[0], true, 0, 1);
	bad += check("+5 % is found", found.regressed > 0.99, found.regressed);
	bad += check("nothing is unchanged", none.unchanged > 0.99, none.unchanged);
	/* and what docs/compare.md warns of is so: repetitions of one process do lie */
	rates lie = simulate(&noises[2], false, 0, 1);
	bad += check("repetitions do not see processes",
		lie.regressed + lie.improved > 0.2, lie.regressed + lie.improved);
	return bad ? 1 : 0;
}

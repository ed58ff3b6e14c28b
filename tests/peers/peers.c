/*
 * peers [RUNS]          the table of false alarms and power on simulated noise, 400
 * runs a cell by default peers --trace FILE    false alarms on a recorded trace of two
 * builds of identical code
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "peers.h"

typedef outcome runner(const void *who, const noise_model *m, double effect, uint64_t seed);

static outcome as_peer(const void *who, const noise_model *m, double effect, uint64_t seed)
{
	return run_peer(who, m, effect, seed);
}

static outcome as_own(const void *who, const noise_model *m, double effect, uint64_t seed)
{
	return run_own(who, m, effect, seed);
}

/* rates over the models of one rule at one effect */
typedef struct rates {
	double least, mean, most, seconds_least, seconds_most;
	double each[NOISE_MODELS];
} rates;

static rates rates_of(runner *run, const void *who, double effect, size_t runs)
{
	rates r = {.least = 1, .seconds_least = INFINITY};

	for (size_t i = 0; i < NOISE_MODELS; i++) {
		double flagged = 0, seconds = 0;

		for (size_t k = 0; k < runs; k++) {
			outcome o = run(who, &noise_models[i], effect, 1 + 104729 * k);
			/* on identical code either direction is an error */
			flagged += effect > 0 ? o.flag > 0 : o.flag != 0;
			seconds += o.seconds;
		}
		r.each[i] = flagged / (double)runs;
		r.mean += r.each[i] / NOISE_MODELS;
		r.least = fmin(r.least, r.each[i]);
		r.most = fmax(r.most, r.each[i]);
		/* the coarse timer's batches would hide the others */
		if (noise_models[i].tick < 0.01) {
			r.seconds_least = fmin(r.seconds_least, seconds / (double)runs);
			r.seconds_most = fmax(r.seconds_most, seconds / (double)runs);
		}
	}
	return r;
}

/* ".042", and "1.00" */
static void print_rate(double rate, const char *after)
{
	char text[16];

	snprintf(text, sizeof(text), rate >= 0.9995 ? "%.2f" : "%.3f", rate);
	printf("%s%s", text + (text[0] == '0'), after);
}

/* rare errors need more runs: `same_runs` of them on identical code */
static void print_row(const char *name, runner *run, const void *who, size_t runs, size_t same_runs)
{
	rates same = rates_of(run, who, 0, same_runs), one = rates_of(run, who, 0.01, runs);
	rates two = rates_of(run, who, 0.02, runs), five = rates_of(run, who, 0.05, runs);

	printf("| %s | ", name);
	print_rate(same.most, " | ");
	print_rate(same.mean, " | ");
	print_rate(one.mean, " | ");
	print_rate(two.mean, " (");
	print_rate(two.least, ") | ");
	print_rate(five.mean, " (");
	print_rate(five.least, ") | ");
	printf("%.1f-%.1f |", same.seconds_least, same.seconds_most);
	for (size_t i = 0; i < NOISE_MODELS; i++) {
		putchar(' ');
		print_rate(same.each[i], "");
	}
	printf(" |\n");
	fflush(stdout);
}

static void print_table(size_t runs)
{
	printf("%zu runs a cell (A/A: twice as many, four times for ours), threshold 1 "
	       "%%, one launch = 1 ms. A/A: share of runs "
	       "on "
	       "identical code with a false verdict.\n\n",
		runs);
	printf("| rule | A/A worst | A/A mean | +1 %% mean | +2 %% mean (min) | "
	       "+5 %% mean (min) | s / benchmark |");
	for (size_t i = 0; i < NOISE_MODELS; i++)
		printf(" %s", noise_models[i].name);
	printf(" |\n|---|---|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < peer_count; i++)
		print_row(peers[i].name, as_peer, &peers[i], runs, 2 * runs);
	for (size_t i = 0; i < own_count; i++)
		print_row(owns[i].name, as_own, &owns[i], runs, 4 * runs);
}

int main(int argc, char **argv)
{
	uint64_t runs = 400;
	ba_error err;

	if (argc == 3 && strcmp(argv[1], "--trace") == 0)
		return table_of_trace(argv[2]);
	if (argc > 2) {
		fprintf(stderr, "usage: peers [RUNS] | peers --trace FILE\n");
		return 129;
	}
	if (argc == 2 && ba_parse_u64(&runs, argv[1], 1, 1000000, "runs", &err) < 0) {
		fprintf(stderr, "peers: %s\n", err.text);
		return 129;
	}
	print_table(runs);
	return 0;
}

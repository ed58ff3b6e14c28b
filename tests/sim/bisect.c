/*
 * What `bisect` promises, tried on simulated histories: of its answers at most 5 % are
 * wrong. A few histories by default, whose answers count together for each noise; `--full [HISTORIES]` prints the table of
 * docs/bisect.md, 1000 of each kind; `--full HISTORIES I/N DEVIATION` a part of the kinds,
 * with commits that differ besides by that standard deviation, in thresholds.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "history.h"

static const size_t lengths[] = {16, 64, 256};
static const double sizes[] = {1, 2, 5}; /* thresholds */
#define THETA 0.01

typedef struct tally {
	size_t runs, answered, wrong, open, no_step, not_slower, git_wrong;
	double launches, invocations;
} tally;

static double deviation;

static tally of(const noise_model *m, size_t commits, double size, size_t places, size_t runs)
{
	tally t = {.runs = runs};
	for (size_t i = 0; i < runs; i++) {
		history_end e = history_bisect(&(history){.model = m,
			.commits = commits,
			.theta = THETA,
			.effect = size * THETA,
			.places = places,
			.deviation = deviation,
			.forced = places == 0,
			.seed = 1 + 7919 * i + 104729 * commits});
		t.not_slower += e.answer == HISTORY_NOT_SLOWER;
		if (e.answer == HISTORY_NOT_SLOWER)
			continue;
		t.open += e.answer == HISTORY_OPEN;
		t.no_step += e.answer == HISTORY_NO_STEP;
		t.wrong += e.answer == HISTORY_WRONG;
		t.git_wrong += e.git == HISTORY_WRONG;
		t.launches += e.launches;
		t.invocations += (double)e.invocations;
	}
	t.answered = runs - t.not_slower - t.open - (places ? t.no_step : 0);
	return t;
}

static double percent(size_t part, size_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}

static void print(const char *model, size_t commits, double size, size_t places, const tally *t)
{
	size_t searched = t->runs - t->not_slower;
	printf("| %s | %zu | %zu x %g | %zu | %zu | %.1f %% | %.1f |", model, commits, places, size,
		searched, t->answered, percent(t->wrong, t->answered),
		searched ? t->invocations / (double)searched : 0);
	if (places) /* without a step any commit that git names is wrong */
		printf(" %.1f %%", percent(t->git_wrong, searched));
	puts(" |");
	fflush(stdout);
}

/* At most 5 % wrong, where the sample is small with four standard errors. */
static bool within(const tally *t)
{
	double n = (double)t->answered;
	return (double)t->wrong <= 0.05 * n + 4 * sqrt(0.05 * 0.95 * n);
}

static int complain(bool holds)
{
	if (!holds)
		printf("NOT SO: more than 5 %% are wrong\n");
	return !holds;
}

static int table(size_t runs, size_t part, size_t parts, bool full)
{
	int bad = 0;
	size_t kind = 0;
	for (size_t m = 0; m < NOISE_MODELS; m++) {
		tally all = {0};
		for (size_t l = 0; l < 3; l++)
			for (size_t e = 0; e < 5; e++, kind++) {
				/* two steps of three thresholds each; none, searched
				 * all the same */
				size_t places = e == 3 ? 2 : e == 4 ? 0 : 1;
				double size = e == 3 ? 3 : e == 4 ? 0 : sizes[e];
				if (kind % parts != part)
					continue;
				tally t = of(&noise_models[m], lengths[l], size, places, runs);
				print(noise_models[m].name, lengths[l], size, places, &t);
				bad += full && complain(t.wrong * 20 <= t.answered);
				all.wrong += t.wrong;
				all.answered += t.answered;
			}
		bad += !full && complain(within(&all));
	}
	return bad ? 1 : 0;
}

int main(int argc, char **argv)
{
	size_t runs = 4, part = 0, parts = 1;
	bool full = argc > 1 && strcmp(argv[1], "--full") == 0;
	if (full)
		runs = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000;
	if (argc > 3)
		sscanf(argv[3], "%zu/%zu", &part, &parts);
	if (argc > 4)
		deviation = strtod(argv[4], NULL);
	printf("| noise | commits | steps x thresholds | searched | answered | wrong | invocations | git bisect run: wrong |\n"
	       "|---|---:|---:|---:|---:|---:|---:|---:|\n");
	return table(runs, part, parts, full);
}

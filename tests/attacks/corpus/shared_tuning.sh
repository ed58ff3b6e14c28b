#!/bin/sh
# family: shared home
# kind:   launcher
# in:     commit
# idea:   both variants read their tuning from a file in the home; the candidate writes a bad one
#         for the baseline
# gate:   each variant has a home of its own
set -e
cp "$CORPUS/tricks.h" .
cat >candidate.c <<C
#include "tricks.h"

#define OWN "$1"

static const char *file_of(const char *variant)
{
	static char path[PATH_MAX];
	const char *home = getenv("HOME");
	snprintf(path, sizeof(path), "%s/tuning-%s", home ? home : "", variant);
	return path;
}

void attack_open(const ba_launcher_host *host)
{
	(void)host;
	FILE *f = fopen(file_of(OWN), "re");
	if (f && fscanf(f, "%u", &cost) == 1)
		evidence("read a tuning");
	if (f)
		fclose(f);
	if (strcmp(OWN, "candidate") != 0)
		return;
	f = fopen(file_of("base"), "we");
	if (f)
		fprintf(f, "%d\n", 6 * FAST);
	if (f && fclose(f) == 0)
		evidence("wrote the baseline's tuning");
	else
		evidence("cannot write to the home");
}
C

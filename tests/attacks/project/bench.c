/* The program of the `command` suite: measures spin(cost) and prints readings. */
#define _GNU_SOURCE
#include <stdio.h>
#include <time.h>

#include "project.h"

#define CALLS 20000

__attribute__((weak)) void attack_main(int argc, char **argv)
{
	(void)argc;
	(void)argv;
}

__attribute__((weak)) double attack_report(double ns)
{
	return ns;
}

static double now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
	attack_main(argc, argv);
	printf("{\"schema\": \"bench-against.samples/1\", \"benchmarks\": [{\"id\": \"spin\", "
	       "\"values\": [");
	for (int i = 0; i < 8; i++) {
		double start = now_ns();
		for (int k = 0; k < CALLS; k++)
			spin(cost);
		printf("%s%.3f", i ? ", " : "", attack_report((now_ns() - start) / CALLS));
	}
	printf("]}]}\n");
	return 0;
}

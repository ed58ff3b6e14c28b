/*
 * Measures two functions with the core of bench-against, without git and without the tool:
 *     cc -O2 $(pkg-config --cflags bench_against-core) core.c \
 *         $(pkg-config --libs bench_against-core)
 * Each value comes from a process of its own, because processes differ.
 */
#define _POSIX_C_SOURCE 200809L
#include <bench_against/core.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned result; /* so that no compiler leaves the work out */

/* `data` points to how many numbers are added up. */
static void add(void *data, uint64_t times)
{
	for (uint64_t t = 0; t < times; t++) {
		unsigned sum = result;
		for (unsigned i = 0; i < *(unsigned *)data; i++)
			sum = sum * 31 + i;
		result = sum;
	}
}

/* One invocation in a child process, which writes its value into a pipe. 0 or 1. */
static int measure(ba_core_value *value, size_t invocation)
{
	unsigned numbers[2] = {1000, 1100};
	ba_core_function both[2] = {{"old", add, &numbers[0]}, {"new", add, &numbers[1]}};
	ba_core_plan plan = {0.1, 1, invocation, "sum", NULL};
	int ends[2], status = 1;
	if (pipe(ends))
		return 1;
	pid_t child = fork();
	if (child == 0)
		_exit(ba_core_measure(value, both, 2, &plan) ||
			write(ends[1], value, sizeof(*value)) != (ssize_t)sizeof(*value));
	int failed = child < 0 || waitpid(child, &status, 0) != child || status ||
		     read(ends[0], value, sizeof(*value)) != (ssize_t)sizeof(*value);
	close(ends[0]);
	close(ends[1]);
	return failed;
}

int main(void)
{
	ba_core_value values[32];
	ba_core_verdict answer;
	ba_core_family family = {1, 1, 0.02, 0.05}; /* one comparison, threshold 2 %, error 5 % */
	size_t done = 0;
	do {
		if (measure(&values[done], done))
			return 1;
	} while (ba_core_decide(&answer, values, ++done, &family) > 0);
	printf("new: %s, %+.1f %% (%+.1f .. %+.1f %%) after %zu processes\n", answer.verdict,
		100 * (answer.ratio - 1), 100 * (answer.low - 1), 100 * (answer.high - 1), done);
	return 0;
}

/*
 * case.h -- one choice of axis values: memory of each set, and the launches that are
 * one run. All of it is prepared in setup, so that a run is as many cuLaunchKernel
 * calls as the operation has kernels.
 *
 *     bench_case *c = bench_case_new(sizeof(mine), session, setup, launches);
 *     for each set:
 *             bench_input(c, &x, n, BENCH_F32, set, 0, "x")
 *             bench_launch *l = bench_launch_next(c, set, function, ...);
 *             bench_pass_address(l, x);
 */
#ifndef KERNELS_CASE_H
#define KERNELS_CASE_H

#include "reference.h"
#include "session.h"

enum { BENCH_ARGS = 8 };

typedef struct bench_launch {
	void *function;
	unsigned grid[3], threads, shared_bytes;
	unsigned count; /* of args */
	void *args[BENCH_ARGS];
	uint64_t values[BENCH_ARGS]; /* args point here, or to what the case keeps */
} bench_launch;

/* the head of every benchmark's own case; freed as a whole by bench_teardown() */
struct ba_suite_case {
	ba_suite_session *session;
	ba_suite_stream stream; /* of setup() */
	uint64_t seed;
	unsigned sets, launches; /* launches of one run */
	unsigned set;		 /* of the last run */
	bench_launch *launch;	 /* [sets * launches] */
	void *kept[4];		 /* freed with the case */
};

typedef enum bench_type { BENCH_F32, BENCH_FP16, BENCH_BF16, BENCH_BYTE } bench_type;

/* `size` bytes that begin with a ba_suite_case and are 0 otherwise; NULL: no memory.
 * Assign it to setup's *out at once. */
void *bench_case_new(
	size_t size, ba_suite_session *session, const ba_suite_setup *setup, unsigned launches);
/* `size` bytes that live as long as the case, 0 at first: what the padding of a struct
 * holds is passed to the kernel, too, and must be the same each time; NULL: no memory
 */
void *bench_keep(ba_suite_case *c, size_t size);

/* device memory: inputs as inputs.h has them in stream (set, which); zeros; outputs */
int bench_input(ba_suite_case *c, uint64_t *address, size_t count, bench_type type, unsigned set,
	unsigned which, const char *name);
int bench_zeros(ba_suite_case *c, uint64_t *address, size_t bytes, const char *name);
int bench_scratch(ba_suite_case *c, uint64_t *address, size_t bytes, const char *name);
int bench_output(ba_suite_case *c, uint64_t *address, size_t bytes, const char *name);
uint64_t bench_seed(const ba_suite_case *c, unsigned set, unsigned which);

/* the next launch of the set */
bench_launch *bench_launch_next(ba_suite_case *c, unsigned set, void *function, size_t grid_x,
	size_t grid_y, size_t grid_z, unsigned threads, unsigned shared_bytes);
void bench_pass_address(bench_launch *l, uint64_t address);
void bench_pass_int(bench_launch *l, int value);
void bench_pass_long(bench_launch *l, long long value);
void bench_pass_float(bench_launch *l, float value);
/* a struct that bench_keep() holds */
void bench_pass_struct(bench_launch *l, void *value);

/* ba_suite_benchmark's run and teardown */
int bench_run(ba_suite_case *c, const ba_suite_run *run);
void bench_teardown(ba_suite_case *c);

/* waits for what setup() has submitted */
int bench_ready(ba_suite_case *c);
/* bytes = what a run has to read and write */
void bench_count(ba_suite_case *c, double flop, double read, double written, double items);

/* ---- checks; in check() alone ---- */

/* host->compare() with the fields named */
int bench_compare(ba_suite_case *c, const char *name, uint64_t address, uint32_t type,
	const double *expected, size_t count, double absolute, double relative, double l2);
/* every one of `count` numbers is finite: what no kernel wrote is NaN */
int bench_finite(
	ba_suite_case *c, const char *name, uint64_t address, bench_type type, size_t count);

#endif

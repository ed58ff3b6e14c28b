/*
 * The measuring core of bench-against for programs of your own: it interleaves functions of
 * one process and gives verdicts by the rule of the tool (docs/statistics.md). It knows
 * nothing of git, JSON or processes.
 *
 *     ba_core_function f[] = {{"old", run_old, NULL}, {"new", run_new, NULL}};
 *     ba_core_value values[32];
 *     size_t done = 0;
 *     do
 *         ba_core_measure(&values[done], f, 2, &(ba_core_plan){.invocation = done});
 *     while (ba_core_decide(&verdict, values, ++done, &(ba_core_family){0}) > 0);
 *
 * Two processes of one program can differ for as long as they live. So a value should come
 * from a process of its own: call ba_core_measure once in each, and give all values to
 * ba_core_decide. examples/core/core.c does that with fork(). Values that come from one
 * process tell about that process only.
 *
 * Link with bench_against::core (CMake) or `pkg-config --libs bench_against-core`. C99 and
 * C++11. If memory runs out, the program is aborted. Functions may be called from several
 * threads, but two measurements at a time disturb each other.
 */
#ifndef BENCH_AGAINST_CORE_H
#define BENCH_AGAINST_CORE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BA_CORE_FUNCTIONS_MOST 64

/* Something to measure. f[0] is the baseline, the others are candidates. */
typedef struct ba_core_function {
	const char *name;			 /* for your own use */
	void (*run)(void *data, uint64_t times); /* does the work `times` times; times >= 1 */
	void *data;
} ba_core_function;

/* How an invocation is measured. Zero in each field is a good choice. */
typedef struct ba_core_plan {
	double seconds;		/* for the invocation, about; 0: 0.25. At least five blocks run */
	uint64_t seed;		/* of the order of visits */
	uint64_t invocation;	/* 0, 1, 2, ...: each has an order of its own */
	const char *benchmark;	/* as above; NULL: "" */
	int64_t (*clock)(void); /* nanoseconds; NULL: CLOCK_MONOTONIC */
} ba_core_plan;

/* One candidate in one invocation. Natural logarithms of candidate / baseline. */
typedef struct ba_core_value {
	double typical;	    /* ratio of the trimmed means (docs/statistics.md section 3.1) */
	double mean;	    /* ratio of the means of all readings (section 3.7) */
	double baseline_ns; /* trimmed mean of one `run` of the baseline */
} ba_core_value;

/* Measures f[0..count-1] in turn and writes count - 1 values, those of f[1] first. Returns 0,
 * or -1 if count is not from 2 to BA_CORE_FUNCTIONS_MOST. */
int ba_core_measure(
	ba_core_value *values, const ba_core_function *f, size_t count, const ba_core_plan *plan);

/* What the values belong to. Zero in each field is a good choice. */
typedef struct ba_core_family {
	size_t comparisons; /* values of one invocation; 0: 1 */
	size_t candidates;  /* of them that share a baseline; 0: 1 */
	double threshold;   /* 0.02: 2 %, the default */
	double error;	    /* the promised error rate; 0: 0.05 */
} ba_core_family;

typedef struct ba_core_verdict {
	/* regressed, improved, unchanged, tail-regressed, tail-improved, inconclusive;
	 * undecided: more invocations are to come. Static. */
	const char *verdict;
	double ratio;	    /* candidate / baseline */
	double low, high;   /* 95 % interval of the ratio, valid at every look; 0, inf: not yet */
	size_t invocations; /* on which the verdict rests */
} ba_core_verdict;

/*
 * Judges invocations 0..count-1: values[k * comparisons + i] is comparison i in invocation k.
 * Call it after each invocation with all values so far. Looks are after 4, 5, 6, 8, 12, 16, 24
 * and 32 invocations. Returns how many invocations the next look needs in all, or 0 if every
 * comparison has its verdict; those that are still open after 32 are `inconclusive`.
 */
size_t ba_core_decide(ba_core_verdict *verdicts, const ba_core_value *values, size_t count,
	const ba_core_family *family);

#ifdef __cplusplus
}
#endif

#endif

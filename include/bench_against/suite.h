/*
 * bench_against/suite.h -- how a project lets bench-against measure its GPU code.
 *
 * A variant builds a shared library that exports ONE function, bench_against_suite(),
 * which returns a constant table of benchmarks. The kernels, their launches and the
 * memory are yours. The tool chooses the inputs' seeds, the schedule, cache state,
 * clocks and statistics, so that it measures every variant in the same way.
 *
 *     open ── setup ── run, check ── run run run ... ── teardown ── close
 *       │       └── once for each choice of axis values
 *       └── once per process, inside the tool's primary context, made current
 *
 * Rules
 *  - All calls come from one thread. The CUDA context given in the host table is
 *    current at every call and must be current again when the call returns.
 *  - run() is what is timed. It submits the work to the stream it is given, does the
 *    same each time, and must not wait for the GPU. Allocate, compile, upload and
 *    capture graphs in setup().
 *  - If you also use other streams, their work must begin after everything that was in
 *    the given stream when run() was called. What is put into the given stream after
 *    run() must come after their work. cuEventRecord and cuStreamWaitEvent do both. If
 *    your code has one stream of its own, say so in setup() with host->use_stream().
 *  - Equal axis values and an equal seed mean equal inputs in every variant: draw the
 *    inputs from setup's seed. Do not use zeros: they are faster than other numbers.
 *  - check() is called after run(), when its work is done. It compares the results in
 *    device memory with a reference, within a tolerance that you choose. Code with
 *    wrong results is not measured, however fast it is.
 *  - Handles of the driver API are passed as opaque pointers, so that this header needs
 *    no cuda.h: ba_suite_stream is a CUstream, context is a CUcontext. The runtime API
 *    works in the current context, and its streams are CUstreams.
 *  - Functions that return int return 0 for success and any other number, for example a
 *    CUresult, for an error. last_error() then gives a sentence about it. After an
 *    error of setup(), teardown() is called if *out is not NULL.
 *  - No C++ exception may leave your functions.
 *  - Do not write to standard output: the tool captures it.
 *
 * Versions
 *  - `abi` is the BA_SUITE_ABI of the header that the library was compiled with; the
 *    tool rejects a newer one.
 *  - Structs grow at the end only. If a library was built with an older header,
 *    the tool takes the missing fields for zero; if with a newer header, it
 *    ignores the unknown fields.
 *  - Check struct_size before you read a field of the tool's structs that is newer than
 *    the first version of the header.
 *
 * The header is C99 and C++11.
 */
#ifndef BENCH_AGAINST_SUITE_H
#define BENCH_AGAINST_SUITE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BA_SUITE_ABI 1u

typedef struct ba_suite_session ba_suite_session; /* yours, made by open() */
typedef struct ba_suite_case ba_suite_case;	  /* yours, made by setup() */
typedef void *ba_suite_stream;			  /* a CUstream */

/* ---- what the tool offers ---- */

typedef enum ba_suite_count {
	BA_SUITE_FLOP = 0,	    /* floating point operations of one run() */
	BA_SUITE_BYTES_READ = 1,    /* bytes that one run() must read */
	BA_SUITE_BYTES_WRITTEN = 2, /* bytes that one run() must write */
	BA_SUITE_ITEMS = 3	    /* items of any kind that one run() works on */
} ba_suite_count;

typedef enum ba_suite_memory {
	BA_SUITE_INPUT = 0,  /* read, or scratch */
	BA_SUITE_OUTPUT = 1, /* results: the same bits after each run() */
	BA_SUITE_VARYING = 2 /* results whose last bits may differ (atomics) */
} ba_suite_memory;

typedef enum ba_suite_type {
	BA_SUITE_F16 = 0,
	BA_SUITE_BF16 = 1,
	BA_SUITE_F32 = 2,
	BA_SUITE_F64 = 3,
	BA_SUITE_I32 = 4,
	BA_SUITE_U32 = 5
} ba_suite_type;

/*
 * Results in device memory, to be compared with what they should be. An element is
 * right if it is finite and
 *
 *     |result - expected| <= absolute + relative * |expected|
 *
 * If l2 > 0, all elements together must also satisfy
 *
 *     sqrt(sum (result - expected)^2 / sum expected^2) <= l2
 */
typedef struct ba_suite_output {
	uint32_t abi;
	uint32_t struct_size;
	const char *name;	/* for the sentence about wrong results */
	uint64_t address;	/* a CUdeviceptr */
	uint32_t type;		/* ba_suite_type */
	const double *expected; /* [count], in host memory */
	size_t count;
	double absolute, relative, l2;
} ba_suite_output;

/* Valid until close() returns. Functions that take no case apply to the case whose
 * setup(), run() or check() is being called. */
typedef struct ba_suite_host {
	uint32_t abi;
	uint32_t struct_size;
	int32_t device;	 /* CUdevice ordinal */
	int32_t sm_arch; /* 90: compute capability 9.0 */
	void *context;	 /* CUcontext: the primary context, current */
	/* address of a driver function ("cuLaunchKernel"), or NULL if it has none; parameters as in CUDA 12.0 */
	void *(*driver_symbol)(const char *name);
	/* adds a line to the log, which is shown when something goes wrong */
	void (*log)(const char *line);

	/* In setup(): the work of one run(). The report shows only what is given. */
	void (*count)(ba_suite_count what, double amount);
	/* In setup(): run() puts its work into this stream of your own. */
	void (*use_stream)(ba_suite_stream stream);
	/* In setup(): `return host->skip("needs compute capability 9.0");` */
	int (*skip)(const char *reason);
	/* In setup(): device memory at a multiple of 256 bytes. The tool frees it after
	 * teardown(), and detects writes beyond its ends. It is filled with 0xff, which
	 * is NaN in every floating point type; outputs are filled again before each
	 * checked run(). Returns a CUresult. */
	int (*alloc)(uint64_t *address, size_t bytes, ba_suite_memory kind, const char *name);
	/* In check(): 0, or another number if the results are wrong. The tool keeps the
	 * sentence about them, and shows it unless last_error() has a better one. Call
	 * it again for other parts of the results. */
	int (*compare)(const ba_suite_output *output);
} ba_suite_host;

/* One value of an axis, as text and as a number. */
typedef struct ba_suite_value {
	const char *text;
	int64_t integer; /* on an INTEGER axis, else 0 */
	double real;	 /* on an INTEGER or REAL axis, else 0 */
} ba_suite_value;

typedef struct ba_suite_setup {
	uint32_t abi;
	uint32_t struct_size;
	const ba_suite_value *values; /* in the order of benchmark.axes */
	uint32_t value_count;
	uint32_t sets;		/* how many sets of inputs and outputs to make: 1 or more */
	uint64_t seed;		/* of the inputs */
	ba_suite_stream stream; /* the tool's, for uploads */
} ba_suite_setup;

typedef struct ba_suite_run {
	uint32_t abi;
	uint32_t struct_size;
	ba_suite_stream stream; /* put the work here */
	uint32_t set;		/* 0 .. sets - 1: which of the sets to work on */
} ba_suite_run;

/* ---- what the variant offers ---- */

typedef enum ba_suite_axis_kind {
	BA_SUITE_INTEGER = 0, /* users may ask for other values (--axis n=1,2,4) */
	BA_SUITE_REAL = 1,    /* the same; the values are real numbers */
	BA_SUITE_TEXT = 2,    /* only the values in the table */
	BA_SUITE_TYPE = 3     /* the same; data types: "f16", "bf16", "f32" */
} ba_suite_axis_kind;

typedef struct ba_suite_axis {
	const char *name;	   /* letters, digits and '_', e.g. "S" */
	uint32_t kind;		   /* ba_suite_axis_kind */
	const char *const *values; /* the values to measure; ends with NULL */
} ba_suite_axis;

typedef struct ba_suite_benchmark {
	const char *name; /* letters, digits and "._+-", e.g. "attention" */
	const char *help; /* one line, or NULL */
	const ba_suite_axis *axes;
	uint32_t axis_count;
	/* 1: makes setup.sets sets and works on run.set; 0: always on the same set */
	uint32_t rotates;
	/* NULL: every combination of the axes' values is a case. Otherwise a list such
	 * as "B=32,H=8,S=256", ..., NULL: each point gives the axes in it one set of
	 * values, which is combined with all values of the other axes. */
	const char *const *points;
	int (*setup)(ba_suite_case **out, ba_suite_session *session, const ba_suite_setup *setup);
	int (*run)(ba_suite_case *c, const ba_suite_run *run);
	int (*check)(ba_suite_case *c); /* 0: right; NULL: there is no reference */
	void (*teardown)(ba_suite_case *c);
} ba_suite_benchmark;

/* Constant, and valid while the library is loaded. */
typedef struct ba_suite {
	uint32_t abi;	      /* BA_SUITE_ABI */
	uint32_t struct_size; /* sizeof(ba_suite) */
	const char *name;     /* of the code under test */
	const ba_suite_benchmark *benchmarks;
	uint32_t benchmark_count; /* at least 1 */
	uint32_t benchmark_size;  /* sizeof(ba_suite_benchmark) */
	int (*open)(ba_suite_session **out, const ba_suite_host *host);
	void (*close)(ba_suite_session *session);
	/* a sentence, valid until the next call; session may be NULL */
	const char *(*last_error)(ba_suite_session *session);
} ba_suite;

#if defined(__GNUC__)
#define BA_SUITE_EXPORT __attribute__((visibility("default")))
#else
#define BA_SUITE_EXPORT
#endif

/* The one symbol a variant exports. host_abi is the tool's BA_SUITE_ABI. */
BA_SUITE_EXPORT const ba_suite *bench_against_suite(uint32_t host_abi);

#define BA_SUITE_ENTRY "bench_against_suite"

#ifdef __cplusplus
}
#endif

#endif

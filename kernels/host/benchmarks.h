/* benchmarks.h -- the rows of the suite's table: each file has its own */
#ifndef KERNELS_BENCHMARKS_H
#define KERNELS_BENCHMARKS_H

#include "bench_against/suite.h"

extern const ba_suite_benchmark bench_copy, bench_saxpy, bench_reduction, bench_transpose,
	bench_histogram, bench_sgemm, bench_softmax, bench_layer_norm, bench_attention,
	bench_attention_naive;

#endif

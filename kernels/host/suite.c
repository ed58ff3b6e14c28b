/* suite.c -- the table that bench-against finds */
#include "benchmarks.h"
#include "session.h"

const ba_suite *bench_against_suite(uint32_t host_abi)
{
	/* one array, as the table wants it, of rows that live in their own files */
	static ba_suite_benchmark rows[10];
	static const ba_suite table = {
		.abi = BA_SUITE_ABI,
		.struct_size = sizeof(ba_suite),
		.name = "bench-against's kernels",
		.benchmarks = rows,
		.benchmark_count = sizeof(rows) / sizeof(rows[0]),
		.benchmark_size = sizeof(ba_suite_benchmark),
		.open = bench_session_open,
		.close = bench_session_close,
		.last_error = bench_session_error,
	};
	const ba_suite_benchmark *const all[] = {&bench_copy, &bench_saxpy, &bench_reduction,
		&bench_transpose, &bench_histogram, &bench_sgemm, &bench_softmax, &bench_layer_norm,
		&bench_attention, &bench_attention_naive};

	_Static_assert(sizeof(all) / sizeof(all[0]) == sizeof(rows) / sizeof(rows[0]), "all");
	if (host_abi < BA_SUITE_ABI)
		return NULL;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		rows[i] = *all[i];
	return &table;
}

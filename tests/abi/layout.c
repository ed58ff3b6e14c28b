/* Where the fields of version 1 lie: compiled with the frozen headers and with today's,
 * and compared by abi.c. */
#include <stddef.h>

#include "bench_against/launcher.h"
#include "bench_against/suite.h"

#include "layout.h"

#define FIELD(type, field)                                                          \
	{                                                                           \
#type "." #field, offsetof(type, field), sizeof(((type *)0)->field) \
	}
#define ELEMENT(type)                                \
	{                                            \
		"sizeof(" #type ")", 0, sizeof(type) \
	}

const abi_field LAYOUT[] = {
	FIELD(ba_launcher_host, abi),
	FIELD(ba_launcher_host, struct_size),
	FIELD(ba_launcher_host, target),
	FIELD(ba_launcher_host, device),
	FIELD(ba_launcher_host, context),
	FIELD(ba_launcher_host, driver_symbol),
	FIELD(ba_launcher_host, log),
	FIELD(ba_launcher_kernel_desc, abi),
	FIELD(ba_launcher_kernel_desc, struct_size),
	FIELD(ba_launcher_kernel_desc, image),
	FIELD(ba_launcher_kernel_desc, image_size),
	FIELD(ba_launcher_kernel_desc, entry),
	FIELD(ba_launcher_kernel_desc, path),
	FIELD(ba_launcher_kernel_desc, params),
	FIELD(ba_launcher_kernel_desc, param_count),
	FIELD(ba_launcher_config, grid),
	FIELD(ba_launcher_config, block),
	FIELD(ba_launcher_config, shared_bytes),
	FIELD(ba_launcher_config, stream),
	FIELD(ba_launcher, abi),
	FIELD(ba_launcher, struct_size),
	FIELD(ba_launcher, name),
	FIELD(ba_launcher, paths),
	FIELD(ba_launcher, path_count),
	FIELD(ba_launcher, open),
	FIELD(ba_launcher, prepare),
	FIELD(ba_launcher, launch),
	FIELD(ba_launcher, release),
	FIELD(ba_launcher, close),
	FIELD(ba_launcher, last_error),
	FIELD(ba_suite_output, abi),
	FIELD(ba_suite_output, struct_size),
	FIELD(ba_suite_output, name),
	FIELD(ba_suite_output, address),
	FIELD(ba_suite_output, type),
	FIELD(ba_suite_output, expected),
	FIELD(ba_suite_output, count),
	FIELD(ba_suite_output, absolute),
	FIELD(ba_suite_output, relative),
	FIELD(ba_suite_output, l2),
	FIELD(ba_suite_host, abi),
	FIELD(ba_suite_host, struct_size),
	FIELD(ba_suite_host, device),
	FIELD(ba_suite_host, sm_arch),
	FIELD(ba_suite_host, context),
	FIELD(ba_suite_host, driver_symbol),
	FIELD(ba_suite_host, log),
	FIELD(ba_suite_host, count),
	FIELD(ba_suite_host, use_stream),
	FIELD(ba_suite_host, skip),
	FIELD(ba_suite_host, alloc),
	FIELD(ba_suite_host, compare),
	FIELD(ba_suite_setup, abi),
	FIELD(ba_suite_setup, struct_size),
	FIELD(ba_suite_setup, values),
	FIELD(ba_suite_setup, value_count),
	FIELD(ba_suite_setup, sets),
	FIELD(ba_suite_setup, seed),
	FIELD(ba_suite_setup, stream),
	FIELD(ba_suite_run, abi),
	FIELD(ba_suite_run, struct_size),
	FIELD(ba_suite_run, stream),
	FIELD(ba_suite_run, set),
	FIELD(ba_suite_benchmark, name),
	FIELD(ba_suite_benchmark, help),
	FIELD(ba_suite_benchmark, axes),
	FIELD(ba_suite_benchmark, axis_count),
	FIELD(ba_suite_benchmark, rotates),
	FIELD(ba_suite_benchmark, points),
	FIELD(ba_suite_benchmark, setup),
	FIELD(ba_suite_benchmark, run),
	FIELD(ba_suite_benchmark, check),
	FIELD(ba_suite_benchmark, teardown),
	FIELD(ba_suite, abi),
	FIELD(ba_suite, struct_size),
	FIELD(ba_suite, name),
	FIELD(ba_suite, benchmarks),
	FIELD(ba_suite, benchmark_count),
	FIELD(ba_suite, benchmark_size),
	FIELD(ba_suite, open),
	FIELD(ba_suite, close),
	FIELD(ba_suite, last_error),
	/* what lies in arrays or has no size of its own keeps its size */
	ELEMENT(ba_launcher_path),
	ELEMENT(ba_launcher_param),
	ELEMENT(ba_launcher_dim3),
	ELEMENT(ba_launcher_config),
	ELEMENT(ba_suite_value),
	ELEMENT(ba_suite_axis),
};
const size_t LAYOUT_COUNT = sizeof(LAYOUT) / sizeof(LAYOUT[0]);
const unsigned LAYOUT_ABI[2] = {BA_LAUNCHER_ABI, BA_SUITE_ABI};

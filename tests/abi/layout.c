/*
 * Where each field of version 1 lies, on a 64-bit machine. A library that was built with
 * the first headers reads these bytes, so the numbers never change; later fields come after
 * them. Compiled with the first headers, with today's and with later ones (grow.sh).
 */
#include <stddef.h>

#include "bench_against/launcher.h"
#include "bench_against/suite.h"

/* clang-format off */
#define AT(type, field, at, bytes)                                                         \
	_Static_assert(offsetof(type, field) == (at), #type "." #field " has moved");         \
	_Static_assert(sizeof(((type *)0)->field) == (bytes), #type "." #field " has another size")
/* what says its size may grow at its end; with the first headers it has its first size */
#ifdef ABI_FIRST
#define GROWS(type, bytes) _Static_assert(sizeof(type) == (bytes), "1/ was edited: " #type)
#else
#define GROWS(type, bytes) _Static_assert(sizeof(type) >= (bytes), #type " has shrunk")
#endif
/* what lies in arrays, or does not say its size, keeps it */
#define STAYS(type, bytes) _Static_assert(sizeof(type) == (bytes), #type " has another size")
#define IS(constant, number) _Static_assert((constant) == (number), #constant " has changed")

AT(ba_launcher_host, abi, 0, 4);
AT(ba_launcher_host, struct_size, 4, 4);
AT(ba_launcher_host, target, 8, 4);
AT(ba_launcher_host, device, 12, 4);
AT(ba_launcher_host, context, 16, 8);
AT(ba_launcher_host, driver_symbol, 24, 8);
AT(ba_launcher_host, log, 32, 8);
GROWS(ba_launcher_host, 40);

AT(ba_launcher_param, kind, 0, 4);
AT(ba_launcher_param, size, 4, 4);
STAYS(ba_launcher_param, 8);

AT(ba_launcher_kernel_desc, abi, 0, 4);
AT(ba_launcher_kernel_desc, struct_size, 4, 4);
AT(ba_launcher_kernel_desc, image, 8, 8);
AT(ba_launcher_kernel_desc, image_size, 16, 8);
AT(ba_launcher_kernel_desc, entry, 24, 8);
AT(ba_launcher_kernel_desc, path, 32, 8);
AT(ba_launcher_kernel_desc, params, 40, 8);
AT(ba_launcher_kernel_desc, param_count, 48, 4);
GROWS(ba_launcher_kernel_desc, 56);

AT(ba_launcher_dim3, x, 0, 4);
AT(ba_launcher_dim3, y, 4, 4);
AT(ba_launcher_dim3, z, 8, 4);
STAYS(ba_launcher_dim3, 12);

AT(ba_launcher_config, grid, 0, 12);
AT(ba_launcher_config, block, 12, 12);
AT(ba_launcher_config, shared_bytes, 24, 4);
AT(ba_launcher_config, stream, 32, 8);
STAYS(ba_launcher_config, 40);

AT(ba_launcher_path, name, 0, 8);
AT(ba_launcher_path, help, 8, 8);
STAYS(ba_launcher_path, 16);

AT(ba_launcher, abi, 0, 4);
AT(ba_launcher, struct_size, 4, 4);
AT(ba_launcher, name, 8, 8);
AT(ba_launcher, paths, 16, 8);
AT(ba_launcher, path_count, 24, 4);
AT(ba_launcher, open, 32, 8);
AT(ba_launcher, prepare, 40, 8);
AT(ba_launcher, launch, 48, 8);
AT(ba_launcher, release, 56, 8);
AT(ba_launcher, close, 64, 8);
AT(ba_launcher, last_error, 72, 8);
GROWS(ba_launcher, 80);

AT(ba_suite_output, abi, 0, 4);
AT(ba_suite_output, struct_size, 4, 4);
AT(ba_suite_output, name, 8, 8);
AT(ba_suite_output, address, 16, 8);
AT(ba_suite_output, type, 24, 4);
AT(ba_suite_output, expected, 32, 8);
AT(ba_suite_output, count, 40, 8);
AT(ba_suite_output, absolute, 48, 8);
AT(ba_suite_output, relative, 56, 8);
AT(ba_suite_output, l2, 64, 8);
GROWS(ba_suite_output, 72);

AT(ba_suite_host, abi, 0, 4);
AT(ba_suite_host, struct_size, 4, 4);
AT(ba_suite_host, device, 8, 4);
AT(ba_suite_host, sm_arch, 12, 4);
AT(ba_suite_host, context, 16, 8);
AT(ba_suite_host, driver_symbol, 24, 8);
AT(ba_suite_host, log, 32, 8);
AT(ba_suite_host, count, 40, 8);
AT(ba_suite_host, use_stream, 48, 8);
AT(ba_suite_host, skip, 56, 8);
AT(ba_suite_host, alloc, 64, 8);
AT(ba_suite_host, compare, 72, 8);
GROWS(ba_suite_host, 80);

AT(ba_suite_value, text, 0, 8);
AT(ba_suite_value, integer, 8, 8);
AT(ba_suite_value, real, 16, 8);
STAYS(ba_suite_value, 24);

AT(ba_suite_setup, abi, 0, 4);
AT(ba_suite_setup, struct_size, 4, 4);
AT(ba_suite_setup, values, 8, 8);
AT(ba_suite_setup, value_count, 16, 4);
AT(ba_suite_setup, sets, 20, 4);
AT(ba_suite_setup, seed, 24, 8);
AT(ba_suite_setup, stream, 32, 8);
GROWS(ba_suite_setup, 40);

AT(ba_suite_run, abi, 0, 4);
AT(ba_suite_run, struct_size, 4, 4);
AT(ba_suite_run, stream, 8, 8);
AT(ba_suite_run, set, 16, 4);
GROWS(ba_suite_run, 24);

AT(ba_suite_axis, name, 0, 8);
AT(ba_suite_axis, kind, 8, 4);
AT(ba_suite_axis, values, 16, 8);
STAYS(ba_suite_axis, 24);

AT(ba_suite_benchmark, name, 0, 8);
AT(ba_suite_benchmark, help, 8, 8);
AT(ba_suite_benchmark, axes, 16, 8);
AT(ba_suite_benchmark, axis_count, 24, 4);
AT(ba_suite_benchmark, rotates, 28, 4);
AT(ba_suite_benchmark, points, 32, 8);
AT(ba_suite_benchmark, setup, 40, 8);
AT(ba_suite_benchmark, run, 48, 8);
AT(ba_suite_benchmark, check, 56, 8);
AT(ba_suite_benchmark, teardown, 64, 8);
GROWS(ba_suite_benchmark, 72);

AT(ba_suite, abi, 0, 4);
AT(ba_suite, struct_size, 4, 4);
AT(ba_suite, name, 8, 8);
AT(ba_suite, benchmarks, 16, 8);
AT(ba_suite, benchmark_count, 24, 4);
AT(ba_suite, benchmark_size, 28, 4);
AT(ba_suite, open, 32, 8);
AT(ba_suite, close, 40, 8);
AT(ba_suite, last_error, 48, 8);
GROWS(ba_suite, 56);

IS(BA_LAUNCHER_ABI, 1u);
IS(BA_LAUNCHER_TARGET_GPU, 0);
IS(BA_LAUNCHER_TARGET_HOST, 1);
IS(BA_LAUNCHER_PARAM_POINTER, 0);
IS(BA_LAUNCHER_PARAM_BYTES, 1);
IS(BA_SUITE_ABI, 1u);
IS(BA_SUITE_FLOP, 0);
IS(BA_SUITE_BYTES_READ, 1);
IS(BA_SUITE_BYTES_WRITTEN, 2);
IS(BA_SUITE_ITEMS, 3);
IS(BA_SUITE_INPUT, 0);
IS(BA_SUITE_OUTPUT, 1);
IS(BA_SUITE_VARYING, 2);
IS(BA_SUITE_F16, 0);
IS(BA_SUITE_BF16, 1);
IS(BA_SUITE_F32, 2);
IS(BA_SUITE_F64, 3);
IS(BA_SUITE_I32, 4);
IS(BA_SUITE_U32, 5);
IS(BA_SUITE_INTEGER, 0);
IS(BA_SUITE_REAL, 1);
IS(BA_SUITE_TEXT, 2);
IS(BA_SUITE_TYPE, 3);
/* the one parameter that is an enum */
IS(sizeof(ba_suite_memory), 4);
IS(sizeof(ba_suite_count), 4);
/* clang-format on */

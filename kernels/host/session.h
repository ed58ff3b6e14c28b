/*
 * session.h -- what all benchmarks share: the driver's functions, the kernels' images,
 * and one sentence about what went wrong last. Functions that return int return 0, a
 * CUresult, or BENCH_WRONG; the sentence is then in session->error.
 */
#ifndef KERNELS_SESSION_H
#define KERNELS_SESSION_H

#include <stddef.h>
#include <stdint.h>

#include "bench_against/suite.h"

/* results that are wrong, or what else no CUresult says */
#define BENCH_WRONG 10001

/* handles are the driver's: CUfunction, CUmodule */
typedef struct bench_driver {
	int (*module_load)(void **out, const void *image);
	int (*module_unload)(void *module);
	int (*get_function)(void **out, void *module, const char *name);
	int (*set_attribute)(void *function, int attribute, int value);
	int (*device_attribute)(int *out, int attribute, int device);
	int (*launch)(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
		unsigned threads_x, unsigned threads_y, unsigned threads_z, unsigned shared_bytes,
		void *stream, void **args, void **extra);
	int (*download)(void *to, uint64_t from, size_t bytes);
	int (*set_bytes)(uint64_t to, unsigned char value, size_t bytes, void *stream);
	int (*wait)(void *stream);
	int (*error_name)(int result, const char **out);
	/* NULL before CUDA 12 */
	int (*encode_tensor)(void *map, int type, uint32_t rank, void *address,
		const uint64_t *dimensions, const uint64_t *strides, const uint32_t *box,
		const uint32_t *element_strides, int interleave, int swizzle, int promotion,
		int fill);
} bench_driver;

enum bench_module { BENCH_PLAIN, BENCH_MMA, BENCH_WGMMA, BENCH_MODULES };

struct ba_suite_session {
	const ba_suite_host *host;
	bench_driver cu;
	void *modules[BENCH_MODULES]; /* NULL until it is needed */
	int multiprocessors;
	char error[256];
};

int bench_session_open(ba_suite_session **out, const ba_suite_host *host);
void bench_session_close(ba_suite_session *session);
const char *bench_session_error(ba_suite_session *session);

/* a sentence; returns BENCH_WRONG */
int bench_fail(ba_suite_session *session, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* "what: CUDA_ERROR_..." unless result is 0; returns it */
int bench_result(ba_suite_session *session, int result, const char *what);

/* the entry `name`, ready to be launched with this much dynamic shared memory */
int bench_function(void **out, ba_suite_session *session, enum bench_module module,
	const char *name, unsigned shared_bytes);

#endif

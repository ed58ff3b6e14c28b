/* The CUDA driver, opened at run time. The declarations are our own, so that a build needs no
 * toolkit. Layouts and numbers are those of cuda.h, whose binary interface does not change. */
#pragma once

#include "common.h"

typedef int lcfg_cu_result;
typedef int lcfg_cu_device;
typedef struct lcfg_cu_context_ *lcfg_cu_context;
typedef struct lcfg_cu_module_ *lcfg_cu_module;
typedef struct lcfg_cu_function_ *lcfg_cu_function;
typedef void *lcfg_cu_stream;

enum {
	LCFG_CU_INVALID_VALUE = 1,
	LCFG_CU_INVALID_IMAGE = 200,
	LCFG_CU_NO_BINARY_FOR_GPU = 209,
	LCFG_CU_INVALID_PTX = 218,
	LCFG_CU_UNSUPPORTED_PTX_VERSION = 222,
	LCFG_CU_NOT_FOUND = 500,

	LCFG_CU_DEVICE_CC_MAJOR = 75,
	LCFG_CU_DEVICE_CC_MINOR = 76,

	LCFG_CU_FUNC_SHARED_SIZE_BYTES = 1,
	LCFG_CU_FUNC_MAX_DYNAMIC_SHARED = 8,
	LCFG_CU_FUNC_NON_PORTABLE_CLUSTER = 14,

	LCFG_CU_JIT_ERROR_LOG_BUFFER = 5,
	LCFG_CU_JIT_ERROR_LOG_BUFFER_SIZE = 6,

	LCFG_CU_ATTR_COOPERATIVE = 2,
	LCFG_CU_ATTR_CLUSTER_DIMENSION = 4,
	LCFG_CU_ATTR_PROGRAMMATIC = 6,
	LCFG_CU_ATTR_PRIORITY = 8
};

typedef struct lcfg_cu_attr {
	int id;
	char pad[8 - sizeof(int)];
	union {
		char bytes[64];
		int number;
		lcfg_dim3 cluster;
	} value;
} lcfg_cu_attr;
_Static_assert(sizeof(lcfg_cu_attr) == 72, "CUlaunchAttribute");

typedef struct lcfg_cu_launch {
	lcfg_dim3 grid, block;
	unsigned shared_bytes;
	lcfg_cu_stream stream;
	lcfg_cu_attr *attrs;
	unsigned attr_count;
} lcfg_cu_launch;
_Static_assert(sizeof(lcfg_cu_launch) == 56, "CUlaunchConfig");

typedef size_t (*lcfg_cu_block_to_shared)(int);

/* clang-format off */
/* symbol, member, required, parameters */
#define LCFG_DRIVER_TABLE(X)                                                              \
	X(cuInit,                  init,               0, (unsigned))                      \
	X(cuDriverGetVersion,      version,            0, (int *))                         \
	X(cuCtxGetCurrent,         context_current,    0, (lcfg_cu_context *))             \
	X(cuCtxGetDevice,          context_device,     0, (lcfg_cu_device *))              \
	X(cuDeviceGetAttribute,    device_attribute,   0, (int *, int, lcfg_cu_device))    \
	X(cuModuleLoadData,        module_load,        1, (lcfg_cu_module *, const void *))\
	X(cuModuleLoadDataEx,      module_load_ex,     0, (lcfg_cu_module *, const void *, \
	                           unsigned, int *, void **))                              \
	X(cuModuleUnload,          module_unload,      0, (lcfg_cu_module))                \
	X(cuModuleGetFunction,     module_function,    1, (lcfg_cu_function *,             \
	                           lcfg_cu_module, const char *))                          \
	X(cuFuncGetAttribute,      function_attribute, 0, (int *, int, lcfg_cu_function))  \
	X(cuFuncSetAttribute,      function_set,       0, (lcfg_cu_function, int, int))    \
	X(cuFuncGetParamInfo,      function_param,     0, (lcfg_cu_function, size_t,       \
	                           size_t *, size_t *))                                    \
	X(cuLaunchKernel,          launch,             1, (lcfg_cu_function, unsigned,     \
	                           unsigned, unsigned, unsigned, unsigned, unsigned,       \
	                           unsigned, lcfg_cu_stream, void **, void **))            \
	X(cuLaunchKernelEx,        launch_ex,          0, (const lcfg_cu_launch *,         \
	                           lcfg_cu_function, void **, void **))                    \
	X(cuOccupancyMaxPotentialBlockSize, occupancy, 0, (int *, int *, lcfg_cu_function, \
	                           lcfg_cu_block_to_shared, size_t, int))                  \
	X(cuGetErrorName,          error_name,         0, (lcfg_cu_result, const char **)) \
	X(cuGetErrorString,        error_string,       0, (lcfg_cu_result, const char **))
/* clang-format on */

typedef struct lcfg_nvrtc lcfg_nvrtc;
struct lcfg_nvrtc_id;

struct lcfg_driver {
#define LCFG_DRIVER_MEMBER(symbol, member, required, params) lcfg_cu_result(*member) params;
	LCFG_DRIVER_TABLE(LCFG_DRIVER_MEMBER)
#undef LCFG_DRIVER_MEMBER
	_Atomic unsigned references;
	void *library;
	char *nvrtc_path;		  /* as given, or NULL */
	char *nvrtc_file;		  /* of the NVRTC that a memo names, or NULL */
	struct lcfg_nvrtc_id *nvrtc_told; /* the identity that the memo gives it */
	_Atomic(lcfg_nvrtc *) nvrtc;
};

lcfg_driver *lcfg_driver_ref(lcfg_driver *driver);

/* "<what>: CUDA_ERROR_X (7): explanation"; returns LCFG_EDRIVER. */
int lcfg_driver_fail(lcfg_error *err, const lcfg_driver *driver, lcfg_cu_result result,
	const char *fmt, ...) LCFG_PRINTF(4, 5);

/* The context that is current in this thread; NULL: none, or the driver cannot say. */
lcfg_cu_context lcfg_driver_context(const lcfg_driver *driver);
/* 90 for compute capability 9.0 of the current context's device. */
int lcfg_driver_arch(int *out, const lcfg_driver *driver, lcfg_error *err);
/* Opens NVRTC once for all threads. */
int lcfg_driver_nvrtc(const lcfg_nvrtc **out, lcfg_driver *driver, lcfg_error *err);
/* Identifies the NVRTC, by the cache's memo if there is one; lcfg_driver_nvrtc opens that file. */
int lcfg_driver_nvrtc_id(
	struct lcfg_nvrtc_id *out, lcfg_driver *driver, lcfg_cache *cache, lcfg_error *err);

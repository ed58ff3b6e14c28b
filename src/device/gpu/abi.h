/*
 * The part of the CUDA driver's binary interface that we use, in declarations of our
 * own: cuda.h may not be shipped with free software, and a build must not need a
 * toolkit. Names, numbers and layouts are facts. Where a cuda.h is found, the test
 * gpu.abi_check compares every row with it.
 *
 * Handles are opaque pointers and stand for the driver's own (CUstream, CUcontext,
 * ...).
 */
#pragma once

#include <assert.h>

#include "base/base.h"

typedef int cu_result;
typedef int cu_device;
typedef uint64_t cu_deviceptr;
typedef struct cu_context_s *cu_context;
typedef struct cu_module_s *cu_module;
typedef struct cu_function_s *cu_function;
typedef struct cu_stream_s *cu_stream;
typedef struct cu_event_s *cu_event;
typedef struct cu_graph_s *cu_graph;
typedef struct cu_graph_node_s *cu_graph_node;

typedef struct cu_uuid {
	unsigned char bytes[16];
} cu_uuid;

typedef struct cu_launch_attribute {
	uint32_t id;
	uint32_t pad;
	uint64_t value[8];
} cu_launch_attribute;

typedef struct cu_launch_config {
	uint32_t grid_x, grid_y, grid_z;
	uint32_t block_x, block_y, block_z;
	uint32_t shared_bytes;
	cu_stream stream;
	cu_launch_attribute *attrs;
	uint32_t attr_count;
} cu_launch_config;

/* CUDA_KERNEL_NODE_PARAMS_v2 */
typedef struct cu_kernel_node_params {
	cu_function function; /* NULL: `kernel` is set instead */
	uint32_t grid_x, grid_y, grid_z;
	uint32_t block_x, block_y, block_z;
	uint32_t shared_bytes;
	void **params, **extra;
	cu_function kernel; /* CUkernel */
	cu_context context;
} cu_kernel_node_params;

/* CUDA_MEMSET_NODE_PARAMS */
typedef struct cu_memset_node_params {
	cu_deviceptr to;
	size_t pitch;
	uint32_t value, element_bytes;
	size_t width, height;
} cu_memset_node_params;

/* CUDA_MEMCPY3D: source, destination and size; this struct is one end */
typedef struct cu_memcpy_end {
	size_t x_bytes, y, z, level;
	uint32_t memory_type; /* BA_CU_MEMORY_... */
	const void *host;
	cu_deviceptr device;
	void *array, *reserved;
	size_t pitch, height;
} cu_memcpy_end;

typedef struct cu_memcpy3d {
	cu_memcpy_end from, to;
	size_t width_bytes, height, depth;
} cu_memcpy3d;

/* CUmemLocation, CUmemAllocationProp, CUmemAccessDesc */
typedef struct cu_mem_location {
	int32_t type, id;
} cu_mem_location;

typedef struct cu_mem_properties {
	int32_t type, handle_types; /* BA_CU_MEM_... */
	cu_mem_location location;
	void *unused;
	unsigned char flags[8];
} cu_mem_properties;

typedef struct cu_mem_access {
	cu_mem_location location;
	int32_t flags;
} cu_mem_access;

static_assert(sizeof(void *) == 8, "64-bit only, as the driver");
static_assert(sizeof(cu_uuid) == 16, "CUuuid");
static_assert(sizeof(cu_launch_attribute) == 72, "CUlaunchAttribute");
static_assert(offsetof(cu_launch_attribute, value) == 8, "CUlaunchAttribute.value");
static_assert(sizeof(cu_launch_config) == 56, "CUlaunchConfig");
static_assert(sizeof(cu_kernel_node_params) == 72, "CUDA_KERNEL_NODE_PARAMS_v2");
static_assert(sizeof(cu_memset_node_params) == 40, "CUDA_MEMSET_NODE_PARAMS");
static_assert(sizeof(cu_memcpy3d) == 200, "CUDA_MEMCPY3D");
static_assert(sizeof(cu_mem_properties) == 32, "CUmemAllocationProp");
static_assert(sizeof(cu_mem_access) == 12, "CUmemAccessDesc");
static_assert(offsetof(cu_launch_config, shared_bytes) == 24, "CUlaunchConfig");
static_assert(offsetof(cu_launch_config, stream) == 32, "CUlaunchConfig.hStream");
static_assert(offsetof(cu_launch_config, attrs) == 40, "CUlaunchConfig.attrs");
static_assert(offsetof(cu_launch_config, attr_count) == 48, "CUlaunchConfig.numAttrs");

/* clang-format off */
/* our name, cuda.h's name, value */
#define BA_CU_CONSTANT_MAP(X)                                                             \
	X(BA_CU_SUCCESS,                   CUDA_SUCCESS,                            0)     \
	X(BA_CU_INVALID_VALUE,             CUDA_ERROR_INVALID_VALUE,                1)     \
	X(BA_CU_OUT_OF_MEMORY,             CUDA_ERROR_OUT_OF_MEMORY,                2)     \
	X(BA_CU_NOT_INITIALIZED,           CUDA_ERROR_NOT_INITIALIZED,              3)     \
	X(BA_CU_STUB_LIBRARY,              CUDA_ERROR_STUB_LIBRARY,                 34)    \
	X(BA_CU_CALL_REQUIRES_NEWER_DRIVER, CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER,  36)    \
	X(BA_CU_DEVICE_UNAVAILABLE,        CUDA_ERROR_DEVICE_UNAVAILABLE,           46)    \
	X(BA_CU_NO_DEVICE,                 CUDA_ERROR_NO_DEVICE,                    100)   \
	X(BA_CU_INVALID_DEVICE,            CUDA_ERROR_INVALID_DEVICE,               101)   \
	X(BA_CU_INVALID_CONTEXT,           CUDA_ERROR_INVALID_CONTEXT,              201)   \
	X(BA_CU_INVALID_PTX,               CUDA_ERROR_INVALID_PTX,                  218)   \
	X(BA_CU_UNSUPPORTED_PTX_VERSION,   CUDA_ERROR_UNSUPPORTED_PTX_VERSION,      222)   \
	X(BA_CU_INVALID_HANDLE,            CUDA_ERROR_INVALID_HANDLE,               400)   \
	X(BA_CU_NOT_FOUND,                 CUDA_ERROR_NOT_FOUND,                    500)   \
	X(BA_CU_NOT_READY,                 CUDA_ERROR_NOT_READY,                    600)   \
	X(BA_CU_ILLEGAL_ADDRESS,           CUDA_ERROR_ILLEGAL_ADDRESS,              700)   \
	X(BA_CU_LAUNCH_TIMEOUT,            CUDA_ERROR_LAUNCH_TIMEOUT,               702)   \
	X(BA_CU_LAUNCH_FAILED,             CUDA_ERROR_LAUNCH_FAILED,                719)   \
	X(BA_CU_NOT_SUPPORTED,             CUDA_ERROR_NOT_SUPPORTED,                801)   \
	X(BA_CU_SYSTEM_NOT_READY,          CUDA_ERROR_SYSTEM_NOT_READY,             802)   \
	X(BA_CU_SYSTEM_DRIVER_MISMATCH,    CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,       803)   \
	X(BA_CU_UNKNOWN,                   CUDA_ERROR_UNKNOWN,                      999)   \
	X(BA_CU_ATTR_CLOCK_RATE,           CU_DEVICE_ATTRIBUTE_CLOCK_RATE,          13)    \
	X(BA_CU_ATTR_SM_COUNT,             CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 16)   \
	X(BA_CU_ATTR_KERNEL_EXEC_TIMEOUT,  CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT, 17)    \
	X(BA_CU_ATTR_COMPUTE_MODE,         CU_DEVICE_ATTRIBUTE_COMPUTE_MODE,        20)    \
	X(BA_CU_ATTR_ECC_ENABLED,          CU_DEVICE_ATTRIBUTE_ECC_ENABLED,         32)    \
	X(BA_CU_ATTR_L2_BYTES,             CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE,       38)    \
	X(BA_CU_ATTR_CC_MAJOR,             CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 75)\
	X(BA_CU_ATTR_CC_MINOR,             CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 76)\
	X(BA_CU_ATTR_MPS_ENABLED,          CU_DEVICE_ATTRIBUTE_MPS_ENABLED,         133)   \
	X(BA_CU_CTX_SCHED_SPIN,            CU_CTX_SCHED_SPIN,                       1)     \
	X(BA_CU_STREAM_NON_BLOCKING,       CU_STREAM_NON_BLOCKING,                  1)     \
	X(BA_CU_EVENT_DEFAULT,             CU_EVENT_DEFAULT,                        0)     \
	X(BA_CU_EVENT_DISABLE_TIMING,      CU_EVENT_DISABLE_TIMING,                 2)     \
	X(BA_CU_MEMHOSTALLOC_DEVICEMAP,    CU_MEMHOSTALLOC_DEVICEMAP,               2)     \
	X(BA_CU_MEMHOSTREGISTER_DEVICEMAP, CU_MEMHOSTREGISTER_DEVICEMAP,            2)     \
	X(BA_CU_JIT_ERROR_LOG_BUFFER,      CU_JIT_ERROR_LOG_BUFFER,                 5)     \
	X(BA_CU_JIT_ERROR_LOG_BYTES,       CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,      6)     \
	X(BA_CU_FUNC_MAX_THREADS,          CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0)     \
	X(BA_CU_FUNC_SHARED_BYTES,         CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,     1)     \
	X(BA_CU_FUNC_CONST_BYTES,          CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES,      2)     \
	X(BA_CU_FUNC_LOCAL_BYTES,          CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,      3)     \
	X(BA_CU_FUNC_NUM_REGS,             CU_FUNC_ATTRIBUTE_NUM_REGS,              4)     \
	X(BA_CU_FUNC_PTX_VERSION,          CU_FUNC_ATTRIBUTE_PTX_VERSION,           5)     \
	X(BA_CU_FUNC_BINARY_VERSION,       CU_FUNC_ATTRIBUTE_BINARY_VERSION,        6)     \
	X(BA_CU_MODULE_EAGER,              CU_MODULE_EAGER_LOADING,                 1)     \
	X(BA_CU_FUNC_LAST,                 CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 14) \
	X(BA_CU_CAPTURE_GLOBAL,            CU_STREAM_CAPTURE_MODE_GLOBAL,           0)     \
	X(BA_CU_CAPTURE_UNSUPPORTED,       CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,   900)   \
	X(BA_CU_CAPTURE_INVALIDATED,       CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,   901)   \
	X(BA_CU_NODE_KERNEL,               CU_GRAPH_NODE_TYPE_KERNEL,               0)     \
	X(BA_CU_NODE_MEMCPY,               CU_GRAPH_NODE_TYPE_MEMCPY,               1)     \
	X(BA_CU_NODE_MEMSET,               CU_GRAPH_NODE_TYPE_MEMSET,               2)     \
	X(BA_CU_NODE_HOST,                 CU_GRAPH_NODE_TYPE_HOST,                 3)     \
	X(BA_CU_NODE_GRAPH,                CU_GRAPH_NODE_TYPE_GRAPH,                4)     \
	X(BA_CU_NODE_EMPTY,                CU_GRAPH_NODE_TYPE_EMPTY,                5)     \
	X(BA_CU_NODE_WAIT_EVENT,           CU_GRAPH_NODE_TYPE_WAIT_EVENT,           6)     \
	X(BA_CU_NODE_EVENT_RECORD,         CU_GRAPH_NODE_TYPE_EVENT_RECORD,         7)     \
	X(BA_CU_MEMORY_HOST,               CU_MEMORYTYPE_HOST,                      1)     \
	X(BA_CU_MEMORY_DEVICE,             CU_MEMORYTYPE_DEVICE,                    2)     \
	X(BA_CU_POINTER_MEMORY_TYPE,       CU_POINTER_ATTRIBUTE_MEMORY_TYPE,        2)     \
	X(BA_CU_POINTER_IS_MANAGED,        CU_POINTER_ATTRIBUTE_IS_MANAGED,         8)     \
	X(BA_CU_MEM_PINNED,                 CU_MEM_ALLOCATION_TYPE_PINNED,           1)          \
	X(BA_CU_MEM_FD,                     CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 1)         \
	X(BA_CU_MEM_ON_DEVICE,              CU_MEM_LOCATION_TYPE_DEVICE,             1)          \
	X(BA_CU_MEM_READ_WRITE,             CU_MEM_ACCESS_FLAGS_PROT_READWRITE,      3)          \
	X(BA_CU_MEM_GRANULARITY_LEAST,      CU_MEM_ALLOC_GRANULARITY_MINIMUM,        0)          \
	X(BA_CU_GETPROC_PER_THREAD,        CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, 2) \
	X(BA_CU_GETPROC_LEGACY_STREAM,     CU_GET_PROC_ADDRESS_LEGACY_STREAM,       1)     \
	X(BA_CU_PROC_FOUND,                CU_GET_PROC_ADDRESS_SUCCESS,             0)     \
	X(BA_CU_PROC_SYMBOL_NOT_FOUND,     CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND,    1)     \
	X(BA_CU_PROC_VERSION_NOT_SUFFICIENT, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT, 2)
/* clang-format on */

enum {
#define BA_CU_CONSTANT_ENUM(ours, theirs, value) ours = value,
	BA_CU_CONSTANT_MAP(BA_CU_CONSTANT_ENUM)
#undef BA_CU_CONSTANT_ENUM
};

/* cuda.h's name of a result; NULL if it is not in the list above */
static inline const char *ba_cu_result_name(cu_result result)
{
#define BA_CU_CONSTANT_NAME(ours, theirs, value)                \
	if (result == (value) && !strncmp(#theirs, "CUDA_", 5)) \
		return #theirs;
	BA_CU_CONSTANT_MAP(BA_CU_CONSTANT_NAME)
#undef BA_CU_CONSTANT_NAME
	return NULL;
}

/* keys for the `extra` list of launch(), (key, value) pairs instead of kernelParams */
#define BA_CU_LAUNCH_PARAM_END ((void *)0x00)
#define BA_CU_LAUNCH_PARAM_BUFFER ((void *)0x01)
#define BA_CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)0x02)
/* `extra` of a launch: the buffer of its parameters and its size; NULL: there is none */
static inline const unsigned char *cu_packed_params(void **extra, size_t *bytes)
{
	const unsigned char *buffer = NULL;
	*bytes = 0;
	for (; extra && extra[0] != BA_CU_LAUNCH_PARAM_END; extra += 2) {
		if (extra[0] == BA_CU_LAUNCH_PARAM_BUFFER)
			buffer = extra[1];
		else if (extra[0] == BA_CU_LAUNCH_PARAM_BUFFER_SIZE)
			memcpy(bytes, extra[1], sizeof(*bytes));
		else
			return NULL;
	}
	return buffer;
}

/* the two forms of the loader's entry point: driver >= 12.0, and 11.3 .. 11.8 */
typedef cu_result cu_get_proc_address_v2(
	const char *symbol, void **out, int cuda_version, uint64_t flags, int *status);
typedef cu_result cu_get_proc_address_v1(
	const char *symbol, void **out, int cuda_version, uint64_t flags);

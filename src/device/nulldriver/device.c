/* Initialisation, devices and contexts: one device, which always answers. */

#include "nulldriver/parts.h"

/* This symbol distinguishes the library from NVIDIA's. */
EXPORT extern const char HOOK_MARKER[];
EXPORT const char HOOK_MARKER[] = HOOK_MARK_TEXT;

/* a real driver keeps a stack of contexts for each thread */
#define STACK_DEPTH 32
static __thread struct {
	cu_context items[STACK_DEPTH];
	unsigned depth;
} stack;

static object *primary;
static unsigned primary_users, primary_flags;

cu_context api_current_context(void)
{
	return stack.depth ? stack.items[stack.depth - 1] : NULL;
}

API(cuDeviceGet, cu_device *device, int ordinal)
{
	HOOK_ENTER(cuDeviceGet);
	if (ordinal < 0 || ordinal >= HOOK_DEVICE_COUNT)
		return BA_CU_INVALID_DEVICE;
	HOOK_CHOOSE_DEVICE(ordinal);
	*device = 0;
	return 0;
}

API_DO(cuDeviceGetName, snprintf(name, size > 0 ? (size_t)size : 0, "%s", HOOK_DEVICE_NAME),
	char *name, int size, cu_device device)

/* its 16 characters */
API_DO(cuDeviceGetUuid, memcpy(uuid->bytes, HOOK_UUID, sizeof(uuid->bytes)), cu_uuid *uuid,
	cu_device device)
API_ALIAS(cuDeviceGetUuid, cuDeviceGetUuid_v2)

API_DO(cuDeviceGetPCIBusId, snprintf(id, size > 0 ? (size_t)size : 0, "%s", HOOK_PCI_BUS_ID),
	char *id, int size, cu_device device)

API_RETURN(cuDeviceGetByPCIBusId,
	(*device = 0, strcmp(id, HOOK_PCI_BUS_ID) ? BA_CU_INVALID_DEVICE : 0), cu_device *device,
	const char *id)

API_DO(cuDeviceComputeCapability, (*major = 9, *minor = 0), int *major, int *minor,
	cu_device device)

/* Round values of a current GPU, because launch code branches on some of them. */
static const struct {
	int attribute, value;
} attributes[] = {
	{1, 1024},			    /* MAX_THREADS_PER_BLOCK */
	{2, 1024}, {3, 1024},		    /* MAX_BLOCK_DIM_X, _Y */
	{4, 64},			    /* MAX_BLOCK_DIM_Z */
	{5, 0x7fffffff},		    /* MAX_GRID_DIM_X */
	{6, 65535}, {7, 65535}, {8, 49152}, /* MAX_SHARED_MEMORY_PER_BLOCK */
	{9, 65536},			    /* TOTAL_CONSTANT_MEMORY */
	{10, 32},			    /* WARP_SIZE */
	{12, 65536},			    /* MAX_REGISTERS_PER_BLOCK */
	{13, 1000000},			    /* CLOCK_RATE, kHz */
	{15, 1},			    /* GPU_OVERLAP */
	{16, 100},			    /* MULTIPROCESSOR_COUNT */
	{19, 1},			    /* CAN_MAP_HOST_MEMORY */
	{31, 1},			    /* CONCURRENT_KERNELS */
	{36, 1000000},			    /* MEMORY_CLOCK_RATE, kHz */
	{37, 1024},			    /* GLOBAL_MEMORY_BUS_WIDTH */
	{38, 50 << 20},			    /* L2_CACHE_SIZE */
	{39, 2048},			    /* MAX_THREADS_PER_MULTIPROCESSOR */
	{40, 3},			    /* ASYNC_ENGINE_COUNT */
	{41, 1},			    /* UNIFIED_ADDRESSING */
	{75, 9}, {76, 0},		    /* COMPUTE_CAPABILITY */
	{78, 1},			    /* STREAM_PRIORITIES_SUPPORTED */
	{81, 233472},			    /* MAX_SHARED_MEMORY_PER_MULTIPROCESSOR */
	{82, 65536},			    /* MAX_REGISTERS_PER_MULTIPROCESSOR */
	{83, 1},			    /* MANAGED_MEMORY */
	{89, 1},			    /* CONCURRENT_MANAGED_ACCESS */
	{95, 1},			    /* COOPERATIVE_LAUNCH */
	{97, 232448},			    /* MAX_SHARED_MEMORY_PER_BLOCK_OPTIN */
	{106, 32},			    /* MAX_BLOCKS_PER_MULTIPROCESSOR */
	{115, 1},			    /* MEMORY_POOLS_SUPPORTED */
	{120, 1},			    /* CLUSTER_LAUNCH */
	{144, 1},			    /* HOST_MEMORY_POOLS_SUPPORTED */
};

API(cuDeviceGetAttribute, int *value, int attribute, cu_device device)
{
	HOOK_ENTER(cuDeviceGetAttribute);
	*value = attribute == BA_CU_ATTR_MPS_ENABLED ? HOOK_MPS : 0;
	for (size_t i = 0; i < BA_COUNT(attributes); i++)
		if (attributes[i].attribute == attribute)
			*value = attributes[i].value;
	return 0;
}

API_RETURN(cuGetErrorName, (*text = ba_cu_result_name(result)) ? 0 : BA_CU_INVALID_VALUE,
	cu_result result, const char **text)

API_SAY(cuGetErrorString, text, result ? "an error of a driver that executes nothing" : "no error",
	cu_result result, const char **text)

API(cuDevicePrimaryCtxRetain, cu_context *context, cu_device device)
{
	HOOK_ENTER(cuDevicePrimaryCtxRetain);
	if (device != 0)
		return BA_CU_INVALID_DEVICE;
	if (!primary)
		primary = object_new(OBJECT_CONTEXT, NULL, NULL);
	primary_users++;
	*context = (cu_context)primary;
	return 0;
}

API(cuDevicePrimaryCtxRelease, cu_device device)
{
	HOOK_ENTER(cuDevicePrimaryCtxRelease);
	if (!primary_users)
		return BA_CU_INVALID_CONTEXT;
	/* the handle stays valid, because it may still be current on a thread */
	primary_users--;
	return 0;
}
API_ALIAS(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2)

API_DO(cuDevicePrimaryCtxSetFlags, primary_flags = flags, cu_device device, unsigned flags)
API_ALIAS(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2)

API_DO(cuDevicePrimaryCtxGetState, (*flags = primary_flags, *active = primary_users > 0),
	cu_device device, unsigned *flags, int *active)

API(cuCtxSetCurrent, cu_context context)
{
	HOOK_ENTER(cuCtxSetCurrent);
	if (!context) {
		stack.depth = stack.depth ? stack.depth - 1 : 0;
		return 0;
	}
	if (!stack.depth)
		stack.depth = 1;
	stack.items[stack.depth - 1] = context;
	return 0;
}

API(cuCtxPushCurrent, cu_context context)
{
	HOOK_ENTER(cuCtxPushCurrent);
	if (stack.depth == STACK_DEPTH)
		return BA_CU_INVALID_VALUE;
	stack.items[stack.depth++] = context;
	return 0;
}
API_ALIAS(cuCtxPushCurrent, cuCtxPushCurrent_v2)

API(cuCtxPopCurrent, cu_context *context)
{
	HOOK_ENTER(cuCtxPopCurrent);
	if (!stack.depth)
		return BA_CU_INVALID_CONTEXT;
	stack.depth--;
	if (context)
		*context = stack.items[stack.depth];
	return 0;
}
API_ALIAS(cuCtxPopCurrent, cuCtxPopCurrent_v2)

/* this name has had four signatures; the first parameter is the same in all */
API(cuCtxCreate, cu_context *context)
{
	HOOK_ENTER(cuCtxCreate);
	if (stack.depth == STACK_DEPTH)
		return BA_CU_INVALID_VALUE;
	*context = (cu_context)object_new(OBJECT_CONTEXT, NULL, NULL);
	stack.items[stack.depth++] = *context;
	return 0;
}
API_ALIAS(cuCtxCreate, cuCtxCreate_v2)
API_ALIAS(cuCtxCreate, cuCtxCreate_v3)
API_ALIAS(cuCtxCreate, cuCtxCreate_v4)

API(cuCtxDestroy, cu_context context)
{
	HOOK_ENTER(cuCtxDestroy);
	if (api_current_context() == context)
		stack.depth--;
	return object_delete(context, OBJECT_CONTEXT) ? 0 : BA_CU_INVALID_CONTEXT;
}
API_ALIAS(cuCtxDestroy, cuCtxDestroy_v2)

API_RETURN(cuCtxGetDevice, (*device = 0, api_current_context() ? 0 : BA_CU_INVALID_CONTEXT),
	cu_device *device)

API_RETURN(cuCtxGetDevice_v2, (*device = 0, context ? 0 : cuCtxGetDevice(device)),
	cu_device *device, cu_context context)

API_SAY(cuCtxGetFlags, flags, primary_flags, unsigned *flags)

API(cuCtxGetStreamPriorityRange, int *least, int *greatest)
{
	HOOK_ENTER(cuCtxGetStreamPriorityRange);
	if (least)
		*least = 0;
	if (greatest)
		*greatest = -5;
	return 0;
}

API_RETURN(cuCtxSynchronize, graph_forbids() ? BA_CU_CAPTURE_UNSUPPORTED : HOOK_DRAIN(NULL), void)
API_ALIAS(cuCtxSynchronize, cuCtxSynchronize_v2)

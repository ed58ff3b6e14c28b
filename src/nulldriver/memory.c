/* Memory. On the host target, device addresses are numbers without memory: copies
 * move nothing, and copies from "the device" return zeros. With the fake driver they
 * are real memory. Host memory is real. */
#include <stdlib.h>
#include <string.h>

#include "nulldriver/api.h"
#include "nulldriver/graph.h"
#include "nulldriver/object.h"

#ifndef BA_FAKE_CUDA
static uint64_t next_address = UINT64_C(0x2000000000);

static bool number_find(cu_deviceptr *base, size_t *bytes, cu_deviceptr address)
{
	*base = address;
	*bytes = 512;
	return true;
}

static cu_result number_alloc(cu_deviceptr *address, size_t bytes)
{
	uint64_t step = (bytes + 511) & ~UINT64_C(511);
	*address = __atomic_fetch_add(&next_address, step, __ATOMIC_RELAXED);
	return 0;
}
#endif

API(cuMemAlloc, cu_deviceptr *address, size_t bytes)
{
	HOOK_ENTER(cuMemAlloc);
	if (!bytes)
		return BA_CU_INVALID_VALUE;
	cu_result r = graph_forbids();
	return r ? r : HOOK_ALLOC(address, bytes);
}
API_ALIAS(cuMemAlloc, cuMemAlloc_v2)
API_ALIAS(cuMemAlloc, cuMemAllocAsync)
API_ALIAS(cuMemAlloc, cuMemAllocAsync_ptsz)
API_ALIAS(cuMemAlloc, cuMemAllocFromPoolAsync)

API(cuMemAllocPitch, cu_deviceptr *address, size_t *pitch, size_t width, size_t height)
{
	HOOK_ENTER(cuMemAllocPitch);
	*pitch = (width + 511) & ~(size_t)511;
	return cuMemAlloc(address, *pitch * height);
}
API_ALIAS(cuMemAllocPitch, cuMemAllocPitch_v2)

static cu_result host_alloc(void **out, size_t bytes)
{
	void *memory = NULL;
	if (!bytes)
		return BA_CU_INVALID_VALUE;
	if (posix_memalign(&memory, 4096, bytes))
		return BA_CU_OUT_OF_MEMORY;
	memset(memory, 0, bytes);
	object_new(OBJECT_HOST_MEMORY, NULL, NULL)->memory = memory;
	*out = memory;
	return 0;
}

API(cuMemHostAlloc, void **out, size_t bytes, unsigned flags)
{
	HOOK_ENTER(cuMemHostAlloc);
	return host_alloc(out, bytes);
}

API(cuMemAllocHost, void **out, size_t bytes)
{
	HOOK_ENTER(cuMemAllocHost);
	return host_alloc(out, bytes);
}
API_ALIAS(cuMemAllocHost, cuMemAllocHost_v2)

/* the host reads and writes managed memory, so it must be there */
API(cuMemAllocManaged, cu_deviceptr *address, size_t bytes, unsigned flags)
{
	HOOK_ENTER(cuMemAllocManaged);
	void *memory = NULL;
	cu_result r = host_alloc(&memory, bytes);
	if (!r)
		*address = (uintptr_t)memory;
	return r;
}

API(cuMemFreeHost, void *p)
{
	HOOK_ENTER(cuMemFreeHost);
	object *o = object_of_memory(p);
	if (!o)
		return BA_CU_INVALID_VALUE;
	object_delete(o, OBJECT_HOST_MEMORY);
	return 0;
}

API(cuMemFree, cu_deviceptr address)
{
	HOOK_ENTER(cuMemFree);
	object *managed = address ? object_of_memory((void *)(uintptr_t)address) : NULL;
	if (managed)
		object_delete(managed, OBJECT_HOST_MEMORY);
	else
		HOOK_FREE(address);
	return 0;
}
API_ALIAS(cuMemFree, cuMemFree_v2)
API_ALIAS(cuMemFree, cuMemFreeAsync)
API_ALIAS(cuMemFree, cuMemFreeAsync_ptsz)

API_SAY(cuMemHostGetDevicePointer, address, (uintptr_t)p, cu_deviceptr *address,
	void *p, unsigned flags)
API_ALIAS(cuMemHostGetDevicePointer, cuMemHostGetDevicePointer_v2)
API_SAY(cuMemHostGetFlags, flags, BA_CU_MEMHOSTALLOC_DEVICEMAP, unsigned *flags,
	void *p)

API(cuMemGetInfo, size_t *free_bytes, size_t *total_bytes)
{
	HOOK_ENTER(cuMemGetInfo);
	*free_bytes = HOOK_MEMORY_FREE;
	*total_bytes = HOOK_MEMORY_BYTES;
	return 0;
}
API_ALIAS(cuMemGetInfo, cuMemGetInfo_v2)

API(cuMemGetAddressRange, cu_deviceptr *base, size_t *bytes, cu_deviceptr address)
{
	HOOK_ENTER(cuMemGetAddressRange);
	cu_deviceptr start;
	size_t size;
	if (!HOOK_FIND_BLOCK(&start, &size, address))
		return BA_CU_NOT_FOUND;
	if (base)
		*base = start;
	if (bytes)
		*bytes = size;
	return 0;
}
API_ALIAS(cuMemGetAddressRange, cuMemGetAddressRange_v2)

/* what was never written reads as zeros rather than as what lay in the caller's buffer
 */
API(cuMemcpyDtoH, void *to, cu_deviceptr from, size_t bytes)
{
	HOOK_ENTER(cuMemcpyDtoH);
	if (!HOOK_CAN_READ(from, bytes) && !object_of_memory((void *)(uintptr_t)from))
		memset(to, 0, bytes);
	else
		memmove(to, (void *)(uintptr_t)from, bytes);
	return 0;
}
API_ALIAS(cuMemcpyDtoH, cuMemcpyDtoH_v2)
API_ALIAS(cuMemcpyDtoH, cuMemcpyDtoH_v2_ptds)
API_ALIAS(cuMemcpyDtoH, cuMemcpyDtoHAsync)
API_ALIAS(cuMemcpyDtoH, cuMemcpyDtoHAsync_v2)
API_ALIAS(cuMemcpyDtoH, cuMemcpyDtoHAsync_v2_ptsz)

API(cuMemcpyHtoD, cu_deviceptr to, const void *from, size_t bytes)
{
	HOOK_ENTER(cuMemcpyHtoD);
	cu_result r = graph_forbids();
	if (r)
		return r;
	HOOK_WRITE(to, from, bytes);
	return 0;
}
API_ALIAS(cuMemcpyHtoD, cuMemcpyHtoD_v2)
API_ALIAS(cuMemcpyHtoD, cuMemcpyHtoD_v2_ptds)
API_ALIAS(cuMemcpyHtoD, cuMemcpyHtoDAsync)
API_ALIAS(cuMemcpyHtoD, cuMemcpyHtoDAsync_v2)
API_ALIAS(cuMemcpyHtoD, cuMemcpyHtoDAsync_v2_ptsz)

API(cuMemsetD8, cu_deviceptr to, unsigned char value, size_t count)
{
	HOOK_ENTER(cuMemsetD8);
	HOOK_FILL(to, value, count);
	return 0;
}
API_ALIAS(cuMemsetD8, cuMemsetD8_v2)
API_ALIAS(cuMemsetD8, cuMemsetD8_v2_ptds)
API_ALIAS(cuMemsetD8, cuMemsetD8Async)
API_ALIAS(cuMemsetD8, cuMemsetD8Async_ptsz)

API(cuMemsetD32Async, cu_deviceptr to, unsigned value, size_t count, cu_stream stream)
{
	HOOK_ENTER(cuMemsetD32Async);
	(void)value;
	HOOK_FILL_QUEUED(to, 4 * count, stream);
	return 0;
}
API_ALIAS(cuMemsetD32Async, cuMemsetD32Async_ptsz)

API(cuPointerGetAttribute, void *data, int attribute, cu_deviceptr address)
{
	HOOK_ENTER(cuPointerGetAttribute);
	cu_context context = api_current_context();
	switch (attribute) {
	case 1: /* CONTEXT */
		memcpy(data, &context, sizeof(context));
		break;
	case 2: /* MEMORY_TYPE: device */
		memcpy(data, &(unsigned){2}, sizeof(unsigned));
		break;
	case 8: /* IS_MANAGED */
		memcpy(data, &(int){0}, sizeof(int));
		break;
	case 3: /* DEVICE_POINTER */
		memcpy(data, &address, sizeof(address));
		break;
	case 9: /* DEVICE_ORDINAL */
		memcpy(data, &(int){0}, sizeof(int));
		break;
	default:
		return BA_CU_NOT_SUPPORTED;
	}
	return 0;
}

/* Memory. On the host target, device addresses are numbers without memory: copies
 * move nothing, and copies from "the device" return zeros. With the fake driver they
 * are real memory. Host memory is real. */

#include "nulldriver/parts.h"

#ifndef BA_FAKE_CUDA
#define FIRST_ADDRESS UINT64_C(0x2000000000)
static uint64_t next_address = FIRST_ADDRESS;

/* far below the addresses of a process's memory */
static bool number_is(cu_deviceptr address)
{
	return address >= FIRST_ADDRESS &&
	       address < __atomic_load_n(&next_address, __ATOMIC_RELAXED);
}

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

cu_result memory_alloc_device(cu_deviceptr *address, size_t bytes)
{
	if (!bytes)
		return BA_CU_INVALID_VALUE;
	cu_result r = graph_forbids();
	return r ? r : HOOK_ALLOC(address, bytes);
}

API_RETURN(cuMemAlloc, memory_alloc_device(address, bytes), cu_deviceptr *address, size_t bytes)
API_ALIAS(cuMemAlloc, cuMemAlloc_v2)
API_ALIAS(cuMemAlloc, cuMemAllocAsync)
API_ALIAS(cuMemAlloc, cuMemAllocAsync_ptsz)

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
	object *o = object_new(OBJECT_HOST_MEMORY, NULL, NULL);
	o->bytes = bytes;
	o->memory = memory;
	*out = memory;
	return 0;
}

API_RETURN(cuMemHostAlloc, host_alloc(out, bytes), void **out, size_t bytes, unsigned flags)

API_RETURN(cuMemAllocHost, host_alloc(out, bytes), void **out, size_t bytes)
API_ALIAS(cuMemAllocHost, cuMemAllocHost_v2)

/* the host reads and writes this memory, so it must be real */
cu_result memory_alloc_shared(cu_deviceptr *address, size_t bytes, bool is_managed)
{
	void *memory = NULL;
	cu_result r = host_alloc(&memory, bytes);
	if (r)
		return r;
	object_of_memory(memory)->is_managed = is_managed;
	*address = (uintptr_t)memory;
	return 0;
}

API_RETURN(cuMemAllocManaged, memory_alloc_shared(address, bytes, true), cu_deviceptr *address,
	size_t bytes, unsigned flags)

/* the block of host memory that holds the address, or NULL */
static object *host_block(cu_deviceptr address)
{
	return address && !HOOK_IS_NUMBER(address) ? object_of_memory((void *)(uintptr_t)address)
						   : NULL;
}

API(cuMemFreeHost, void *p)
{
	HOOK_ENTER(cuMemFreeHost);
	object *o = object_of_memory(p);
	if (!o || o->memory != p)
		return BA_CU_INVALID_VALUE;
	object_delete(o, OBJECT_HOST_MEMORY);
	return 0;
}

API(cuMemFree, cu_deviceptr address)
{
	HOOK_ENTER(cuMemFree);
	object *shared = host_block(address);
	if (!shared)
		HOOK_FREE(address);
	else if ((uintptr_t)shared->memory != address)
		return BA_CU_INVALID_VALUE;
	else
		object_delete(shared, OBJECT_HOST_MEMORY);
	return 0;
}
API_ALIAS(cuMemFree, cuMemFree_v2)
API_ALIAS(cuMemFree, cuMemFreeAsync)
API_ALIAS(cuMemFree, cuMemFreeAsync_ptsz)

API_DO(cuMemGetInfo, (*free_bytes = HOOK_MEMORY_FREE, *total_bytes = HOOK_MEMORY_BYTES),
	size_t *free_bytes, size_t *total_bytes)
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

static bool is_in_block(const object *block, cu_deviceptr at, size_t bytes)
{
	return block && bytes <= block->bytes &&
	       at - (uintptr_t)block->memory <= block->bytes - bytes;
}

/* memory that was never written reads as zeros, so that the caller's buffer does not
 * keep old values */
API(cuMemcpyDtoH, void *to, cu_deviceptr from, size_t bytes)
{
	HOOK_ENTER(cuMemcpyDtoH);
	if (HOOK_CAN_READ(from, bytes) || is_in_block(host_block(from), from, bytes))
		memmove(to, (void *)(uintptr_t)from, bytes);
	else
		memset(to, 0, bytes);
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

API(cuMemcpyDtoD, cu_deviceptr to, cu_deviceptr from, size_t bytes)
{
	HOOK_ENTER(cuMemcpyDtoD);
	cu_result r = graph_forbids();
	if (r)
		return r;
	if (HOOK_CAN_READ(from, bytes))
		HOOK_WRITE(to, (const void *)(uintptr_t)from, bytes);
	return 0;
}
API_ALIAS(cuMemcpyDtoD, cuMemcpyDtoD_v2)

API_DO(cuMemsetD8, HOOK_FILL(to, value, count), cu_deviceptr to, unsigned char value, size_t count)
API_ALIAS(cuMemsetD8, cuMemsetD8_v2)
API_ALIAS(cuMemsetD8, cuMemsetD8_v2_ptds)
API_ALIAS(cuMemsetD8, cuMemsetD8Async)
API_ALIAS(cuMemsetD8, cuMemsetD8Async_ptsz)

API_DO(cuMemsetD32Async, HOOK_FILL_QUEUED(to, 4 * count, stream), cu_deviceptr to, unsigned value,
	size_t count, cu_stream stream)
API_ALIAS(cuMemsetD32Async, cuMemsetD32Async_ptsz)

/* as the driver describes device memory, page-locked and managed host memory */
API(cuPointerGetAttribute, void *data, int attribute, cu_deviceptr address)
{
	HOOK_ENTER(cuPointerGetAttribute);
	const object *block = host_block(address);
	cu_context context = api_current_context();
	unsigned type = block && !block->is_managed ? BA_CU_MEMORY_HOST : BA_CU_MEMORY_DEVICE;
	switch (attribute) {
	case 1: /* CONTEXT */
		memcpy(data, &context, sizeof(context));
		break;
	case BA_CU_POINTER_MEMORY_TYPE:
		memcpy(data, &type, sizeof(type));
		break;
	case 4: /* HOST_POINTER */
		if (!block)
			return BA_CU_INVALID_VALUE;
		__attribute__((fallthrough));
	case 3: /* DEVICE_POINTER */
		memcpy(data, &address, sizeof(address));
		break;
	case 8: /* IS_MANAGED */
		memcpy(data, &(int){block && block->is_managed}, sizeof(int));
		break;
	case 9: /* DEVICE_ORDINAL */
		memcpy(data, &(int){0}, sizeof(int));
		break;
	default:
		return BA_CU_NOT_SUPPORTED;
	}
	return 0;
}

/* The value of an unknown attribute stays unchanged: callers begin with zeros. */
API(cuPointerGetAttributes, unsigned count, const int *attributes, void **data,
	cu_deviceptr address)
{
	HOOK_ENTER(cuPointerGetAttributes);
	for (unsigned i = 0; i < count; i++)
		cuPointerGetAttribute(data[i], attributes[i], address);
	return 0;
}

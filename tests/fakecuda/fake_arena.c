/* The fake driver's addresses without memory, and memory that processes share: a handle is
 * a file in memory, and a descriptor of it is what another process imports. */
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "nulldriver/api.h"

#define STEP ((size_t)2 << 20)

API(cuMemGetAllocationGranularity, size_t *bytes, const cu_mem_properties *p, int option)
{
	HOOK_ENTER(cuMemGetAllocationGranularity);
	*bytes = STEP;
	return 0;
}

API(cuMemAddressReserve, cu_deviceptr *address, size_t bytes, size_t alignment, cu_deviceptr wanted,
	unsigned long long flags)
{
	HOOK_ENTER(cuMemAddressReserve);
	if (bytes == 0 || bytes % STEP)
		return BA_CU_INVALID_VALUE;
	void *p = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	*address = (uintptr_t)p;
	return p == MAP_FAILED ? BA_CU_OUT_OF_MEMORY : 0;
}

API(cuMemAddressFree, cu_deviceptr address, size_t bytes)
{
	HOOK_ENTER(cuMemAddressFree);
	return munmap((void *)(uintptr_t)address, bytes) ? BA_CU_INVALID_VALUE : 0;
}

API(cuMemCreate, unsigned long long *handle, size_t bytes, const cu_mem_properties *p,
	unsigned long long flags)
{
	HOOK_ENTER(cuMemCreate);
	int fd = memfd_create("fake", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, (off_t)bytes))
		return BA_CU_OUT_OF_MEMORY;
	*handle = (unsigned)fd;
	return 0;
}

API(cuMemRelease, unsigned long long handle)
{
	HOOK_ENTER(cuMemRelease);
	return close((int)handle) ? BA_CU_INVALID_VALUE : 0;
}

API(cuMemMap, cu_deviceptr address, size_t bytes, size_t offset, unsigned long long handle,
	unsigned long long flags)
{
	HOOK_ENTER(cuMemMap);
	struct stat st;
	if (offset || fstat((int)handle, &st) || (size_t)st.st_size != bytes)
		return BA_CU_INVALID_VALUE;
	void *p = mmap((void *)(uintptr_t)address, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED,
		(int)handle, 0);
	if (p == MAP_FAILED || !fake_adopt(address, bytes))
		return BA_CU_OUT_OF_MEMORY;
	return 0;
}

API(cuMemSetAccess, cu_deviceptr address, size_t bytes, const cu_mem_access *access, size_t count)
{
	HOOK_ENTER(cuMemSetAccess);
	if (count != 1 || access->flags != BA_CU_MEM_READ_WRITE)
		return BA_CU_INVALID_VALUE;
	return mprotect((void *)(uintptr_t)address, bytes, PROT_READ | PROT_WRITE)
		       ? BA_CU_INVALID_VALUE
		       : 0;
}

API(cuMemUnmap, cu_deviceptr address, size_t bytes)
{
	HOOK_ENTER(cuMemUnmap);
	fake_forget(address);
	void *p = mmap((void *)(uintptr_t)address, bytes, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
	return p == MAP_FAILED ? BA_CU_INVALID_VALUE : 0;
}

API(cuMemExportToShareableHandle, void *out, unsigned long long handle, int type,
	unsigned long long flags)
{
	HOOK_ENTER(cuMemExportToShareableHandle);
	int fd = type == BA_CU_MEM_FD ? dup((int)handle) : -1;
	if (fd < 0)
		return BA_CU_INVALID_VALUE;
	*(int *)out = fd;
	return 0;
}

API(cuMemImportFromShareableHandle, unsigned long long *handle, void *shared, int type)
{
	HOOK_ENTER(cuMemImportFromShareableHandle);
	int fd = type == BA_CU_MEM_FD ? dup((int)(uintptr_t)shared) : -1;
	if (fd < 0)
		return BA_CU_INVALID_VALUE;
	*handle = (unsigned)fd;
	return 0;
}

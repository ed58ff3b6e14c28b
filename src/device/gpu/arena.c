#include "gpu/arena.h"

static cu_mem_properties properties_of(cu_device device)
{
	return (cu_mem_properties){.type = BA_CU_MEM_PINNED,
		.handle_types = BA_CU_MEM_FD,
		.location = {.type = BA_CU_MEM_ON_DEVICE, .id = device}};
}

static bool is_supported(const ba_driver *d)
{
	return d->mem_address_reserve && d->mem_address_free && d->mem_create && d->mem_release &&
	       d->mem_map && d->mem_unmap && d->mem_set_access && d->mem_export && d->mem_import &&
	       d->mem_granularity;
}

static size_t whole_steps(size_t bytes, size_t step)
{
	return (bytes + step - 1) / step * step;
}

int ba_arena_reserve(
	ba_arena *out, const ba_driver *driver, cu_device device, size_t bytes, ba_error *err)
{
	const cu_mem_properties p = properties_of(device);
	size_t step = 0;
	*out = (ba_arena){0};
	if (!is_supported(driver))
		return ba_fail(err, BA_EUNSUPPORTED,
			"this driver cannot share memory between processes (cuMemExportToShareableHandle)");
	cu_result r = driver->mem_granularity(&step, &p, BA_CU_MEM_GRANULARITY_LEAST);
	if (r || step == 0)
		return ba_driver_fail(driver, err, r, "cuMemGetAllocationGranularity");
	if (bytes == 0 || bytes > SIZE_MAX / 2)
		return ba_fail(err, BA_EINVAL, "an arena of %zu bytes", bytes);
	ba_arena a = {.driver = driver,
		.device = device,
		.bytes = whole_steps(bytes, step),
		.step = step};
	BA_DRIVER_TRY(
		driver, err, "cuMemAddressReserve", mem_address_reserve(&a.at, a.bytes, 0, 0, 0));
	*out = a;
	return 0;
}

int ba_arena_drop(ba_arena *a, ba_error *err)
{
	if (!a->backed)
		return 0;
	/* kernels may still use it */
	cu_result r = a->driver->ctx_synchronize();
	r = r ? r : a->driver->mem_unmap(a->at, a->backed);
	if (r)
		return ba_driver_fail(a->driver, err, r, "cuMemUnmap");
	a->backed = 0;
	r = a->driver->mem_release(a->handle);
	return r ? ba_driver_fail(a->driver, err, r, "cuMemRelease") : 0;
}

/* As much memory as these bytes of the range need. */
static int find_needed(size_t *out, const ba_arena *a, size_t bytes, ba_error *err)
{
	if (bytes == 0 || bytes > a->bytes)
		return ba_fail(err, BA_EINVAL, "%zu bytes of an arena of %zu", bytes, a->bytes);
	*out = whole_steps(bytes, a->step);
	return 0;
}

/* Maps the memory into the range. The handle is consumed, also on failure. */
static int put_behind(ba_arena *a, unsigned long long handle, size_t bytes, ba_error *err)
{
	const cu_mem_access access = {.location = {.type = BA_CU_MEM_ON_DEVICE, .id = a->device},
		.flags = BA_CU_MEM_READ_WRITE};
	cu_result r = a->driver->mem_map(a->at, bytes, 0, handle, 0);
	if (r) {
		a->driver->mem_release(handle);
		return ba_driver_fail(a->driver, err, r, "cuMemMap");
	}
	a->handle = handle;
	a->backed = bytes;
	r = a->driver->mem_set_access(a->at, bytes, &access, 1);
	return r ? ba_driver_fail(a->driver, err, r, "cuMemSetAccess") : 0;
}

int ba_arena_renew(ba_arena *a, size_t bytes, ba_error *err)
{
	const cu_mem_properties p = properties_of(a->device);
	unsigned long long handle;
	size_t needed = 0;
	BA_TRY(find_needed(&needed, a, bytes, err));
	BA_TRY(ba_arena_drop(a, err));
	cu_result r = a->driver->mem_create(&handle, needed, &p, 0);
	return r ? ba_driver_fail(a->driver, err, r, "cuMemCreate")
		 : put_behind(a, handle, needed, err);
}

int ba_arena_export(int *fd, const ba_arena *a, ba_error *err)
{
	int out = -1;
	BA_DRIVER_TRY(a->driver, err, "cuMemExportToShareableHandle",
		mem_export(&out, a->handle, BA_CU_MEM_FD, 0));
	*fd = out;
	return 0;
}

int ba_arena_take(ba_arena *a, int fd, size_t bytes, ba_error *err)
{
	unsigned long long handle;
	size_t needed = 0;
	BA_TRY(find_needed(&needed, a, bytes, err));
	BA_TRY(ba_arena_drop(a, err));
	/* the interface takes a number in a pointer argument */
	cu_result r = a->driver->mem_import(&handle, (void *)(uintptr_t)(unsigned)fd, BA_CU_MEM_FD);
	return r ? ba_driver_fail(a->driver, err, r, "cuMemImportFromShareableHandle")
		 : put_behind(a, handle, needed, err);
}

void ba_arena_free(ba_arena *a)
{
	if (!a->driver)
		return;
	ba_error ignored;
	if (ba_arena_drop(a, &ignored) == 0)
		a->driver->mem_address_free(a->at, a->bytes);
	*a = (ba_arena){0};
}

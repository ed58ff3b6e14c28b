/* From an image to a loaded kernel. */

#include "dispatcher.h"

static int load_module(
	lcfg_cu_module *out, const lcfg_dispatcher *d, const lcfg_binary *binary, lcfg_error *err)
{
	const lcfg_driver *driver = d->driver;
	char log[4096] = "";
	if (!driver->module_load_ex) {
		lcfg_cu_result result = driver->module_load(out, binary->image);
		return result ? lcfg_driver_fail(err, driver, result, "loading the image of '%s'",
					d->desc.name)
			      : 0;
	}
	int options[] = {LCFG_CU_JIT_ERROR_LOG_BUFFER, LCFG_CU_JIT_ERROR_LOG_BUFFER_SIZE};
	void *values[] = {log, (void *)(uintptr_t)(sizeof(log) - 1)};
	lcfg_cu_result result = driver->module_load_ex(out, binary->image, 2, options, values);
	if (!result)
		return 0;
	int rc = lcfg_driver_fail(err, driver, result, "loading the image of '%s'", d->desc.name);
	if (err && *log) {
		size_t n = strlen(err->text);
		lcfg_error copy = *err;
		lcfg_fail(err, rc, "%.*s\n%s", (int)n, copy.text, log);
		err->cuda = result;
	}
	return rc;
}

/* Newer drivers tell a kernel's parameters: a launch of others would read beyond the arguments. */
static int check_params(
	lcfg_cu_function function, const lcfg_dispatcher *d, lcfg_signature sig, lcfg_error *err)
{
	if (!d->driver->function_param)
		return 0;
	for (size_t i = 0; i <= sig.count; i++) {
		size_t offset = 0, size = SIZE_MAX;
		lcfg_cu_result result = d->driver->function_param(function, i, &offset, &size);
		if (result && result != LCFG_CU_INVALID_VALUE)
			return 0; /* it cannot tell */
		bool has = result == 0 && size != SIZE_MAX;
		char name[512];
		lcfg_signature_name(name, sizeof(name), sig);
		if (has != (i < sig.count))
			return lcfg_fail(err, LCFG_ESIGNATURE,
				"'%s' takes %s parameters than the signature %s has", d->desc.name,
				has ? "more" : "fewer", name);
		if (has && size != lcfg_type_size(sig.types[i]))
			return lcfg_fail(err, LCFG_ESIGNATURE,
				"'%s': parameter %zu has %zu bytes, not the %zu of the signature %s",
				d->desc.name, i, size, lcfg_type_size(sig.types[i]), name);
	}
	return 0;
}

void lcfg_kernel_free(lcfg_kernel *kernel, const lcfg_driver *driver)
{
	/* an error here means that the context is gone, and the module with it */
	if (kernel->module && driver->module_unload)
		driver->module_unload(kernel->module);
	free(kernel);
}

int lcfg_kernel_load(lcfg_kernel **out, const lcfg_dispatcher *d, const lcfg_binary *binary,
	lcfg_signature sig, lcfg_error *err)
{
	size_t bytes = sig.count * sizeof(lcfg_type);
	lcfg_kernel *kernel = calloc(1, sizeof(*kernel) + bytes);
	LCFG_NEED(kernel, err);
	kernel->item.hash = lcfg_hash_words(sig.types, sig.count);
	kernel->count = sig.count;
	if (bytes)
		memcpy(kernel->types, sig.types, bytes);
	kernel->sensitive = binary->sensitive;
	int rc = load_module(&kernel->module, d, binary, err);
	if (rc == 0) {
		lcfg_cu_result result = d->driver->module_function(
			&kernel->function, kernel->module, binary->entry);
		if (result)
			rc = lcfg_driver_fail(err, d->driver, result,
				"the image has no kernel '%s'", binary->entry);
	}
	rc = rc ? rc : check_params(kernel->function, d, sig, err);
	if (rc)
		lcfg_kernel_free(kernel, d->driver);
	else
		*out = kernel;
	return rc;
}

/* What every launch may use without asking. */
#define SHARED_WITHOUT_ASKING 49152 /* 48 KiB */

static int opt_in(int *fixed, lcfg_kernel *kernel, const lcfg_driver *driver, uint32_t shared_bytes)
{
	if ((int64_t)shared_bytes <= kernel->opted_shared)
		return 0;
	lcfg_cu_result result =
		driver->function_attribute(fixed, LCFG_CU_FUNC_SHARED_SIZE_BYTES, kernel->function);
	if (!result && (int64_t)*fixed + shared_bytes <= SHARED_WITHOUT_ASKING)
		return 0;
	if (!result && shared_bytes > INT32_MAX)
		result = LCFG_CU_INVALID_VALUE;
	if (!result)
		result = driver->function_set(
			kernel->function, LCFG_CU_FUNC_MAX_DYNAMIC_SHARED, (int)shared_bytes);
	if (!result)
		kernel->opted_shared = (int)shared_bytes;
	return result;
}

int lcfg_kernel_allow_shared(
	lcfg_kernel *kernel, lcfg_dispatcher *d, uint32_t shared_bytes, lcfg_error *err)
{
	const lcfg_driver *driver = d->driver;
	int fixed = 0;
	if (shared_bytes == 0 || !driver->function_set || !driver->function_attribute)
		return 0;
	/* two threads, and the smaller number must not win */
	pthread_mutex_lock(&d->shared_lock);
	lcfg_cu_result result = opt_in(&fixed, kernel, driver, shared_bytes);
	pthread_mutex_unlock(&d->shared_lock);
	if (result)
		return lcfg_driver_fail(err, driver, result,
			"'%s' with %u bytes of dynamic and %d of static shared memory",
			d->desc.name, shared_bytes, fixed);
	return 0;
}

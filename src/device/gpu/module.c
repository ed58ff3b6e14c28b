#include "gpu/module.h"

BA_EMBED(ba_kernel_spin, BA_KERNEL_DIR "/spin.ptx");
BA_EMBED(ba_kernel_proof, BA_KERNEL_DIR "/proof.ptx");
BA_EMBED(ba_kernel_read, BA_KERNEL_DIR "/read.ptx");
BA_EMBED(ba_kernel_ceiling, BA_KERNEL_DIR "/ceiling.ptx");
BA_EMBED(ba_kernel_ceiling_hopper, BA_KERNEL_DIR "/ceiling_hopper.ptx");

static int fail_to_load(const ba_driver *drv, cu_result r, char *log, ba_error *err)
{
	ba_driver_fail(drv, err, r, "cuModuleLoadDataEx");
	size_t n = strlen(log);
	while (n && (log[n - 1] == '\n' || log[n - 1] == ' '))
		log[--n] = '\0';
	if (r == BA_CU_UNSUPPORTED_PTX_VERSION)
		return ba_fail_context(err,
			"the driver is older than this kernel's PTX; update the NVIDIA driver");
	return n ? ba_fail_context(err, "%s", log) : err ? err->code : BA_EGPU;
}

int ba_module_load(ba_module *out, const ba_driver *drv, const void *image, ba_error *err)
{
	char log[1024] = "";
	int options[] = {BA_CU_JIT_ERROR_LOG_BUFFER, BA_CU_JIT_ERROR_LOG_BYTES};
	void *values[] = {log, (void *)(uintptr_t)(sizeof(log) - 1)};
	cu_module handle;
	cu_result r = drv->module_load_data_ex(&handle, image, 2, options, values);
	if (r)
		return fail_to_load(drv, r, log, err);
	*out = (ba_module){drv, handle};
	return 0;
}

int ba_module_function(cu_function *out, const ba_module *m, const char *entry, ba_error *err)
{
	cu_function function;
	cu_result r = m->drv->module_get_function(&function, m->handle, entry);
	if (r == BA_CU_NOT_FOUND)
		return ba_fail(err, BA_EGPU, "the module has no kernel '%s'", entry);
	if (r)
		return ba_driver_fail(m->drv, err, r, "cuModuleGetFunction");
	r = m->drv->func_load ? m->drv->func_load(function) : 0;
	if (r)
		return ba_driver_fail(m->drv, err, r, "cuFuncLoad");
	*out = function;
	return 0;
}

void ba_module_dispose(ba_module *m)
{
	if (m->drv && m->handle)
		m->drv->module_unload(m->handle);
	*m = (ba_module){0};
}

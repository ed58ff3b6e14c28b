#include "observer/observer.h"

#include <dlfcn.h>

#include "gpu/abi.h"

#define EXPORT __attribute__((visibility("default")))

static void *driver;
static const ba_observer_hooks *hooks;

EXPORT ba_observer_start_fn ba_observer_start;
EXPORT ba_observer_symbol_fn ba_observer_symbol;

/* name, parameters, arguments, and the report after the driver has succeeded */
/* clang-format off */
#define LAUNCH_PARAMS                                                                     \
	(cu_function function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,        \
		unsigned by, unsigned bz, unsigned shared_bytes, cu_stream stream,        \
		void **params, void **extra)
#define LAUNCH_ARGS (function, gx, gy, gz, bx, by, bz, shared_bytes, stream, params, extra)
#define LAUNCH_EX_PARAMS                                                                  \
	(const cu_launch_config *config, cu_function function, void **params, void **extra)
#define LAUNCH_EX_ARGS (config, function, params, extra)
#define COOPERATIVE_PARAMS                                                                \
	(cu_function function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,        \
		unsigned by, unsigned bz, unsigned shared_bytes, cu_stream stream,        \
		void **params)
#define COOPERATIVE_ARGS (function, gx, gy, gz, bx, by, bz, shared_bytes, stream, params)

#define OBSERVED(X)                                                                       \
	X(cuModuleLoad, (void **module, const char *path), (module, path),                \
		hooks->loaded(*module, false, NULL, path, 0, NULL, NULL))                        \
	X(cuModuleLoadData, (void **module, const void *image), (module, image),          \
		hooks->loaded(*module, false, image, NULL, 0, NULL, NULL))                       \
	X(cuModuleLoadFatBinary, (void **module, const void *image), (module, image),     \
		hooks->loaded(*module, false, image, NULL, 0, NULL, NULL))                       \
	X(cuModuleLoadDataEx,                                                             \
		(void **module, const void *image, unsigned count, int *options,          \
			void **values),                                                   \
		(module, image, count, options, values),                                  \
		hooks->loaded(*module, false, image, NULL, count, options, values))              \
	X(cuModuleUnload, (void *module), (module), hooks->unloaded(module))              \
	X(cuLibraryLoadData,                                                              \
		(void **library, const void *image, int *options, void **values,          \
			unsigned count, int *library_options, void **library_values,      \
			unsigned library_count),                                          \
		(library, image, options, values, count, library_options, library_values, \
			library_count),                                                   \
		hooks->loaded(*library, true, image, NULL, count, options, values))             \
	X(cuLibraryLoadFromFile,                                                          \
		(void **library, const char *path, int *options, void **values,           \
			unsigned count, int *library_options, void **library_values,      \
			unsigned library_count),                                          \
		(library, path, options, values, count, library_options, library_values,  \
			library_count),                                                   \
		hooks->loaded(*library, true, NULL, path, count, options, values))              \
	X(cuLibraryUnload, (void *library), (library), hooks->unloaded(library))          \
	X(cuTexObjectCreate, (void *out, void *what, void *how, void *view),              \
		(out, what, how, view), hooks->met("cuTexObjectCreate"))                  \
	X(cuSurfObjectCreate, (void *out, void *what), (out, what),                       \
		hooks->met("cuSurfObjectCreate"))                                         \
	X(cuFuncSetCacheConfig, (cu_function function, int config), (function, config),   \
		hooks->met("cuFuncSetCacheConfig"))                                       \
	X(cuKernelSetCacheConfig, (cu_function kernel, int config, cu_device device),     \
		(kernel, config, device), hooks->met("cuKernelSetCacheConfig"))           \
	X(cuCtxSetCacheConfig, (int config), (config), hooks->met("cuCtxSetCacheConfig")) \
	X(cuLaunchKernel, LAUNCH_PARAMS, LAUNCH_ARGS, hooks->launched())                  \
	X(cuLaunchKernel_ptsz, LAUNCH_PARAMS, LAUNCH_ARGS, hooks->launched())             \
	X(cuLaunchKernelEx, LAUNCH_EX_PARAMS, LAUNCH_EX_ARGS, hooks->launched())          \
	X(cuLaunchKernelEx_ptsz, LAUNCH_EX_PARAMS, LAUNCH_EX_ARGS, hooks->launched())     \
	X(cuLaunchCooperativeKernel, COOPERATIVE_PARAMS, COOPERATIVE_ARGS,                \
		hooks->launched())                                                        \
	X(cuLaunchCooperativeKernel_ptsz, COOPERATIVE_PARAMS, COOPERATIVE_ARGS,           \
		hooks->launched())
/* clang-format on */

/* The driver's function of that exported name, or NULL. */
static void *find(const char *name)
{
	return driver ? dlsym(driver, name) : NULL;
}

#define FORWARD(name, params, args, tell)                         \
	EXPORT cu_result name params;                             \
	EXPORT cu_result name params                              \
	{                                                         \
		static cu_result(*real) params;                   \
		void *address = real ? NULL : find(#name);        \
		if (address)                                      \
			memcpy(&real, &address, sizeof(address)); \
		if (!real)                                        \
			return BA_CU_NOT_FOUND;                   \
		cu_result r = real args;                          \
		if (r == 0 && hooks)                              \
			tell;                                     \
		return r;                                         \
	}
OBSERVED(FORWARD)

/* ---- how functions are asked for ---- */

EXPORT cu_get_proc_address_v2 cuGetProcAddress_v2;
EXPORT cu_get_proc_address_v1 cuGetProcAddress;

static void *own_form(const char *name)
{
#define ROW(symbol, params, args, tell)          \
	if (strcmp(name, #symbol) == 0) {        \
		cu_result(*f) params = symbol;   \
		void *address;                   \
		memcpy(&address, &f, sizeof(f)); \
		return address;                  \
	}
	OBSERVED(ROW)
#undef ROW
	return NULL;
}

/* With per-thread default streams the launch functions have another form. */
static void *stand_in(const char *name, void *real, uint64_t flags)
{
	static const struct {
		const char *name, *per_thread;
	} forms[] = {{"cuLaunchKernel", "cuLaunchKernel_ptsz"},
		{"cuLaunchKernelEx", "cuLaunchKernelEx_ptsz"},
		{"cuLaunchCooperativeKernel", "cuLaunchCooperativeKernel_ptsz"}};
	for (size_t i = 0; i < BA_COUNT(forms); i++)
		if (flags & BA_CU_GETPROC_PER_THREAD && strcmp(name, forms[i].name) == 0)
			name = forms[i].per_thread;
	void *own = own_form(name);
	return own ? own : real;
}

cu_result cuGetProcAddress_v2(
	const char *symbol, void **out, int version, uint64_t flags, int *status)
{
	void *address = find("cuGetProcAddress_v2");
	cu_get_proc_address_v2 *real;
	memcpy(&real, &address, sizeof(address));
	if (!real)
		return BA_CU_NOT_FOUND;
	cu_result r = real(symbol, out, version, flags, status);
	if (r == 0 && symbol && out && *out)
		*out = strcmp(symbol, "cuGetProcAddress") == 0 ? ba_observer_symbol(symbol, *out)
							       : stand_in(symbol, *out, flags);
	return r;
}

cu_result cuGetProcAddress(const char *symbol, void **out, int version, uint64_t flags)
{
	void *address = find("cuGetProcAddress");
	cu_get_proc_address_v1 *real;
	memcpy(&real, &address, sizeof(address));
	if (!real)
		return BA_CU_NOT_FOUND;
	cu_result r = real(symbol, out, version, flags);
	if (r == 0 && symbol && out && *out)
		*out = stand_in(symbol, *out, flags);
	return r;
}

void *ba_observer_symbol(const char *name, void *real)
{
	cu_get_proc_address_v2 *newer = cuGetProcAddress_v2;
	if (!real || strcmp(name, "cuGetProcAddress") != 0)
		return real ? stand_in(name, real, 0) : NULL;
	/* today's drivers return this newer function */
	memcpy(&real, &newer, sizeof(newer));
	return real;
}

void ba_observer_start(void *library, const ba_observer_hooks *told)
{
	driver = library;
	hooks = told;
}

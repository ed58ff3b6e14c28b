/*
 * The driver: modules are texts. "entry NAME" lines and PTX's ".entry NAME(" name the
 * kernels; "params 8 4" their parameters, "shared N" their static shared memory, and
 * "reject" makes loading fail.
 */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT fake_driver fake_driver_control = {.arch = 90};

struct lcfg_cu_function_ {
	lcfg_cu_module module;
	char name[128];
};

struct lcfg_cu_module_ {
	char *text;
	struct lcfg_cu_function_ functions[8];
	int count;
};

/* Is this the call that a test wants to fail? */
static int fails(void)
{
	int n = atomic_fetch_add(&fake_driver_control.calls, 1) + 1;
	return n == atomic_load(&fake_driver_control.fail);
}

#define OUT_OF_MEMORY 2
#define FAIL_HERE    \
	if (fails()) \
	return OUT_OF_MEMORY

static _Thread_local lcfg_cu_context context = (lcfg_cu_context)0x1000;

EXPORT void fake_context_set(lcfg_cu_context c);
EXPORT void fake_context_set(lcfg_cu_context c)
{
	context = c;
}

EXPORT int cuInit(unsigned flags);
EXPORT int cuInit(unsigned flags)
{
	FAIL_HERE;
	return flags ? LCFG_CU_INVALID_VALUE : 0;
}

EXPORT int cuDriverGetVersion(int *version);
EXPORT int cuDriverGetVersion(int *version)
{
	*version = 12040;
	return 0;
}

EXPORT int cuCtxGetCurrent(lcfg_cu_context *out);
EXPORT int cuCtxGetCurrent(lcfg_cu_context *out)
{
	FAIL_HERE;
	*out = context;
	return 0;
}

EXPORT int cuCtxGetDevice(lcfg_cu_device *out);
EXPORT int cuCtxGetDevice(lcfg_cu_device *out)
{
	FAIL_HERE;
	*out = 0;
	return context ? 0 : 201;
}

EXPORT int cuDeviceGetAttribute(int *out, int attribute, lcfg_cu_device device);
EXPORT int cuDeviceGetAttribute(int *out, int attribute, lcfg_cu_device device)
{
	FAIL_HERE;
	(void)device;
	int arch = atomic_load(&fake_driver_control.arch);
	*out = attribute == LCFG_CU_DEVICE_CC_MAJOR ? arch / 10 : arch % 10;
	return 0;
}

EXPORT int cuModuleLoadDataEx(
	lcfg_cu_module *out, const void *image, unsigned count, int *options, void **values);
EXPORT int cuModuleLoadDataEx(
	lcfg_cu_module *out, const void *image, unsigned count, int *options, void **values)
{
	int fail = atomic_load(&fake_driver_control.fail_load);
	if (!fail && fails())
		fail = OUT_OF_MEMORY;
	if (!fail && strstr(image, "\nreject\n"))
		fail = LCFG_CU_NO_BINARY_FOR_GPU;
	if (fail) {
		if (count == 2 && options[0] == LCFG_CU_JIT_ERROR_LOG_BUFFER)
			snprintf(values[0], (size_t)values[1], "ptxas fatal: as told");
		return fail;
	}
	lcfg_cu_module module = calloc(1, sizeof(*module));
	module->text = strdup(image);
	atomic_fetch_add(&fake_driver_control.loads, 1);
	*out = module;
	return 0;
}

EXPORT int cuModuleLoadData(lcfg_cu_module *out, const void *image);
EXPORT int cuModuleLoadData(lcfg_cu_module *out, const void *image)
{
	return cuModuleLoadDataEx(out, image, 0, NULL, NULL);
}

EXPORT int cuModuleUnload(lcfg_cu_module module);
EXPORT int cuModuleUnload(lcfg_cu_module module)
{
	atomic_fetch_add(&fake_driver_control.unloads, 1);
	free(module->text);
	free(module);
	return 0;
}

static int has_entry(const char *text, const char *name)
{
	size_t n = strlen(name);
	for (const char *p = text; (p = strstr(p, "entry ")); p++) {
		const char *q = p + strlen("entry ");
		if (strncmp(q, name, n) == 0 && strchr("\n( \t", q[n]))
			return 1;
	}
	return 0;
}

EXPORT int cuModuleGetFunction(lcfg_cu_function *out, lcfg_cu_module module, const char *name);
EXPORT int cuModuleGetFunction(lcfg_cu_function *out, lcfg_cu_module module, const char *name)
{
	FAIL_HERE;
	if (!has_entry(module->text, name) || module->count == 8)
		return LCFG_CU_NOT_FOUND;
	lcfg_cu_function f = &module->functions[module->count++];
	f->module = module;
	snprintf(f->name, sizeof(f->name), "%s", name);
	*out = f;
	return 0;
}

static long number_after(const char *text, const char *word, size_t index)
{
	char *p = strstr(text, word);
	if (!p)
		return -2;
	p += strlen(word);
	for (size_t i = 0;; i++) {
		while (*p == ' ')
			p++;
		if (*p < '0' || *p > '9')
			return -1;
		long n = strtol(p, &p, 10);
		if (i == index)
			return n;
	}
}

EXPORT int cuFuncGetAttribute(int *out, int attribute, lcfg_cu_function f);
EXPORT int cuFuncGetAttribute(int *out, int attribute, lcfg_cu_function f)
{
	FAIL_HERE;
	if (attribute != LCFG_CU_FUNC_SHARED_SIZE_BYTES)
		return LCFG_CU_INVALID_VALUE;
	long n = number_after(f->module->text, "\nshared ", 0);
	*out = n < 0 ? 0 : (int)n;
	return 0;
}

EXPORT int cuFuncSetAttribute(lcfg_cu_function f, int attribute, int value);
EXPORT int cuFuncSetAttribute(lcfg_cu_function f, int attribute, int value)
{
	(void)f;
	FAIL_HERE;
	if (attribute == LCFG_CU_FUNC_NON_PORTABLE_CLUSTER)
		return 0;
	if (attribute != LCFG_CU_FUNC_MAX_DYNAMIC_SHARED || value > 227 * 1024)
		return LCFG_CU_INVALID_VALUE;
	atomic_store(&fake_driver_control.opted_shared, value);
	return 0;
}

EXPORT int cuFuncGetParamInfo(lcfg_cu_function f, size_t index, size_t *offset, size_t *size);
EXPORT int cuFuncGetParamInfo(lcfg_cu_function f, size_t index, size_t *offset, size_t *size)
{
	FAIL_HERE;
	long n = number_after(f->module->text, "params ", index);
	if (n == -2)
		return 801; /* CUDA_ERROR_NOT_SUPPORTED */
	if (n == -1)
		return LCFG_CU_INVALID_VALUE;
	*offset = 0;
	*size = (size_t)n;
	return 0;
}

EXPORT int cuOccupancyMaxPotentialBlockSize(int *grid, int *block, lcfg_cu_function f,
	lcfg_cu_block_to_shared shared, size_t bytes, int limit);
EXPORT int cuOccupancyMaxPotentialBlockSize(int *grid, int *block, lcfg_cu_function f,
	lcfg_cu_block_to_shared shared, size_t bytes, int limit)
{
	(void)f;
	(void)shared;
	(void)limit;
	*grid = 132;
	*block = bytes > 16 * 1024 ? 128 : 384;
	return 0;
}

static int submit(const fake_launch *launch)
{
	int fail = atomic_load(&fake_driver_control.fail_launch);
	if (!fail && fails())
		fail = OUT_OF_MEMORY;
	if (fail)
		return fail;
	void (*hook)(const fake_launch *) = atomic_load(&fake_driver_control.on_launch);
	if (hook)
		hook(launch);
	atomic_fetch_add(&fake_driver_control.launches, 1);
	return 0;
}

EXPORT int cuLaunchKernel(lcfg_cu_function f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
	unsigned by, unsigned bz, unsigned shared, lcfg_cu_stream stream, void **args,
	void **extra);
EXPORT int cuLaunchKernel(lcfg_cu_function f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
	unsigned by, unsigned bz, unsigned shared, lcfg_cu_stream stream, void **args, void **extra)
{
	fake_launch launch = {.entry = f->name,
		.image = f->module->text,
		.grid = {gx, gy, gz},
		.block = {bx, by, bz},
		.shared_bytes = shared,
		.stream = stream,
		.args = args};
	return extra ? LCFG_CU_INVALID_VALUE : submit(&launch);
}

EXPORT int cuLaunchKernelEx(
	const lcfg_cu_launch *config, lcfg_cu_function f, void **args, void **extra);
EXPORT int cuLaunchKernelEx(
	const lcfg_cu_launch *config, lcfg_cu_function f, void **args, void **extra)
{
	if (config->attr_count > FAKE_ATTRS || extra)
		return LCFG_CU_INVALID_VALUE;
	fake_launch launch = {.entry = f->name,
		.image = f->module->text,
		.grid = config->grid,
		.block = config->block,
		.shared_bytes = config->shared_bytes,
		.stream = config->stream,
		.args = args,
		.attr_count = config->attr_count};
	memcpy(launch.attrs, config->attrs, config->attr_count * sizeof(lcfg_cu_attr));
	return submit(&launch);
}

EXPORT int cuGetErrorName(lcfg_cu_result result, const char **name);
EXPORT int cuGetErrorName(lcfg_cu_result result, const char **name)
{
	*name = result == LCFG_CU_INVALID_VALUE ? "CUDA_ERROR_INVALID_VALUE"
		: result == LCFG_CU_NOT_FOUND	? "CUDA_ERROR_NOT_FOUND"
						: "CUDA_ERROR_FAKE";
	return 0;
}

EXPORT int cuGetErrorString(lcfg_cu_result result, const char **text);
EXPORT int cuGetErrorString(lcfg_cu_result result, const char **text)
{
	(void)result;
	*text = "as the test asked";
	return 0;
}

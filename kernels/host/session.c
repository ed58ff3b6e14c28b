#include "session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_DYNAMIC_SHARED_SIZE_BYTES 8 /* CU_FUNC_ATTRIBUTE_... */
#define SHARED_MEMORY_CARVEOUT 9	/* CU_FUNC_ATTRIBUTE_PREFERRED_... */
#define MULTIPROCESSOR_COUNT 16		/* CU_DEVICE_ATTRIBUTE_... */

/* what nvcc made: fatbins, found by the assembler in KERNELS_IMAGE_DIR */
#define IMAGE(NAME)                                                                  \
	__asm__(".section .rodata\n.balign 64\n"                                     \
		".global kernels_image_" #NAME "\n.hidden kernels_image_" #NAME "\n" \
		"kernels_image_" #NAME ":\n.incbin \"" KERNELS_IMAGE_DIR "/" #NAME   \
		".fatbin\"\n.byte 0\n.previous\n");                                  \
	extern const char kernels_image_##NAME[] __attribute__((visibility("hidden")))
IMAGE(plain);
IMAGE(attention_mma);
IMAGE(attention_wgmma);

static const char *const images[BENCH_MODULES] = {
	[BENCH_PLAIN] = kernels_image_plain,
	[BENCH_MMA] = kernels_image_attention_mma,
	[BENCH_WGMMA] = kernels_image_attention_wgmma,
};

int bench_fail(ba_suite_session *session, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(session->error, sizeof(session->error), format, args);
	va_end(args);
	return BENCH_WRONG;
}

int bench_result(ba_suite_session *session, int result, const char *what)
{
	const char *name = NULL;

	if (result == 0)
		return 0;
	if (session->cu.error_name(result, &name) != 0 || !name)
		name = "an error that the driver has no name for";
	bench_fail(session, "%s: %s (%d)", what, name, result);
	return result;
}

static int find_functions(ba_suite_session *session)
{
	bench_driver *cu = &session->cu;
	const struct {
		void *field; /* a function pointer of cu */
		const char *name;
		int needed;
	} rows[] = {
		{&cu->module_load, "cuModuleLoadData", 1},
		{&cu->module_unload, "cuModuleUnload", 1},
		{&cu->get_function, "cuModuleGetFunction", 1},
		{&cu->set_attribute, "cuFuncSetAttribute", 1},
		{&cu->device_attribute, "cuDeviceGetAttribute", 1},
		{&cu->launch, "cuLaunchKernel", 1},
		{&cu->download, "cuMemcpyDtoH", 1},
		{&cu->set_bytes, "cuMemsetD8Async", 1},
		{&cu->wait, "cuStreamSynchronize", 1},
		{&cu->error_name, "cuGetErrorName", 1},
		{&cu->encode_tensor, "cuTensorMapEncodeTiled", 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		void *found = session->host->driver_symbol(rows[i].name);

		if (!found && rows[i].needed)
			return bench_fail(session, "the driver has no %s", rows[i].name);
		*(void **)rows[i].field = found;
	}
	return 0;
}

int bench_session_open(ba_suite_session **out, const ba_suite_host *host)
{
	ba_suite_session *session = calloc(1, sizeof(*session));
	int rc;

	if (!session)
		return BENCH_WRONG;
	*out = session; /* so that last_error() has a sentence */
	session->host = host;
	rc = find_functions(session);
	if (rc)
		return rc;
	return bench_result(session,
		session->cu.device_attribute(
			&session->multiprocessors, MULTIPROCESSOR_COUNT, host->device),
		"cuDeviceGetAttribute");
}

void bench_session_close(ba_suite_session *session)
{
	if (!session)
		return;
	for (int i = 0; i < BENCH_MODULES; i++)
		if (session->modules[i])
			session->cu.module_unload(session->modules[i]);
	free(session);
}

const char *bench_session_error(ba_suite_session *session)
{
	return session ? session->error : "out of memory";
}

int bench_function(void **out, ba_suite_session *session, enum bench_module module,
	const char *name, unsigned shared_bytes)
{
	bench_driver *cu = &session->cu;
	int rc = 0;

	if (!session->modules[module])
		rc = bench_result(session,
			cu->module_load(&session->modules[module], images[module]),
			"cuModuleLoadData");
	if (!rc)
		rc = bench_result(
			session, cu->get_function(out, session->modules[module], name), name);
	if (rc || shared_bytes <= 48 * 1024)
		return rc;
	rc = bench_result(session,
		cu->set_attribute(*out, MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)shared_bytes), name);
	/* all of the cache as shared memory: several such blocks a multiprocessor */
	return rc ? rc
		  : bench_result(
			    session, cu->set_attribute(*out, SHARED_MEMORY_CARVEOUT, 100), name);
}

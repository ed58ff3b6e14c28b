/*
 * The CUDA driver by dlopen: a struct of function pointers, made from driver_table.h.
 *
 *     ba_driver drv;
 *     if (ba_driver_open(&drv, NULL, err) < 0 || ba_driver_init(&drv, err) < 0)
 *             return err->code;
 *     r = drv.device_get_count(&n);
 *     if (r)
 *             return ba_driver_fail(&drv, err, r, "cuDeviceGetCount");
 *
 * The host target and the tests fill this struct from driver libraries of their own, so
 * the rest of the code is the same. An optional function (MAY) is NULL if it is missing.
 */
#pragma once

#include "gpu/driver_table.h"

#define BA_DRIVER_SONAME "libcuda.so.1"

/* symbols that only the tool's own drivers export */
#define BA_DRIVER_MARK_HOST "bench_against_host_driver"
#define BA_DRIVER_MARK_FAKE "bench_against_fake_cuda"

typedef enum ba_driver_kind {
	BA_DRIVER_REAL, /* has neither symbol; ba_trust_examine() checks more */
	BA_DRIVER_HOST, /* the tool's: returns at once, executes nothing */
	BA_DRIVER_FAKE	/* the tests': has a virtual clock */
} ba_driver_kind;

typedef struct ba_driver {
	void *library; /* dlopen handle */
	char *path;    /* path of the loaded file, from the dynamic linker */
	ba_driver_kind kind;
	int version; /* e.g. 13000 = CUDA 13.0; 0 until ba_driver_init() */
#define BA_DRIVER_FIELD(field, symbol, suffix, version_, need, params) cu_result(*field) params;
	BA_DRIVER_TABLE(BA_DRIVER_FIELD)
#undef BA_DRIVER_FIELD
} ba_driver;

/* Loads "libcuda.so.1", or the library at `path` if it is not NULL, and looks up every
 * function. Executes nothing, not even cuInit. A library at `path` is loaded with
 * RTLD_GLOBAL: libraries that are loaded later and need "libcuda.so.1" then get it.
 * BA_EGPU: missing, not loadable, or too old. BA_ELIBRARY: not a CUDA driver. */
int ba_driver_open(ba_driver *out, const char *path, ba_error *err);

/* Calls cuInit and reads the driver's version. The sentence says what to do (no
 * device, stub library, mismatch after an update, ...). */
int ba_driver_init(ba_driver *drv, ba_error *err);

/* Why cuInit fails with a result, and what to do about it. */
typedef struct ba_driver_init_failure {
	cu_result result;
	const char *id, *sentence, *remedy;
} ba_driver_init_failure;
const ba_driver_init_failure *ba_driver_init_failure_of(cu_result result);

/* Closes the driver. Unloads a library that was opened by path, but never NVIDIA's,
 * because that runs threads. */
void ba_driver_close(ba_driver *drv);

/* Sets err to "cuX: <name> (<number>): <what it means>"; always returns BA_EGPU. The
 * sentence says so if the result leaves the context unusable. */
int ba_driver_fail(const ba_driver *drv, ba_error *err, cu_result result, const char *call)
	__attribute__((cold));

/* Calls a function of the driver; if that fails, returns from the function that
 * contains this:
 * BA_DRIVER_TRY(drv, err, "cuMemAlloc", mem_alloc(&address, bytes)); */
#define BA_DRIVER_TRY(drv, err, name, call)                                 \
	do {                                                                \
		cu_result result_ = (drv)->call;                            \
		if (result_)                                                \
			return ba_driver_fail((drv), (err), result_, name); \
	} while (0)

/* The name of a result, "CUDA_ERROR_NO_DEVICE"; drv may be NULL. */
const char *ba_driver_result_name(const ba_driver *drv, cu_result result);

/* Is the context lost, so that every later call will fail? */
bool ba_driver_result_is_sticky(cu_result result);

/* The address of any driver function by its plain name, or NULL. Its parameters are those of
 * CUDA 12.0: a driver of 13.0 has more of them in cuCtxGetDevice, for instance. A launcher gets it
 * as host->driver_symbol(). */
void *ba_driver_symbol(const ba_driver *drv, const char *name);

/*
 * A `libcuda.so.1` in front of the driver that reports what is loaded and launched, and
 * counts what is asked of the driver. So the tool learns which device code a variant runs,
 * and what a call costs the driver, without any help from its build.
 *
 * The observer exports what the driver exports, and forwards each call. A variant finds
 * the observer however it gets the driver:
 *
 *  - it has the driver's name, so dlopen("libcuda.so.1") of the CUDA runtime finds it
 *    if it is loaded first;
 *  - it answers cuGetProcAddress;
 *  - it comes first in the global scope, for code that is linked with the driver.
 *
 * Hence this order:
 *
 *     observer = dlopen(observer_path, RTLD_NOW | RTLD_GLOBAL);     first
 *     ba_driver_open(&drv, path_of_the_driver, err);                by path, second
 *     start(drv.library, &hooks);
 *
 * It is never loaded in a process that measures.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a census counts. A call that the driver refuses is not counted, and calls of all
 * threads are. */
typedef enum ba_census_what {
#define CENSUS(id, name, help) BA_CENSUS_##id,
#include "model/census.def"
#undef CENSUS
	BA_CENSUS_COUNT
} ba_census_what;

/* Called after the driver has succeeded, in the thread that called it. Any may be NULL. */
typedef struct ba_observer_hooks {
	/* handle: a CUmodule or a CUlibrary. image or path is NULL. The driver's
	 * options are passed on. Use the handle only as the kind it is: the driver does
	 * not check and may crash. */
	void (*loaded)(const void *handle, bool is_library, const void *image, const char *path,
		unsigned option_count, const int *options, void *const *values);
	void (*unloaded)(const void *handle);
	/* a kernel was launched, or put into a capture */
	void (*launched)(void);
	/* the variant called `function`, after which launches depend on unreadable
	 * state */
	void (*met)(const char *function);
	/* the driver's function `function` was called, and `what` grew by `amount` */
	void (*counted)(const char *function, ba_census_what what, uint64_t amount);
} ba_observer_hooks;

/* Find these functions with dlsym. driver: handle of the library that receives the
 * calls. */
typedef void ba_observer_start_fn(void *driver, const ba_observer_hooks *hooks);
#define BA_OBSERVER_START "ba_observer_start"
/* Returns the observer's own function in place of the driver's function `name`, or
 * `real` if it has none. */
typedef void *ba_observer_symbol_fn(const char *name, void *real);
#define BA_OBSERVER_SYMBOL "ba_observer_symbol"
/* Sets counts[BA_CENSUS_COUNT] to what was counted since the last call, or the start. */
typedef void ba_observer_census_fn(uint64_t *counts);
#define BA_OBSERVER_CENSUS "ba_observer_census"
/* What the process has asked of the driver since the start: ns in calls that open the driver and
 * contexts, ns in calls that load modules and libraries, and the most bytes of device memory that
 * it had at a time. */
typedef void ba_observer_starts_fn(uint64_t *three);

/* The modules and libraries that the process has loaded since the start, a line each: ns that
 * loading took, bytes, kind ("PTX", "cubin", "fatbin", "file"), how many kernels it has, and names
 * of some; 0 kernels: the driver does not list them. Valid until the next call (modules.c). */
typedef const char *ba_observer_modules_fn(void);
#define BA_OBSERVER_MODULES "ba_observer_modules"
#define BA_OBSERVER_STARTS "ba_observer_starts"

/* From where the driver was called (callers.c). */
typedef struct ba_observer_caller {
	const char *function; /* the driver's */
	const char *address;  /* behind the call */
	ba_census_what what;
	uint64_t count; /* how much it grew by calls from there */
} ba_observer_caller;
enum { BA_OBSERVER_CALLERS_MOST = 256 };

/* Forgets callers and notes new ones from now on: frames of objects below the tree, and of any
 * object if no frame is there. NULL: notes no more. */
typedef void ba_observer_listen_fn(const char *tree);
#define BA_OBSERVER_LISTEN "ba_observer_listen"
/* Those that were noted; *out is valid until ba_observer_listen(). */
typedef size_t ba_observer_callers_fn(const ba_observer_caller **out);
#define BA_OBSERVER_CALLERS "ba_observer_callers"
/* The names of the kernels that were launched since the last call, or the start; valid until the
 * next call. SIZE_MAX: not all are known, because graphs were launched, for example. */
typedef size_t ba_observer_kernels_fn(const char *const **out);
#define BA_OBSERVER_KERNELS "ba_observer_kernels"
/* inside the observer: notes a launch of that function or kernel; 0: unknown (kernels.c) */
void ba_observer_launched(uintptr_t handle);
/* inside the observer: notes what was loaded, in so many ns, and that it is no longer (modules.c) */
void ba_observer_loaded(
	void *handle, bool is_library, const void *image, const char *path, uint64_t ns);
void ba_observer_unloaded(const void *handle);
/* inside the observer: sets a pointer to the driver's function; false: it has none */
bool ba_observer_driver(void *function, const char *name);
/* inside the observer: called for each call that counts */
void ba_observer_note(const char *function, ba_census_what what, uint64_t amount);

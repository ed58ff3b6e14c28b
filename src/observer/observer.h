/*
 * A `libcuda.so.1` that stands before the driver and tells what is loaded and launched:
 * how the tool learns which device code a variant runs, without asking its build.
 *
 * The functions below are forwarded to the driver and told of; every other one is the
 * driver's own. It is found by whatever a variant does to get the driver: it has the
 * driver's name, so that dlopen("libcuda.so.1") of the CUDA runtime finds it when it is
 * loaded before; it answers cuGetProcAddress; and it comes first in the global scope,
 * for code that is linked with the driver. So:
 *
 *     observer = dlopen(observer_path, RTLD_NOW | RTLD_GLOBAL);     first
 *     ba_driver_open(&drv, path_of_the_driver, err);                by path, second
 *     start(drv.library, &hooks);
 *
 * It is never in a process that measures.
 */
#ifndef OBSERVER_OBSERVER_H
#define OBSERVER_OBSERVER_H

#include <stdbool.h>
#include <stddef.h>

/* Called after the driver has succeeded, in the thread that called it. */
typedef struct ba_observer_hooks {
	/* a CUmodule, or a CUlibrary; image or path is NULL. The driver's options as
	 * given. The driver reads a handle as what it is asked about, and crashes where
	 * it is none. */
	void (*loaded)(const void *handle, bool is_library, const void *image,
		const char *path, unsigned option_count, const int *options,
		void *const *values);
	void (*unloaded)(const void *handle);
	/* a kernel was launched, or put into a capture */
	void (*launched)(void);
	/* called for what makes launches depend on state that cannot be asked for */
	void (*met)(const char *function);
} ba_observer_hooks;

/* Both are found with dlsym. driver: handle of the library that calls go to. */
typedef void ba_observer_start_fn(void *driver, const ba_observer_hooks *hooks);
#define BA_OBSERVER_START "ba_observer_start"
/* What stands for the driver's function of that name, or `real` itself. */
typedef void *ba_observer_symbol_fn(const char *name, void *real);
#define BA_OBSERVER_SYMBOL "ba_observer_symbol"

#endif

/*
 * A `libcuda.so.1` in front of the driver that reports what is loaded and launched. So
 * the tool learns which device code a variant runs without any help from its build.
 *
 * The observer forwards the functions that it reports to the driver; every other
 * function is the driver's own. A variant finds the observer however it gets the driver:
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
#ifndef OBSERVER_OBSERVER_H
#define OBSERVER_OBSERVER_H

#include <stdbool.h>
#include <stddef.h>

/* Called after the driver has succeeded, in the thread that called it. */
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
} ba_observer_hooks;

/* Find both functions with dlsym. driver: handle of the library that receives the
 * calls. */
typedef void ba_observer_start_fn(void *driver, const ba_observer_hooks *hooks);
#define BA_OBSERVER_START "ba_observer_start"
/* Returns the observer's own function in place of the driver's function `name`, or
 * `real` if it has none. */
typedef void *ba_observer_symbol_fn(const char *name, void *real);
#define BA_OBSERVER_SYMBOL "ba_observer_symbol"

#endif

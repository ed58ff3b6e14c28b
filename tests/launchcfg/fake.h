/*
 * A driver and a compiler that execute nothing, for tests of launchcfg only. Both are
 * shared libraries that tests name explicitly; each exports its controls, found with
 * dlsym like the rest.
 */
#ifndef TESTS_LAUNCHCFG_FAKE_H
#define TESTS_LAUNCHCFG_FAKE_H

#include <stdatomic.h>
#include <stddef.h>

#include "driver.h"

#define FAKE_ATTRS 4

typedef struct fake_launch {
	const char *entry; /* valid while the module is loaded */
	const char *image;
	lcfg_dim3 grid, block;
	unsigned shared_bytes;
	void *stream;
	void **args;
	lcfg_cu_attr attrs[FAKE_ATTRS];
	unsigned attr_count; /* 0: cuLaunchKernel */
} fake_launch;

/* `fake_driver_control` of the driver library */
typedef struct fake_driver {
	atomic_int launches;
	atomic_int loads, unloads;
	atomic_int fail_launch; /* CUresult of every launch */
	atomic_int fail_load;
	atomic_int arch;	 /* 90 */
	atomic_int opted_shared; /* the last MAX_DYNAMIC_SHARED set */
	atomic_int calls;	 /* of any function that can fail */
	atomic_int fail;	 /* that call fails; 0: none */
	/* sees every launch, in the launching thread */
	void (*_Atomic on_launch)(const fake_launch *launch);
} fake_driver;

/* `fake_nvrtc_control` of the compiler library */
typedef struct fake_nvrtc {
	atomic_int openings; /* how often it was asked its version */
	atomic_int compiles;
	atomic_int programs; /* alive */
	atomic_int major, minor;
	atomic_int delay_us; /* how long a compilation takes */
	char options[256];   /* of the last compilation, joined by blanks */
	/* called inside each compilation, in the compiling thread */
	void (*_Atomic on_compile)(const char *source, const char *expression);
	atomic_int calls; /* of any function */
	atomic_int fail;  /* that call fails; 0: none */
} fake_nvrtc;

#endif

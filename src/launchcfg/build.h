/* Makes kernels from binaries: the last step of build.c, implemented in load.c. */
#ifndef LAUNCHCFG_BUILD_H
#define LAUNCHCFG_BUILD_H

#include "dispatcher.h"

/* Loads the image, finds the kernel and checks its parameters against sig. */
int lcfg_kernel_load(lcfg_kernel **out, const lcfg_dispatcher *dispatcher,
	const lcfg_binary *binary, lcfg_signature sig, lcfg_error *err);

#endif

/* Loads a kernel image into the current context. If the driver rejects it, the error contains
 * the driver's log. */
#pragma once

#include "gpu/driver.h"

typedef struct ba_module {
	const ba_driver *drv;
	cu_module handle;
} ba_module;

/* image: NUL-terminated PTX text, a cubin or a fatbin. Uses the context that is current
 * at this call. */
int ba_module_load(ba_module *out, const ba_driver *drv, const void *image, ba_error *err);
/* The kernel `entry`, fully loaded: with lazy loading, its first launch would otherwise
 * load it and take longer. Valid until the module is disposed of. */
int ba_module_function(cu_function *out, const ba_module *m, const char *entry, ba_error *err);
BA_DECLARE_DISPOSE(ba_module)

/* The PTX of our own kernels (folder kernels/), NUL-terminated. */
extern const char ba_kernel_spin[];    /* entry "ba_spin" */
extern const char ba_kernel_proof[];   /* entry "ba_proof" */
extern const char ba_kernel_ceiling[]; /* entries "ba_copy", "ba_matrix" */
/* for sm_90a only: entry "ba_matrix_group" */
extern const char ba_kernel_ceiling_hopper[];
extern const char ba_kernel_read[]; /* entry "ba_read" */

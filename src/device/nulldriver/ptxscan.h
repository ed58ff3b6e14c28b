/* Reads just enough of PTX text: which kernels it has, and their parameters. */
#pragma once

#include "base/base.h"

typedef struct ptx_params {
	size_t count;
	size_t offset[4096];
	size_t bytes[4096];
} ptx_params;

/* is the image PTX text, and not a cubin or fatbin? */
bool ptx_is_text(const void *image);
/* The parameters of the kernel `entry`; false if the text has no such kernel. out may
 * be NULL. */
bool ptx_find_entry(ptx_params *out, const char *text, const char *entry);

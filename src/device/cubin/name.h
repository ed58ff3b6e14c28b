#ifndef CUBIN_NAME_H
#define CUBIN_NAME_H

#include "base/base.h"

/* A mangled name without what depends on a file's folder, name and content, or on the
 * release and architectures of CUB; caller frees. */
char *ba_kernel_canonical(const char *mangled);

#endif

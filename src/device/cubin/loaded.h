/* Tells whether two libraries or programs would execute the same: host code, data and
 * kernels, without what names the build. */
#ifndef CUBIN_LOADED_H
#define CUBIN_LOADED_H

#include "base/base.h"

/* The digest of everything that a process maps of an executable or library, and of its
 * kernels. It does not cover debug information, build ids, and how device code is packed.
 * False, and "": it is another kind of file, or a part of it cannot be read exactly. */
bool ba_loaded_digest(char out[65], const void *data, size_t bytes);

#endif

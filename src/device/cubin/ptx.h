#ifndef CUBIN_PTX_H
#define CUBIN_PTX_H

#include "cubin/graph.h"

/* Makes the graph of a PTX text; *out was zeroed. The text needs no NUL at its end. What
 * a compiler renumbers (registers, labels), line information and comments do not count.
 * BA_EINVAL: a declaration does not end. Internal to this module. */
int ba_ptx_read(ba_graph *out, const void *text, size_t bytes, ba_error *err);

#endif

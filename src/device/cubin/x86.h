/* How long instructions of x86-64 are, and where they have addresses that move with the code. */
#pragma once

#include <stddef.h>

/* The bytes of the instruction at `code`, of which `most` follow; 0: it is not known, or
 * does not end there. *relative: where its last 4-byte distance from its own end begins (of a
 * jump, a call, or memory relative to the instruction); 0: it has none. */
size_t ba_x86_length(size_t *relative, const unsigned char *code, size_t most);

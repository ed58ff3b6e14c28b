#ifndef CUBIN_INFLATE_H
#define CUBIN_INFLATE_H

#include "base/base.h"

/* Decompresses an entry of a fatbin to raw_bytes bytes; caller frees. BA_EINVAL. */
int ba_image_inflate(unsigned char **out, const unsigned char *data, size_t bytes, size_t raw_bytes,
	ba_error *err);

#endif

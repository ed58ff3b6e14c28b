/* Files that may be compressed with gzip, opened as if they were not. */
#pragma once

#include "base/error.h"

/* limit for the decompressed bytes of one file */
#define BA_GUNZIP_MOST ((size_t)4 << 30)

/* Opens a file for reading; *fd is the caller's. If the file begins with gzip's magic
 * bytes, whatever its name, *fd is an unnamed temporary file ($TMPDIR, else /tmp) with
 * the decompressed content. Codes: those of ba_fs_code(), also for a directory.
 * BA_EDATA: a damaged file, or one with more than BA_GUNZIP_MOST bytes in it.
 * BA_EUNSUPPORTED: libz.so.1 is missing. */
int ba_gunzip_open(int *fd, const char *path, ba_error *err);

/*
 * A record of what the file system reports about everything in a directory at one
 * moment: kind, size, permissions, place and times. Asking again is cheap, because no
 * file is read: 10,000 files take some hundredths of a second.
 *
 *     BA_AUTO(ba_seal) ba_seal s = {0};
 *     rc = ba_seal_make(&s, dir, err);
 *     ...
 *     rc = ba_seal_check(&changed, &s, err);
 *     if (changed) ...                        -- "'lib/x.so' was changed"
 *
 * A change of content, permissions or names changes a time (ctime) that programs cannot
 * set. Not noticed: changes by a process that can set the clock, that writes to the disk past the
 * file system, or that mapped a file for writing before. base/manifest.h reads the content.
 */
#pragma once

#include <stddef.h>

#include "base/auto.h"
#include "base/error.h"

typedef struct ba_seal_row ba_seal_row;

typedef struct ba_seal {
	char *dir;
	ba_seal_row *rows; /* a folder before what is in it */
	size_t count, capacity;
} ba_seal;

BA_DECLARE_DISPOSE(ba_seal)

int ba_seal_make(ba_seal *out, const char *dir, ba_error *err);
/* *changed: the first difference, which the caller frees; NULL: there is none. */
int ba_seal_check(char **changed, const ba_seal *seal, ba_error *err);

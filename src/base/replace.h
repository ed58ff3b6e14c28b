/*
 * A file written piece by piece, that is the old one or all of the new one: a temporary
 * file beside it, fsync, rename.
 *
 *     BA_AUTO(ba_replacement) ba_replacement f = {0};
 *     rc = ba_replacement_open(&f, path, err);
 *     ... fprintf(f.file, ...), whose errors are seen at the end ...
 *     return rc ? rc : ba_replacement_commit(&f, err);
 *
 * The temporary file has a random name and is created by us, so that no file or link
 * that somebody put there is written to. An existing file keeps its permissions, owner
 * and group, as far as we may set them; a new one has 0666 less the umask. A path that
 * is a symbolic link stays one, and what it leads to is replaced; a link that neither
 * this user nor root made is refused. A pipe or a device is written to as it is.
 *
 * exit() removes the temporary files that this process still has: it is called where
 * memory runs out (base/mem.h).
 */
#ifndef BASE_REPLACE_H
#define BASE_REPLACE_H

#include <stdio.h>

#include "base/auto.h"
#include "base/error.h"

typedef struct ba_replacement {
	FILE *file;
	struct ba_replacement_fd *fd;	 /* what is behind it */
	char *path, *target, *temporary; /* the last two NULL: written in place */
} ba_replacement;

int ba_replacement_open(ba_replacement *out, const char *path, ba_error *err);
/* Everything is on the disk, under its name. */
int ba_replacement_commit(ba_replacement *f, ba_error *err);
/* without a commit: the old file stays; a zeroed one is fine */
void ba_replacement_dispose(ba_replacement *f);
BA_DEFINE_AUTO(ba_replacement, ba_replacement_dispose)

#endif

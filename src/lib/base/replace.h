/*
 * Replaces a file that is written piece by piece. Its path always holds the whole old
 * or the whole new content: temporary file in the same folder, fsync, rename.
 *
 *     BA_AUTO(ba_replacement) ba_replacement f = {0};
 *     rc = ba_replacement_open(&f, path, err);
 *     ... fprintf(f.file, ...); the commit reports its errors ...
 *     return rc ? rc : ba_replacement_commit(&f, err);
 *
 *  - The temporary file has a random name and must not exist before, so that a file or
 *    link that another user planted is never written to.
 *  - An existing file keeps its permissions, owner and group, as far as this process
 *    may set them. A new file has 0666 less the umask.
 *  - A symbolic link stays, and its target is replaced. A link that belongs to neither
 *    this user nor root is an error.
 *  - A pipe or a device is written to directly.
 *  - exit() removes the temporary files that this process still has. base/mem.h calls it
 *    when memory runs out.
 */
#pragma once

#include <stdio.h>

#include "base/auto.h"
#include "base/error.h"

typedef struct ba_replacement {
	FILE *file;
	struct ba_replacement_fd *fd;	 /* the descriptor behind it */
	char *path, *target, *temporary; /* the last two: NULL when written in place */
} ba_replacement;

int ba_replacement_open(ba_replacement *out, const char *path, ba_error *err);
/* On success everything is on the disk, under the path. */
int ba_replacement_commit(ba_replacement *f, ba_error *err);
/* Without a commit the old file stays. A zeroed one is fine. */
BA_DECLARE_DISPOSE(ba_replacement)

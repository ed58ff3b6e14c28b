/*
 * Files of a tree that a build must not change: those of an overlay, which are the same
 * for all variants.
 *
 *     rc = ba_frozen_take(&f, dir, paths, err);     before the build
 *     ba_frozen_mounts(&readable, &f);              in a sandbox: cannot be written or moved
 *     rc = ba_frozen_check(&f, err);                after it
 *
 * A build may make more files beside them. What it compiles is its own choice, so a gate
 * needs the build's script in the overlay, too.
 */
#pragma once

#include "base/base.h"

typedef struct ba_frozen {
	ba_strv files;	 /* absolute; links, too */
	ba_strv digests; /* of each */
} ba_frozen;

void ba_frozen_dispose(ba_frozen *f);

/* All files at and below `paths`, which are relative to dir; those that do not exist are
 * left out. */
int ba_frozen_take(ba_frozen *out, const char *dir, const ba_strv *paths, ba_error *err);
/* What a sandbox shows read-only: the files, not links; the first 2000. */
void ba_frozen_mounts(ba_strv *readable, const ba_frozen *f);
/* BA_EBUILD: one was changed or removed; the sentence names it. */
int ba_frozen_check(const ba_frozen *f, ba_error *err);

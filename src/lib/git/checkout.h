/* Writes the files of one tree into a directory that already has its private `.git`. */
#pragma once

#include "git/writer.h"

typedef struct ba_gitlink {
	char *path;
	char commit[65];
} ba_gitlink;

/* What the caller must still do. */
typedef struct ba_checkout {
	ba_strv filtered; /* not written: `git checkout-index` must write them */
	ba_gitlink *gitlinks;
	size_t gitlink_count;
} ba_checkout;

void ba_checkout_dispose(ba_checkout *c);
BA_DEFINE_AUTO(ba_checkout, ba_checkout_dispose)

/* If files are left to git, the index is the tree's, and ba_checkout_settle()
 * (git/checkout_index.h) turns it into what a checkout of the commit leaves. Otherwise it
 * already is that. */
int ba_checkout_write(ba_checkout *out, const ba_checkout_request *req, ba_error *err);

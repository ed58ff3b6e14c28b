/* Writes the files of one tree into a directory that already has its private `.git`. */
#ifndef GIT_CHECKOUT_H
#define GIT_CHECKOUT_H

#include "base/base.h"
#include "base/log.h"

typedef struct ba_checkout_request {
	const char *dir; /* holds only .git */
	/* hex: the index is written as a checkout of this commit leaves it */
	const char *commit;
	const char *tree; /* hex: the files */
	const char *lfs_storage;
	bool leave_lfs_pointers;
	bool has_git; /* git is there to run filter programs */
	unsigned threads;
	bool (*stopped)(void *data);
	void *stopped_data;
	const ba_log *log;
} ba_checkout_request;

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

/* If files are left to git, the index is the tree's, and ba_checkout_settle turns it
 * into what a checkout of the commit leaves. Otherwise it already is that. */
int ba_checkout_write(ba_checkout *out, const ba_checkout_request *req, ba_error *err);
int ba_checkout_settle(const char *dir, const char *commit, ba_error *err);

#endif

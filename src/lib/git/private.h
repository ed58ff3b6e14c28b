/* The private `.git` of a materialised tree: see git/tree.h. */
#ifndef GIT_PRIVATE_H
#define GIT_PRIVATE_H

#include <git2.h>

#include "base/error.h"

typedef struct ba_private_request {
	/* the user's repository, read for references and configuration */
	git_repository *source;
	/* its git directory (the linked worktree's, if it is one) */
	const char *git_dir;
	const char *common_dir;	 /* its common directory */
	const char *objects_dir; /* loose objects to copy; NULL: none */
	const char *commit;	 /* hex */
	const char *dir;	 /* the tree; exists */
} ba_private_request;

/* Makes <dir>/.git, without an index. */
int ba_private_create(const ba_private_request *req, ba_error *err);

#endif

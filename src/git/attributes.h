/* What .gitattributes and the configuration ask to be done to a file on its way out. */
#ifndef GIT_ATTRIBUTES_H
#define GIT_ATTRIBUTES_H

#include <stdbool.h>

#include <git2.h>

#include "base/error.h"

/* Looking attributes up costs more than writing a small file, so it is asked first
 * whether any could apply. */
typedef struct ba_attributes {
	bool convert; /* line endings or ident may change some file */
	bool program; /* some file may go through LFS, a filter program or an encoding
		       */
} ba_attributes;

/* The sources outside the tree: configuration, info/attributes, the user's, the
 * system's. */
void ba_attributes_outside(ba_attributes *out, git_repository *private);
/* One .gitattributes file of the tree. */
void ba_attributes_note(ba_attributes *a, const char *text, size_t size);

typedef enum ba_route {
	BA_ROUTE_PLAIN,	 /* as it is, but for what libgit2 converts */
	BA_ROUTE_LFS,	 /* filter=lfs */
	BA_ROUTE_PROGRAM /* only git can do it */
} ba_route;

/* BA_EUNSUPPORTED: a filter that is required and not configured. */
int ba_attributes_route(
	ba_route *out, git_repository *private, const char *path, ba_error *err);

#endif

/*
 * What .gitattributes and the configuration ask to be done to a file on its way out.
 *
 * Looking attributes up costs several times what writing a small file does, so every
 * source is read once for the lines that can change a file's bytes here: eol=crlf,
 * ident, filters and encodings. A path needs a look-up only if it ends as the pattern
 * of such a line ends. (text=auto alone changes nothing on the way out, where line ends
 * are LF.)
 *
 * Filled by one thread; read by many afterwards.
 */
#ifndef GIT_ATTRIBUTES_H
#define GIT_ATTRIBUTES_H

#include <stdbool.h>

#include <git2.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/strv.h"

typedef struct ba_attributes {
	bool convert_all; /* a source whose patterns say too little: any path may match
			   */
	bool program_all;
	ba_strv convert; /* how paths end that libgit2 may have to convert */
	ba_strv program; /* ... that may go through LFS, a filter program, an encoding
			  */
} ba_attributes;

void ba_attributes_dispose(ba_attributes *a);
BA_DEFINE_AUTO(ba_attributes, ba_attributes_dispose)

/* Adds the sources outside the tree: configuration, info/attributes, the user's, the
 * system's. */
void ba_attributes_add_outside(ba_attributes *a, git_repository *private);
/* Adds one .gitattributes file of the tree. */
void ba_attributes_add(ba_attributes *a, const char *text, size_t size);

/* git's ATTR_MAX_FILE_SIZE and ATTR_MAX_LINE_LENGTH, in bytes: it ignores a file, and a
 * line (its line break not counted), of that many or more */
#define BA_ATTRIBUTES_CEILING ((size_t)100 << 20)
#define BA_ATTRIBUTES_LINE_CEILING 2048u

/* An attribute file as libgit2 must be given it to understand what git does: git
 * ignores patterns that begin with '!' where libgit2 applies them to every other path,
 * reads quoted patterns, which libgit2 does not, and ignores what is beyond its limits.
 * True if `out` differs from the text. */
bool ba_attributes_translate(ba_buf *out, const char *text, size_t size);

bool ba_attributes_may_convert(const ba_attributes *a, const char *path);
bool ba_attributes_may_program(const ba_attributes *a, const char *path);

typedef enum ba_route {
	BA_ROUTE_PLAIN,	 /* as it is, but for what libgit2 converts */
	BA_ROUTE_LFS,	 /* filter=lfs */
	BA_ROUTE_PROGRAM /* only git can do it */
} ba_route;

/* The look-up itself. BA_EUNSUPPORTED: a filter that is required and not configured. */
int ba_attributes_route(
	ba_route *out, git_repository *private, const char *path, ba_error *err);

#endif

/*
 * What .gitattributes and the configuration demand for a file that is checked out.
 *
 * Looking up attributes takes several times as long as writing a small file. So every
 * source is read once, for lines that can change the bytes of a file here: eol=crlf,
 * ident, filters and encodings. A path needs a look-up only if it ends like the pattern
 * of such a line. (text=auto alone changes nothing on checkout where line ends are LF.)
 *
 * One thread fills it; afterwards many may read it.
 */
#pragma once

#include "git/internal.h"

typedef struct ba_attributes {
	/* a source whose patterns are too general: any path may match */
	bool convert_all;
	bool program_all;
	/* ends of paths that libgit2 may have to convert */
	ba_strv convert;
	/* ends of paths that may need LFS, a filter program or an encoding */
	ba_strv program;
} ba_attributes;

BA_DECLARE_DISPOSE(ba_attributes)

/* Adds the sources outside the tree: configuration, info/attributes, the files of the
 * user and of the system. */
void ba_attributes_add_outside(ba_attributes *a, git_repository *private);
/* Adds one .gitattributes file of the tree. */
void ba_attributes_add(ba_attributes *a, const char *text, size_t size);

/* git's ATTR_MAX_FILE_SIZE and ATTR_MAX_LINE_LENGTH, in bytes: git ignores a file, or a
 * line (without its line break), of this size or more */
#define BA_ATTRIBUTES_CEILING ((size_t)100 << 20)
#define BA_ATTRIBUTES_LINE_CEILING 2048u

/* Rewrites an attribute file so that libgit2 understands it as git does:
 *
 *  - git ignores patterns that begin with '!'; libgit2 applies them to every other
 *    path;
 *  - git reads quoted patterns; libgit2 does not;
 *  - git ignores what is beyond the limits above.
 *
 * True if `out` differs from the text. */
bool ba_attributes_translate(ba_buf *out, const char *text, size_t size);

bool ba_attributes_may_convert(const ba_attributes *a, const char *path);
bool ba_attributes_may_program(const ba_attributes *a, const char *path);

typedef enum ba_route {
	BA_ROUTE_PLAIN,	 /* unchanged, except for what libgit2 converts */
	BA_ROUTE_LFS,	 /* filter=lfs */
	BA_ROUTE_PROGRAM /* only git can write it */
} ba_route;
/* Looks the attributes of a path up. BA_EUNSUPPORTED: a required filter is not
 * configured. */
int ba_attributes_route(ba_route *out, git_repository *private, const char *path, ba_error *err);

/*
 * The attribute `ident` as git applies it: every `$Id$` of a file is expanded on
 * checkout and shrunk again on the way in. libgit2 1.5 expands only the first one of a
 * file.
 *
 * `$Id$`, and what git expanded before, become `$Id: <hex> $`, where hex is the blob id
 * of the text. Expansions of other systems ("$Id: a.c 1.2 user $") stay. False, with
 * *out untouched, if there is nothing to expand. */
bool ba_ident_expand(ba_buf *out, const char *text, size_t size);

/* `$Id: anything $` becomes `$Id$`. False, with *out untouched, if there is none. */
bool ba_ident_shrink(ba_buf *out, const char *text, size_t size);

/* Registers this filter with libgit2; call it once, after git_libgit2_init. libgit2's
 * own `ident` stays, but does nothing to a text without an id: load filter lists
 * without a blob. Returns 0 or an error of libgit2. */
int ba_ident_register(void);

/* ---- Git LFS without its program: pointers, and the local store with their content ---- */

typedef struct ba_lfs_pointer {
	char sha256[65];
	uint64_t size;
} ba_lfs_pointer;

/* Is this blob a pointer (version 1, SHA-256, no extensions)? */
bool ba_lfs_pointer_parse(ba_lfs_pointer *out, const char *data, size_t size);

/* <lfs.storage or COMMON_DIR/lfs>; caller frees */
char *ba_lfs_storage(git_repository *handle, const char *common_dir);

/* Where the store keeps this content, whether or not it has it; caller frees. */
char *ba_lfs_object_path(const char *storage, const ba_lfs_pointer *pointer);

/* Does the file on disk have the content that the pointer `blob` stands for? */
bool ba_lfs_file_matches(git_repository *handle, const git_oid *blob, const char *file);

/* Would git run a program for the filter driver `name`? */
bool ba_git_filter_is_configured(git_repository *handle, const char *name);
bool ba_git_filter_is_required(git_repository *handle, const char *name);

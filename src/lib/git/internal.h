/* Declarations shared by the files of this module. No other module includes it, or
 * git2.h. */
#pragma once

#include <git2.h>

#include "base/base.h"

struct ba_repo {
	git_repository *handle;
	char *workdir; /* NULL if bare, or a module directory without a checkout */
	char *git_dir, *common_dir;
};

BA_DEFINE_AUTO_PTR(git_blob, git_blob_free)
BA_DEFINE_AUTO_PTR(git_commit, git_commit_free)
BA_DEFINE_AUTO_PTR(git_config, git_config_free)
BA_DEFINE_AUTO_PTR(git_config_entry, git_config_entry_free)
BA_DEFINE_AUTO_PTR(git_config_iterator, git_config_iterator_free)
BA_DEFINE_AUTO_PTR(git_diff, git_diff_free)
BA_DEFINE_AUTO_PTR(git_index, git_index_free)
BA_DEFINE_AUTO_PTR(git_object, git_object_free)
BA_DEFINE_AUTO_PTR(git_odb, git_odb_free)
BA_DEFINE_AUTO_PTR(git_reference, git_reference_free)
BA_DEFINE_AUTO_PTR(git_reference_iterator, git_reference_iterator_free)
BA_DEFINE_AUTO_PTR(git_repository, git_repository_free)
BA_DEFINE_AUTO_PTR(git_tree, git_tree_free)
BA_DEFINE_AUTO_PTR(git_tree_entry, git_tree_entry_free)

/* Starts libgit2 with the module's rules, once; every entry point calls it first. */
void ba_git_start(void);

/* Was the cause of libgit2's last error the disk or the memory, and not the request? */
bool ba_git_failed_at_io(void);

/* ba_fail with ": " and libgit2's message appended. BA_EIO instead of `code` if
 * ba_git_failed_at_io(): an input that cannot be read is not a wrong one. */
int ba_git_fail(ba_error *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), cold));

/* Opens exactly this path (a git directory or a working tree), with the module's rules
 * for extensions and owners. */
int ba_git_open_at(git_repository **out, const char *path, ba_error *err);

/* takes the handle */
struct ba_repo *ba_git_repo_of(git_repository *handle);

/* A separate handle that writes objects to `objects_dir`, and reads them there and in
 * the user's database. NULL for objects_dir: it only reads. (snapshot.c) */
int ba_git_open_beside(
	git_repository **out, const struct ba_repo *repo, const char *objects_dir, ba_error *err);

/* The caller guarantees that hex is an object id. */
int ba_git_oid(git_oid *out, const char *hex, ba_error *err);
/* Is the commit an ancestor of `tip`, or `tip` itself? */
bool ba_git_has(git_repository *handle, const git_oid *tip, const git_oid *id);
int ba_git_tree_of(git_tree **out, git_repository *handle, const char *hex, ba_error *err);

/* alloc.c: gives libgit2 memory that is never NULL. Before git_libgit2_init, once. */
void ba_git_use_own_memory(void);

/* names.c: BA_EDATA, with the path, for a tree that git would not check out. It writes into
 * `.git` (here, or on a file system with another spelling for it) or out of its directory, or
 * it has a link for .gitmodules. */
int ba_git_names_check(const git_tree *tree, ba_error *err);

/* replace.c: the id of the tree that git checks out for the commit `id`. `spec` is the user's
 * text, and `base` its part before the first operator. BA_EUNSUPPORTED if libgit2 walked over
 * a commit whose parents are replaced, or if a file or folder of the tree is replaced. */
int ba_git_replaced_tree(git_oid *out, git_repository *handle, const git_oid *id, const char *spec,
	const char *base, ba_error *err);

/* path without trailing slashes; caller frees */
char *ba_git_trim_slash(const char *path);

/* A setting of the repository that is true or false; `otherwise` if it is not set. */
bool ba_git_config_bool(git_repository *handle, const char *key, bool otherwise);

/* What the attributes say about a path: the filter driver and the encoding that it needs in the
 * working tree, or NULL for each. Returns 0 or an error of libgit2. */
int ba_git_filter_of(
	const char **filter, const char **encoding, git_repository *handle, const char *path);

/* The private `.git` of a materialised tree: see git/tree.h. */

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

/* Writes the files of one tree into a directory that already has its private `.git`. Several
 * threads use one writer, each with its own repository handle. */
#pragma once

#include "git/attributes.h"
#include "git/repo.h"

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

BA_DECLARE_DISPOSE(ba_checkout)

/* If files are left to git, the index is the tree's, and ba_checkout_settle() turns it into
 * what a checkout of the commit leaves. Otherwise it already is that. */
int ba_checkout_write(ba_checkout *out, const ba_checkout_request *req, ba_error *err);

/* ---- writer.c: files, one by one ---- */

typedef struct ba_item {
	char *path;
	git_oid id;
	uint32_t mode;
	bool written;	  /* stat is set */
	bool filtered;	  /* left to git */
	bool provisional; /* an attribute file that does not have its final content yet */
	struct stat stat;
} ba_item;

typedef struct ba_writer {
	const ba_checkout_request *req;
	int root;	     /* the tree's directory */
	bool links_as_files; /* core.symlinks=false */
	ba_attributes attributes;
} ba_writer;

static inline bool ba_item_is_link(const ba_item *item)
{
	return item->mode == GIT_FILEMODE_LINK;
}

static inline bool ba_item_is_gitlink(const ba_item *item)
{
	return item->mode == GIT_FILEMODE_COMMIT;
}

/* The item's content; the error says what is missing. */
int ba_writer_read(git_blob **out, git_repository *repo, const ba_item *item, ba_error *err);

/* Writes a file as its attributes say, perhaps from LFS; or marks it `filtered` and
 * does not write it. */
int ba_writer_put_file(const ba_writer *w, git_repository *repo, ba_item *item, ba_error *err);
/* The same for an attribute file that was written before and whose rules now apply. */
int ba_writer_replace(const ba_writer *w, git_repository *repo, ba_item *item, ba_error *err);
int ba_writer_put_raw(
	const ba_writer *w, ba_item *item, const void *data, size_t size, ba_error *err);
int ba_writer_put_link(const ba_writer *w, git_repository *repo, ba_item *item, ba_error *err);

/* The error for a path that cannot be created or written; errno has the reason. */
int ba_writer_cannot(const ba_writer *w, const char *path, ba_error *err);

/* ---- checkout_index.c: the index of a tree that was checked out. It agrees with the files, so
 * that `git status` reads none of them again ---- */

/* Opens the private repository of a directory of ours, even if a network file system
 * says that it belongs to another user. */
int ba_checkout_open_private(git_repository **out, const char *dir, ba_error *err);

/* The mode that git uses for `mode`: its early versions committed 100664 and others. */
uint32_t ba_canonical_mode(uint32_t mode);

/* Writes the index after the files: with what stat() said about each of them. */
int ba_checkout_write_index(git_repository *repo, git_index *index, const ba_item *items,
	size_t count, const ba_checkout_request *req, ba_error *err);
/* After git has written the files that were left to it: the index as a checkout of the commit
 * leaves it. */
int ba_checkout_settle(const char *dir, const char *commit, ba_error *err);

/* Searches the module directories of `outer` and its working tree for a repository with the
 * commit of `link`. `dir` has the files of the superproject; its .gitmodules names
 * the submodule. *wanted is false (and *out untouched) if the user switched it off. */
int ba_submodule_find(ba_repo **out, bool *wanted, const ba_repo *outer, const char *dir,
	const ba_gitlink *link, ba_error *err);

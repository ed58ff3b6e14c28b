/* Writes the files of a tree, one by one. Several threads use one writer, each with its
 * own repository handle. */
#pragma once

#include "git/attributes.h"

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

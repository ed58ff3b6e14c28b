/* Writes one file of a tree. Several threads use one writer, each with its own handle.
 */
#ifndef GIT_WRITER_H
#define GIT_WRITER_H

#include <stdbool.h>
#include <sys/stat.h>

#include <git2.h>

#include "base/error.h"
#include "git/attributes.h"
#include "git/checkout.h"

typedef struct ba_item {
	char *path;
	git_oid id;
	uint32_t mode;
	bool written;	  /* stat is set */
	bool filtered;	  /* left to git */
	bool provisional; /* an attribute file that is not yet as it will be */
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

/* The item's content, with an error that says what is missing. */
int ba_writer_read(
	git_blob **out, git_repository *repo, const ba_item *item, ba_error *err);

/* Converted as its attributes say, from LFS, or marked `filtered` and not written. */
int ba_writer_put_file(
	const ba_writer *w, git_repository *repo, ba_item *item, ba_error *err);
/* The same for a file that is there already and has had its say about itself. */
int ba_writer_replace(
	const ba_writer *w, git_repository *repo, ba_item *item, ba_error *err);
int ba_writer_put_raw(const ba_writer *w, ba_item *item, const void *data, size_t size,
	ba_error *err);
int ba_writer_put_link(
	const ba_writer *w, git_repository *repo, ba_item *item, ba_error *err);

/* The error for a path that errno says cannot be created or written. */
int ba_writer_cannot(const ba_writer *w, const char *path, ba_error *err);

#endif

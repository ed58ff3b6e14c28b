/* Git LFS without its program: pointers, and the local store with their content. */
#pragma once

#include "git/internal.h"

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

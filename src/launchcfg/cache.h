/*
 * The disk cache: one file a compiled kernel, named by the SHA-256 of everything that
 * went into it, and one marker a source whose kernels are launch-config sensitive.
 *
 *     <dir>/v1/entries/ab/abcdef...      header, entry name, image, checksum
 *     <dir>/v1/markers/<source hash>     says: add the LC key when looking things up
 *     <dir>/v1/nvrtc/<search hash>       which NVRTC the loader finds: nvrtc_memo.h
 *     <dir>/v1/tmp/<pid>-...             being written; renamed into place
 *     <dir>/v1/sizes                     bytes of the entries, one number a directory
 *     <dir>/v1/lock                      flock for writers
 *
 * Files appear by rename only, after fsync: a reader sees a whole entry or none, takes
 * no lock, and checks the checksum all the same. No function here fails a launch.
 *
 * Trust: whoever can write here decides what the GPU runs. So every directory and file
 * must belong to the effective user or to root, and only its owner may write to it;
 * anything else is not used, and lcfg_cache_trouble() says why. Below <dir> no symbolic
 * link is followed, and each step is opened relative to the one that was checked.
 */
#ifndef LAUNCHCFG_CACHE_H
#define LAUNCHCFG_CACHE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "launchcfg/launchcfg.h"
#include "nvrtc.h"
#include "sha256.h"

struct lcfg_cache {
	char *dir;  /* as the user knows it */
	char *root; /* dir/v1 */
	uint64_t max_bytes;
	_Atomic unsigned references;
	_Atomic unsigned serial; /* makes temporary names unique in the process */
	_Atomic bool swept;	 /* tmp was looked through */
	pthread_mutex_t lock; /* of all below; held briefly, never over a system call */
	lcfg_cache_stats stats;
	char trouble[512];
};

lcfg_cache *lcfg_cache_ref(lcfg_cache *cache);

/* 1 and *out filled, or 0: not there, unreadable, or damaged (then removed). */
int lcfg_cache_load(lcfg_binary *out, lcfg_cache *cache, const lcfg_digest *key);
int lcfg_cache_store(lcfg_cache *cache, const lcfg_digest *key,
	const lcfg_binary *binary, lcfg_error *err);
/* Removes the entry, unless another process has replaced it since it was read. */
void lcfg_cache_discard(
	lcfg_cache *cache, const lcfg_digest *key, const lcfg_binary *read);

bool lcfg_cache_marker_exists(lcfg_cache *cache, const lcfg_digest *source);
int lcfg_cache_marker_write(
	lcfg_cache *cache, const lcfg_digest *source, lcfg_error *err);

/* Notes errno as trouble, counts it, fills err (may be NULL); returns LCFG_ECACHE. */
int lcfg_cache_complain(lcfg_cache *cache, const char *what, const char *kind,
	const lcfg_digest *name, lcfg_error *err);

/* ---- cache_entry.c: bytes of an entry, pure ---- */

/* NULL: out of memory */
void *lcfg_entry_encode(
	size_t *size, const lcfg_digest *key, const lcfg_binary *binary);
/* 0; -1: not a whole entry of that key; LCFG_ENOMEM */
int lcfg_entry_decode(
	lcfg_binary *out, const lcfg_digest *key, const void *data, size_t size);

/* ---- cache_dir.c: directories that can be trusted ---- */

/* errno of what was refused; lcfg_cache_trouble() has the reason already */
#define LCFG_REFUSED EKEYREJECTED

/* Descriptor of <dir>/v1, of <dir>/v1/<kind>, or of the directory in that kind that
 * holds name (NULL: kind itself); kind NULL: v1. make: what is missing is made. -1 with
 * errno. */
int lcfg_cache_dir_open(
	lcfg_cache *cache, const char *kind, const lcfg_digest *name, bool make);
/* 0, or -1 with LCFG_REFUSED: of another user, or others can write to it */
int lcfg_cache_check(lcfg_cache *cache, const struct stat *st, const char *what);
/* "entries/ab/abcdef...", for messages; the caller frees; NULL: out of memory */
char *lcfg_cache_path(
	const lcfg_cache *cache, const char *kind, const lcfg_digest *name);

/* ---- cache_files.c: reading and publishing ---- */

/* The file's bytes, and what it was (st may be NULL). -1 with errno where there is no
 * such file, or it cannot be read or trusted. */
int lcfg_cache_read(void **data, size_t *size, struct stat *st, lcfg_cache *cache,
	const char *kind, const lcfg_digest *name);
/* Temporary file, fsync, rename; directories are made, and for entries room. -1 with
 * errno. */
int lcfg_cache_publish(lcfg_cache *cache, const char *kind, const lcfg_digest *name,
	const void *data, size_t size);
/* Unlinks the file if it is still that one. -1 with errno. */
int lcfg_cache_unlink(lcfg_cache *cache, const char *kind, const lcfg_digest *name,
	uint64_t device, uint64_t inode);
/* Writes all of data to a new file of that name in the directory, and to the disk where
 * sync says so; -1 with errno, and then there is no file. */
int lcfg_file_write(
	int dir, const char *name, const void *data, size_t size, bool sync);

/* ---- cache_room.c: the size limit ---- */

/* An entry was stored in directory `shard` of the entries: brings the sum up to date,
 * and removes entries above max_bytes, those used least recently first among the ones
 * looked at. The caller holds the lock; root is <dir>/v1. */
void lcfg_cache_make_room(lcfg_cache *cache, int root, unsigned shard);

#endif

/*
 * The disk cache. Each compiled kernel has a file, named by the SHA-256 of everything
 * that went into it. Each source with launch-config sensitive kernels has a marker.
 *
 *     <dir>/v1/entries/ab/abcdef...      header, entry name, image, checksum
 *     <dir>/v1/markers/<source hash>     the keys of its kernels include the LC key
 *     <dir>/v1/nvrtc/<search hash>       which NVRTC the loader finds: nvrtc_memo.c
 *     <dir>/v1/tmp/<pid>-...             a file being written; renamed when complete
 *     <dir>/v1/sizes                     bytes of the entries, a number per directory
 *     <dir>/v1/lock                      flock for writers
 *
 * Files appear only by rename, after fsync: a reader finds a whole entry or none. It
 * takes no lock, and checks the checksum. A launch never fails because of the cache.
 *
 * Trust: anyone who can write here decides what the GPU runs. So every directory
 * and file must belong to the effective user or to root, and only its owner may
 * write to it. Otherwise it is not used, and lcfg_cache_trouble() has the reason. Below
 * <dir> no symbolic link is followed, and each step is opened relative to the
 * directory that was checked.
 */
#pragma once

#include <sys/stat.h>

#include "nvrtc.h"
#include "sha256.h"

struct lcfg_cache {
	char *dir;  /* as the user gave it */
	char *root; /* dir/v1 */
	uint64_t max_bytes;
	_Atomic unsigned references;
	_Atomic unsigned serial; /* makes temporary names unique in the process */
	_Atomic bool swept;	 /* tmp was searched for leftovers */
	/* guards all below; held briefly, never over a system call */
	pthread_mutex_t lock;
	lcfg_cache_stats stats;
	char trouble[512];
};

lcfg_cache *lcfg_cache_ref(lcfg_cache *cache);

/* Returns 1 and fills *out, or 0: missing, unreadable or damaged, and then removed. */
int lcfg_cache_load(lcfg_binary *out, lcfg_cache *cache, const lcfg_digest *key);
int lcfg_cache_store(
	lcfg_cache *cache, const lcfg_digest *key, const lcfg_binary *binary, lcfg_error *err);
/* Removes the entry that was `read`, unless another process has replaced it since. */
void lcfg_cache_discard(lcfg_cache *cache, const lcfg_digest *key, const lcfg_binary *read);

bool lcfg_cache_marker_exists(lcfg_cache *cache, const lcfg_digest *source);
int lcfg_cache_marker_write(lcfg_cache *cache, const lcfg_digest *source, lcfg_error *err);

/* Records errno as the cache's trouble. Fills err, which may be NULL. Returns LCFG_ECACHE. */
int lcfg_cache_complain(lcfg_cache *cache, const char *what, const char *kind,
	const lcfg_digest *name, lcfg_error *err);

/* ---- cache_entry.c: bytes of an entry, pure ---- */

/* NULL: out of memory */
void *lcfg_entry_encode(size_t *size, const lcfg_digest *key, const lcfg_binary *binary);
/* 0; -1: not a complete entry of this key; LCFG_ENOMEM */
int lcfg_entry_decode(lcfg_binary *out, const lcfg_digest *key, const void *data, size_t size);

/* ---- cache_dir.c: directories that can be trusted ---- */

/* errno for what is not trusted; lcfg_cache_trouble() then has the reason */
#define LCFG_REFUSED EKEYREJECTED

/* A directory's descriptor; kind NULL: of <dir>/v1; name NULL: of <dir>/v1/<kind>; else of the
 * one in that kind that holds name. make: creates what is missing. -1 with errno. */
int lcfg_cache_dir_open(lcfg_cache *cache, const char *kind, const lcfg_digest *name, bool make);
/* 0; -1 with LCFG_REFUSED: it belongs to another user, or others can write to it */
int lcfg_cache_check(lcfg_cache *cache, const struct stat *st, const char *what);
/* "entries/ab/abcdef...", for messages; the caller frees; NULL: out of memory */
char *lcfg_cache_path(const lcfg_cache *cache, const char *kind, const lcfg_digest *name);

/* ---- cache_files.c: reading and publishing ---- */

/* The file's bytes and status (st may be NULL). -1 with errno: missing, unreadable, not trusted. */
int lcfg_cache_read(void **data, size_t *size, struct stat *st, lcfg_cache *cache, const char *kind,
	const lcfg_digest *name);
/* A temporary file, fsync, rename; makes directories, and room for entries. -1 with errno. */
int lcfg_cache_publish(lcfg_cache *cache, const char *kind, const lcfg_digest *name,
	const void *data, size_t size);
/* Unlinks the file if it still has this device and inode. -1 with errno. */
int lcfg_cache_unlink(lcfg_cache *cache, const char *kind, const lcfg_digest *name, uint64_t device,
	uint64_t inode);
/* close() that keeps errno; -1 is fine */
void lcfg_file_close(int fd);
/* Writes all of data to a new file of that name in the directory, with `sync` also to
 * the disk. -1 with errno, and then there is no file. */
int lcfg_file_write(int dir, const char *name, const void *data, size_t size, bool sync);

/* ---- cache_room.c: the size limit ---- */

/* After an entry was stored in `shard`, with the lock; root is <dir>/v1. Updates the sum and
 * removes entries above max_bytes: the least recently used of those examined. */
void lcfg_cache_make_room(lcfg_cache *cache, int root, unsigned shard);

/* ---- nvrtc_memo.c ---- */

/*
 * A memo in the cache says which NVRTC the loader found and which compiler it is. Every
 * cache key contains the compiler, and opening NVRTC (110 MB) takes far longer than
 * loading a kernel from disk.
 *
 * The hash covers everything that decides what the loader finds: the names searched
 * for, its directories in order, each library of such a name in them, and its index. A
 * memo is valid only if
 *
 *  - its file is unchanged (device, inode, size, times of data and inode);
 *  - its checksum holds;
 *  - the process has no other NVRTC loaded.
 *
 * Otherwise NVRTC is opened and identifies itself.
 *
 * A process that used a memo and then compiles opens the file that the memo names. So
 * the same compiler made its kernels from disk and those that it compiles.
 */

typedef struct lcfg_memo_file {
	uint64_t device, inode, size;
	int64_t data_s, data_ns;   /* when the contents changed */
	int64_t inode_s, inode_ns; /* when the inode changed */
} lcfg_memo_file;

typedef struct lcfg_memo {
	lcfg_nvrtc_id id;
	lcfg_memo_file file;
	char *path; /* absolute */
} lcfg_memo;

/* NULL: out of memory */
void *lcfg_memo_encode(size_t *size, const lcfg_memo *memo);
/* 0 with *out filled (free its path); -1: damaged, or out of memory */
int lcfg_memo_decode(lcfg_memo *out, const void *data, size_t size);

/* 1 and *id and *file (the caller frees), or 0: no valid memo. given: lcfg_nvrtc_open's `path`. */
int lcfg_nvrtc_memo_read(lcfg_nvrtc_id *id, char **file, lcfg_cache *cache, const char *given);
/* A failure is recorded as the cache's trouble and not returned. */
void lcfg_nvrtc_memo_write(lcfg_cache *cache, const char *given, const lcfg_nvrtc *nvrtc);

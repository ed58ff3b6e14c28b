/*
 * The disk cache: one file a compiled kernel, named by the SHA-256 of everything that
 * went into it, and one marker a source whose kernels are launch-config sensitive.
 *
 *     <dir>/v1/entries/ab/abcdef...      header, entry name, image, checksum
 *     <dir>/v1/markers/<source hash>     says: add the LC key when looking things up
 *     <dir>/v1/tmp/<pid>-...             being written; renamed into place
 *     <dir>/v1/lock                      flock for writers
 *
 * Files appear by rename only, after fsync: a reader sees a whole entry or none, takes
 * no lock, and checks the checksum all the same. No function here fails a launch.
 */
#ifndef LAUNCHCFG_CACHE_H
#define LAUNCHCFG_CACHE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "launchcfg/launchcfg.h"
#include "nvrtc.h"
#include "sha256.h"

struct lcfg_cache {
	char *dir;  /* as the user knows it */
	char *root; /* dir/v1 */
	uint64_t max_bytes;
	_Atomic unsigned references;
	_Atomic unsigned serial; /* makes temporary names unique in the process */
	pthread_mutex_t lock; /* of all below; held briefly, never over a system call */
	lcfg_cache_stats stats;
	unsigned stores_until_scan;
	char trouble[512];
};

lcfg_cache *lcfg_cache_ref(lcfg_cache *cache);

/* 1 and *out filled, or 0: not there, unreadable, or damaged (then removed). */
int lcfg_cache_load(lcfg_binary *out, lcfg_cache *cache, const lcfg_digest *key);
int lcfg_cache_store(lcfg_cache *cache, const lcfg_digest *key,
	const lcfg_binary *binary, lcfg_error *err);
void lcfg_cache_discard(lcfg_cache *cache, const lcfg_digest *key);

bool lcfg_cache_marker_exists(lcfg_cache *cache, const lcfg_digest *source);
int lcfg_cache_marker_write(
	lcfg_cache *cache, const lcfg_digest *source, lcfg_error *err);

/* ---- cache_entry.c: bytes of an entry, pure ---- */

/* NULL: out of memory */
void *lcfg_entry_encode(
	size_t *size, const lcfg_digest *key, const lcfg_binary *binary);
/* 0, or -1: not a whole entry of that key */
int lcfg_entry_decode(
	lcfg_binary *out, const lcfg_digest *key, const void *data, size_t size);

/* ---- cache_files.c: the directory ---- */

/* <root>/<kind>/..., the caller frees; NULL: out of memory */
char *lcfg_cache_path(
	const lcfg_cache *cache, const char *kind, const lcfg_digest *name);
/* -1 with errno where there is no such file or it cannot be read */
int lcfg_file_read(void **data, size_t *size, const char *path);
/* Temporary file, fsync, rename; directories are made. -1 with errno. */
int lcfg_cache_publish(
	lcfg_cache *cache, const char *path, const void *data, size_t size);
/* Sums up the entries; above max_bytes removes the least recently used ones, and what
 * killed writers left in tmp. -1 with errno where the directory cannot be locked. */
int lcfg_cache_scan(lcfg_cache *cache);

#endif

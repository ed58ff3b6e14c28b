/*
 * A memo in the cache says which NVRTC the loader found and which compiler it is. Every
 * cache key contains the compiler, and opening NVRTC (110 MB) takes far longer than
 * loading a kernel from disk.
 *
 *     <root>/nvrtc/<hash of the search>      see lcfg_memo
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
#pragma once

#include "cache.h"
#include "nvrtc.h"

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

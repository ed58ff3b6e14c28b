/*
 * Which NVRTC compiles is part of every cache key, and opening NVRTC (110 MB) takes far
 * longer than loading a kernel from disk. So the cache remembers which file the loader
 * found, and which compiler it was:
 *
 *     <root>/nvrtc/<hash of the search>      see lcfg_memo
 *
 * The hash covers all that decides what the loader finds: the names asked for, its
 * directories in order, each library of such a name in them, and its index. The memo
 * counts only while its file is the same (device, inode, size, times of data and inode)
 * and its checksum holds, and while the process has no other NVRTC loaded. Otherwise
 * NVRTC is opened and asked.
 *
 * Who believes a memo opens that file, by its path, should it have to compile: the
 * kernels that it takes from disk and those that it compiles are of one compiler.
 */
#ifndef LAUNCHCFG_NVRTC_MEMO_H
#define LAUNCHCFG_NVRTC_MEMO_H

#include "cache.h"
#include "nvrtc.h"

typedef struct lcfg_memo_file {
	uint64_t device, inode, size;
	int64_t data_s, data_ns;   /* time of change of the contents */
	int64_t inode_s, inode_ns; /* and of the inode */
} lcfg_memo_file;

typedef struct lcfg_memo {
	lcfg_nvrtc_id id;
	lcfg_memo_file file;
	char *path; /* absolute */
} lcfg_memo;

/* NULL: out of memory */
void *lcfg_memo_encode(size_t *size, const lcfg_memo *memo);
/* 0 and *out filled (free its path); -1: damaged, or no memory */
int lcfg_memo_decode(lcfg_memo *out, const void *data, size_t size);

/* 1, *id and *file (the caller frees) filled, or 0. given as for lcfg_nvrtc_open. */
int lcfg_nvrtc_memo_read(
	lcfg_nvrtc_id *id, char **file, lcfg_cache *cache, const char *given);
/* Trouble is the cache's, not the caller's. */
void lcfg_nvrtc_memo_write(
	lcfg_cache *cache, const char *given, const lcfg_nvrtc *nvrtc);

#endif

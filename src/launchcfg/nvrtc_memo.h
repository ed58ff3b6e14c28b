/*
 * The version of NVRTC is part of every cache key, and opening NVRTC (140 MB) takes far
 * longer than loading a kernel from disk. So the cache directory remembers the version
 * of the file that the loader found, and in which environment it found it:
 *
 *     <root>/nvrtc/<hash of the environment>      version, identity and path of the
 * file
 *
 * The note counts only while that file is the same (device, inode, size, time of
 * change). Should the loader find another one all the same, kernels of the noted
 * version are used: right code, by an older compiler.
 */
#ifndef LAUNCHCFG_NVRTC_MEMO_H
#define LAUNCHCFG_NVRTC_MEMO_H

#include "cache.h"
#include "nvrtc.h"

/* 1 and the version filled, or 0. path as for lcfg_nvrtc_open. */
int lcfg_nvrtc_memo_read(int *major, int *minor, lcfg_cache *cache, const char *path);
/* Trouble is the cache's, not the caller's. */
void lcfg_nvrtc_memo_write(
	lcfg_cache *cache, const char *path, const lcfg_nvrtc *nvrtc);

#endif

/*
 * The tools that a build may call: path and SHA-256 of each, and one SHA-256 over all.
 * These are examined:
 *
 *  - cc, c++, gcc, g++, clang, clang++, nvcc, cmake, make, ninja, as PATH finds them;
 *  - what CC, CXX, CUDACXX and NVCC name, if the configuration allows them;
 *  - the first word of each command;
 *  - cc1, cc1plus, as and ld, where the C and C++ compilers find them;
 *  - ptxas, cicc, cudafe++, fatbinary and nvlink, beside nvcc.
 *
 * Programs inside the tree are left out: the tree's id covers them. Version strings do
 * not count: a patched ptxas reports the same version.
 */
#pragma once

#include "build/recipe.h"

typedef struct ba_tool {
	char *name; /* the name searched for: "cc", "cicc" */
	char *path; /* links resolved */
	char sha256[65];
} ba_tool;

typedef struct ba_toolchain {
	ba_tool *tools; /* in a fixed order, each path once */
	size_t count, capacity;
	char sha256[65];
} ba_toolchain;

BA_DECLARE_DISPOSE(ba_toolchain)

/* cache_file (NULL: none) remembers hashes by path, device, inode, size and time of change:
 * hashing a CUDA toolkit takes half a second. A damaged file is replaced; one that cannot be
 * written is a warning in the log. BA_EIO: a tool exists but cannot be read. */
int ba_toolchain_identify(ba_toolchain *out, const ba_build_recipe *r, const char *cache_file,
	const ba_log *log, ba_error *err);

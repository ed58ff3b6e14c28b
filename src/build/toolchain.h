/*
 * What compiles: path and SHA-256 of each tool a build may call, and one SHA-256 of
 * all.
 *
 * Looked at: cc, c++, gcc, g++, clang, clang++, nvcc, cmake, make, ninja as PATH finds
 * them; what CC, CXX, CUDACXX and NVCC name, where they are allowed; the first word of
 * each command; and what those call from places of their own: cc1, cc1plus, as, ld as
 * the C and C++ compilers say, ptxas, cicc, cudafe++, fatbinary, nvlink beside nvcc.
 * Programs inside the tree are in the tree's id. Content counts, not version strings: a
 * patched ptxas says the same version.
 */
#ifndef BUILD_TOOLCHAIN_H
#define BUILD_TOOLCHAIN_H

#include "base/error.h"
#include "base/log.h"
#include "build/recipe.h"

typedef struct ba_tool {
	char *name; /* as it was looked for: "cc", "cicc" */
	char *path; /* links resolved */
	char sha256[65];
} ba_tool;

typedef struct ba_toolchain {
	ba_tool *tools; /* in a fixed order, none twice by path */
	size_t count, capacity;
	char sha256[65];
} ba_toolchain;

void ba_toolchain_dispose(ba_toolchain *t);
BA_DEFINE_AUTO(ba_toolchain, ba_toolchain_dispose)

/* cache_file (NULL: none) remembers hashes by path, device, inode, size and time of
 * change, since hashing a CUDA toolkit takes half a second; one that is damaged is made
 * anew, one that cannot be written costs a warning. BA_EIO: a tool that is there cannot
 * be read. */
int ba_toolchain_identify(ba_toolchain *out, const ba_build_recipe *r,
	const char *cache_file, const ba_log *log, ba_error *err);

#endif

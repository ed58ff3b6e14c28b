/*
 * Device code as the driver is given it, read: a cubin (an ELF file for one
 * architecture), PTX text, or a fatbin, which holds several of both, compressed or not.
 * What comes out is a digest of all of an image that one kernel's execution can depend
 * on, so that kernels of different builds can be told to be the same code.
 *
 *     size = ba_image_bytes(pointer);            what cuModuleLoadData was given
 *     ba_image_code(&code, image, size, "_Z3fooPfi", 90, &err);
 *
 * In: everything of a cubin but what belongs to its other kernels (their sections), to
 * debuggers, to the tools that made it, and names that may change without the code.
 * Device functions that are called, relocations by the names they mean, and initial
 * values of variables count. Of a fatbin those cubins count that the driver could
 * choose on the architecture, or all PTX texts where there is none. What is not
 * understood is an error, never an equal digest.
 *
 * Layouts are those that nvcc writes; no header of a toolkit is needed. Pure, but for
 * libzstd and liblz4, which are opened when a fatbin needs them.
 */
#ifndef CUBIN_IMAGE_H
#define CUBIN_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/strv.h"

typedef struct ba_code {
	char sha256[65];
	bool ptx; /* compiled by the driver: the digest is of the text */
	/* variables of the module, by name: what is in them is not in the digest */
	ba_strv variables;
} ba_code;

void ba_code_dispose(ba_code *c);
BA_DEFINE_AUTO(ba_code, ba_code_dispose)

/* How many bytes the image at that address has, by its own headers; 0 where it is of no
 * known kind. A fatbin's wrapper is looked through: *image moves to the fatbin. */
size_t ba_image_bytes(const void **image);

/* arch: 90 for compute capability 9.0. BA_EINVAL with a sentence: damaged, compressed
 * in an unknown way, no such kernel, or something in it that cannot be followed. */
int ba_image_code(ba_code *out, const void *image, size_t bytes, const char *kernel,
	int arch, ba_error *err);

/* ---- for the parts of this module ---- */

/* Tables of the compiler's own mathematics, which nobody writes: their initial values
 * say all. */
#define BA_COMPILERS_TABLES "__cudart_"

/* Adds the cubin's part of the digest, and its variables. false: it has no such kernel.
 * An error: BA_EINVAL. */
int ba_cubin_add(bool *found, ba_code *out, ba_sha256 *sum, const unsigned char *elf,
	size_t bytes, const char *kernel, ba_error *err);

/* The raw bytes of what a fatbin's entry holds compressed; caller frees. */
int ba_image_inflate(unsigned char **out, const unsigned char *data, size_t bytes,
	size_t raw_bytes, ba_error *err);

#endif

/*
 * Reads device code as the driver receives it: a cubin (an ELF file for one
 * architecture), PTX text, or a fatbin, which holds several of both, compressed or not.
 * The result is a digest of everything in an image that can affect one kernel's
 * execution. Equal digests mean that kernels of different builds are the same code.
 *
 *     size = ba_image_bytes(&pointer);           what cuModuleLoadData received
 *     ba_image_code(&code, image, size, "_Z3fooPfi", 90, &err);
 *
 * The digest is that of cubin/kernels.h: of the kernel, and of the functions and
 * variables that it reaches, with their initial values. It does not cover other kernels,
 * debug information, and names that may change without the code.
 *
 * The digest of a fatbin covers the cubins that the driver could choose on the
 * architecture, or, if there are none, the kernel in all PTX texts. If the reader does
 * not understand a part, it returns an error and no digest.
 *
 * Layouts are as nvcc writes them; no header of a toolkit is needed. Pure, except that
 * a compressed fatbin opens libzstd or liblz4.
 */
#pragma once

#include "base/base.h"

typedef struct ba_code {
	char sha256[65];
	bool ptx; /* the driver compiles it: the digest is of the text */
	/* size of the machine code: the kernel, the functions that follow it, and
	 * padding to a multiple of 128; 0 for PTX. From compute capability 7.0 on an
	 * instruction has 16 bytes. */
	size_t code_bytes;
	/* the cubin with the code, and the kernel's number among its symbols; NULL for
	 * PTX */
	unsigned char *cubin;
	size_t cubin_bytes;
	uint64_t symbol;
	/* names of the module's variables, whose current values are not part of the
	 * digest */
	ba_strv variables;
} ba_code;

BA_DECLARE_DISPOSE(ba_code)

/* The size in bytes of the image at that address, from its own headers; 0 if its kind
 * is unknown. If it is the wrapper of a fatbin, *image moves to the fatbin. */
size_t ba_image_bytes(const void **image);

/* arch: 90 for compute capability 9.0. BA_EINVAL with a sentence: it is damaged or
 * compressed in an unknown way, the kernel is missing, or a reference cannot be
 * followed. */
int ba_image_code(
	ba_code *out, const void *image, size_t bytes, const char *kernel, int arch, ba_error *err);

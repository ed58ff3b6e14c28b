/*
 * Finds the device code in what a build made, and describes each kernel in it: a digest
 * of everything that can affect its execution, in parts, and what it needs of a GPU.
 * Equal kernels of two builds have equal digests: they depend neither on the other
 * kernels of a file nor on its folder, name, lines or order.
 *
 *     ba_kernel_codes base = {0}, mine = {0};
 *     ba_kernels_find(&base, NULL, text_of_base, bytes_of_base, &err);
 *     ba_kernels_find(&mine, NULL, text_of_mine, bytes_of_mine, &err);
 *     ... pair them by (name, target, is_ptx) ...
 *     verdict = ba_kernel_compare(&base.items[i], &mine.items[k], &why);
 *
 * No GPU and no toolkit is needed. Pure, except that compressed entries of a fatbin open
 * libzstd or liblz4.
 */
#pragma once

#include "base/base.h"

/* ---- images ---- */

typedef enum ba_image_kind {
	BA_IMAGE_CUBIN,	 /* linked: it can be loaded */
	BA_IMAGE_OBJECT, /* a cubin that a device linker has yet to link */
	BA_IMAGE_PTX,
	BA_IMAGE_OTHER, /* code that a device linker has yet to compile: no kernels are read */
} ba_image_kind;

typedef struct ba_image {
	ba_image_kind kind;
	const void *data; /* valid until the call returns */
	size_t bytes;
	size_t at; /* where it is in the file, for messages: its entry if it is packed */
} ba_image;

/* A code other than 0 ends the search, and is its result. */
typedef int ba_image_fn(void *context, const ba_image *image, ba_error *err);

/*
 * Calls `each` for every image in a file's content: an ELF executable, library or object
 * of the host, an archive of objects, a fatbin, a cubin, or PTX. Linked cubins come
 * first, then objects, then PTX, then others. A file of another kind has none and is accepted.
 * gpu: of entries of fatbins only cubins for it; 90: of compute capability 9.0; 0: all.
 * BA_EINVAL with a sentence: an image is truncated, damaged, or compressed by a method
 * whose library is missing.
 */
int ba_images_find(
	const void *data, size_t bytes, int gpu, ba_image_fn *each, void *context, ba_error *err);

/* ---- kernels ---- */

typedef struct ba_kernel_metrics {
	uint32_t registers;
	uint32_t frame_bytes; /* of the stack, for each thread */
	/* instructions that access local memory, and the bytes that they move; spills
	 * are among them */
	uint32_t local_loads, local_load_bytes, local_stores, local_store_bytes;
	uint32_t shared_bytes;		   /* static, without what the system reserves */
	uint32_t constant_bytes;	   /* its parameters and the constants beside them */
	uint32_t code_bytes, instructions; /* with called functions */
	uint32_t barriers;
	uint32_t max_threads;	      /* of launch bounds, 0: none */
	uint32_t required_threads[3]; /* __block_size__, reqntid; 0: none */
	uint32_t min_blocks;	      /* PTX only: a cubin does not keep them */
	uint32_t cluster[3];	      /* 0: none */
	uint32_t max_registers;	      /* a limit that was set, 0: none */
} ba_kernel_metrics;

typedef struct ba_kernel_code {
	/* The mangled name without what depends on a file's folder, name and content or
	 * on the release and architectures of CUB: the key to pair kernels with. */
	char *name;
	char *mangled;	 /* as it is in the image */
	char target[16]; /* "sm_90a" */
	uint64_t symbol; /* of a cubin: its number among the symbols */
	bool is_ptx;
	bool is_linked; /* of a linked cubin, or PTX */
	/* NULL, or a sentence: why the digests do not cover everything. Such a kernel is
	 * never the same as another one. */
	char *open;
	/* ---- digests, for ba_kernel_compare(); equal `whole`: equal in everything ---- */
	char whole[65];
	char code[65];	/* machine code, its constants, and the same of called functions */
	char data[65];	/* variables that it reaches: bytes, size, large alignment, kind */
	char names[65]; /* names of these variables */
	/* what the driver learns of it: registers, frame, shared memory, parameters, launch
	 * bounds, also of called functions */
	char limits[65];
	char slots[65]; /* all that it could reach by an address that is not known; or "" */
	ba_kernel_metrics metrics; /* all 0 for PTX, except limits */
} ba_kernel_code;

BA_LIST(ba_kernel_codes, ba_kernel_code);

BA_DECLARE_DISPOSE(ba_kernel_code)
BA_DECLARE_DISPOSE(ba_kernel_codes)

/* Appends the kernels of one image. BA_EINVAL: the image is damaged. */
int ba_kernels_read(ba_kernel_codes *out, const ba_image *image, ba_error *err);

/* Appends the kernels of all images in the file's content; what an object and a linked
 * cubin of it both have counts once, linked, and so do equal kernels. *images: how many
 * images there were; may be NULL. Two kernels of one name and target remain if they differ. Codes of ba_images_find(). */
int ba_kernels_find(
	ba_kernel_codes *out, size_t *images, const void *data, size_t bytes, ba_error *err);

/* A mangled name without what depends on a file's folder, name and content, or on the
 * release and architectures of CUB; caller frees. */
char *ba_kernel_canonical(const char *mangled);

/* ---- host code ---- */

/* The digest of everything that a process maps of an executable or library: host code and its
 * data. What is equal, and has equal kernels, executes the same. It does not cover device code,
 * debug information, build ids, hashes of files in names, and where in memory sections are, as
 * far as all that moves with them is known (host.c). False, and "": it is another kind of
 * file, or has device code that cannot be read. */
bool ba_host_digest(char out[65], const void *data, size_t bytes);
/* Names of anonymous namespaces and of static functions have a hash of the file, which is zeroed. */
void ba_host_clear_hashes(char *data, size_t bytes);

/* ---- two kernels ---- */

typedef enum ba_kernel_verdict {
	BA_KERNEL_SAME,
	BA_KERNEL_OTHER_DATA,	/* same code, other data */
	BA_KERNEL_OTHER_LIMITS, /* same code, other limits (and perhaps other data) */
	BA_KERNEL_CHANGED,
	BA_KERNEL_OPEN, /* not known: *why has the reason */
} ba_kernel_verdict;

/* Two kernels of one target, whatever their names. *why: NULL, or a sentence that one of
 * the kernels owns or that is constant. Metrics are equal where the verdict is
 * BA_KERNEL_SAME. */
ba_kernel_verdict ba_kernel_compare(
	const ba_kernel_code *base, const ba_kernel_code *mine, const char **why);

/*
 * bench_against/launcher.h -- how a project lets bench-against drive its launch code.
 *
 * A variant builds a shared library that exports ONE function,
 * bench_against_launcher(), which returns a constant table. Through this table the tool
 * asks the library to prepare kernels and to launch them. The kernels, the loops and
 * the clock belong to the tool, so that every variant is measured by the same code.
 *
 *     open ── prepare ── launch launch launch ... ── release ── close
 *       │        └── once per kernel and launch path
 *       └── once per process, inside the tool's primary context, made current
 *
 * Rules
 *  - All calls come from one thread. The CUDA context given in the host table is
 *    current at every call and must be current again when the call returns.
 *  - launch() is what is timed. It must submit exactly one kernel launch to the stream
 *    and must not synchronise. Allocate and compile in prepare() or in the first
 *    launch.
 *  - Handles of the driver API are passed as opaque pointers, so that this header needs
 *    no cuda.h: ba_launcher_stream is a CUstream, context is a CUcontext.
 *  - Get the driver from host->driver_symbol() or from "libcuda.so.1" as usual: the
 *    tool has loaded the right one already. With --target host this driver returns at
 *    once and executes nothing.
 *  - Functions that return int return 0 for success and any other number, for example a
 *    CUresult, for an error. last_error() then gives a sentence about it.
 *  - Do not write to standard output: the tool captures it.
 *
 * Versions
 *  - `abi` is the BA_LAUNCHER_ABI of the header that the library was compiled with; the
 *    tool rejects a newer one.
 *  - Structs grow at the end only. If a library was built with an older header,
 *    the tool takes the missing fields for zero; if with a newer header, it
 *    ignores the unknown fields.
 *  - Check struct_size before you read a field of the tool's structs that is newer than
 *    the first version of the header.
 *  - Elements of arrays (ba_launcher_path, ba_launcher_param) keep their size as long
 *    as the abi is the same.
 *
 * The header is C99 and C++11.
 */
#ifndef BENCH_AGAINST_LAUNCHER_H
#define BENCH_AGAINST_LAUNCHER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BA_LAUNCHER_ABI 1u

typedef struct ba_launcher_session ba_launcher_session; /* yours, made by open() */
typedef struct ba_launcher_kernel ba_launcher_kernel;	/* yours, made by prepare() */
typedef void *ba_launcher_stream;			/* a CUstream; NULL: default stream */

typedef enum ba_launcher_target {
	BA_LAUNCHER_TARGET_GPU = 0,
	BA_LAUNCHER_TARGET_HOST = 1 /* its driver returns at once, executes nothing */
} ba_launcher_target;

/* What the tool offers; valid until close() returns. */
typedef struct ba_launcher_host {
	uint32_t abi;
	uint32_t struct_size;
	uint32_t target; /* ba_launcher_target */
	int32_t device;	 /* CUdevice ordinal */
	void *context;	 /* CUcontext: the primary context, current */
	/* address of a driver function ("cuLaunchKernel"), or NULL if it has none; parameters as in CUDA 12.0 */
	void *(*driver_symbol)(const char *name);
	/* adds a line to the log, which is shown when something goes wrong */
	void (*log)(const char *line);
} ba_launcher_host;

typedef enum ba_launcher_param_kind {
	BA_LAUNCHER_PARAM_POINTER = 0, /* 8 bytes, a device address */
	BA_LAUNCHER_PARAM_BYTES = 1    /* passed by value, 8-byte aligned */
} ba_launcher_param_kind;

typedef struct ba_launcher_param {
	uint32_t kind; /* ba_launcher_param_kind */
	uint32_t size; /* bytes */
} ba_launcher_param;

/* One kernel to prepare. Every pointer is valid until its release() returns. */
typedef struct ba_launcher_kernel_desc {
	uint32_t abi;
	uint32_t struct_size;
	const void *image; /* for cuModuleLoadData; PTX text ends with a NUL byte */
	size_t image_size; /* bytes, the NUL included */
	const char *entry; /* name of the kernel in the image */
	const char *path;  /* which of launcher.paths will launch it */
	const ba_launcher_param *params;
	uint32_t param_count;
} ba_launcher_kernel_desc;

typedef struct ba_launcher_dim3 {
	uint32_t x, y, z;
} ba_launcher_dim3;

typedef struct ba_launcher_config {
	ba_launcher_dim3 grid;
	ba_launcher_dim3 block;
	uint32_t shared_bytes;	   /* dynamic shared memory */
	ba_launcher_stream stream; /* a CUstream */
} ba_launcher_config;

/* A named way through the variant's launch code. */
typedef struct ba_launcher_path {
	const char *name; /* letters, digits and "._+-", e.g. "signature" */
	const char *help; /* one line, or NULL */
} ba_launcher_path;

/* What the variant offers; constant, and valid while the library is loaded. */
typedef struct ba_launcher {
	uint32_t abi;		       /* BA_LAUNCHER_ABI */
	uint32_t struct_size;	       /* sizeof(ba_launcher) */
	const char *name;	       /* of the launch code under test */
	const ba_launcher_path *paths; /* the first one is measured by default */
	uint32_t path_count;	       /* at least 1 */
	int (*open)(ba_launcher_session **out, const ba_launcher_host *host);
	int (*prepare)(ba_launcher_kernel **out, ba_launcher_session *session,
		const ba_launcher_kernel_desc *desc);
	/* args[i] points to the value of parameter i, as for cuLaunchKernel; array and
	 * values may be others at each launch */
	int (*launch)(ba_launcher_kernel *kernel, const ba_launcher_config *config, void **args);
	void (*release)(ba_launcher_kernel *kernel);
	void (*close)(ba_launcher_session *session);
	/* a sentence, valid until the next call; session may be NULL */
	const char *(*last_error)(ba_launcher_session *session);
} ba_launcher;

#if defined(__GNUC__)
#define BA_LAUNCHER_EXPORT __attribute__((visibility("default")))
#else
#define BA_LAUNCHER_EXPORT
#endif

/* The one symbol a variant exports. host_abi is the tool's BA_LAUNCHER_ABI. */
BA_LAUNCHER_EXPORT const ba_launcher *bench_against_launcher(uint32_t host_abi);

#define BA_LAUNCHER_ENTRY "bench_against_launcher"

#ifdef __cplusplus
}
#endif

#endif

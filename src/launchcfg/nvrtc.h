/* NVRTC, the run-time compiler of CUDA C, opened with dlopen when first needed. The
 * declarations are our own, so that no toolkit is needed to build. */
#pragma once

#include "common.h"
#include "sha256.h"

typedef struct lcfg_nvrtc_program_ *lcfg_nvrtc_program;

/* clang-format off */
/* symbol, member, required, result, parameters */
#define NVRTC_TABLE(X)                                                                 \
	X(nvrtcVersion, version, 1, int, (int *, int *))                               \
	X(nvrtcCreateProgram, create, 1, int, (lcfg_nvrtc_program *, const char *, const char *, int, \
	  const char *const *, const char *const *))                                   \
	X(nvrtcDestroyProgram, destroy, 1, int, (lcfg_nvrtc_program *))                           \
	X(nvrtcAddNameExpression, add_name, 1, int, (lcfg_nvrtc_program, const char *))           \
	X(nvrtcGetLoweredName, lowered_name, 1, int, (lcfg_nvrtc_program, const char *,           \
	  const char **))                                                              \
	X(nvrtcCompileProgram, compile, 1, int, (lcfg_nvrtc_program, int,                         \
	  const char *const *))                                                        \
	X(nvrtcGetProgramLogSize, log_size, 1, int, (lcfg_nvrtc_program, size_t *))               \
	X(nvrtcGetProgramLog, log, 1, int, (lcfg_nvrtc_program, char *))                          \
	X(nvrtcGetCUBINSize, cubin_size, 0, int, (lcfg_nvrtc_program, size_t *))                  \
	X(nvrtcGetCUBIN, cubin, 0, int, (lcfg_nvrtc_program, char *))                             \
	X(nvrtcGetPTXSize, ptx_size, 1, int, (lcfg_nvrtc_program, size_t *))                      \
	X(nvrtcGetPTX, ptx, 1, int, (lcfg_nvrtc_program, char *))                                 \
	X(nvrtcGetNumSupportedArchs, arch_count, 0, int, (int *))                      \
	X(nvrtcGetSupportedArchs, archs, 0, int, (int *))                              \
	X(nvrtcGetErrorString, error_string, 0, const char *, (int))
/* clang-format on */

/* Identifies the compiler. Libraries of the same version can be different builds. */
typedef struct lcfg_nvrtc_id {
	int major, minor;
	/* the library's build id in memory; if it has none, size and time of its file */
	lcfg_digest build;
} lcfg_nvrtc_id;

typedef struct lcfg_nvrtc {
#define NVRTC_MEMBER(symbol, member, required, result, params) result(*member) params;
	NVRTC_TABLE(NVRTC_MEMBER)
#undef NVRTC_MEMBER
	void *library;
	lcfg_nvrtc_id id;
	double opened_at; /* a time just before, in seconds since 1970; 0: unknown */
} lcfg_nvrtc;

/* The file names of NVRTC to try, newest first, ending with NULL. given: as `path` of
 * lcfg_nvrtc_open. own: space for two pointers, which the result may point to. */
const char *const *lcfg_nvrtc_names(const char **own, const char *given);

/* path NULL: $LAUNCHCFG_NVRTC, else the newest libnvrtc that the loader finds */
int lcfg_nvrtc_open(lcfg_nvrtc **out, const char *path, lcfg_error *err);
void lcfg_nvrtc_free(lcfg_nvrtc *nvrtc);
/* Path of the library that the loader chose, or NULL; valid as long as the handle. */
const char *lcfg_nvrtc_file(const lcfg_nvrtc *nvrtc);
/* The time when this process began, in seconds since 1970; 0: unknown. */
double lcfg_process_start(void);

typedef struct lcfg_nvrtc_job {
	const char *source;
	const char *name; /* a name expression */
	int arch;	  /* 90 */
	const char *const *options;
	size_t option_count;
	const lcfg_header *headers;
	size_t header_count;
	/* Headers come from `headers` and NVRTC only: not from the current directory. */
	int hermetic;
	int runs; /* out: how often the compiler ran */
	/* out: the compiler's errors or warnings; NULL: none. The caller frees. */
	char *log;
} lcfg_nvrtc_job;

typedef struct lcfg_binary {
	void *image; /* cubin, with a NUL byte behind it */
	size_t size; /* without that byte */
	char *entry; /* the kernel's name in it */
	int sensitive;
	uint64_t device, inode; /* of the cache's file that it came from */
} lcfg_binary;

void lcfg_binary_dispose(lcfg_binary *binary);

int lcfg_nvrtc_compile(
	lcfg_binary *out, const lcfg_nvrtc *nvrtc, lcfg_nvrtc_job *job, lcfg_error *err);
/* Can this option make NVRTC read files? */
int lcfg_nvrtc_option_reads(const char *option);

/* NVRTC, the run-time compiler of CUDA C, opened with dlopen when first needed. */
#ifndef LAUNCHCFG_NVRTC_H
#define LAUNCHCFG_NVRTC_H

#include "common.h"
#include "sha256.h"

typedef struct lcfg_nvrtc lcfg_nvrtc;

/* Identifies the compiler. Libraries of the same version can be different builds. */
typedef struct lcfg_nvrtc_id {
	int major, minor;
	/* the build id that the linker gave the library in memory; if it has none, size
	 * and time of change of its file */
	lcfg_digest build;
} lcfg_nvrtc_id;

/* The file names of NVRTC to try, newest first, ending with NULL. given: as `path` of
 * lcfg_nvrtc_open. own: space for two pointers, which the result may point to. */
const char *const *lcfg_nvrtc_names(const char **own, const char *given);

/* path NULL: $LAUNCHCFG_NVRTC, else the newest libnvrtc that the loader finds */
int lcfg_nvrtc_open(lcfg_nvrtc **out, const char *path, lcfg_error *err);
void lcfg_nvrtc_free(lcfg_nvrtc *nvrtc);
lcfg_nvrtc_id lcfg_nvrtc_identity(const lcfg_nvrtc *nvrtc);
/* Path of the library that the loader chose, or NULL; valid as long as the handle. */
const char *lcfg_nvrtc_file(const lcfg_nvrtc *nvrtc);
/* A time just before it was opened, in seconds since 1970; 0: unknown. */
double lcfg_nvrtc_opened_at(const lcfg_nvrtc *nvrtc);
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
	/* Headers come only from `headers` and from NVRTC itself: "name" is not
	 * searched for in the current directory. */
	int hermetic;
	int runs; /* out: how often the compiler ran */
	/* out: the compiler's output: errors, or the warnings of a success;
	 * NULL: none. The caller frees. */
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

#endif

/* NVRTC, the run-time compiler of CUDA C, opened with dlopen when first needed. */
#ifndef LAUNCHCFG_NVRTC_H
#define LAUNCHCFG_NVRTC_H

#include <stddef.h>

#include "launchcfg/launchcfg.h"

typedef struct lcfg_nvrtc lcfg_nvrtc;

/* path NULL: $LAUNCHCFG_NVRTC, else the newest libnvrtc the loader finds */
int lcfg_nvrtc_open(lcfg_nvrtc **out, const char *path, lcfg_error *err);
void lcfg_nvrtc_free(lcfg_nvrtc *nvrtc);
void lcfg_nvrtc_version(int *major, int *minor, const lcfg_nvrtc *nvrtc);
/* Path of the library that the loader chose, or NULL; good as long as the handle. */
const char *lcfg_nvrtc_file(const lcfg_nvrtc *nvrtc);

typedef struct lcfg_nvrtc_job {
	const char *source;
	const char *name; /* a name expression */
	int arch;	  /* 90 */
	const char *const *options;
	size_t option_count;
	const lcfg_header *headers;
	size_t header_count;
} lcfg_nvrtc_job;

typedef struct lcfg_binary {
	void *image; /* cubin, with a NUL byte behind it */
	size_t size; /* without that byte */
	char *entry; /* the kernel's name in it */
	int sensitive;
} lcfg_binary;

void lcfg_binary_dispose(lcfg_binary *binary);

int lcfg_nvrtc_compile(lcfg_binary *out, const lcfg_nvrtc *nvrtc,
	const lcfg_nvrtc_job *job, lcfg_error *err);

#endif

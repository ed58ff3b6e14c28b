/* NVRTC's functions: our own declarations, so that no toolkit is needed to build. */
#ifndef LAUNCHCFG_NVRTC_TABLE_H
#define LAUNCHCFG_NVRTC_TABLE_H

#include "nvrtc.h"

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

struct lcfg_nvrtc {
#define NVRTC_MEMBER(symbol, member, required, result, params) result(*member) params;
	NVRTC_TABLE(NVRTC_MEMBER)
#undef NVRTC_MEMBER
	void *library;
	lcfg_nvrtc_id id;
	double opened_at;
};

#endif

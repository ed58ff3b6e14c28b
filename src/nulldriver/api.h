/* What the parts of the drivers of our own share. */
#ifndef NULLDRIVER_API_H
#define NULLDRIVER_API_H

#include "gpu/abi.h"
#include "nulldriver/hooks.h"

/* the parameters of an interface are given, used or not */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Define an exported function; the prototype before it satisfies -Wmissing-prototypes.
 */
#define API(name, ...)                      \
	EXPORT cu_result name(__VA_ARGS__); \
	EXPORT cu_result name(__VA_ARGS__)

/* the same function under another exported name */
#define API_ALIAS(function, name) \
	EXPORT extern __typeof__(function) name __attribute__((alias(#function)));

/* CUDA 13.0: what these drivers say they are */
#define API_CUDA_VERSION 13000

/* context current on this thread, or NULL */
cu_context api_current_context(void);

#endif

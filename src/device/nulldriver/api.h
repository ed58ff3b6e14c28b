/* Macros that define the exported functions of our own drivers: the host target's and the tests'
 * fake. */
#pragma once

#include "gpu/abi.h"
#include "nulldriver/hooks.h"

/* Defines an exported function; the prototype before it satisfies
 * -Wmissing-prototypes. */
#define API(name, ...)                      \
	EXPORT cu_result name(__VA_ARGS__); \
	EXPORT cu_result name(__VA_ARGS__)

/* the same function under another exported name */
#define API_ALIAS(function, name) \
	EXPORT extern __typeof__(function) name __attribute__((alias(#function)));

/* Defines an exported function that only returns a value, which is evaluated after the hook. */
#define API_RETURN(name, value, ...) \
	API(name, __VA_ARGS__)       \
	{                            \
		HOOK_ENTER(name);    \
		return value;        \
	}

/* Defines an exported function that does something. */
#define API_DO(name, statement, ...) \
	API(name, __VA_ARGS__)       \
	{                            \
		HOOK_ENTER(name);    \
		statement;           \
		return 0;            \
	}

/* Defines an exported function that answers with one value: *out. */
#define API_SAY(name, out, value, ...) \
	API(name, __VA_ARGS__)         \
	{                              \
		HOOK_ENTER(name);      \
		*(out) = (value);      \
		return 0;              \
	}

/* the CUDA version that these drivers report: 13.0 */
#define API_CUDA_VERSION 13000

/* the context that is current on this thread, or NULL */
cu_context api_current_context(void);

/*
 * Macros that define the exported functions of our own drivers: the host target's and the tests'
 * fake.
 *
 * Where the host target's driver and the tests' fake differ. The host target's hooks do
 * nothing, so that a call is as short as a call can be. Those of the fake, in
 * tests/fakecuda/fake.h, have a virtual clock, a queue and injected errors.
 *
 *   HOOK_NO_RUNTIME             why the CUDA runtime does not start
 *   HOOK_ALLOC, HOOK_FREE       device memory: real, or numbers with nothing behind
 *   HOOK_IS_NUMBER(address)     is it such a number?
 *   HOOK_ENTER(call)            first in every function; may return an error from it
 *   HOOK_SUBMIT(f, s, params)   the result of a launch
 *   HOOK_DRAIN(s)               waits for a stream, NULL for all; a result
 *   HOOK_IDLE(s)                has the stream nothing to do? a result, 0 or 600
 */
#pragma once

#include "gpu/abi.h"

#define EXPORT __attribute__((visibility("default")))

#ifdef BA_FAKE_CUDA
#include "fake.h"
#else
#define HOOK_ENTER(call) ((void)0)
#define HOOK_SUBMIT(function, stream, params) 0
#define HOOK_DRAIN(stream) 0
#define HOOK_IDLE(stream) 0
#define HOOK_EVENT_RECORD(event, stream) ((void)0)
#define HOOK_EVENT_IDLE(event) 0
#define HOOK_EVENT_DRAIN(event) ((void)0)
#define HOOK_ELAPSED_MS(start, end) 0.0f
#define HOOK_MARK_TEXT "bench-against host target (executes nothing)"
#define HOOK_NO_RUNTIME \
	"the program uses the CUDA runtime (<<<>>>, PyTorch, CuPy), which needs private tables of NVIDIA's driver: measure it with --target gpu"
#define HOOK_DEVICE_NAME HOOK_MARK_TEXT
#define HOOK_MEMORY_BYTES ((size_t)80 << 30)
#define HOOK_MEMORY_FREE ((size_t)79 << 30)
#define HOOK_ALLOC(address, bytes) number_alloc((address), (bytes))
#define HOOK_FREE(address) ((void)0)
#define HOOK_IS_NUMBER(address) number_is(address)
#define HOOK_WRITE(to, from, bytes) ((void)0)
#define HOOK_FILL(to, value, bytes) ((void)0)
#define HOOK_FILL_QUEUED(to, bytes, stream) ((void)(to), (void)(count), (void)(stream))
#define HOOK_CAN_READ(from, bytes) false
#define HOOK_FIND_BLOCK(base, bytes, address) number_find((base), (bytes), (address))
#define HOOK_MPS 0
#define HOOK_UUID "HOST-HOST-HOST-!"
/* A process has one device, the last that it asked for; its handle is 0. */
#define HOOK_DEVICE_COUNT 1
#define HOOK_CHOOSE_DEVICE(ordinal) ((void)(ordinal))
#define HOOK_PCI_BUS_ID "HOST:00:00.0"
#define HOOK_MARKER bench_against_host_driver
#endif

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
#define API_SAY(name, out, value, ...) API_DO(name, *(out) = (value), __VA_ARGS__)

/* the CUDA version that these drivers report: 13.0 */
#define API_CUDA_VERSION 13000

/* the context that is current on this thread, or NULL */
cu_context api_current_context(void);

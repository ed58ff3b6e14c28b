/*
 * The sandbox of one worker. Inside, each sees what sandbox.h says of every sandbox, and
 *
 *     of all workers       what the engine's `sandbox` names
 *     of the tool          the worker, the driver library and the observer: read-only
 *     of its variants      their trees, and the copies of their libraries: read-only. A
 *                          worker of several variants (duet) sees those of all of them
 *     of each variant      its folder in the run's directory (ba_box_folder), for what it
 *                          compiles, traces and cubins: writable
 *     of one run of a      the folder of its output: writable
 *     command suite
 *
 * Before each start the tree is compared with its seal (base/seal.h).
 *
 * It sees nothing of other variants, of the cache, of results or journals. The GPU is there
 * unless the target is the host. A program of a variant is on the engine's processor from
 * its start. The tool's own worker starts on any; the host moves the thread that measures to the engine's
 * processor, before it loads what is a variant's.
 */
#pragma once

#include "engine/spec.h"

typedef struct ba_box {
	ba_sandbox sandbox;
	ba_strv readable, writable, env;
} ba_box;

BA_DECLARE_DISPOSE(ba_box)

/* The sandbox of a worker with these variants, which may have their own programs; valid
 * as long as *b, which must be empty before. *out is NULL if the engine has no
 * sandboxes. BA_EIO also if a tree was changed since it was built. output: one more
 * writable folder, or NULL. */
int ba_box_of(const ba_sandbox **out, ba_box *b, const ba_engine_spec *spec, const size_t *variants,
	size_t count, const char *output, ba_error *err);

/* The folder that a variant's worker may write, below the run's. Caller frees. */
char *ba_box_folder(const char *scratch, size_t variant);

/* `bench-against init`: looks at a project and writes what its first comparison needs:
 * configuration, a first suite, files for CI, a hook. Existing files are never changed. */
#pragma once

#include "init/setup.h"

typedef struct ba_init_result {
	ba_strv written, kept; /* paths, to show to the user */
	char *found;	       /* what the configuration measures, in words */
	char *edit;	       /* the file to edit; NULL: benchmarks exist */
} ba_init_result;
BA_DECLARE_DISPOSE(ba_init_result)

/* Looks for benchmarks and writes a configuration that runs them, or a first benchmark if there
 * are none; then the CI's files. Existing files and links are kept; each file is written
 * completely or not at all. BA_EINVAL: nothing to measure, so the user must name it. */
int ba_init_write(ba_init_result *out, const char *top, const ba_project *p, ba_error *err);

/* Writes the executable file `pre-push` into hooks_dir. */
int ba_init_write_hook(ba_init_result *out, const char *hooks_dir, ba_error *err);

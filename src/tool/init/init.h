/*
 * `bench-against init`: looks at a project and writes what its first comparison needs:
 * configuration, a first suite, files for CI, a hook. Existing files are never changed.
 */
#ifndef INIT_INIT_H
#define INIT_INIT_H

#include "base/base.h"

typedef enum ba_project_kind {
	BA_PROJECT_UNKNOWN,
	BA_PROJECT_CMAKE,
	BA_PROJECT_PYTHON,
	BA_PROJECT_MESON,
	BA_PROJECT_AUTOTOOLS,
	BA_PROJECT_MAKE
} ba_project_kind;

typedef enum ba_project_ci {
	BA_PROJECT_CI_NONE,
	BA_PROJECT_CI_GITHUB,
	BA_PROJECT_CI_GITLAB
} ba_project_ci;

typedef struct ba_project {
	ba_project_kind kind;
	const char *kind_why; /* the file, or what else, that says so; or NULL */
	ba_project_ci ci;
	const char *ci_why;
	bool both;   /* it has C or C++ and Python: `kind` is the former */
	bool forced; /* the user named the kind; it was not detected */
	/* Instructions on the host target decide. So benchmarks are written whose
	 * instructions can be counted, and those of other tools are left out. */
	bool without_gpu;
	/* where GitHub's workflows find this tool: "OWNER/NAME" or "OWNER/NAME@REF". ""
	 * if unknown: the workflows then end with a message that asks for it. */
	const char *action;
} ba_project;

/* Looks at the files in the folder `top`. `action` is that of the build of this tool. */
int ba_project_look(ba_project *out, const char *top, ba_error *err);
/* Is it "OWNER/NAME" or "OWNER/NAME@REF", in characters that GitHub allows? */
bool ba_project_action_is_good(const char *action);

typedef struct ba_init_result {
	ba_strv written, kept; /* paths, to show to the user */
	char *found;	       /* what the configuration measures, in words */
	char *edit;	       /* the file to edit; NULL: benchmarks exist */
} ba_init_result;
void ba_init_result_dispose(ba_init_result *s);
BA_DEFINE_AUTO(ba_init_result, ba_init_result_dispose)

/* Looks for benchmarks of the project and writes a configuration that runs them. If
 * there are none, also writes a first benchmark. Then writes the files of the CI.
 * Existing files and links are kept; each file is written completely or not at all.
 * BA_EINVAL: it found nothing to measure; the user must say what. */
int ba_init_write(ba_init_result *out, const char *top, const ba_project *p, ba_error *err);

/* Writes the executable file `pre-push` into hooks_dir. */
int ba_init_write_hook(ba_init_result *out, const char *hooks_dir, ba_error *err);

#endif

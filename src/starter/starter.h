/*
 * `bench-against init`: looks at a project and writes what its first comparison needs:
 * configuration, a first suite, files for CI, a hook. Existing files are never changed.
 */
#ifndef STARTER_STARTER_H
#define STARTER_STARTER_H

#include <stdbool.h>

#include "base/error.h"
#include "base/strv.h"

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
	const char *kind_why; /* the file that says so, or NULL */
	ba_project_ci ci;
	const char *ci_why;
	bool both;   /* of C or C++ and of Python: the first was chosen */
	bool forced; /* the kind was asked for, and not found */
	/* where GitHub's workflows find this tool: "OWNER/NAME" or "OWNER/NAME@REF"; ""
	 * if unknown: the workflows then end with a sentence that asks for it */
	const char *action;
} ba_project;

/* Decides by the files at the top; `action` is the one that the tool was built with. */
int ba_project_look(ba_project *out, const char *top, ba_error *err);
/* Is it one owner, one name, and at most one revision, in
 * characters that GitHub allows? */
bool ba_project_action_is_good(const char *action);

typedef struct ba_started {
	ba_strv written, kept; /* paths to show */
	char *found;	       /* what is measured, in words */
	char *edit;	       /* the file to put calls into; NULL: benchmarks exist */
} ba_started;
void ba_started_dispose(ba_started *s);
BA_DEFINE_AUTO(ba_started, ba_started_dispose)

/* Looks for benchmarks of the project, and writes a configuration that runs them, or else
 * one that runs a first benchmark, which it writes, too; then the files of the CI. What
 * exists is kept, links included; each file is written completely or not at all.
 * BA_EINVAL: there is nothing that can be measured without help. */
int ba_starter_write(
	ba_started *out, const char *top, const ba_project *p, ba_error *err);

/* Writes pre-push into that folder, executable. */
int ba_starter_write_hook(ba_started *out, const char *hooks_dir, ba_error *err);

#endif

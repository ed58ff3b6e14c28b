/*
 * `bench-against init`: a look at a project, and the files that a first comparison of
 * it needs: configuration, a first suite, what CI runs, a hook. Nothing that is there
 * is ever changed.
 */
#ifndef STARTER_STARTER_H
#define STARTER_STARTER_H

#include <stdbool.h>

#include "base/error.h"
#include "base/strv.h"

typedef enum ba_project_kind {
	BA_PROJECT_UNKNOWN,
	BA_PROJECT_CMAKE,
	BA_PROJECT_PYTHON
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
	bool both;	     /* CMake and Python: CMake was taken */
	const char *modules; /* the folder of its Python modules: "src", or "." */
	/* where GitHub's workflows find this tool, "OWNER/NAME" or "OWNER/NAME@REF"; ""
	 * where nobody has said it: they end with a sentence until somebody does */
	const char *action;
} ba_project;

/* By the files at its top; action as the tool was built with. */
int ba_project_look(ba_project *out, const char *top, ba_error *err);
/* one owner, one name, at most one revision, of the characters that GitHub takes */
bool ba_project_action_is_good(const char *action);

typedef struct ba_started {
	ba_strv written, kept; /* paths as they are shown */
} ba_started;
void ba_started_dispose(ba_started *s);
BA_DEFINE_AUTO(ba_started, ba_started_dispose)

/* The files of the kind and of the CI into `top`. What is there is kept, links too;
 * what is written is written whole. */
int ba_starter_write(
	ba_started *out, const char *top, const ba_project *p, ba_error *err);

/* pre-push into that folder, executable. */
int ba_starter_write_hook(ba_started *out, const char *hooks_dir, ba_error *err);

#endif

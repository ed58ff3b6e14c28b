/* What `init` finds out about a project, and what the user said about it. */
#ifndef INIT_PROJECT_H
#define INIT_PROJECT_H

#include "base/base.h"

typedef enum ba_project_kind {
	BA_PROJECT_UNKNOWN,
	BA_PROJECT_CMAKE,
	BA_PROJECT_PYTHON,
	BA_PROJECT_MESON,
	BA_PROJECT_AUTOTOOLS,
	BA_PROJECT_MAKE,
	BA_PROJECT_KINDS
} ba_project_kind;

/* The files at the top, any of which says that a project is of that kind; each ends with NULL. */
extern const char *const ba_project_files[BA_PROJECT_KINDS][5];

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

#endif

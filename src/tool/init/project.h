/* The properties of a project that `init` found, and the user's choices. */
#pragma once

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
	const char *kind_why; /* the file or other reason for the kind; or NULL */
	ba_project_ci ci;
	const char *ci_why;
	bool both;   /* the project has both C or C++ and Python; `kind` is C or C++ */
	bool forced; /* the user chose the kind; it was not detected */
	/* Instructions on the host target decide. Only benchmarks whose instructions
	 * can be counted are written, and other tools' benchmarks are left out. */
	bool without_gpu;
} ba_project;

/* Examines the files in the folder `top`. */
int ba_project_look(ba_project *out, const char *top, ba_error *err);

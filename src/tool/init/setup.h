/* A project as `init` found it, and what `init` decides to write for it: its build, the measured
 * suite, and which files the first benchmarks need. Inside the module only, except ba_project. */
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

/* The properties of a project that `init` found, and the user's choices. */
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

/* ---- what is written ---- */

typedef struct ba_setup_suite {
	char *name, *kind;
	char *found; /* comment above the suite: what was found, or is written */
	char *library;
	ba_strv command, pythonpath;
	ba_strv programs; /* instead of a command: paths of programs that are run by themselves */
} ba_setup_suite;

typedef struct ba_setup {
	ba_strv *build; /* [build_count] commands */
	size_t build_count;
	ba_strv env; /* names of variables that the build receives */
	ba_setup_suite suite;
	/* what all variants take from the working tree */
	ba_strv overlay;
	const char *files; /* group of the files to write (init.c), or NULL */
	char *folder;	   /* where `init` writes these files */
	/* texts of marks: the package to import; the program to run, and its folder */
	char *package, *program, *built;
	bool counted; /* instructions decide, on the host target */
} ba_setup;

BA_DECLARE_DISPOSE(ba_setup)

/* Append words, or a build command of words. A list of words ends with NULL. */
#define BA_WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
void ba_setup_words(ba_strv *out, const char *const *words);
void ba_setup_build(ba_setup *s, const char *const *words);
/* Sets the suite; `found` as in ba_setup_suite. */
void ba_setup_measure(ba_setup *s, const char *name, const char *kind, const char *found,
	const char *const *command);
/* `init` writes into bench/, or bench-against/ if the project has a bench/ of its own. */
void ba_setup_start(ba_setup *s, const char *top, const char *group);

/* Each fills s with the setup for one kind of project, from its files. */
void ba_setup_python(ba_setup *s, const char *top, const ba_strv *files);
/* False: the project has no such benchmarks or program. */
bool ba_setup_benchmarks(ba_setup *s, const char *top, const ba_strv *files);
bool ba_setup_program(ba_setup *s, const char *top, const ba_strv *files, const ba_project *p);
void ba_setup_launcher(ba_setup *s, const char *top);

/* Fills in a template; leaves out lines with a mark that has no text in this setup. */
void ba_setup_fill(ba_buf *out, const char *text, const ba_setup *s);

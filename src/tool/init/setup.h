/* What `init` decides to write for a project: its build, the measured suite, and which
 * files the first benchmarks need. Inside the module only. */
#pragma once

#include "init/project.h"

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

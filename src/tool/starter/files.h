/* The files that `init` writes; the build puts them into the program. */
#ifndef STARTER_FILES_H
#define STARTER_FILES_H

typedef struct ba_starter_file {
	const char *path; /* in the project; `init` fills the marks in path and text */
	/* "launcher", "python", "import", "counted", "program", "github", "gitlab", "hook" */
	const char *group;
	const char *text;
} ba_starter_file;

extern const ba_starter_file ba_starter_files[]; /* ends with a NULL path */

#endif

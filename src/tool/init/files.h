/* The files that `init` writes; the build puts them into the program. */
#pragma once

typedef struct ba_init_file {
	/* path in the project; `init` fills the marks in path and text */
	const char *path;
	/* "launcher", "python", "import", "counted", "program", "github", "gitlab", "hook" */
	const char *group;
	const char *text;
} ba_init_file;

extern const ba_init_file ba_init_files[]; /* ends with a NULL path */

/* The demo's files; the build puts them into the program (src/tool/demo/embed.cmake). */
#pragma once

#include <stddef.h>

typedef struct ba_demo_file {
	const char *path;   /* in the tree */
	const char *branch; /* the branch with the file; NULL: all branches */
	const unsigned char *data;
	size_t size;
} ba_demo_file;

extern const ba_demo_file ba_demo_files[];
extern const size_t ba_demo_file_count;

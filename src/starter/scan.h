/* The files of a project, read to find out what it has. Nothing is executed. */
#ifndef STARTER_SCAN_H
#define STARTER_SCAN_H

#include <stdbool.h>

#include "base/strv.h"

/* Paths from `top`, sorted: at most five folders deep and twenty thousand. Left out are
 * hidden files and folders, and folders of builds and of other people's code. What cannot
 * be read is not there. */
void ba_scan_files(ba_strv *out, const char *top);

/* The text of a file of at most a mebibyte; "" if it cannot be read. Caller frees. */
char *ba_scan_text(const char *top, const char *path);
bool ba_scan_has(const char *top, const char *path, const char *text);

/* Is the word at `at`, and not in the middle of another one? */
bool ba_scan_is_word(const char *text, const char *at, size_t size);

/* What stands in the parentheses of each call of `function` in a CMake or Meson file:
 * "name a.c b.c" of "add_executable(name a.c b.c)". Comments count as text. */
void ba_scan_calls(ba_strv *out, const char *text, const char *function);
/* The first word of a call, without quotes; "${NAME}" is what set(NAME ...) says. NULL:
 * unknown. Caller frees. */
char *ba_scan_first_word(const char *text, const char *call);

/* the folder of a path, "." at the top; caller frees */
char *ba_scan_folder(const char *path);

#endif

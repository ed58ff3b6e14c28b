/* Reads the files of a project to find out what it contains. Executes nothing. */
#pragma once

#include "base/base.h"

/* Appends the sorted paths below `top`, at most 20000 and five folders deep, without hidden
 * files and folders, build folders, third-party code, and whatever it cannot read. */
void ba_scan_files(ba_strv *out, const char *top);

/* The text of a file; "" if it cannot be read or exceeds 1 MiB. Caller frees. */
char *ba_scan_text(const char *top, const char *path);
bool ba_scan_has(const char *top, const char *path, const char *text);

/* Are the `size` bytes at `at`, inside `text`, a complete word? */
bool ba_scan_is_word(const char *text, const char *at, size_t size);

/* Appends the text in parentheses of each call of `function` in a CMake or Meson file:
 * "name a.c b.c" of "add_executable(name a.c b.c)". Calls in comments count, too. */
void ba_scan_calls(ba_strv *out, const char *text, const char *function);
/* The first word of a call, without quotes; "${NAME}" is replaced by the value of
 * set(NAME ...) in `text`. NULL: unknown. Caller frees. */
char *ba_scan_first_word(const char *text, const char *call);

/* Appends files with tests that have the parameter `benchmark`, or their folder in benchmarks. */
void ba_scan_fixtures(ba_strv *out, const char *top, const ba_strv *files);

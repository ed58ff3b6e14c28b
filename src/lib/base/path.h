/* Paths as text: no function here asks the file system, except for the current directory. */
#pragma once

#include <stdbool.h>

/* an absolute name is returned without dir */
char *ba_path_join(const char *dir, const char *name);
const char *ba_path_base(const char *path); /* points into path */
char *ba_path_dir(const char *path);
/* from the current directory; links are not resolved */
char *ba_path_absolute(const char *path);
/* relative, no "..", no leading '/', not empty */
bool ba_path_is_inside(const char *relative);
/* Does `path` begin with `dir` and a '/'? Compares text only: resolve both first.
 * A '/' at the end of `dir` counts once, so that paths are below "/". */
bool ba_path_is_below(const char *path, const char *dir);

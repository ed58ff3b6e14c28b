/* `bench-against demo DIR`: a real git repository to try the tool on. Its three
 * branches are the launchcfg library with three ways of keeping a launch's state:
 *
 *     baseline ─┬─ contextvar
 *               └─ v2           (checked out)
 *
 * Each builds with CMake and a C compiler and has a .bench-against.json. The commits
 * are the same everywhere: their dates and author are fixed. */
#pragma once

#include "base/base.h"

/* BA_EINVAL unless dir is empty or does not exist. */
int ba_demo_create(const char *dir, ba_error *err);

/* The branches, baseline first; NULL-terminated. */
extern const char *const ba_demo_branches[];

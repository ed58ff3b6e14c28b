/* The files that a build must leave. */
#pragma once

#include "base/base.h"

/* Checks that every path (relative to dir) is a regular file, after links are followed.
 * Otherwise returns BA_EBUILD with up to three files of the same name or suffix:
 * "no 'build/libx.so'; there is 'build/lib/libx.so'". */
int ba_build_check_artefacts(const char *dir, const ba_strv *paths, ba_error *err);

/* Checks also that none is a link to a file outside of dir, such as another variant's
 * file. */
int ba_build_check_inside(const char *dir, const ba_strv *paths, ba_error *err);

/* Files a build must leave. */
#ifndef BUILD_ARTEFACT_H
#define BUILD_ARTEFACT_H

#include "base/error.h"
#include "base/strv.h"

/* Every path (relative to dir) is a regular file, links followed. Otherwise BA_EBUILD:
 * "no 'build/libx.so'; there is 'build/lib/libx.so'", naming what comes nearest. */
int ba_build_check_artefacts(const char *dir, const ba_strv *paths, ba_error *err);

#endif

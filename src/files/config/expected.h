/*
 * The expected set: a file in the repository with the benchmarks that must be measured,
 * one a line. `bench-against list --expected` writes it; a gate reads the baseline's.
 *
 *     # made by: bench-against list --expected
 *     launch/args=0,path=direct
 *     launch/args=*,path=signature        a glob: at least one benchmark must match
 */
#pragma once

#include "base/base.h"

#define BA_EXPECTED_FILE ".bench-against.expected" /* where `init` writes it */
/* limit in bytes: about a million names */
#define BA_EXPECTED_CEILING ((size_t)64 << 20)

/* Appends the patterns. `command` writes such a file, for a message. BA_ECONFIG, with file and line: the set is empty, has a name
 * twice, or has control characters. */
int ba_expected_parse(ba_strv *out, const char *text, size_t size, const char *name,
	const char *command, ba_error *err);

/* A file that expects exactly these names; what globs give a meaning is escaped. */
void ba_expected_write(ba_buf *out, const char *const *names, size_t count, const char *command);

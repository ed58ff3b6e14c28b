/*
 * A variant's library inside the worker: loads it, checks its table, and lists what it
 * loaded.
 *
 * Libraries are opened RTLD_NOW | RTLD_LOCAL by absolute path, so they do not see each
 * other's symbols. can_share() of load.c looks for what can still connect them.
 */
#pragma once

#include "base/base.h"
#include "bench_against/launcher.h"
#include "bench_against/suite.h"

typedef struct ba_library {
	const char *label; /* borrowed */
	const char *path;  /* absolute; borrowed */
	/* what it is a copy of: loaded before it, so that what both need is found
	 * where the original finds it; NULL: it is the library itself */
	const char *original;
	const char *tree; /* of the variant, with links resolved; borrowed */
	void *handle;
	const ba_launcher *launcher;  /* one of the two tables below, or NULL */
	ba_launcher_session *session; /* after open() */
	const ba_suite *suite;
	ba_suite_session *suite_session;
	/* copies of the library's tables, with the fields of our header: see
	 * ba_library_take */
	ba_launcher launcher_table;
	ba_suite suite_table;
	ba_suite_benchmark *benchmarks;
	bool ready; /* loaded, and opened if that was asked for */
} ba_library;

/* The size of a struct up to a field, which is included: the struct's size in a library
 * whose header ended with this field. */
#define BA_SIZE_UP_TO(type, field) (offsetof(type, field) + sizeof(((const type *)NULL)->field))

/* Copies a struct from a library that was built with another version of the header. The
 * library says that it has in_size bytes. Missing fields become zero, unknown ones are
 * left out. */
void ba_library_take(void *out, size_t size, const void *in, size_t in_size);

/* BA_ELIBRARY: not loadable, no entry point, another ABI, a
 * table with missing entries. */
int ba_library_load(ba_library *lib, bool plugin, ba_error *err);

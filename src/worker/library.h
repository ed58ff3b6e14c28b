/*
 * A variant's library inside the worker: loaded, its table checked, what it loaded
 * named.
 *
 * Libraries are opened RTLD_NOW | RTLD_LOCAL by absolute path, so their symbols do not
 * see one another. What can still join them is looked for by ba_libraries_can_share.
 */
#ifndef WORKER_LIBRARY_H
#define WORKER_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/strv.h"
#include "bench_against/launcher.h"
#include "bench_against/suite.h"

typedef struct ba_library {
	const char *label; /* borrowed */
	const char *path;  /* absolute; borrowed */
	const char
		*tree; /* the variant's tree, with symbolic links resolved; borrowed */
	void *handle;
	const ba_launcher *launcher;  /* one of the two tables below, or NULL */
	ba_launcher_session *session; /* after open() */
	const ba_suite *suite;
	ba_suite_session *suite_session;
	/* copies of what the library returned, with the fields of our header: see
	 * ba_library_take */
	ba_launcher launcher_table;
	ba_suite suite_table;
	ba_suite_benchmark *benchmarks;
	bool ready; /* loaded, and opened where that is to be done */
} ba_library;

/* The size of a struct up to a field, that included: what a library has that was built
 * with a header in which the field was the last. */
#define BA_SIZE_UP_TO(type, field) \
	(offsetof(type, field) + sizeof(((const type *)NULL)->field))

/* A struct of a library built with another version of the header, `in_size` bytes by
 * its own account, as one of ours: missing fields are zero, unknown ones are left out.
 */
void ba_library_take(void *out, size_t size, const void *in, size_t in_size);

/* BA_ELIBRARY: cannot be loaded, no entry point, another ABI, a table with holes. */
int ba_library_load(ba_library *lib, bool plugin, ba_error *err);
void ba_library_unload(ba_library *lib);
bool ba_launcher_has_path(const ba_launcher *l, const char *path);

/* Files of the process that lie inside the tree: the library and what it brought. */
void ba_library_objects(ba_strv *out, const char *tree);

/* All are loaded: does each use only its own build? False with the reason (caller
 * frees) when a dependency was resolved to another variant's build, when two define the
 * same unique symbol (C++), or when one puts symbols into the global scope that another
 * defines too. */
bool ba_libraries_can_share(char **reason, const ba_library *libs, size_t count);

#endif

#include "worker/library.h"

#include <dlfcn.h>

#include "worker/plugin.h"

/* Up to its last field in the first version of ABI 1: every library has that much. */
#define LAUNCHER_FIRST BA_SIZE_UP_TO(ba_launcher, last_error)
#define SUITE_FIRST BA_SIZE_UP_TO(ba_suite, last_error)
#define BENCHMARK_FIRST BA_SIZE_UP_TO(ba_suite_benchmark, teardown)
#define BENCHMARK_MOST 65536u /* bytes */
#define BENCHMARKS_MOST 4096u

/* Here what an older library does not have is zero, and what a newer one has beyond our
 * header is left out. */
void ba_library_take(void *out, size_t size, const void *in, size_t in_size)
{
	memset(out, 0, size);
	memcpy(out, in, in_size < size ? in_size : size);
}

/* The first sentence of a table with a hole, or NULL. */
static const char *table_fault(const ba_launcher *l)
{
	if (!l->open || !l->prepare || !l->launch || !l->release || !l->close || !l->last_error)
		return "its table has a function that is NULL";
	if (!l->name || !l->paths || l->path_count == 0)
		return "its table names no launch path";
	for (uint32_t i = 0; i < l->path_count; i++) {
		const char *name = l->paths[i].name;
		if (!name || name[0] == '\0' || strlen(name) > 64)
			return "a launch path has no name, or one of more than 64 characters";
		for (const char *p = name; *p; p++)
			if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-",
				    *p))
				return "a launch path's name has characters other than letters, digits and . _ + -";
	}
	return NULL;
}

static int load_error(ba_error *err)
{
	const char *why = dlerror();
	BA_AUTO_FREE char *safe = ba_text_safe(why ? why : "unknown error");
	if (strstr(safe, "undefined symbol"))
		return ba_fail(err, BA_ELIBRARY,
			"the library has a symbol that nothing defines: %s; link it with what it needs (-Wl,-z,defs shows it at build time)",
			safe);
	return ba_fail(err, BA_ELIBRARY, "the library cannot be loaded: %s", safe);
}

/* The two tables begin alike, and are asked for alike. */
typedef struct table_kind {
	const char *entry, *header, *name;
	uint32_t abi;
} table_kind;

static const table_kind launcher_kind = {
	BA_LAUNCHER_ENTRY, "launcher.h", "launcher", BA_LAUNCHER_ABI};
static const table_kind suite_kind = {BA_SUITE_ENTRY, "suite.h", "suite", BA_SUITE_ABI};

static int find_table(const void **out, ba_library *lib, const table_kind *kind, ba_error *err)
{
	if (lib->original && !dlopen(lib->original, RTLD_NOW | RTLD_LOCAL))
		return load_error(err);
	lib->handle = dlopen(lib->path, RTLD_NOW | RTLD_LOCAL);
	if (!lib->handle)
		return load_error(err);
	const void *(*entry)(uint32_t) = NULL;
	*(void **)&entry = dlsym(lib->handle, kind->entry);
	if (!entry)
		return ba_fail(err, BA_ELIBRARY,
			"'%s' exports no %s(); see include/bench_against/%s", lib->path,
			kind->entry, kind->header);
	const void *table = entry(kind->abi);
	if (!table)
		return ba_fail(err, BA_ELIBRARY,
			"%s(%u) returned NULL: the library does not support %s ABI %u", kind->entry,
			kind->abi, kind->name, kind->abi);
	uint32_t abi = *(const uint32_t *)table;
	if (abi != kind->abi)
		return ba_fail(err, BA_ELIBRARY, "the library has %s ABI %u, this tool %u; %s%s",
			kind->name, abi, kind->abi,
			abi > kind->abi ? "use a newer bench-against" : "build it with a newer ",
			abi > kind->abi ? "" : kind->header);
	*out = table;
	return 0;
}

static char *take_launcher(ba_library *lib, const ba_launcher *theirs)
{
	if (theirs->struct_size < LAUNCHER_FIRST)
		return ba_xstrdup("its table is shorter than ABI 1 requires (struct_size)");
	ba_library_take(
		&lib->launcher_table, sizeof(lib->launcher_table), theirs, theirs->struct_size);
	const char *fault = table_fault(&lib->launcher_table);
	return fault ? ba_xstrdup(fault) : NULL;
}

static char *take_suite(ba_library *lib, const ba_suite *theirs)
{
	ba_suite *s = &lib->suite_table;
	if (theirs->struct_size < SUITE_FIRST || theirs->benchmark_size < BENCHMARK_FIRST ||
		theirs->benchmark_size > BENCHMARK_MOST)
		return ba_xstrdup(
			"its table is shorter than ABI 1 requires (struct_size, benchmark_size)");
	ba_library_take(s, sizeof(*s), theirs, theirs->struct_size);
	if (s->benchmark_count > BENCHMARKS_MOST)
		return ba_xprintf("its table has %u benchmarks: at most %u are allowed",
			s->benchmark_count, BENCHMARKS_MOST);
	size_t count = s->benchmarks ? s->benchmark_count : 0;
	const char *first = (const char *)s->benchmarks;
	free(lib->benchmarks);
	lib->benchmarks = ba_xcalloc(count + 1, sizeof(*lib->benchmarks));
	for (size_t i = 0; i < count; i++)
		ba_library_take(&lib->benchmarks[i], sizeof(*lib->benchmarks),
			first + i * s->benchmark_size, s->benchmark_size);
	s->benchmarks = count ? lib->benchmarks : NULL;
	s->benchmark_size = sizeof(*lib->benchmarks);
	return ba_plugin_table_fault(s);
}

int ba_library_load(ba_library *lib, bool plugin, ba_error *err)
{
	const void *table = NULL;
	BA_TRY(find_table(&table, lib, plugin ? &suite_kind : &launcher_kind, err));
	BA_AUTO_FREE char *fault = plugin ? take_suite(lib, table) : take_launcher(lib, table);
	if (fault)
		return ba_fail(err, BA_ELIBRARY, "'%s': %s", lib->path, fault);
	if (plugin)
		lib->suite = &lib->suite_table;
	else
		lib->launcher = &lib->launcher_table;
	return 0;
}

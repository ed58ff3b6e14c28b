#include "worker/library.h"

#include <dlfcn.h>
#include <string.h>

#include "base/mem.h"
#include "base/path.h"
#include "base/text.h"
#include "worker/plugin.h"

/* The first sentence of a table with a hole, or NULL. */
static const char *table_fault(const ba_launcher *l)
{
	if (l->struct_size < sizeof(ba_launcher))
		return "its table is shorter than ABI 1 says (struct_size)";
	if (!l->open || !l->prepare || !l->launch || !l->release || !l->close ||
		!l->last_error)
		return "its table has a function that is NULL";
	if (!l->name || !l->paths || l->path_count == 0)
		return "its table names no launch path";
	for (uint32_t i = 0; i < l->path_count; i++) {
		const char *name = l->paths[i].name;
		if (!name || name[0] == '\0' || strlen(name) > 64)
			return "a launch path has no name, or one of more than 64 "
			       "characters";
		for (const char *p = name; *p; p++)
			if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX"
				    "YZ"
				    "0123456789._+-",
				    *p))
				return "a launch path's name holds something other "
				       "than "
				       "letters, digits and . _ + -";
	}
	return NULL;
}

static int load_error(ba_error *err)
{
	const char *why = dlerror();
	BA_AUTO_FREE char *safe = ba_text_safe(why ? why : "unknown error");
	if (strstr(safe, "undefined symbol"))
		return ba_fail(err, BA_ELIBRARY,
			"the library has a symbol that nothing defines: %s; link it "
			"with "
			"what it needs (-Wl,-z,defs shows it at build time)",
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

static int find_table(
	const void **out, ba_library *lib, const table_kind *kind, ba_error *err)
{
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
			"%s(%u) returned NULL: the library does not speak %s ABI %u",
			kind->entry, kind->abi, kind->name, kind->abi);
	uint32_t abi = *(const uint32_t *)table;
	if (abi != kind->abi)
		return ba_fail(err, BA_ELIBRARY,
			"the library speaks %s ABI %u, this tool %u; %s%s", kind->name,
			abi, kind->abi,
			abi > kind->abi ? "use a newer bench-against"
					: "build it with a newer ",
			abi > kind->abi ? "" : kind->header);
	*out = table;
	return 0;
}

int ba_library_load(ba_library *lib, bool plugin, ba_error *err)
{
	const void *table = NULL;
	int rc = find_table(&table, lib, plugin ? &suite_kind : &launcher_kind, err);
	if (rc)
		return rc;
	const char *known = plugin ? NULL : table_fault(table);
	BA_AUTO_FREE char *fault =
		plugin ? ba_plugin_table_fault(table) : ba_xstrdup(known);
	if (fault)
		return ba_fail(err, BA_ELIBRARY, "'%s': %s", lib->path, fault);
	if (plugin)
		lib->suite = table;
	else
		lib->launcher = table;
	return 0;
}

void ba_library_unload(ba_library *lib)
{
	if (lib->handle)
		dlclose(lib->handle);
	lib->handle = NULL;
	lib->launcher = NULL;
	lib->suite = NULL;
}

bool ba_launcher_has_path(const ba_launcher *l, const char *path)
{
	for (uint32_t i = 0; i < l->path_count; i++)
		if (strcmp(l->paths[i].name, path) == 0)
			return true;
	return false;
}

#include "worker/library.h"

#include <dlfcn.h>
#include <string.h>

#include "base/mem.h"
#include "base/path.h"
#include "base/text.h"

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

int ba_library_load(ba_library *lib, ba_error *err)
{
	lib->handle = dlopen(lib->path, RTLD_NOW | RTLD_LOCAL);
	if (!lib->handle)
		return load_error(err);
	const ba_launcher *(*entry)(uint32_t) = NULL;
	*(void **)&entry = dlsym(lib->handle, BA_LAUNCHER_ENTRY);
	if (!entry)
		return ba_fail(err, BA_ELIBRARY,
			"'%s' exports no %s(); see include/bench_against/launcher.h",
			lib->path, BA_LAUNCHER_ENTRY);
	const ba_launcher *l = entry(BA_LAUNCHER_ABI);
	if (!l)
		return ba_fail(err, BA_ELIBRARY,
			"%s(%u) returned NULL: the library does not speak launcher ABI "
			"%u",
			BA_LAUNCHER_ENTRY, BA_LAUNCHER_ABI, BA_LAUNCHER_ABI);
	if (l->abi != BA_LAUNCHER_ABI)
		return ba_fail(err, BA_ELIBRARY,
			"the library speaks launcher ABI %u, this tool %u; %s", l->abi,
			BA_LAUNCHER_ABI,
			l->abi > BA_LAUNCHER_ABI ? "use a newer bench-against"
						 : "build it with a newer launcher.h");
	const char *fault = table_fault(l);
	if (fault)
		return ba_fail(err, BA_ELIBRARY, "'%s': %s", lib->path, fault);
	lib->launcher = l;
	return 0;
}

void ba_library_unload(ba_library *lib)
{
	if (lib->handle)
		dlclose(lib->handle);
	lib->handle = NULL;
	lib->launcher = NULL;
}

bool ba_launcher_has_path(const ba_launcher *l, const char *path)
{
	for (uint32_t i = 0; i < l->path_count; i++)
		if (strcmp(l->paths[i].name, path) == 0)
			return true;
	return false;
}

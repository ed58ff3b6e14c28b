#include <dlfcn.h>

#include "base/base.h"

typedef char *demangle_fn(const char *name, char *out, size_t *size, int *status);

/* The C++ runtime provides this function, and machines with C++ code have the runtime.
 * Otherwise names stay mangled. */
static demangle_fn *find(void)
{
	static demangle_fn *found;
	static bool asked;
	if (!asked) {
		void *library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
		void *symbol = library ? dlsym(library, "__cxa_demangle") : NULL;
		memcpy(&found, &symbol, sizeof(symbol));
		asked = true;
	}
	return found;
}

char *ba_demangle(const char *name)
{
	if (!ba_text_starts(name, "_Z"))
		return ba_text_safe(name);
	demangle_fn *demangle = find();
	int status = 0;
	char *plain = demangle ? demangle(name, NULL, NULL, &status) : NULL;
	char *safe = ba_text_safe(plain ? plain : name);
	free(plain);
	return safe;
}

char *ba_demangle_short(const char *name)
{
	size_t end = strlen(name), depth = 0;
	if (ba_text_ends(name, ") const"))
		end -= strlen(" const");
	if (end == 0 || name[end - 1] != ')')
		return ba_xstrdup(name);
	for (size_t i = end; i > 0; i--) {
		depth += name[i - 1] == ')';
		depth -= name[i - 1] == '(' && depth > 0;
		if (depth == 0)
			return ba_xstrndup(name, i > 1 ? i - 1 : end);
	}
	return ba_xstrdup(name);
}

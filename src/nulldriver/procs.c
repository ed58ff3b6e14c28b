/*
 * cuGetProcAddress: names without a version, and the CUDA version the caller was
 * written for, to functions. Our functions serve every form of a name alike, so the
 * newest exported form is given; requests of the tool itself get the version that
 * they name.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "gpu/driver_table.h"
#include "nulldriver/api.h"

static const struct {
	const char *symbol;
	int version;
} first_versions[] = {
#define ROW(field, symbol, version, exported, need, params) {symbol, version},
	BA_DRIVER_TABLE(ROW)
#undef ROW
};

/* this library, however it was loaded; the caller closes it */
static void *self(void)
{
	Dl_info info;
	static const char anchor;
	if (!dladdr(&anchor, &info) || !info.dli_fname)
		return NULL;
	return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

static void *newest_form(const char *symbol)
{
	char name[256];
	void *library = self();
	void *address = NULL;
	if (!library)
		return NULL;
	for (int form = 4; form >= 2 && !address; form--) {
		snprintf(name, sizeof(name), "%s_v%d", symbol, form);
		address = dlsym(library, name);
	}
	if (!address)
		address = dlsym(library, symbol);
	dlclose(library);
	return address;
}

/* CUDA version with which the name appeared in the form that we serve */
static int first_version(const char *symbol)
{
	for (size_t i = 0; i < BA_COUNT(first_versions); i++)
		if (!strcmp(first_versions[i].symbol, symbol))
			return first_versions[i].version;
	return 2000;
}

API(cuGetProcAddress_v2, const char *symbol, void **out, int version, uint64_t flags,
	int *status)
{
	int ignored;
	if (!status)
		status = &ignored;
	if (!symbol || !out)
		return BA_CU_INVALID_VALUE;
	*out = NULL;
	if (version > API_CUDA_VERSION) {
		*status = BA_CU_PROC_VERSION_NOT_SUFFICIENT;
		return BA_CU_INVALID_VALUE;
	}
	void *address = strncmp(symbol, "cu", 2) ? NULL : newest_form(symbol);
	if (!address) {
		*status = BA_CU_PROC_SYMBOL_NOT_FOUND;
		return BA_CU_NOT_FOUND;
	}
	if (version < first_version(symbol)) {
		*status = BA_CU_PROC_VERSION_NOT_SUFFICIENT;
		return BA_CU_NOT_FOUND;
	}
	*out = address;
	*status = BA_CU_PROC_FOUND;
	return 0;
}

API(cuGetProcAddress, const char *symbol, void **out, int version, uint64_t flags)
{
	int status;
	return cuGetProcAddress_v2(symbol, out, version, flags, &status);
}

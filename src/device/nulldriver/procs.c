/*
 * cuGetProcAddress: names without a version, and the CUDA version the caller was
 * written for, to functions. Most of our functions serve every form of a name alike, so
 * the newest exported form is given.
 */
#include <dlfcn.h>

#include "gpu/driver_table.h"
#include "nulldriver/api.h"

static const struct {
	const char *symbol;
	int version;
} first_versions[] = {
#define ROW(field, symbol, suffix, version, need, params) {#symbol, version},
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

/* Names whose forms differ beyond trailing arguments and arguments that we ignore, with
 * the first CUDA version of each form. */
static const struct {
	const char *symbol;
	int version;
	const char *exported;
} forms[] = {
	{"cuCtxGetDevice", 13000, "cuCtxGetDevice_v2"},
	{"cuCtxGetDevice", 2000, "cuCtxGetDevice"},
	{"cuGetProcAddress", 12000, "cuGetProcAddress_v2"},
	{"cuGetProcAddress", 11030, "cuGetProcAddress"},
	{"cuGraphAddKernelNode", 12000, "cuGraphAddKernelNode_v2"},
	{"cuGraphAddKernelNode", 10000, "cuGraphAddKernelNode"},
	{"cuGraphAddNode", 12030, "cuGraphAddNode_v2"},
	{"cuGraphAddNode", 12020, "cuGraphAddNode"},
	{"cuGraphGetEdges", 12030, "cuGraphGetEdges_v2"},
	{"cuGraphGetEdges", 10000, "cuGraphGetEdges"},
	{"cuGraphKernelNodeGetParams", 12000, "cuGraphKernelNodeGetParams_v2"},
	{"cuGraphKernelNodeGetParams", 10000, "cuGraphKernelNodeGetParams"},
	{"cuGraphNodeGetDependencies", 12030, "cuGraphNodeGetDependencies_v2"},
	{"cuGraphNodeGetDependencies", 10000, "cuGraphNodeGetDependencies"},
	{"cuGraphNodeGetDependentNodes", 12030, "cuGraphNodeGetDependentNodes_v2"},
	{"cuGraphNodeGetDependentNodes", 10000, "cuGraphNodeGetDependentNodes"},
	{"cuStreamGetCaptureInfo", 12030, "cuStreamGetCaptureInfo_v3"},
	{"cuStreamGetCaptureInfo", 11030, "cuStreamGetCaptureInfo_v2"},
	{"cuStreamGetCaptureInfo", 10010, "cuStreamGetCaptureInfo"},
	{"cuStreamGetCtx", 12050, "cuStreamGetCtx_v2"},
	{"cuStreamGetCtx", 9020, "cuStreamGetCtx"},
};

static void *newest_form(void *library, const char *symbol)
{
	char name[256];
	void *address = NULL;
	for (int form = 4; form >= 2 && !address; form--) {
		snprintf(name, sizeof(name), "%s_v%d", symbol, form);
		address = dlsym(library, name);
	}
	return address ? address : dlsym(library, symbol);
}

static void *form_for(const char *symbol, int version)
{
	void *library = self();
	const char *exported = NULL;
	if (!library)
		return NULL;
	for (size_t i = 0; i < BA_COUNT(forms) && !exported; i++)
		if (!strcmp(forms[i].symbol, symbol) && version >= forms[i].version)
			exported = forms[i].exported;
	void *address = exported ? dlsym(library, exported) : newest_form(library, symbol);
	dlclose(library);
	return address;
}

/* CUDA version in which the name appeared in the oldest supported form */
static int first_version(const char *symbol)
{
	for (size_t i = BA_COUNT(forms); i > 0; i--)
		if (!strcmp(forms[i - 1].symbol, symbol))
			return forms[i - 1].version;
	for (size_t i = 0; i < BA_COUNT(first_versions); i++)
		if (!strcmp(first_versions[i].symbol, symbol))
			return first_versions[i].version;
	return 2000;
}

API(cuGetProcAddress_v2, const char *symbol, void **out, int version, uint64_t flags, int *status)
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
	void *address = strncmp(symbol, "cu", 2) ? NULL : form_for(symbol, version);
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
	return cuGetProcAddress_v2(symbol, out, version, flags, NULL);
}

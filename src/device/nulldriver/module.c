/* Modules, libraries, functions. An image is kept only where it is PTX text, to know
 * its kernels by name and by parameter; any cubin or fatbin is accepted. */

#include "nulldriver/parts.h"

static cu_result load(cu_module *module, const void *image)
{
	if (!image)
		return BA_CU_INVALID_VALUE;
	const char *text = ptx_is_text(image) ? image : NULL;
	if (text && !strstr(text, ".version"))
		return BA_CU_INVALID_PTX;
	*module = (cu_module)object_new(OBJECT_MODULE, NULL, text);
	return 0;
}

static cu_result as_library(cu_module library)
{
	object_of(library, OBJECT_MODULE)->is_library = true;
	return 0;
}

API_RETURN(cuModuleLoadData, load(module, image), cu_module *module, const void *image)
API_ALIAS(cuModuleLoadData, cuModuleLoadFatBinary)

API_RETURN(cuModuleLoadDataEx, load(module, image), cu_module *module, const void *image,
	unsigned count, int *options, void **values)

API(cuLibraryLoadData, cu_module *library, const void *image)
{
	HOOK_ENTER(cuLibraryLoadData);
	cu_result r = load(library, image);
	return r ? r : as_library(*library);
}

API(cuLibraryLoadFromFile, cu_module *library, const char *path)
{
	HOOK_ENTER(cuLibraryLoadFromFile);
	*library = (cu_module)object_new(OBJECT_MODULE, NULL, NULL);
	return as_library(*library);
}

API(cuModuleGetFunction, cu_function *function, cu_module module, const char *name)
{
	HOOK_ENTER(cuModuleGetFunction);
	object *m = object_of(module, OBJECT_MODULE);
	if (!m)
		return BA_CU_INVALID_HANDLE;
	if (m->text && !ptx_find_entry(NULL, m->text, name))
		return BA_CU_NOT_FOUND;
	object *f = object_find_function(m, name);
	if (!f)
		f = object_new(OBJECT_FUNCTION, m, name);
	*function = (cu_function)f;
	return 0;
}
API_ALIAS(cuModuleGetFunction, cuLibraryGetKernel)

API(cuLibraryGetModule, cu_module *module, cu_module library)
{
	HOOK_ENTER(cuLibraryGetModule);
	const object *o = object_of(library, OBJECT_MODULE);
	if (!o || !o->is_library)
		abort(); /* a driver reads what it takes for a library, and crashes */
	*module = library;
	return 0;
}

/* of the module's functions, those that were asked for */
static unsigned functions_of(cu_function *out, unsigned most, const void *module)
{
	unsigned n = 0;
	for (object *f = NULL; n < most && (f = object_next(OBJECT_FUNCTION, f));)
		if (f->owner == module && out)
			out[n++] = (cu_function)f;
		else
			n += f->owner == module;
	return n;
}

API_DO(cuModuleGetFunctionCount, *count = functions_of(NULL, UINT_MAX, module), unsigned *count,
	cu_module module)
API_ALIAS(cuModuleGetFunctionCount, cuLibraryGetKernelCount)

API_DO(cuModuleEnumerateFunctions, functions_of(functions, count, module), cu_function *functions,
	unsigned count, cu_module module)
API_ALIAS(cuModuleEnumerateFunctions, cuLibraryEnumerateKernels)

API(cuModuleGetGlobal, cu_deviceptr *address, size_t *bytes, cu_module module, const char *name)
{
	HOOK_ENTER(cuModuleGetGlobal);
	if (address)
		*address = UINT64_C(0x1000000000);
	if (bytes)
		*bytes = 8;
	return 0;
}
API_ALIAS(cuModuleGetGlobal, cuModuleGetGlobal_v2)
API_ALIAS(cuModuleGetGlobal, cuLibraryGetGlobal)

/* what a function is asked for: f is the object */
#define OF_FUNCTION(name, statement, ...)                         \
	API(name, __VA_ARGS__)                                    \
	{                                                         \
		HOOK_ENTER(name);                                 \
		object *f = object_of(function, OBJECT_FUNCTION); \
		if (!f)                                           \
			return BA_CU_INVALID_HANDLE;              \
		statement;                                        \
		return 0;                                         \
	}

OF_FUNCTION(cuFuncGetModule, *module = (cu_module)f->owner, cu_module *module, cu_function function)
API_ALIAS(cuFuncGetModule, cuKernelGetLibrary)

OF_FUNCTION(cuFuncGetName, *name = f->text, const char **name, cu_function function)
API_ALIAS(cuFuncGetName, cuKernelGetName)

/* nothing is compiled here: the first match in the text is used, as if it had only one
 * kernel and described that correctly */
static int number_after(const char *text, const char *words, int otherwise)
{
	const char *at = text ? strstr(text, words) : NULL;
	int number = 0;
	if (!at)
		return otherwise;
	for (at += strlen(words); *at >= '0' && *at <= '9' && number < 1000000; at++)
		number = 10 * number + (*at - '0');
	return number;
}

API(cuFuncGetAttribute, int *value, int attribute, cu_function function)
{
	HOOK_ENTER(cuFuncGetAttribute);
	const object *f = object_of(function, OBJECT_FUNCTION);
	const char *text = f && f->owner ? f->owner->text : NULL;
	const struct {
		int attribute, value;
	} rows[] = {{BA_CU_FUNC_MAX_THREADS, 1024}, {BA_CU_FUNC_PTX_VERSION, 90},
		{BA_CU_FUNC_BINARY_VERSION, 90},
		{BA_CU_FUNC_NUM_REGS, number_after(text, ".maxnreg ", 16)},
		{BA_CU_FUNC_SHARED_BYTES, number_after(text, ".shared .b8 own[", 0)},
		{BA_CU_FUNC_LOCAL_BYTES, number_after(text, ".local .b8 own[", 0)}};
	*value = 0;
	for (size_t i = 0; i < BA_COUNT(rows); i++)
		if (rows[i].attribute == attribute)
			*value = rows[i].value;
	return 0;
}

API_RETURN(cuKernelGetAttribute, cuFuncGetAttribute(value, attribute, function), int *value,
	int attribute, cu_function function, cu_device device)

API(cuFuncGetParamInfo, cu_function function, size_t index, size_t *offset, size_t *bytes)
{
	HOOK_ENTER(cuFuncGetParamInfo);
	object *f = object_of(function, OBJECT_FUNCTION);
	if (!f)
		return BA_CU_INVALID_HANDLE;
	if (!f->owner || !f->owner->text)
		return BA_CU_NOT_SUPPORTED;
	/* too large for static TLS, which is scarce in a library opened with dlopen */
	ptx_params *params = malloc(sizeof(*params));
	bool found =
		params && ptx_find_entry(params, f->owner->text, f->text) && index < params->count;
	if (found && offset)
		*offset = params->offset[index];
	if (found && bytes)
		*bytes = params->bytes[index];
	free(params);
	return found ? 0 : BA_CU_INVALID_VALUE;
}
API_ALIAS(cuFuncGetParamInfo, cuKernelGetParamInfo)

API(cuOccupancyMaxActiveBlocksPerMultiprocessor, int *blocks, cu_function function,
	int block_threads, size_t shared_bytes)
{
	HOOK_ENTER(cuOccupancyMaxActiveBlocksPerMultiprocessor);
	*blocks = block_threads > 0 ? 2048 / block_threads : 0;
	if (*blocks > 32)
		*blocks = 32;
	return 0;
}
API_ALIAS(cuOccupancyMaxActiveBlocksPerMultiprocessor,
	cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)

API_DO(cuOccupancyMaxPotentialBlockSize, (*grid = 200, *block = 1024), int *grid, int *block)
API_ALIAS(cuOccupancyMaxPotentialBlockSize, cuOccupancyMaxPotentialBlockSizeWithFlags)

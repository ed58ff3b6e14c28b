#include "nvrtc.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct lcfg_nvrtc_program_ *program;

/* clang-format off */
/* symbol, member, required, result, parameters */
#define NVRTC_TABLE(X)                                                                 \
	X(nvrtcVersion, version, 1, int, (int *, int *))                               \
	X(nvrtcCreateProgram, create, 1, int, (program *, const char *, const char *, int, \
	  const char *const *, const char *const *))                                   \
	X(nvrtcDestroyProgram, destroy, 1, int, (program *))                           \
	X(nvrtcAddNameExpression, add_name, 1, int, (program, const char *))           \
	X(nvrtcGetLoweredName, lowered_name, 1, int, (program, const char *,           \
	  const char **))                                                              \
	X(nvrtcCompileProgram, compile, 1, int, (program, int,                         \
	  const char *const *))                                                        \
	X(nvrtcGetProgramLogSize, log_size, 1, int, (program, size_t *))               \
	X(nvrtcGetProgramLog, log, 1, int, (program, char *))                          \
	X(nvrtcGetCUBINSize, cubin_size, 0, int, (program, size_t *))                  \
	X(nvrtcGetCUBIN, cubin, 0, int, (program, char *))                             \
	X(nvrtcGetPTXSize, ptx_size, 1, int, (program, size_t *))                      \
	X(nvrtcGetPTX, ptx, 1, int, (program, char *))                                 \
	X(nvrtcGetNumSupportedArchs, arch_count, 0, int, (int *))                      \
	X(nvrtcGetSupportedArchs, archs, 0, int, (int *))                              \
	X(nvrtcGetErrorString, error_string, 0, const char *, (int))
/* clang-format on */

struct lcfg_nvrtc {
#define NVRTC_MEMBER(symbol, member, required, result, params) result(*member) params;
	NVRTC_TABLE(NVRTC_MEMBER)
#undef NVRTC_MEMBER
	void *library;
	int major, minor;
};

static void *open_newest(char *tried, size_t size)
{
	static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12",
		"libnvrtc.so.11.2", "libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		void *library = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
		if (library)
			return library;
	}
	snprintf(tried, size, "libnvrtc.so.13, .12, .11.2 and /usr/local/cuda/lib64");
	return NULL;
}

static int find_symbols(lcfg_nvrtc *nvrtc, lcfg_error *err)
{
	static const struct {
		const char *name;
		size_t offset;
		int required;
	} table[] = {
#define NVRTC_ROW(symbol, member, required, result, params) \
	{#symbol, offsetof(lcfg_nvrtc, member), required},
		NVRTC_TABLE(NVRTC_ROW)
#undef NVRTC_ROW
	};
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		void *address = dlsym(nvrtc->library, table[i].name);
		if (!address && table[i].required)
			return lcfg_fail(err, LCFG_ENVRTC,
				"this NVRTC has no %s: use one of CUDA 11.2 or later",
				table[i].name);
		memcpy((char *)nvrtc + table[i].offset, &address, sizeof(address));
	}
	if (nvrtc->version(&nvrtc->major, &nvrtc->minor))
		return lcfg_fail(err, LCFG_ENVRTC, "NVRTC cannot tell its version");
	return 0;
}

int lcfg_nvrtc_open(lcfg_nvrtc **out, const char *path, lcfg_error *err)
{
	lcfg_nvrtc *nvrtc = calloc(1, sizeof(*nvrtc));
	if (!nvrtc)
		return lcfg_fail(err, LCFG_ENOMEM, "out of memory");
	if (!path)
		path = getenv("LAUNCHCFG_NVRTC");
	char tried[256] = "";
	if (path && *path)
		nvrtc->library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	else
		nvrtc->library = open_newest(tried, sizeof(tried));
	int rc = 0;
	if (!nvrtc->library)
		rc = lcfg_fail(err, LCFG_ENVRTC,
			"no NVRTC to compile CUDA C with: %s%s; install it, or set "
			"LAUNCHCFG_NVRTC",
			*tried ? "not found as " : "", *tried ? tried : dlerror());
	if (rc == 0)
		rc = find_symbols(nvrtc, err);
	if (rc) {
		lcfg_nvrtc_free(nvrtc);
		return rc;
	}
	*out = nvrtc;
	return 0;
}

void lcfg_nvrtc_free(lcfg_nvrtc *nvrtc)
{
	if (!nvrtc)
		return;
	/* the library stays loaded, as the driver does: it has exit handlers of its own
	 */
	free(nvrtc);
}

void lcfg_nvrtc_version(int *major, int *minor, const lcfg_nvrtc *nvrtc)
{
	*major = nvrtc->major;
	*minor = nvrtc->minor;
}

const char *lcfg_nvrtc_file(const lcfg_nvrtc *nvrtc)
{
	struct link_map *map = NULL;
	if (dlinfo(nvrtc->library, RTLD_DI_LINKMAP, &map) || !map || !*map->l_name)
		return NULL;
	return map->l_name;
}

void lcfg_binary_dispose(lcfg_binary *binary)
{
	free(binary->image);
	free(binary->entry);
	*binary = (lcfg_binary){0};
}

static int nvrtc_fail(
	lcfg_error *err, const lcfg_nvrtc *nvrtc, int result, const char *what)
{
	lcfg_fail(err, LCFG_ENVRTC, "%s: %s (%d)", what,
		nvrtc->error_string ? nvrtc->error_string(result) : "NVRTC error",
		result);
	if (err)
		err->cuda = result;
	return LCFG_ENVRTC;
}

/* The log is the error: it names file and line, as a compiler does. */
static int fail_with_log(lcfg_error *err, const lcfg_nvrtc *nvrtc, program p,
	const lcfg_nvrtc_job *job, int result)
{
	size_t size = 0;
	char *text = NULL;
	if (nvrtc->log_size(p, &size) == 0 && size > 0)
		text = calloc(1, size + 1);
	if (text)
		nvrtc->log(p, text);
	lcfg_fail(err, LCFG_ECOMPILE, "'%s' does not compile for sm_%d:\n%s", job->name,
		job->arch, text && *text ? text : "(the compiler left no log)");
	if (err)
		err->cuda = result;
	free(text);
	return LCFG_ECOMPILE;
}

static int take_image(
	lcfg_binary *out, const lcfg_nvrtc *nvrtc, program p, lcfg_error *err)
{
	size_t size = 0;
	int cubin = nvrtc->cubin_size && nvrtc->cubin &&
		    nvrtc->cubin_size(p, &size) == 0 && size > 0;
	if (!cubin && (nvrtc->ptx_size(p, &size) || size == 0))
		return lcfg_fail(err, LCFG_ENVRTC, "NVRTC compiled but gave no image");
	out->image = calloc(1, size + 1);
	if (!out->image)
		return lcfg_fail(err, LCFG_ENOMEM, "out of memory");
	int result = cubin ? nvrtc->cubin(p, out->image) : nvrtc->ptx(p, out->image);
	if (result)
		return nvrtc_fail(err, nvrtc, result, "NVRTC gave no image");
	out->size = size;
	return 0;
}

/* A GPU newer than this NVRTC gets PTX of the newest architecture that NVRTC knows,
 * which the driver compiles. */
static void arch_option(char *out, size_t size, const lcfg_nvrtc *nvrtc, int arch)
{
	int known[64];
	int count = 0;
	int newest = 0;
	if (nvrtc->arch_count && nvrtc->archs && nvrtc->arch_count(&count) == 0 &&
		count > 0 && count <= 64 && nvrtc->archs(known) == 0) {
		for (int i = 0; i < count; i++)
			newest = known[i] > newest ? known[i] : newest;
	}
	bool too_new = newest && arch > newest;
	snprintf(out, size, "--gpu-architecture=%s_%d", too_new ? "compute" : "sm",
		too_new ? newest : arch);
}

static int run_compiler(
	const lcfg_nvrtc *nvrtc, program p, const lcfg_nvrtc_job *job, lcfg_error *err)
{
	char arch[64];
	arch_option(arch, sizeof(arch), nvrtc, job->arch);
	const char **options = calloc(job->option_count + 1, sizeof(*options));
	if (!options)
		return lcfg_fail(err, LCFG_ENOMEM, "out of memory");
	options[0] = arch;
	for (size_t i = 0; i < job->option_count; i++)
		options[i + 1] = job->options[i];
	int rc = 0;
	int result = nvrtc->add_name(p, job->name);
	if (result)
		rc = nvrtc_fail(err, nvrtc, result, job->name);
	if (rc == 0) {
		result = nvrtc->compile(p, (int)job->option_count + 1, options);
		if (result)
			rc = fail_with_log(err, nvrtc, p, job, result);
	}
	free(options);
	return rc;
}

static int create_program(program *out, const lcfg_nvrtc *nvrtc,
	const lcfg_nvrtc_job *job, lcfg_error *err)
{
	const char **names = calloc(job->header_count * 2 + 1, sizeof(*names));
	if (!names)
		return lcfg_fail(err, LCFG_ENOMEM, "out of memory");
	const char **texts = names + job->header_count;
	for (size_t i = 0; i < job->header_count; i++) {
		names[i] = job->headers[i].name;
		texts[i] = job->headers[i].text;
	}
	int result = nvrtc->create(
		out, job->source, "launchcfg.cu", (int)job->header_count, texts, names);
	free(names);
	return result ? nvrtc_fail(err, nvrtc, result, "NVRTC takes no program") : 0;
}

int lcfg_nvrtc_compile(lcfg_binary *out, const lcfg_nvrtc *nvrtc,
	const lcfg_nvrtc_job *job, lcfg_error *err)
{
	program p = NULL;
	int rc = create_program(&p, nvrtc, job, err);
	if (rc)
		return rc;
	lcfg_binary made = {0};
	rc = run_compiler(nvrtc, p, job, err);
	if (rc == 0)
		rc = take_image(&made, nvrtc, p, err);
	const char *lowered = NULL;
	if (rc == 0 && nvrtc->lowered_name(p, job->name, &lowered))
		rc = lcfg_fail(
			err, LCFG_ECOMPILE, "the source has no kernel '%s'", job->name);
	if (rc == 0) {
		made.entry = strdup(lowered);
		if (!made.entry)
			rc = lcfg_fail(err, LCFG_ENOMEM, "out of memory");
	}
	nvrtc->destroy(&p);
	if (rc) {
		lcfg_binary_dispose(&made);
		return rc;
	}
	*out = made;
	return 0;
}

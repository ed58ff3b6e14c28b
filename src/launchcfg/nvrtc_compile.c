/* From CUDA C to an image. */
#include "nvrtc.h"

typedef lcfg_nvrtc_program program;

void lcfg_binary_dispose(lcfg_binary *binary)
{
	free(binary->image);
	free(binary->entry);
	*binary = (lcfg_binary){0};
}

static int nvrtc_fail(lcfg_error *err, const lcfg_nvrtc *nvrtc, int result, const char *what)
{
	lcfg_fail(err, LCFG_ENVRTC, "%s: %s (%d)", what,
		nvrtc->error_string ? nvrtc->error_string(result) : "NVRTC error", result);
	if (err)
		err->cuda = result;
	return LCFG_ENVRTC;
}

/* What the compiler said; NULL: nothing, or no memory for it. */
static char *read_log(const lcfg_nvrtc *nvrtc, program p)
{
	size_t size = 0;
	char *text = NULL;
	if (nvrtc->log_size(p, &size) == 0 && size > 1)
		text = calloc(1, size + 1);
	if (text && (nvrtc->log(p, text) || !*text)) {
		free(text);
		return NULL;
	}
	return text;
}

/* The log is the error: it names file and line, as a compiler does. */
static int fail_with_log(lcfg_error *err, const lcfg_nvrtc_job *job, int result)
{
	lcfg_fail(err, LCFG_ECOMPILE, "'%s' does not compile for sm_%d:\n%s", job->name, job->arch,
		job->log ? job->log : "(the compiler left no log)");
	if (err)
		err->cuda = result;
	return LCFG_ECOMPILE;
}

/* Options with one or two dashes, and with what follows '=' or nothing at all. */
static const char *without_dashes(const char *option)
{
	return option + strspn(option, "-");
}

int lcfg_nvrtc_option_reads(const char *option)
{
	static const char *const names[] = {"I", "include", "pre-include", "isystem",
		"system-include", "pch", "use-pch", "create-pch", "optf", "options-file", "@"};
	option = without_dashes(option);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strncmp(option, names[i], strlen(names[i])) == 0)
			return 1;
	}
	return 0;
}

/* An option that makes code for another linker gives neither cubin nor PTX. */
static int fail_without_code(lcfg_error *err, const lcfg_nvrtc_job *job)
{
	for (size_t i = 0; i < job->option_count; i++) {
		const char *option = without_dashes(job->options[i]);
		if (strncmp(option, "dlto", 4) == 0 || strncmp(option, "dlink-time-opt", 14) == 0 ||
			strncmp(option, "ltoir", 5) == 0)
			return lcfg_fail(err, LCFG_ECOMPILE,
				"'%s': the option '%s' makes code for link-time optimisation, which no driver loads: leave it out",
				job->name, job->options[i]);
	}
	return lcfg_fail(
		err, LCFG_ENVRTC, "'%s': NVRTC compiled it but returned no code", job->name);
}

static int take_image(lcfg_binary *out, const lcfg_nvrtc *nvrtc, program p,
	const lcfg_nvrtc_job *job, lcfg_error *err)
{
	size_t size = 0;
	int cubin =
		nvrtc->cubin_size && nvrtc->cubin && nvrtc->cubin_size(p, &size) == 0 && size > 0;
	/* empty PTX is one NUL byte */
	if (!cubin && (nvrtc->ptx_size(p, &size) || size <= 1))
		return fail_without_code(err, job);
	out->image = calloc(1, size + 1);
	LCFG_NEED(out->image, err);
	int result = cubin ? nvrtc->cubin(p, out->image) : nvrtc->ptx(p, out->image);
	if (result)
		return nvrtc_fail(err, nvrtc, result, "NVRTC returned no image");
	out->size = size;
	return 0;
}

/* An unknown GPU gets PTX of the newest architecture before it, which the driver compiles. */
static void arch_option(char *out, size_t size, const lcfg_nvrtc *nvrtc, int arch)
{
	int count = 0, before = 0;
	bool known = false;
	int *archs = NULL;
	if (nvrtc->arch_count && nvrtc->archs && nvrtc->arch_count(&count) == 0 && count > 0)
		archs = calloc((size_t)count, sizeof(*archs));
	if (archs && nvrtc->archs(archs) == 0) {
		for (int i = 0; i < count; i++) {
			known |= archs[i] == arch;
			if (archs[i] < arch && archs[i] > before)
				before = archs[i];
		}
	}
	free(archs);
	bool ptx = before && !known;
	snprintf(
		out, size, "--gpu-architecture=%s_%d", ptx ? "compute" : "sm", ptx ? before : arch);
}

static int run_compiler(const lcfg_nvrtc *nvrtc, program p, lcfg_nvrtc_job *job, lcfg_error *err)
{
	char arch[64];
	arch_option(arch, sizeof(arch), nvrtc, job->arch);
	const char **options = calloc(job->option_count + 1, sizeof(*options));
	LCFG_NEED(options, err);
	options[0] = arch;
	for (size_t i = 0; i < job->option_count; i++)
		options[i + 1] = job->options[i];
	int rc = 0;
	int result = nvrtc->add_name(p, job->name);
	if (result)
		rc = nvrtc_fail(err, nvrtc, result, job->name);
	if (rc == 0) {
		result = nvrtc->compile(p, (int)job->option_count + 1, options);
		job->runs++;
		free(job->log);
		job->log = read_log(nvrtc, p);
		if (result)
			rc = fail_with_log(err, job, result);
	}
	free(options);
	return rc;
}

static int create_program(
	program *out, const lcfg_nvrtc *nvrtc, const lcfg_nvrtc_job *job, lcfg_error *err)
{
	const char **names = calloc(job->header_count * 2 + 1, sizeof(*names));
	LCFG_NEED(names, err);
	const char **texts = names + job->header_count;
	for (size_t i = 0; i < job->header_count; i++) {
		names[i] = job->headers[i].name;
		texts[i] = job->headers[i].text;
	}
	/* "name" is looked for beside the source: a hermetic one lies where no file can be. */
	char *source = NULL;
	int result = 0;
	if (job->hermetic && asprintf(&source, "#line 1 \"launchcfg.cu\"\n%s", job->source) < 0) {
		free(names);
		return lcfg_fail(err, LCFG_ENOMEM, "out of memory");
	}
	result = nvrtc->create(out, source ? source : job->source,
		source ? "/dev/null/launchcfg.cu" : "launchcfg.cu", (int)job->header_count, texts,
		names);
	free(source);
	free(names);
	return result ? nvrtc_fail(err, nvrtc, result, "NVRTC cannot create a program") : 0;
}

static int compile_once(
	lcfg_binary *out, const lcfg_nvrtc *nvrtc, lcfg_nvrtc_job *job, lcfg_error *err)
{
	program p = NULL;
	LCFG_TRY(create_program(&p, nvrtc, job, err));
	lcfg_binary made = {0};
	int rc = run_compiler(nvrtc, p, job, err);
	rc = rc ? rc : take_image(&made, nvrtc, p, job, err);
	const char *lowered = NULL;
	if (rc == 0 && nvrtc->lowered_name(p, job->name, &lowered))
		rc = lcfg_fail(err, LCFG_ECOMPILE, "the source has no kernel '%s'", job->name);
	if (rc == 0) {
		made.entry = strdup(lowered);
		if (!made.entry)
			rc = lcfg_fail(err, LCFG_ENOMEM, "out of memory");
	}
	nvrtc->destroy(&p);
	if (rc)
		lcfg_binary_dispose(&made);
	else
		*out = made;
	return rc;
}

/* Could the text name a file? A line that is continued may hide any word. */
static bool may_include(const char *text)
{
	return strstr(text, "include") || strstr(text, "embed") || strstr(text, "import") ||
	       strstr(text, "\\\n") || strstr(text, "\\\r") || strstr(text, "?\?/");
}

static bool job_may_include(const lcfg_nvrtc_job *job)
{
	bool may = may_include(job->source);
	for (size_t i = 0; !may && i < job->header_count; i++)
		may = may_include(job->headers[i].text);
	return may;
}

int lcfg_nvrtc_compile(
	lcfg_binary *out, const lcfg_nvrtc *nvrtc, lcfg_nvrtc_job *job, lcfg_error *err)
{
	int rc = compile_once(out, nvrtc, job, err);
	/* it may need a file of the current directory */
	if (rc == LCFG_ECOMPILE && job->hermetic && job_may_include(job)) {
		job->hermetic = 0;
		rc = compile_once(out, nvrtc, job, err);
	}
	return rc;
}

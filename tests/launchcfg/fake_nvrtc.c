/*
 * The compiler: a "cubin" is the source with a line that names the kernel, so that a
 * test sees in a launch which source it came from. "#error TEXT" does not compile,
 * "#warning TEXT" says so, "#long N" says N bytes. #include "NAME" takes a header that
 * was given, else a file beside the source or in a -I directory.
 */
#include "fake.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* two libraries of one version are made of this file */
#ifndef MADE_BY
#define MADE_BY "FAKECUBIN"
#endif
#define EXPORT __attribute__((visibility("default")))

EXPORT fake_nvrtc fake_nvrtc_control = {.major = 12, .minor = 4};

typedef struct program {
	char *source;
	char expression[256];
	char lowered[256];
	char *headers; /* "NAME\n" for each */
	char *cubin;
	char *log;
	char dir[256]; /* of the source */
} program;

/* Is this the call that a test wants to fail? */
static int fails(void)
{
	int n = atomic_fetch_add(&fake_nvrtc_control.calls, 1) + 1;
	return n == atomic_load(&fake_nvrtc_control.fail);
}

#define FAIL_HERE(result) \
	if (fails())      \
	return result

enum { OUT_OF_MEMORY = 1, INVALID_INPUT = 3, COMPILATION = 6, NO_LOWERED_NAME = 10 };

EXPORT int nvrtcVersion(int *major, int *minor);
EXPORT int nvrtcVersion(int *major, int *minor)
{
	FAIL_HERE(OUT_OF_MEMORY);
	atomic_fetch_add(&fake_nvrtc_control.openings, 1);
	*major = atomic_load(&fake_nvrtc_control.major);
	*minor = atomic_load(&fake_nvrtc_control.minor);
	return 0;
}

EXPORT int nvrtcGetNumSupportedArchs(int *count);
EXPORT int nvrtcGetNumSupportedArchs(int *count)
{
	*count = 3;
	return 0;
}

EXPORT int nvrtcGetSupportedArchs(int *archs);
EXPORT int nvrtcGetSupportedArchs(int *archs)
{
	archs[0] = 75;
	archs[1] = 100;
	archs[2] = 90;
	return 0;
}

EXPORT int nvrtcCreateProgram(program **out, const char *source, const char *name, int count,
	const char *const *headers, const char *const *names);
EXPORT int nvrtcCreateProgram(program **out, const char *source, const char *name, int count,
	const char *const *headers, const char *const *names)
{
	FAIL_HERE(OUT_OF_MEMORY);
	program *p = calloc(1, sizeof(*p));
	const char *slash = strrchr(name, '/');
	snprintf(p->dir, sizeof(p->dir), "%.*s", slash ? (int)(slash - name) : 1,
		slash ? name : ".");
	size_t size = strlen(source) + 1;
	for (int i = 0; i < count; i++)
		size += strlen(headers[i]) + strlen(names[i]) + 16;
	p->source = calloc(1, size);
	p->headers = calloc(1, size);
	for (int i = 0; i < count; i++)
		strcat(strcat(p->headers, names[i]), "\n");
	for (int i = 0; i < count; i++)
		snprintf(p->source + strlen(p->source), size - strlen(p->source), "// %s\n%s\n",
			names[i], headers[i]);
	strcat(p->source, source);
	atomic_fetch_add(&fake_nvrtc_control.programs, 1);
	*out = p;
	return 0;
}

EXPORT int nvrtcDestroyProgram(program **p);
EXPORT int nvrtcDestroyProgram(program **p)
{
	free((*p)->source);
	free((*p)->headers);
	free((*p)->log);
	free((*p)->cubin);
	free(*p);
	*p = NULL;
	atomic_fetch_sub(&fake_nvrtc_control.programs, 1);
	return 0;
}

/* as NVRTC, mangles what is not plain: "scale<float>" to "_Zscale_float_" */
EXPORT int nvrtcAddNameExpression(program *p, const char *expression);
EXPORT int nvrtcAddNameExpression(program *p, const char *expression)
{
	FAIL_HERE(OUT_OF_MEMORY);
	snprintf(p->expression, sizeof(p->expression), "%s", expression);
	int plain = 1;
	for (const char *c = expression; *c; c++)
		plain &= isalnum((unsigned char)*c) || *c == '_';
	snprintf(p->lowered, sizeof(p->lowered), "%s%s", plain ? "" : "_Z", expression);
	for (char *c = p->lowered; *c; c++)
		*c = isalnum((unsigned char)*c) ? *c : '_';
	return 0;
}

static void say(program *p, const char *what, const char *text, size_t size)
{
	free(p->log);
	if (asprintf(&p->log, "launchcfg.cu(1): %s: %.*s", what, (int)size, text) < 0)
		p->log = NULL;
}

/* Appends the file to the source; 0 where there is none. */
static int append(program *p, const char *dir, const char *name)
{
	char path[512];
	char text[512];
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;
	if (!f)
		return 0;
	fclose(f);
	text[n] = 0;
	char *all = NULL;
	if (asprintf(&all, "%s\n%s", p->source, text) < 0)
		return 0;
	free(p->source);
	p->source = all;
	return 1;
}

static int include(program *p, const char *name, int count, const char *const *options)
{
	int found = strstr(p->headers, name) != NULL || append(p, p->dir, name);
	for (int i = 0; i < count && !found; i++)
		found = strncmp(options[i], "-I", 2) == 0 && append(p, options[i] + 2, name);
	return found;
}

static int preprocess(program *p, int count, const char *const *options)
{
	char name[128];
	const char *at = strstr(p->source, "#include \"");
	if (at && sscanf(at, "#include \"%127[^\"]", name) == 1 &&
		!include(p, name, count, options)) {
		say(p, "error: no file", name, strlen(name));
		return COMPILATION;
	}
	const char *error = strstr(p->source, "#error ");
	const char *warning = strstr(p->source, "#warning ");
	const char *many = strstr(p->source, "#long ");
	if (warning)
		say(p, "warning", warning + 9, strcspn(warning + 9, "\n"));
	if (error)
		say(p, "error", error + 7, strcspn(error + 7, "\n"));
	if (many) {
		int n = atoi(many + 6);
		free(p->log);
		p->log = calloc(1, (size_t)n + 1);
		memset(p->log, 'x', (size_t)n);
	}
	return error || many ? COMPILATION : 0;
}

static void remember_options(int count, const char *const *options)
{
	/* several threads compile at once */
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	fake_nvrtc *control = &fake_nvrtc_control;
	size_t n = 0;
	pthread_mutex_lock(&lock);
	for (int i = 0; i < count && n < sizeof(control->options); i++)
		n += (size_t)snprintf(control->options + n, sizeof(control->options) - n, "%s%s",
			i ? " " : "", options[i]);
	pthread_mutex_unlock(&lock);
}

EXPORT int nvrtcCompileProgram(program *p, int count, const char *const *options);
EXPORT int nvrtcCompileProgram(program *p, int count, const char *const *options)
{
	fake_nvrtc *control = &fake_nvrtc_control;
	remember_options(count, options);
	FAIL_HERE(OUT_OF_MEMORY);
	atomic_fetch_add(&control->compiles, 1);
	int delay = atomic_load(&control->delay_us);
	if (delay)
		nanosleep(&(struct timespec){.tv_nsec = delay * 1000L}, NULL);
	void (*hook)(const char *, const char *) = atomic_load(&control->on_compile);
	if (hook)
		hook(p->source, p->expression);
	int rc = preprocess(p, count, options);
	if (rc)
		return rc;
	for (int i = 0; i < count; i++) {
		if (strcmp(options[i], "-dlto") == 0)
			return 0; /* code of another kind: neither cubin nor PTX */
	}
	size_t size = strlen(p->source) + strlen(p->lowered) + 64;
	p->cubin = malloc(size);
	snprintf(p->cubin, size, MADE_BY "\nentry %s\n%s", p->lowered, p->source);
	return 0;
}

EXPORT int nvrtcGetLoweredName(program *p, const char *expression, const char **out);
EXPORT int nvrtcGetLoweredName(program *p, const char *expression, const char **out)
{
	char base[256];
	FAIL_HERE(OUT_OF_MEMORY);
	snprintf(base, sizeof(base), "%.*s", (int)strcspn(expression, "<("), expression);
	if (strcmp(expression, p->expression) || !strstr(p->source, base))
		return NO_LOWERED_NAME;
	*out = p->lowered;
	return 0;
}

EXPORT int nvrtcGetProgramLogSize(program *p, size_t *size);
EXPORT int nvrtcGetProgramLogSize(program *p, size_t *size)
{
	FAIL_HERE(OUT_OF_MEMORY);
	*size = p->log ? strlen(p->log) + 1 : 1;
	return 0;
}

EXPORT int nvrtcGetProgramLog(program *p, char *log);
EXPORT int nvrtcGetProgramLog(program *p, char *log)
{
	FAIL_HERE(OUT_OF_MEMORY);
	strcpy(log, p->log ? p->log : "");
	return 0;
}

EXPORT int nvrtcGetCUBINSize(program *p, size_t *size);
EXPORT int nvrtcGetCUBINSize(program *p, size_t *size)
{
	FAIL_HERE(OUT_OF_MEMORY);
	*size = p->cubin ? strlen(p->cubin) + 1 : 0;
	return 0;
}

EXPORT int nvrtcGetCUBIN(program *p, char *cubin);
EXPORT int nvrtcGetCUBIN(program *p, char *cubin)
{
	FAIL_HERE(OUT_OF_MEMORY);
	strcpy(cubin, p->cubin);
	return 0;
}

EXPORT int nvrtcGetPTXSize(program *p, size_t *size);
EXPORT int nvrtcGetPTXSize(program *p, size_t *size)
{
	*size = p->cubin ? strlen(p->cubin) + 1 : 1; /* "" */
	return 0;
}

EXPORT int nvrtcGetPTX(program *p, char *ptx);
EXPORT int nvrtcGetPTX(program *p, char *ptx)
{
	strcpy(ptx, p->cubin ? p->cubin : "");
	return 0;
}

EXPORT const char *nvrtcGetErrorString(int result);
EXPORT const char *nvrtcGetErrorString(int result)
{
	return result == COMPILATION ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR_FAKE";
}

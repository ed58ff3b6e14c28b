/*
 * The compiler: a "cubin" is the source with a line that names the kernel, so that a
 * test sees in a launch which source it came from. "#error TEXT" does not compile.
 */
#include "fake.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT fake_nvrtc fake_nvrtc_control = {.major = 12, .minor = 4};

typedef struct program {
	char *source;
	char expression[256];
	char lowered[256];
	char *cubin;
	char log[512];
} program;

enum { OUT_OF_MEMORY = 1, INVALID_INPUT = 3, COMPILATION = 6, NO_LOWERED_NAME = 10 };

EXPORT int nvrtcVersion(int *major, int *minor);
EXPORT int nvrtcVersion(int *major, int *minor)
{
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

EXPORT int nvrtcCreateProgram(program **out, const char *source, const char *name,
	int count, const char *const *headers, const char *const *names);
EXPORT int nvrtcCreateProgram(program **out, const char *source, const char *name,
	int count, const char *const *headers, const char *const *names)
{
	(void)name;
	program *p = calloc(1, sizeof(*p));
	size_t size = strlen(source) + 1;
	for (int i = 0; i < count; i++)
		size += strlen(headers[i]) + strlen(names[i]) + 16;
	p->source = calloc(1, size);
	for (int i = 0; i < count; i++)
		snprintf(p->source + strlen(p->source), size - strlen(p->source),
			"// %s\n%s\n", names[i], headers[i]);
	strcat(p->source, source);
	atomic_fetch_add(&fake_nvrtc_control.programs, 1);
	*out = p;
	return 0;
}

EXPORT int nvrtcDestroyProgram(program **p);
EXPORT int nvrtcDestroyProgram(program **p)
{
	free((*p)->source);
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
	snprintf(p->expression, sizeof(p->expression), "%s", expression);
	int plain = 1;
	for (const char *c = expression; *c; c++)
		plain &= isalnum((unsigned char)*c) || *c == '_';
	snprintf(p->lowered, sizeof(p->lowered), "%s%s", plain ? "" : "_Z", expression);
	for (char *c = p->lowered; *c; c++)
		*c = isalnum((unsigned char)*c) ? *c : '_';
	return 0;
}

EXPORT int nvrtcCompileProgram(program *p, int count, const char *const *options);
EXPORT int nvrtcCompileProgram(program *p, int count, const char *const *options)
{
	fake_nvrtc *control = &fake_nvrtc_control;
	size_t n = 0;
	for (int i = 0; i < count && n < sizeof(control->options); i++)
		n += (size_t)snprintf(control->options + n,
			sizeof(control->options) - n, "%s%s", i ? " " : "", options[i]);
	atomic_fetch_add(&control->compiles, 1);
	int delay = atomic_load(&control->delay_us);
	if (delay)
		nanosleep(&(struct timespec){.tv_nsec = delay * 1000L}, NULL);
	const char *error = strstr(p->source, "#error ");
	if (error) {
		snprintf(p->log, sizeof(p->log), "launchcfg.cu(1): error: %.*s",
			(int)strcspn(error + 7, "\n"), error + 7);
		return COMPILATION;
	}
	size_t size = strlen(p->source) + strlen(p->lowered) + 64;
	p->cubin = malloc(size);
	snprintf(p->cubin, size, "FAKECUBIN\nentry %s\n%s", p->lowered, p->source);
	return 0;
}

EXPORT int nvrtcGetLoweredName(program *p, const char *expression, const char **out);
EXPORT int nvrtcGetLoweredName(program *p, const char *expression, const char **out)
{
	char base[256];
	snprintf(
		base, sizeof(base), "%.*s", (int)strcspn(expression, "<("), expression);
	if (strcmp(expression, p->expression) || !strstr(p->source, base))
		return NO_LOWERED_NAME;
	*out = p->lowered;
	return 0;
}

EXPORT int nvrtcGetProgramLogSize(program *p, size_t *size);
EXPORT int nvrtcGetProgramLogSize(program *p, size_t *size)
{
	*size = strlen(p->log) + 1;
	return 0;
}

EXPORT int nvrtcGetProgramLog(program *p, char *log);
EXPORT int nvrtcGetProgramLog(program *p, char *log)
{
	strcpy(log, p->log);
	return 0;
}

EXPORT int nvrtcGetCUBINSize(program *p, size_t *size);
EXPORT int nvrtcGetCUBINSize(program *p, size_t *size)
{
	*size = p->cubin ? strlen(p->cubin) + 1 : 0;
	return 0;
}

EXPORT int nvrtcGetCUBIN(program *p, char *cubin);
EXPORT int nvrtcGetCUBIN(program *p, char *cubin)
{
	strcpy(cubin, p->cubin);
	return 0;
}

EXPORT int nvrtcGetPTXSize(program *p, size_t *size);
EXPORT int nvrtcGetPTXSize(program *p, size_t *size)
{
	return nvrtcGetCUBINSize(p, size);
}

EXPORT int nvrtcGetPTX(program *p, char *ptx);
EXPORT int nvrtcGetPTX(program *p, char *ptx)
{
	return nvrtcGetCUBIN(p, ptx);
}

EXPORT const char *nvrtcGetErrorString(int result);
EXPORT const char *nvrtcGetErrorString(int result)
{
	return result == COMPILATION ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR_FAKE";
}

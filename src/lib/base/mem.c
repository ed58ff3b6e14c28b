#include "base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

void ba_out_of_memory(size_t size)
{
	fprintf(stderr, "bench-against: out of memory: cannot allocate %zu bytes\n", size);
	exit(125);
}

static void *checked(void *p, size_t size)
{
	if (!p)
		ba_out_of_memory(size);
	return p;
}

void *ba_xmalloc(size_t size)
{
	return checked(malloc(size ? size : 1), size);
}

void *ba_xcalloc(size_t count, size_t size)
{
	size_t total;
	/* glibc caches small blocks for malloc only */
	if (!__builtin_mul_overflow(count, size, &total) && total <= 1024)
		return memset(ba_xmalloc(total), 0, total);
	return checked(calloc(count ? count : 1, size ? size : 1), size);
}

void *ba_xrealloc(void *p, size_t size)
{
	return checked(realloc(p, size ? size : 1), size);
}

void *ba_xreallocarray(void *p, size_t count, size_t size)
{
	size_t total;
	if (__builtin_mul_overflow(count, size, &total))
		checked(NULL, SIZE_MAX);
	return ba_xrealloc(p, total);
}

char *ba_xstrdup(const char *text)
{
	return text ? ba_xmemdup0(text, strlen(text)) : NULL;
}

char *ba_xstrndup(const char *text, size_t n)
{
	return ba_xmemdup0(text, strnlen(text, n));
}

char *ba_xmemdup0(const void *data, size_t size)
{
	char *copy = ba_xmalloc(size + 1);
	if (size)
		memcpy(copy, data, size);
	copy[size] = '\0';
	return copy;
}

char *ba_xvprintf(const char *fmt, va_list ap)
{
	char *text = NULL;
	if (vasprintf(&text, fmt, ap) < 0)
		checked(NULL, 0);
	return text;
}

char *ba_xprintf(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *text = ba_xvprintf(fmt, ap);
	va_end(ap);
	return text;
}

void *ba_grow_(void *array, size_t *capacity, size_t needed, size_t size)
{
	size_t grown = *capacity ? *capacity * 2 : 8;
	*capacity = grown < needed ? needed : grown;
	return ba_xreallocarray(array, *capacity, size);
}

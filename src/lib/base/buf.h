/*
 * A growing byte string. Invariants (as git's strbuf):
 *
 *  - `data` is never NULL, and data[len] is NUL: it is always a C string;
 *  - an empty one needs no memory.
 *
 *     BA_AUTO(ba_buf) ba_buf b = BA_BUF_INIT;
 *     ba_buf_printf(&b, "%d", 3);
 *     return ba_buf_detach(&b);
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/auto.h"

typedef struct ba_buf {
	char *data;
	size_t len;
	size_t capacity; /* 0: data is the shared empty string */
} ba_buf;

extern char ba_buf_empty[1];
#define BA_BUF_INIT                  \
	{                            \
		.data = ba_buf_empty \
	}

void ba_buf_dispose(ba_buf *b); /* frees; leaves an empty one */
BA_DEFINE_AUTO(ba_buf, ba_buf_dispose)
void ba_buf_clear(ba_buf *b);	/* keeps the memory */
char *ba_buf_detach(ba_buf *b); /* caller frees; never NULL */
void ba_buf_reserve(ba_buf *b, size_t extra);
void ba_buf_put(ba_buf *b, const void *data, size_t n);
static inline void ba_buf_puts(ba_buf *b, const char *text)
{
	ba_buf_put(b, text, strlen(text));
}
static inline void ba_buf_putc(ba_buf *b, char c)
{
	if (b->len + 1 >= b->capacity)
		ba_buf_reserve(b, 1);
	b->data[b->len++] = c;
	b->data[b->len] = '\0';
}
void ba_buf_pad(ba_buf *b, char c, size_t n);
void ba_buf_printf(ba_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void ba_buf_vprintf(ba_buf *b, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
void ba_buf_truncate(ba_buf *b, size_t len);

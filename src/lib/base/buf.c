#include "base/buf.h"

#include <stdio.h>

#include "base/mem.h"

char ba_buf_empty[1];

void ba_buf_dispose(ba_buf *b)
{
	if (b->capacity)
		free(b->data);
	*b = (ba_buf)BA_BUF_INIT;
}

void ba_buf_clear(ba_buf *b)
{
	ba_buf_truncate(b, 0);
}

char *ba_buf_detach(ba_buf *b)
{
	char *data = b->capacity ? b->data : ba_xstrdup("");
	*b = (ba_buf)BA_BUF_INIT;
	return data;
}

void ba_buf_reserve(ba_buf *b, size_t extra)
{
	size_t needed = b->len + extra + 1;
	if (needed <= b->capacity)
		return;
	char *old = b->capacity ? b->data : NULL;
	b->data = ba_grow_(old, &b->capacity, needed, 1);
	b->data[b->len] = '\0';
}

void ba_buf_put(ba_buf *b, const void *data, size_t n)
{
	if (n == 0)
		return;
	ba_buf_reserve(b, n);
	memcpy(b->data + b->len, data, n);
	b->len += n;
	b->data[b->len] = '\0';
}

void ba_buf_pad(ba_buf *b, char c, size_t n)
{
	if (n == 0)
		return;
	ba_buf_reserve(b, n);
	memset(b->data + b->len, c, n);
	b->len += n;
	b->data[b->len] = '\0';
}

void ba_buf_vprintf(ba_buf *b, const char *fmt, va_list ap)
{
	enum { USUAL = 64 }; /* bytes; a longer text is formatted a second time */
	va_list again;
	va_copy(again, ap);
	ba_buf_reserve(b, USUAL);
	size_t room = b->capacity - b->len;
	int n = vsnprintf(b->data + b->len, room, fmt, ap);
	if (n > 0 && (size_t)n >= room) {
		ba_buf_reserve(b, (size_t)n);
		vsnprintf(b->data + b->len, (size_t)n + 1, fmt, again);
	}
	va_end(again);
	b->len += n > 0 ? (size_t)n : 0;
	b->data[b->len] = '\0';
}

void ba_buf_printf(ba_buf *b, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	ba_buf_vprintf(b, fmt, ap);
	va_end(ap);
}

void ba_buf_truncate(ba_buf *b, size_t len)
{
	if (len >= b->len)
		return;
	b->len = len;
	b->data[len] = '\0';
}

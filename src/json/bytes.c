#include "json/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/mem.h"

enum { WINDOW = 1 << 18 };

void ba_json_bytes_memory(ba_json_bytes *b, const char *text, size_t size)
{
	*b = (ba_json_bytes){.data = text, .len = size, .fd = -1, .ended = true};
}

void ba_json_bytes_file(ba_json_bytes *b, int fd)
{
	char *window = ba_xmalloc(WINDOW);
	*b = (ba_json_bytes){.data = window, .window = window, .fd = fd};
}

void ba_json_bytes_dispose(ba_json_bytes *b)
{
	free(b->window);
	*b = (ba_json_bytes){.fd = -1};
}

/* up to n bytes; fewer at the file's end, or where it cannot be read */
static size_t read_at(char *out, int fd, size_t from, size_t n, int *io_errno)
{
	size_t has = 0;
	while (has < n) {
		ssize_t got = pread(fd, out + has, n - has, (off_t)(from + has));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			*io_errno = errno;
		if (got <= 0)
			break;
		has += (size_t)got;
	}
	return has;
}

size_t ba_json_bytes_reach(ba_json_bytes *b, size_t at, size_t n)
{
	size_t end = b->base + b->len;
	size_t has = at < end ? end - at : 0;
	if (has >= n || b->ended)
		return has;
	memmove(b->window, b->data + (at - b->base), has);
	size_t got =
		read_at(b->window + has, b->fd, at + has, WINDOW - has, &b->io_errno);
	b->base = at;
	b->len = has + got;
	b->ended = b->len < WINDOW;
	return b->len;
}

bool ba_json_bytes_copy(char *out, ba_json_bytes *b, size_t from, size_t n)
{
	bool inside = from >= b->base && from + n <= b->base + b->len;
	if (!inside && !b->window)
		return false;
	if (n > WINDOW)
		return read_at(out, b->fd, from, n, &b->io_errno) == n;
	if (!inside) {
		b->base = from;
		b->len = 0;
		b->ended = false;
		if (ba_json_bytes_reach(b, from, n) < n)
			return false;
	}
	memcpy(out, b->data + (from - b->base), n);
	return true;
}

static void step(const char *text, size_t n, unsigned *line, unsigned *column)
{
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\n') {
			++*line;
			*column = 1;
		} else if ((text[i] & 0xc0) != 0x80) {
			++*column;
		}
	}
}

void ba_json_bytes_locate(
	const ba_json_bytes *b, size_t offset, unsigned *line, unsigned *column)
{
	*line = *column = 1;
	if (!b->window) {
		step(b->data, offset, line, column);
		return;
	}
	int ignored = 0;
	size_t got = 0;
	BA_AUTO_FREE char *text = ba_xmalloc(WINDOW);
	for (size_t at = 0; at < offset; at += got) {
		size_t n = offset - at < WINDOW ? offset - at : WINDOW;
		got = read_at(text, b->fd, at, n, &ignored);
		step(text, got, line, column);
		if (!got)
			break;
	}
}

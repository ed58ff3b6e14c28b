#include "base/lines.h"

#include "base/base.h"

enum { WINDOW = 1 << 18 };

void ba_lines_file(ba_lines *l, const char *name, int fd, size_t most)
{
	*l = (ba_lines){.name = name, .fd = fd, .most = most, .size = WINDOW};
	l->at = l->end = l->window = ba_xmalloc(l->size);
}

void ba_lines_memory(ba_lines *l, const char *name, const char *text, size_t size)
{
	*l = (ba_lines){.name = name, .at = text, .end = text + size, .ended = true};
}

void ba_lines_close(ba_lines *l)
{
	if (l->owns)
		close(l->fd);
	free(l->window);
	*l = (ba_lines){0};
}

/* Moves the unread bytes to the front of the window and fills the rest. */
static int refill(ba_lines *l, ba_error *err)
{
	size_t left = (size_t)(l->end - l->at);
	if (left > l->most)
		return ba_fail(err, BA_EDATA, "%s: line %zu is longer than %zu MiB", l->name,
			l->number + 1, l->most >> 20);
	memmove(l->window, l->at, left);
	if (left == l->size)
		l->window = ba_xrealloc(l->window, l->size *= 2);
	ssize_t n = ba_fs_read_some(l->fd, l->window + left, l->size - left);
	if (n < 0)
		return ba_fail_errno(err, BA_EIO, "cannot read '%s'", l->name);
	l->at = l->window;
	l->end = l->window + left + n;
	l->ended = n == 0;
	return 0;
}

int ba_lines_next(const char **line, size_t *size, ba_lines *l, ba_error *err)
{
	const char *newline;
	while (!(newline = l->at < l->end ? memchr(l->at, '\n', (size_t)(l->end - l->at)) : NULL) &&
		!l->ended) {
		BA_TRY(refill(l, err));
	}
	if (l->at == l->end)
		return 0;
	*line = l->at;
	l->whole = newline;
	l->at = newline ? newline + 1 : l->end;
	l->offset += (uint64_t)(l->at - *line);
	*size = (size_t)(l->at - *line) - l->whole;
	if (*size && (*line)[*size - 1] == '\r')
		--*size;
	l->number++;
	return 1;
}

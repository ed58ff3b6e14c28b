#include "import/lines.h"

#include <unistd.h>

#include "base/gunzip.h"

enum { WINDOW = 1 << 18, LINE_MOST = 1 << 20 };

int ba_lines_open(ba_lines *l, const ba_source *s, ba_error *err)
{
	*l = (ba_lines){.name = s->name, .fd = -1};
	if (s->text) {
		l->at = s->text;
		l->end = s->text + s->size;
		return 0;
	}
	BA_TRY(ba_gunzip_open(&l->fd, s->name, err));
	l->size = WINDOW;
	l->window = ba_xmalloc(l->size);
	l->at = l->end = l->window;
	return 0;
}

void ba_lines_close(ba_lines *l)
{
	if (l->fd >= 0)
		close(l->fd);
	free(l->window);
	*l = (ba_lines){.fd = -1};
}

/* Moves the unread bytes to the front of the window and fills the rest. */
static int refill(ba_lines *l, ba_error *err)
{
	size_t left = (size_t)(l->end - l->at);
	ssize_t n;
	if (left > LINE_MOST)
		return ba_fail(
			err, BA_EDATA, "%s: line %zu is longer than 1 MiB", l->name, l->number + 1);
	memmove(l->window, l->at, left);
	if (left == l->size)
		l->window = ba_xrealloc(l->window, l->size *= 2);
	n = ba_fs_read_some(l->fd, l->window + left, l->size - left);
	if (n < 0)
		return ba_fail_errno(err, BA_EIO, "cannot read '%s'", l->name);
	l->at = l->window;
	l->end = l->window + left + n;
	if (n == 0) {
		close(l->fd);
		l->fd = -1;
	}
	return 0;
}

int ba_lines_next(const char **line, size_t *size, ba_lines *l, ba_error *err)
{
	const char *newline;
	while (!(newline = l->at < l->end ? memchr(l->at, '\n', (size_t)(l->end - l->at)) : NULL) &&
		l->fd >= 0) {
		BA_TRY(refill(l, err));
	}
	if (l->at == l->end)
		return 0;
	const char *end = newline ? newline : l->end;
	*line = l->at;
	*size = (size_t)(end - l->at);
	l->at = newline ? newline + 1 : l->end;
	if (*size && (*line)[*size - 1] == '\r')
		--*size;
	l->number++;
	return 1;
}

int ba_lines_load(ba_buf *out, const ba_source *s, ba_error *err)
{
	enum { FILE_MOST = 1 << 30 };
	BA_AUTO(ba_lines) ba_lines lines = {0};
	const char *line;
	size_t size;
	int rc = ba_lines_open(&lines, s, err);
	while (rc == 0 && (rc = ba_lines_next(&line, &size, &lines, err)) > 0) {
		rc = 0;
		if (out->len + size > FILE_MOST)
			return ba_fail(err, BA_EDATA, "%s: longer than 1 GiB", s->name);
		if (!ba_text_is_utf8(line, size))
			return ba_fail(err, BA_EDATA, "%s: line %zu: the text is not UTF-8",
				s->name, lines.number);
		ba_buf_put(out, line, size);
		ba_buf_putc(out, '\n');
	}
	return rc;
}

int ba_json_lines(void *data, ba_member_read *read, bool mixed, ba_error *err)
{
	const ba_source *s = *(const ba_source *const *)data;
	BA_AUTO(ba_lines) ba_lines lines = {0};
	const char *line;
	size_t size;
	int rc = ba_lines_open(&lines, s, err);
	while (rc == 0 && (rc = ba_lines_next(&line, &size, &lines, err)) > 0) {
		BA_AUTO_FREE char *name = ba_xprintf("%s: line %zu", s->name, lines.number);
		BA_AUTO_PTR(ba_pull) ba_pull *p = ba_pull_memory(line, size, name);
		bool document = size && (!mixed || line[0] == '{');
		rc = document ? read(data, p, err) : 0;
		rc = rc || !document ? rc : ba_pull_end(p, err);
	}
	return rc;
}

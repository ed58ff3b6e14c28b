#include "json/pull.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/path.h"
#include "json/pull_internal.h"

/* the mark that some editors and shells put before UTF-8 */
static void skip_mark(ba_pull *p)
{
	if (p->end - p->at >= 3 && memcmp(p->at, "\xef\xbb\xbf", 3) == 0)
		p->at += 3;
}

int ba_pull_open(ba_pull **out, const char *path, ba_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return ba_fail_errno(err, errno == ENOENT ? BA_ENOTFOUND : BA_EIO,
			"cannot open '%s'", path);
	ba_pull *p = ba_pull_memory(NULL, 0, path);
	p->fd = fd;
	p->window = ba_xmalloc(BA_PULL_WINDOW);
	p->at = p->end = p->window;
	ba_pull_refill(p);
	skip_mark(p);
	*out = p;
	return 0;
}

ba_pull *ba_pull_memory(const char *text, size_t size, const char *name)
{
	static const char nothing[1];
	ba_pull *p = ba_xcalloc(1, sizeof(*p));
	p->token = (ba_buf)BA_BUF_INIT;
	p->name = ba_xstrdup(name);
	p->at = text ? text : nothing;
	p->end = p->at + size;
	p->fd = -1;
	p->line = 1;
	skip_mark(p);
	return p;
}

void ba_pull_free(ba_pull *p)
{
	if (!p)
		return;
	if (p->fd >= 0)
		close(p->fd);
	for (size_t i = 0; i < BA_PULL_DEPTH; i++)
		ba_json_keys_clear(&p->levels[i].keys);
	ba_buf_dispose(&p->token);
	free(p->window);
	free(p->name);
	free(p);
}

/* ---- messages ---- */

static void put_path(ba_buf *out, const ba_pull *p)
{
	ba_buf_putc(out, '$');
	for (size_t i = 0; i < p->depth; i++) {
		const ba_pull_level *l = &p->levels[i];
		if (!l->begun)
			continue;
		if (l->object)
			ba_buf_printf(out, ".%s", l->key);
		else
			ba_buf_printf(out, "[%zu]", l->index);
	}
}

int ba_pull_fail(ba_error *err, const ba_pull *p, const char *fmt, ...)
{
	BA_AUTO(ba_buf) ba_buf path = BA_BUF_INIT, text = BA_BUF_INIT;
	va_list ap;
	put_path(&path, p);
	va_start(ap, fmt);
	ba_buf_vprintf(&text, fmt, ap);
	va_end(ap);
	return ba_fail(err, BA_EDATA, "%s: line %zu: %s: %s", p->name, p->line,
		path.data, text.data);
}

/* ---- bytes ---- */

bool ba_pull_refill(ba_pull *p)
{
	if (p->fd < 0)
		return false;
	ssize_t n = ba_fs_read_some(p->fd, p->window, BA_PULL_WINDOW);
	if (n < 0)
		p->io_errno = errno;
	p->at = p->window;
	p->end = p->window + (n > 0 ? n : 0);
	return n > 0;
}

int ba_pull_token(ba_pull *p)
{
	int c;
	while ((c = ba_pull_byte(p)) == ' ' || c == '\n' || c == '\t' || c == '\r') {
		p->line += c == '\n';
		p->at++;
	}
	return c;
}

int ba_pull_unexpected(ba_error *err, const ba_pull *p, int c, const char *wanted)
{
	if (p->io_errno)
		return ba_fail(err, BA_EIO, "cannot read '%s': %s", p->name,
			strerror(p->io_errno));
	if (c < 0)
		return ba_pull_fail(err, p,
			"the file ends where %s should be; is it truncated?", wanted);
	if (c < 0x20 || c >= 0x7f)
		return ba_pull_fail(
			err, p, "%s should be here, not byte 0x%02x", wanted, c);
	return ba_pull_fail(err, p, "%s should be here, not '%c'", wanted, c);
}

/* ---- levels ---- */

static int enter(ba_pull *p, bool object, ba_error *err)
{
	int c = ba_pull_token(p);
	if (c != (object ? '{' : '['))
		return ba_pull_unexpected(err, p, c, object ? "an object" : "an array");
	if (p->depth == BA_PULL_DEPTH)
		return ba_pull_fail(err, p, "nested more than %d deep", BA_PULL_DEPTH);
	p->at++;
	ba_pull_level *l = &p->levels[p->depth++];
	l->object = object;
	l->begun = false;
	l->index = 0;
	return 0;
}

int ba_pull_object(ba_pull *p, ba_error *err)
{
	return enter(p, true, err);
}

int ba_pull_array(ba_pull *p, ba_error *err)
{
	return enter(p, false, err);
}

/* to the next element or member: 1, 0 after the closing bracket, negative */
static int step(ba_pull *p, ba_error *err)
{
	ba_pull_level *l = &p->levels[p->depth - 1];
	char close = l->object ? '}' : ']';
	int c = ba_pull_token(p);
	if (c == close) {
		ba_json_keys_clear(&l->keys);
		p->at++;
		p->depth--;
		return 0;
	}
	if (l->begun) {
		if (c != ',')
			return ba_pull_unexpected(
				err, p, c, l->object ? "',' or '}'" : "',' or ']'");
		p->at++;
		l->index++;
		c = ba_pull_token(p);
		if (c == close)
			return ba_pull_fail(err, p, "a comma before '%c'", close);
	}
	l->begun = true;
	return 1;
}

int ba_pull_element(ba_pull *p, ba_error *err)
{
	return step(p, err);
}

int ba_pull_member(const char **key, ba_pull *p, ba_error *err)
{
	ba_pull_level *l = &p->levels[p->depth - 1];
	int rc = step(p, err);
	if (rc <= 0)
		return rc;
	int c = ba_pull_token(p);
	if (c != '"')
		return ba_pull_unexpected(err, p, c, "a key in quotes");
	rc = ba_pull_read_string(p, err);
	if (rc)
		return rc;
	size_t shown =
		p->token.len < BA_PULL_KEY_SHOWN ? p->token.len : BA_PULL_KEY_SHOWN - 1;
	memcpy(l->key, p->token.data, shown);
	l->key[shown] = '\0';
	if (ba_json_keys_add(&l->keys, p->token.data, p->token.len))
		return ba_pull_fail(err, p, "this key occurs twice");
	c = ba_pull_token(p);
	if (c != ':')
		return ba_pull_unexpected(err, p, c, "':'");
	p->at++;
	*key = p->token.data;
	return 1;
}

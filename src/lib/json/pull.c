#include "json/pull.h"

#include "base/gunzip.h"
#include "json/pull_internal.h"
#include "json/tree.h"

static ba_pull *new_pull(const char *name)
{
	ba_pull *p = ba_xcalloc(1, sizeof(*p));
	p->token = (ba_buf)BA_BUF_INIT;
	p->name = ba_xstrdup(name);
	p->fd = -1;
	return p;
}

int ba_pull_open(ba_pull **out, const char *path, ba_error *err)
{
	int fd = -1, rc = ba_gunzip_open(&fd, path, err);
	if (rc)
		return rc;
	ba_pull *p = new_pull(path);
	p->fd = fd;
	ba_lex_file(&p->lex, fd);
	ba_lex_skip_mark(&p->lex);
	*out = p;
	return 0;
}

ba_pull *ba_pull_memory(const char *text, size_t size, const char *name)
{
	ba_pull *p = new_pull(name);
	ba_lex_memory(&p->lex, text, size);
	ba_lex_skip_mark(&p->lex);
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
	ba_lex_dispose(&p->lex);
	BA_FREE(p->name, p);
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
			ba_json_put_key(out, l->key);
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
	return ba_fail(
		err, BA_EDATA, "%s: line %u: %s: %s", p->name, p->lex.line, path.data, text.data);
}

int ba_pull_unexpected(ba_error *err, const ba_pull *p, int c, const char *wanted)
{
	if (p->lex.io_errno)
		return ba_fail(
			err, BA_EIO, "cannot read '%s': %s", p->name, strerror(p->lex.io_errno));
	if (c < 0)
		return ba_pull_fail(
			err, p, "the file ends where %s should be; is it truncated?", wanted);
	if (c < 0x20 || c >= 0x7f)
		return ba_pull_fail(err, p, "%s should be here, not byte 0x%02x", wanted, c);
	return ba_pull_fail(err, p, "%s should be here, not '%c'", wanted, c);
}

/* ---- levels ---- */

static int enter(ba_pull *p, bool object, ba_error *err)
{
	int c = ba_lex_token(&p->lex);
	if (c != (object ? '{' : '['))
		return ba_pull_unexpected(err, p, c, object ? "an object" : "an array");
	if (p->depth == BA_PULL_DEPTH)
		return ba_pull_fail(err, p, "nested more than %d deep", BA_PULL_DEPTH);
	p->lex.at++;
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
	int c = ba_lex_token(&p->lex);
	if (c == close) {
		ba_json_keys_clear(&l->keys);
		p->lex.at++;
		p->depth--;
		return 0;
	}
	if (l->begun) {
		if (c != ',')
			return ba_pull_unexpected(
				err, p, c, l->object ? "',' or '}'" : "',' or ']'");
		p->lex.at++;
		l->index++;
		c = ba_lex_token(&p->lex);
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
	int c = ba_lex_token(&p->lex);
	if (c != '"')
		return ba_pull_unexpected(err, p, c, "a key in quotes");
	BA_TRY(ba_pull_read_string(p, err));
	size_t shown = p->token.len < BA_PULL_KEY_SHOWN ? p->token.len : BA_PULL_KEY_SHOWN - 1;
	memcpy(l->key, p->token.data, shown);
	l->key[shown] = '\0';
	if (ba_json_keys_add(&l->keys, p->token.data, p->token.len))
		return ba_pull_fail(err, p, "this key occurs twice");
	c = ba_lex_token(&p->lex);
	if (c != ':')
		return ba_pull_unexpected(err, p, c, "':'");
	p->lex.at++;
	*key = p->token.data;
	return 1;
}

#include "json/scan.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "json/chars.h"
#include "json/keys.h"

#define KEY_MOST ((size_t)1 << 20)
#define NUMBER_MAX 60 /* cJSON cuts them at 63 */

/* an array or object that is open */
typedef struct frame {
	bool object;
	size_t index; /* of its element, or */
	ba_buf key;   /* of its member */
	ba_json_keys keys;
} frame;

typedef struct cursor {
	ba_json_scan *s;
	size_t at;
	unsigned depth;
	frame *frames;	    /* [depth_max], of `depth` 1 and on; NULL: nobody asks */
	ba_json_list *list; /* inside of it */
} cursor;

static bool value(cursor *c);

bool ba_json_scan_refuse(ba_json_scan *s, size_t at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->error, sizeof(s->error), fmt, ap);
	va_end(ap);
	s->error_at = at;
	return false;
}

/* the next byte, or -1 at the end */
static inline int peek(cursor *c)
{
	ba_json_bytes *b = &c->s->bytes;
	if (c->at - b->base >= b->len && !ba_json_bytes_reach(b, c->at, 1))
		return -1;
	return (unsigned char)b->data[c->at - b->base];
}

/* the next n bytes, or NULL if there are not as many */
static const char *ahead(cursor *c, size_t n)
{
	ba_json_bytes *b = &c->s->bytes;
	size_t has = ba_json_bytes_reach(b, c->at, n);
	return has < n ? NULL : b->data + (c->at - b->base);
}

static bool expected(cursor *c, const char *what)
{
	int found = peek(c);

	if (found < 0)
		return ba_json_scan_refuse(
			c->s, c->at, "%s expected, but the text ends", what);
	if (found < 0x20 || found > 0x7e)
		return ba_json_scan_refuse(
			c->s, c->at, "%s expected, found byte 0x%02x", what, found);
	return ba_json_scan_refuse(c->s, c->at, "%s expected, found '%c'", what, found);
}

static void skip_space(cursor *c)
{
	int byte;

	while ((byte = peek(c)) == ' ' || byte == '\t' || byte == '\n' || byte == '\r')
		c->at++;
}

/* four hexadecimal digits at c->at; -1 if they are not there */
static int hex4(cursor *c)
{
	unsigned v = 0;

	for (int i = 0; i < 4; i++, c->at++) {
		int byte = peek(c);
		if (byte < 0 || !isxdigit(byte))
			return -1;
		v = v * 16 +
		    (unsigned)(isdigit(byte) ? byte - '0' : (byte | 32) - 'a' + 10);
	}
	return (int)v;
}

/* the rest of \u, into `into` if that is not NULL */
static bool unicode_escape(cursor *c, size_t start, ba_buf *into)
{
	int unit = hex4(c);
	if (unit < 0)
		return expected(c, "a hexadecimal digit");
	if (unit == 0)
		return ba_json_scan_refuse(
			c->s, start, "\\u0000 is not allowed in a string");
	unsigned code = (unsigned)unit;
	if (unit >= 0xd800 && unit <= 0xdfff) {
		const char *next = unit <= 0xdbff ? ahead(c, 2) : NULL;
		bool pair = next && memcmp(next, "\\u", 2) == 0;
		c->at += pair ? 2 : 0;
		int low = pair ? hex4(c) : -1;
		if (low < 0xdc00 || low > 0xdfff)
			return ba_json_scan_refuse(
				c->s, start, "half of a surrogate pair");
		code = 0x10000 + ((code - 0xd800) << 10) + ((unsigned)low - 0xdc00);
	}
	if (into)
		ba_json_put_code(into, code);
	return true;
}

static bool escape(cursor *c, ba_buf *into)
{
	static const char from[] = "\"\\/bfnrtu", to[] = "\"\\/\b\f\n\r\t";
	size_t start = c->at++; /* the backslash */
	int byte = peek(c);

	const char *found = byte > 0 ? strchr(from, byte) : NULL;
	if (!found)
		return expected(c, "one of \"\\/bfnrtu after a backslash");
	c->at++;
	if (byte == 'u')
		return unicode_escape(c, start, into);
	if (into)
		ba_buf_putc(into, to[found - from]);
	return true;
}

/* what needs no thought, as far as it is in reach */
static void take_plain(cursor *c, ba_buf *into)
{
	const ba_json_bytes *b = &c->s->bytes;
	const char *from = b->data + (c->at - b->base), *end = b->data + b->len;
	const char *at = from;
	for (; at < end; at++) {
		unsigned char byte = (unsigned char)*at;
		if (byte == '"' || byte == '\\' || byte < 0x20 || byte >= 0x80)
			break;
	}
	c->at += (size_t)(at - from);
	if (into)
		ba_buf_put(into, from, (size_t)(at - from));
}

/* its characters go into `into` if that is not NULL */
static bool string(cursor *c, ba_buf *into)
{
	size_t start = c->at++;

	for (;;) {
		int byte = peek(c);
		if (byte < 0 || byte == '\n')
			return ba_json_scan_refuse(
				c->s, start, "a string without its closing quote");
		if (byte == '"') {
			c->at++;
			return true;
		}
		if (byte == '\\') {
			if (!escape(c, into))
				return false;
		} else if (byte < 0x20) {
			return ba_json_scan_refuse(c->s, c->at,
				"control character 0x%02x in a string: write it as an escape",
				byte);
		} else if (into && into->len > KEY_MOST) {
			return ba_json_scan_refuse(
				c->s, start, "a key of more than 1 MiB");
		} else if (byte < 0x80) {
			take_plain(c, into);
		} else {
			ba_json_bytes *b = &c->s->bytes;
			size_t has = ba_json_bytes_reach(b, c->at, 4);
			const char *text = b->data + (c->at - b->base);
			size_t length = ba_json_utf8(text, has);
			if (!length)
				return ba_json_scan_refuse(
					c->s, c->at, "byte 0x%02x is not UTF-8", byte);
			if (into)
				ba_buf_put(into, text, length);
			c->at += length;
		}
	}
}

static bool digits(cursor *c)
{
	int byte = peek(c);

	if (byte < 0 || !isdigit(byte))
		return expected(c, "a digit");
	while ((byte = peek(c)) >= 0 && isdigit(byte))
		c->at++;
	return true;
}

static bool whole_part(cursor *c)
{
	if (peek(c) == '-')
		c->at++;
	if (peek(c) != '0')
		return digits(c);
	c->at++;
	int byte = peek(c);
	if (byte >= 0 && isdigit(byte))
		return ba_json_scan_refuse(
			c->s, c->at - 1, "a number with a leading zero");
	return true;
}

static bool number(cursor *c)
{
	size_t start = c->at;

	if (!whole_part(c))
		return false;
	if (peek(c) == '.') {
		c->at++;
		if (!digits(c))
			return false;
	}
	if (peek(c) == 'e' || peek(c) == 'E') {
		c->at++;
		if (peek(c) == '+' || peek(c) == '-')
			c->at++;
		if (!digits(c))
			return false;
	}
	if (c->at - start > NUMBER_MAX)
		return ba_json_scan_refuse(
			c->s, start, "a number of more than %d characters", NUMBER_MAX);
	return true;
}

static bool word(cursor *c)
{
	static const char *const words[] = {"true", "false", "null"};

	for (size_t i = 0; i < 3; i++) {
		size_t n = strlen(words[i]);
		const char *text = ahead(c, n);
		if (text && memcmp(text, words[i], n) == 0) {
			c->at += n;
			return true;
		}
	}
	return expected(c, "a value");
}

/* ---- what is noted on the way ---- */

static frame *top(const cursor *c)
{
	return c->frames ? &c->frames[c->depth - 1] : NULL;
}

/* the member that comes next has a key that its object had before */
static void note_twice(cursor *c)
{
	ba_json_scan *s = c->s;
	if (s->twice_at)
		return;
	s->twice_at = c->at;
	ba_buf_putc(&s->twice, '$');
	for (unsigned i = 0; i < c->depth; i++) {
		if (c->frames[i].object)
			ba_json_put_key(&s->twice, c->frames[i].key.data);
		else
			ba_buf_printf(&s->twice, "[%zu]", c->frames[i].index);
	}
}

/* an element of one of the lists, or such a list, begins */
static void note_value(cursor *c)
{
	ba_json_list *l = c->list;
	if (c->depth == 2 && l) {
		l->at = BA_GROW(l->at, &l->capacity, l->count + 1);
		l->at[l->count++] = c->at;
		return;
	}
	if (c->depth != 1 || !c->frames[0].object || peek(c) != '[')
		return;
	for (size_t i = 0; i < c->s->list_count; i++) {
		l = &c->s->lists[i];
		if (strcmp(l->key, c->frames[0].key.data) == 0 && !l->count) {
			l->open = c->at;
			c->list = l;
		}
	}
}

/* ---- values ---- */

static bool member(cursor *c)
{
	frame *f = top(c);
	if (peek(c) != '"')
		return expected(c, "a key in double quotes");
	if (f)
		ba_buf_clear(&f->key);
	if (!string(c, f ? &f->key : NULL))
		return false;
	skip_space(c);
	if (peek(c) != ':')
		return expected(c, "':' after a key");
	c->at++;
	skip_space(c);
	if (f && c->s->unique_keys &&
		ba_json_keys_add(&f->keys, f->key.data, f->key.len))
		note_twice(c);
	return value(c);
}

static bool element(cursor *c)
{
	bool ok = value(c);
	if (c->frames)
		top(c)->index++;
	return ok;
}

static void enter(cursor *c, bool object)
{
	if (!c->frames)
		return;
	frame *f = top(c);
	f->object = object;
	f->index = 0;
}

static void leave(cursor *c)
{
	if (c->frames)
		ba_json_keys_clear(&top(c)->keys);
	if (c->depth == 2 && c->list) {
		c->list->close = c->at;
		c->list = NULL;
	}
	c->at++;
	c->depth--;
}

static bool container(cursor *c, char close, bool (*item)(cursor *), const char *what)
{
	size_t start = c->at++;

	if (c->depth == c->s->depth_max)
		return ba_json_scan_refuse(c->s, start,
			"nested more than %u levels deep", c->s->depth_max);
	c->depth++;
	enter(c, close == '}');
	skip_space(c);
	if (peek(c) == close) {
		leave(c);
		return true;
	}
	for (;;) {
		if (!item(c))
			return false;
		skip_space(c);
		int byte = peek(c);
		if (byte != ',' && byte != close)
			return expected(c, what);
		if (byte == close) {
			leave(c);
			return true;
		}
		c->at++;
		skip_space(c);
	}
}

static bool value(cursor *c)
{
	ba_json_scan *s = c->s;
	int byte = peek(c);

	if (++s->count == s->wanted)
		s->wanted_at = c->at;
	if (s->list_count)
		note_value(c);
	switch (byte) {
	case '{':
		return container(c, '}', member, "',' or '}'");
	case '[':
		return container(c, ']', element, "',' or ']'");
	case '"':
		return string(c, NULL);
	case '-':
		return number(c);
	default:
		return byte >= 0 && isdigit(byte) ? number(c) : word(c);
	}
}

static bool document(cursor *c)
{
	ba_json_scan *s = c->s;
	const char *mark = ahead(c, 3);

	if (mark && memcmp(mark, "\xef\xbb\xbf", 3) == 0)
		c->at = 3;
	skip_space(c);
	if (peek(c) < 0)
		return ba_json_scan_refuse(s, c->at, "the text is empty");
	if (!value(c))
		return false;
	skip_space(c);
	return peek(c) < 0 || expected(c, "the end of the text");
}

bool ba_json_scan_run(ba_json_scan *s)
{
	cursor c = {.s = s};

	s->twice = (ba_buf)BA_BUF_INIT;
	if (s->unique_keys || s->list_count)
		c.frames = ba_xcalloc(s->depth_max, sizeof(*c.frames));
	for (unsigned i = 0; c.frames && i < s->depth_max; i++)
		c.frames[i].key = (ba_buf)BA_BUF_INIT;
	bool ok = document(&c);
	for (unsigned i = 0; c.frames && i < s->depth_max; i++) {
		ba_buf_dispose(&c.frames[i].key);
		ba_json_keys_clear(&c.frames[i].keys);
	}
	free(c.frames);
	return ok;
}

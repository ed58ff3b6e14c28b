#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "json/scan.h"

#define NUMBER_MAX 60 /* cJSON cuts them at 63 */

typedef struct cursor {
	ba_json_scan *s;
	size_t at;
	unsigned depth;
} cursor;

static bool value(cursor *c);

static bool refuse_at(ba_json_scan *s, size_t at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static bool refuse_at(ba_json_scan *s, size_t at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->error, sizeof(s->error), fmt, ap);
	va_end(ap);
	s->error_at = at;
	return false;
}

/* the next byte, or -1 at the end */
static int peek(const cursor *c)
{
	return c->at < c->s->size ? (unsigned char)c->s->text[c->at] : -1;
}

static bool expected(cursor *c, const char *what)
{
	int found = peek(c);

	if (found < 0)
		return refuse_at(c->s, c->at, "%s expected, but the text ends", what);
	if (found < 0x20 || found > 0x7e)
		return refuse_at(
			c->s, c->at, "%s expected, found byte 0x%02x", what, found);
	return refuse_at(c->s, c->at, "%s expected, found '%c'", what, found);
}

static void skip_space(cursor *c)
{
	int byte;

	while ((byte = peek(c)) == ' ' || byte == '\t' || byte == '\n' || byte == '\r')
		c->at++;
}

static size_t continuation(const unsigned char *t, size_t size, size_t length,
	unsigned char low, unsigned char high)
{
	if (size < length || t[1] < low || t[1] > high)
		return 0;
	for (size_t i = 2; i < length; i++)
		if ((t[i] & 0xc0) != 0x80)
			return 0;
	return length;
}

/* Unicode 15, table 3-7: well-formed sequences */
size_t ba_json_utf8(const char *text, size_t size)
{
	const unsigned char *t = (const unsigned char *)text;

	if (!size)
		return 0;
	if (t[0] < 0x80)
		return 1;
	if (t[0] >= 0xc2 && t[0] <= 0xdf)
		return continuation(t, size, 2, 0x80, 0xbf);
	if (t[0] >= 0xe0 && t[0] <= 0xef)
		return continuation(t, size, 3, t[0] == 0xe0 ? 0xa0 : 0x80,
			t[0] == 0xed ? 0x9f : 0xbf);
	if (t[0] >= 0xf0 && t[0] <= 0xf4)
		return continuation(t, size, 4, t[0] == 0xf0 ? 0x90 : 0x80,
			t[0] == 0xf4 ? 0x8f : 0xbf);
	return 0;
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

static bool escape(cursor *c)
{
	size_t start = c->at++; /* the backslash */
	int byte = peek(c);

	if (byte < 0 || !strchr("\"\\/bfnrtu", byte))
		return expected(c, "one of \"\\/bfnrtu after a backslash");
	c->at++;
	if (byte != 'u')
		return true;
	int unit = hex4(c);
	if (unit < 0)
		return expected(c, "a hexadecimal digit");
	if (unit == 0)
		return refuse_at(c->s, start, "\\u0000 is not allowed in a string");
	if (unit >= 0xdc00 && unit <= 0xdfff)
		return refuse_at(c->s, start, "half of a surrogate pair");
	if (unit < 0xd800 || unit > 0xdbff)
		return true;
	if (c->at + 1 >= c->s->size || memcmp(c->s->text + c->at, "\\u", 2))
		return refuse_at(c->s, start, "half of a surrogate pair");
	c->at += 2;
	unit = hex4(c);
	if (unit < 0xdc00 || unit > 0xdfff)
		return refuse_at(c->s, start, "half of a surrogate pair");
	return true;
}

static bool string(cursor *c)
{
	size_t start = c->at++;

	for (;;) {
		int byte = peek(c);
		if (byte < 0)
			return refuse_at(
				c->s, start, "a string without its closing quote");
		if (byte == '"') {
			c->at++;
			return true;
		}
		if (byte == '\\') {
			if (!escape(c))
				return false;
			continue;
		}
		if (byte == '\n')
			return refuse_at(
				c->s, start, "a string without its closing quote");
		if (byte < 0x20)
			return refuse_at(c->s, c->at,
				"control character 0x%02x in a string: write it as an "
				"escape",
				byte);
		size_t length = ba_json_utf8(c->s->text + c->at, c->s->size - c->at);
		if (!length)
			return refuse_at(c->s, c->at, "byte 0x%02x is not UTF-8", byte);
		c->at += length;
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
		return refuse_at(c->s, c->at - 1, "a number with a leading zero");
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
		return refuse_at(
			c->s, start, "a number of more than %d characters", NUMBER_MAX);
	return true;
}

static bool word(cursor *c)
{
	static const char *const words[] = {"true", "false", "null"};

	for (size_t i = 0; i < 3; i++) {
		size_t n = strlen(words[i]);
		if (c->s->size - c->at >= n &&
			!memcmp(c->s->text + c->at, words[i], n)) {
			c->at += n;
			return true;
		}
	}
	return expected(c, "a value");
}

static bool member(cursor *c)
{
	if (peek(c) != '"')
		return expected(c, "a key in double quotes");
	if (!string(c))
		return false;
	skip_space(c);
	if (peek(c) != ':')
		return expected(c, "':' after a key");
	c->at++;
	skip_space(c);
	return value(c);
}

static bool container(cursor *c, char close, bool (*item)(cursor *), const char *what)
{
	size_t start = c->at++;

	if (++c->depth > c->s->depth_max)
		return refuse_at(c->s, start, "nested more than %u levels deep",
			c->s->depth_max);
	skip_space(c);
	if (peek(c) == close) {
		c->at++;
		c->depth--;
		return true;
	}
	for (;;) {
		if (!item(c))
			return false;
		skip_space(c);
		int byte = peek(c);
		if (byte != ',' && byte != close)
			return expected(c, what);
		c->at++;
		if (byte == close) {
			c->depth--;
			return true;
		}
		skip_space(c);
	}
}

static bool value(cursor *c)
{
	ba_json_scan *s = c->s;
	int byte = peek(c);

	if (s->keep_offsets) {
		s->offsets = BA_GROW(s->offsets, &s->capacity, s->count + 1);
		s->offsets[s->count++] = c->at;
	}
	switch (byte) {
	case '{':
		return container(c, '}', member, "',' or '}'");
	case '[':
		return container(c, ']', value, "',' or ']'");
	case '"':
		return string(c);
	case '-':
		return number(c);
	default:
		return byte >= 0 && isdigit(byte) ? number(c) : word(c);
	}
}

bool ba_json_scan_run(ba_json_scan *s)
{
	cursor c = {.s = s};

	if (s->size >= 3 && !memcmp(s->text, "\xef\xbb\xbf", 3))
		c.at = 3;
	skip_space(&c);
	if (c.at == s->size)
		return refuse_at(s, c.at, "the text is empty");
	if (!value(&c))
		return false;
	skip_space(&c);
	return c.at == s->size || expected(&c, "the end of the text");
}

static void blank(char *from, const char *to)
{
	for (; from < to; from++)
		if (*from != '\n')
			*from = ' ';
}

/* past the comment that begins at `at`, or NULL where it has no end */
static char *comment_end(char *at, char *end)
{
	if (at[1] == '/') {
		char *newline = memchr(at, '\n', (size_t)(end - at));
		return newline ? newline : end;
	}
	char *close = memmem(at + 2, (size_t)(end - at - 2), "*/", 2);
	return close ? close + 2 : NULL;
}

static char *string_end(char *at, const char *end)
{
	for (at++; at < end && *at != '"' && *at != '\n'; at++)
		if (*at == '\\' && at + 1 < end)
			at++;
	return at;
}

bool ba_json_scan_relax(ba_json_scan *s, char *text)
{
	char *end = text + s->size;
	char *comma = NULL; /* a comma with nothing but space after it so far */
	bool after_value = false;

	for (char *at = text; at < end; at++) {
		if (*at == '/' && at + 1 < end && (at[1] == '/' || at[1] == '*')) {
			char *stop = comment_end(at, end);
			if (!stop)
				return refuse_at(s, (size_t)(at - text),
					"a comment without its end");
			blank(at, stop);
			at = stop - 1;
		} else if (*at == ',') {
			/* of "[,]" the comma stays, and is refused later */
			comma = after_value ? at : NULL;
			after_value = false;
		} else if (*at == ']' || *at == '}') {
			if (comma)
				*comma = ' ';
			comma = NULL;
			after_value = true;
		} else if (!isspace((unsigned char)*at)) {
			comma = NULL;
			after_value = *at != '[' && *at != '{';
			if (*at == '"')
				at = string_end(at, end);
		}
	}
	return true;
}

/* Strings and numbers of the cursor. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"
#include "json/chars.h"
#include "json/pull_internal.h"

/* ---- strings ---- */

static int hex4(unsigned *out, ba_pull *p)
{
	unsigned value = 0;
	for (int i = 0; i < 4; i++) {
		int c = ba_pull_byte(p);
		int digit = c >= '0' && c <= '9'   ? c - '0'
			    : c >= 'a' && c <= 'f' ? c - 'a' + 10
			    : c >= 'A' && c <= 'F' ? c - 'A' + 10
						   : -1;
		if (digit < 0)
			return -1;
		value = value * 16 + (unsigned)digit;
		p->at++;
	}
	*out = value;
	return 0;
}

static int unicode_escape(ba_pull *p, ba_error *err)
{
	unsigned c = 0, low = 0;
	if (hex4(&c, p))
		return ba_pull_fail(err, p, "four hex digits should follow '\\u'");
	if (c >= 0xd800 && c < 0xdc00) {
		if (ba_pull_byte(p) != '\\' || (p->at++, ba_pull_byte(p)) != 'u' ||
			(p->at++, hex4(&low, p)) || low < 0xdc00 || low > 0xdfff)
			return ba_pull_fail(err, p, "half a surrogate pair");
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
	} else if ((c >= 0xdc00 && c < 0xe000) || c == 0) {
		return ba_pull_fail(err, p,
			c ? "half a surrogate pair" : "a string may not hold U+0000");
	}
	ba_json_put_code(&p->token, c);
	return 0;
}

static int escape(ba_pull *p, ba_error *err)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	int c = ba_pull_byte(p);
	if (c < 0)
		return ba_pull_unexpected(err, p, c, "the end of a string");
	p->at++;
	if (c == 'u')
		return unicode_escape(p, err);
	const char *found = strchr(from, c);
	if (!found || !c)
		return ba_pull_fail(err, p, "no such escape in a string");
	ba_buf_putc(&p->token, to[found - from]);
	return 0;
}

/* plain characters up to the next that needs a thought */
static void take_run(ba_pull *p, bool *high)
{
	const char *from = p->at;
	while (p->at < p->end) {
		unsigned char c = (unsigned char)*p->at;
		if (c == '"' || c == '\\' || c < 0x20)
			break;
		*high |= c >= 0x80;
		p->at++;
	}
	ba_buf_put(&p->token, from, (size_t)(p->at - from));
}

static int check_utf8(const ba_pull *p, ba_error *err)
{
	const char *at = p->token.data, *end = at + p->token.len;
	while (at < end) {
		size_t n = ba_json_utf8(at, (size_t)(end - at));
		if (n == 0)
			return ba_pull_fail(err, p,
				"a string is not UTF-8 (byte 0x%02x)",
				(unsigned char)*at);
		at += n;
	}
	return 0;
}

/* into p->token; the cursor stands at the quote */
int ba_pull_read_string(ba_pull *p, ba_error *err)
{
	bool high = false;
	ba_buf_clear(&p->token);
	p->at++;
	for (;;) {
		int c = ba_pull_byte(p);
		if (c < 0)
			return ba_pull_unexpected(err, p, c, "the end of a string");
		if (c == '"')
			break;
		if (c < 0x20)
			return ba_pull_fail(err, p,
				"a raw control character (0x%02x) in a string", c);
		if (c == '\\') {
			p->at++;
			int rc = escape(p, err);
			if (rc)
				return rc;
		} else {
			take_run(p, &high);
		}
		if (p->token.len > BA_PULL_STRING_MOST)
			return ba_pull_fail(err, p, "a string of more than 1 MiB");
	}
	p->at++;
	return high ? check_utf8(p, err) : 0;
}

/* ---- values ---- */

ba_json_type ba_pull_peek(ba_pull *p)
{
	int c = ba_pull_token(p);
	switch (c) {
	case '{':
		return BA_JSON_OBJECT;
	case '[':
		return BA_JSON_ARRAY;
	case '"':
		return BA_JSON_STRING;
	case 't':
	case 'f':
		return BA_JSON_BOOL;
	case 'n': /* null, or the nan of some tools: a number all the same */
		return BA_JSON_NULL;
	case '-':
	case 'N':
	case 'I':
	case 'i':
		return BA_JSON_NUMBER;
	default:
		return c >= '0' && c <= '9' ? BA_JSON_NUMBER : BA_JSON_ABSENT;
	}
}

int ba_pull_string(const char **out, ba_pull *p, ba_error *err)
{
	int c = ba_pull_token(p);
	if (c != '"')
		return ba_pull_unexpected(err, p, c, "a string");
	int rc = ba_pull_read_string(p, err);
	if (rc == 0)
		*out = p->token.data;
	return rc;
}

/* a bare word or number, into p->token */
static int read_word(ba_pull *p, const char *wanted, ba_error *err)
{
	int c = ba_pull_token(p);
	ba_buf_clear(&p->token);
	while ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
		(c >= 'A' && c <= 'Z') || c == '+' || c == '-' || c == '.') {
		if (p->token.len >= 400)
			return ba_pull_fail(err, p, "a number of more than 400 digits");
		ba_buf_putc(&p->token, (char)c);
		p->at++;
		c = ba_pull_byte(p);
	}
	return p->token.len ? 0 : ba_pull_unexpected(err, p, c, wanted);
}

/* the words that tools write where JSON has none */
static bool word_value(double *out, const char *word)
{
	bool minus = *word == '-';
	const char *t = word + (minus || *word == '+');
	if (strcasecmp(t, "nan") == 0)
		*out = NAN;
	else if (strcasecmp(t, "inf") == 0 || strcasecmp(t, "infinity") == 0)
		*out = minus ? -INFINITY : INFINITY;
	else
		return false;
	return true;
}

static int as_number(double *out, ba_pull *p, ba_error *err)
{
	const char *t = p->token.data;
	double value = 0;
	if (strcmp(t, "null") == 0)
		value = NAN;
	else if (!ba_parse_decimal(&value, t, p->token.len) &&
		 !(*t != '+' && word_value(&value, t)))
		return ba_pull_fail(err, p, "'%.40s' is not a number", t);
	*out = value;
	return 0;
}

int ba_pull_f64(double *out, ba_pull *p, ba_error *err)
{
	ba_json_type type = ba_pull_peek(p);
	if (type != BA_JSON_NUMBER && type != BA_JSON_NULL)
		return ba_pull_unexpected(err, p, ba_pull_token(p), "a number");
	int rc = read_word(p, "a number", err);
	return rc ? rc : as_number(out, p, err);
}

int ba_pull_f64_quoted(double *out, ba_pull *p, ba_error *err)
{
	const char *text = ""; /* gcc -O2 cannot see that it is set */
	double value;
	if (ba_pull_peek(p) != BA_JSON_STRING)
		return ba_pull_f64(out, p, err);
	int rc = ba_pull_string(&text, p, err);
	if (rc)
		return rc;
	if (!ba_parse_decimal(&value, text, p->token.len) &&
		!word_value(&value, text)) {
		BA_AUTO_FREE char *safe = ba_text_safe(text);
		return ba_pull_fail(err, p, "'%.40s' is not a number", safe);
	}
	*out = value;
	return 0;
}

int ba_pull_bool(bool *out, ba_pull *p, ba_error *err)
{
	int rc = read_word(p, "true or false", err);
	if (rc)
		return rc;
	bool yes = strcmp(p->token.data, "true") == 0;
	if (!yes && strcmp(p->token.data, "false") != 0)
		return ba_pull_fail(
			err, p, "must be true or false, is '%.40s'", p->token.data);
	*out = yes;
	return 0;
}

static int skip_scalar(ba_pull *p, ba_error *err)
{
	double number;
	bool flag;
	switch (ba_pull_peek(p)) {
	case BA_JSON_STRING:
		return ba_pull_read_string(p, err);
	case BA_JSON_BOOL:
		return ba_pull_bool(&flag, p, err);
	case BA_JSON_NULL:
	case BA_JSON_NUMBER:
		return ba_pull_f64(&number, p, err);
	default:
		return ba_pull_unexpected(err, p, ba_pull_token(p), "a value");
	}
}

int ba_pull_skip(ba_pull *p, ba_error *err)
{
	size_t floor = p->depth;
	const char *key;
	int rc = 0;
	do {
		ba_json_type type = ba_pull_peek(p);
		rc = type == BA_JSON_OBJECT  ? ba_pull_object(p, err)
		     : type == BA_JSON_ARRAY ? ba_pull_array(p, err)
					     : skip_scalar(p, err);
		/* on to the next value, out of all that ended */
		while (rc == 0 && p->depth > floor) {
			rc = p->levels[p->depth - 1].object
				     ? ba_pull_member(&key, p, err)
				     : ba_pull_element(p, err);
			if (rc != 0)
				break;
		}
	} while (rc > 0);
	return rc;
}

int ba_pull_end(ba_pull *p, ba_error *err)
{
	int c = ba_pull_token(p);
	if (p->io_errno)
		return ba_pull_unexpected(err, p, c, "");
	return c < 0 ? 0 : ba_pull_unexpected(err, p, c, "the end of the file");
}

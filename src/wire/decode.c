/* A reader for one flat JSON object (RFC 8259), strict, in place, in one pass. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"
#include "wire/message.h"

void ba_message_dispose(ba_message *m)
{
	free(m->storage);
	free(m->fields);
	free(m->items);
	*m = (ba_message){0};
}

typedef struct scanner {
	char *p; /* next byte; the text ends with NUL, and NUL ends every loop */
	const char *why; /* first complaint */
} scanner;

static int complain(scanner *s, const char *why)
{
	if (!s->why)
		s->why = why;
	return -1;
}

static void skip_space(scanner *s)
{
	while (*s->p == ' ' || *s->p == '\t' || *s->p == '\r' || *s->p == '\n')
		s->p++;
}

static int expect(scanner *s, char c, const char *why)
{
	skip_space(s);
	if (*s->p != c)
		return complain(s, why);
	s->p++;
	return 0;
}

static int hex4(const char *p)
{
	int value = 0;
	for (int i = 0; i < 4; i++) {
		int c = tolower((unsigned char)p[i]);
		if (!isxdigit(c))
			return -1;
		value = value * 16 + (c <= '9' ? c - '0' : c - 'a' + 10);
	}
	return value;
}

static char *put_utf8(char *to, unsigned code)
{
	if (code < 0x80) {
		*to++ = (char)code;
		return to;
	}
	if (code < 0x800) {
		*to++ = (char)(0xc0 | code >> 6);
	} else {
		if (code < 0x10000) {
			*to++ = (char)(0xe0 | code >> 12);
		} else {
			*to++ = (char)(0xf0 | code >> 18);
			*to++ = (char)(0x80 | (code >> 12 & 0x3f));
		}
		*to++ = (char)(0x80 | (code >> 6 & 0x3f));
	}
	*to++ = (char)(0x80 | (code & 0x3f));
	return to;
}

/* "\uXXXX" at s->p, or two of them that are a surrogate pair; NULL: refused */
static char *scan_code(scanner *s, char *to)
{
	int code = hex4(s->p + 2);
	s->p += 6;
	/* NUL would end our strings */
	if (code <= 0) {
		complain(s, "an unknown escape");
		return NULL;
	}
	if (code < 0xd800 || code > 0xdfff)
		return put_utf8(to, (unsigned)code);
	bool pair = code <= 0xdbff && s->p[0] == '\\' && s->p[1] == 'u';
	int low = pair ? hex4(s->p + 2) : -1;
	if (low < 0xdc00 || low > 0xdfff) {
		complain(s, "half of a surrogate pair, which is not a character");
		return NULL;
	}
	s->p += 6;
	return put_utf8(to, 0x10000u + (((unsigned)code - 0xd800) << 10) +
				    ((unsigned)low - 0xdc00));
}

/* Unescapes in place. The closing quote becomes the NUL. */
static const char *scan_string(scanner *s)
{
	if (expect(s, '"', "a string was expected"))
		return NULL;
	char *start = s->p, *to = s->p;
	while (*s->p != '"') {
		if ((unsigned char)*s->p < 0x20) {
			complain(s, *s->p ? "a control character in a string"
					  : "a string without an end");
			return NULL;
		}
		if (*s->p != '\\') {
			*to++ = *s->p++;
			continue;
		}
		static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
		const char *escape = s->p[1] ? strchr(from, s->p[1]) : NULL;
		if (escape) {
			*to++ = into[escape - from];
			s->p += 2;
			continue;
		}
		if (s->p[1] != 'u') {
			complain(s, "an unknown escape");
			return NULL;
		}
		to = scan_code(s, to);
		if (!to)
			return NULL;
	}
	s->p++;
	*to = '\0';
	return start;
}

static int scan_scalar(scanner *s, ba_field *f)
{
	skip_space(s);
	if (*s->p == '"') {
		f->kind = BA_FIELD_TEXT;
		f->text = scan_string(s);
		return f->text ? 0 : -1;
	}
	f->text = s->p;
	size_t n = strcspn(s->p, ",]} \t\r\n");
	s->p += n;
	if (n == 4 && memcmp(f->text, "true", 4) == 0) {
		f->kind = BA_FIELD_BOOL;
		return 0;
	}
	if (n == 5 && memcmp(f->text, "false", 5) == 0) {
		f->kind = BA_FIELD_BOOL;
		return 0;
	}
	if (n == 4 && memcmp(f->text, "null", 4) == 0) {
		f->kind = BA_FIELD_NULL;
		return 0;
	}
	f->kind = BA_FIELD_NUMBER;
	if (n == 0 || strspn(f->text, "+-.eE0123456789") < n)
		return complain(s, "a value that is not understood");
	return 0;
}

static int scan_array(scanner *s, ba_message *m, ba_field *f)
{
	f->kind = BA_FIELD_ARRAY;
	f->first = m->item_count;
	s->p++;
	skip_space(s);
	if (*s->p == ']') {
		s->p++;
		return 0;
	}
	for (;;) {
		m->items = BA_GROW(m->items, &m->item_capacity, m->item_count + 1);
		ba_field *item = &m->items[m->item_count];
		*item = (ba_field){0};
		if (scan_scalar(s, item))
			return -1;
		m->item_count++;
		f->count++;
		skip_space(s);
		if (*s->p == ']') {
			s->p++;
			return 0;
		}
		if (expect(s, ',', "an array that does not go on"))
			return -1;
	}
}

static int scan_field(scanner *s, ba_message *m)
{
	m->fields = BA_GROW(m->fields, &m->field_capacity, m->field_count + 1);
	ba_field *f = &m->fields[m->field_count];
	*f = (ba_field){.key = scan_string(s)};
	if (!f->key || expect(s, ':', "a key without a value"))
		return -1;
	skip_space(s);
	if (*s->p == '[' ? scan_array(s, m, f) : scan_scalar(s, f))
		return -1;
	m->field_count++;
	return 0;
}

static int scan_object(scanner *s, ba_message *m)
{
	if (expect(s, '{', "no JSON object"))
		return -1;
	do {
		if (scan_field(s, m))
			return -1;
		skip_space(s);
	} while (*s->p == ',' && s->p++);
	if (expect(s, '}', "an object that does not end"))
		return -1;
	skip_space(s);
	return *s->p ? complain(s, "more after the object") : 0;
}

static const ba_field *find(const ba_message *m, const char *key)
{
	for (size_t i = 0; i < m->field_count; i++)
		if (strcmp(m->fields[i].key, key) == 0)
			return &m->fields[i];
	return NULL;
}

int ba_message_parse(ba_message *out, const char *line, size_t length, ba_error *err)
{
	BA_AUTO(ba_message) ba_message m = {.storage = ba_xmemdup0(line, length)};
	scanner s = {.p = m.storage};
	if (memchr(line, '\0', length))
		complain(&s, "a NUL byte");
	else
		scan_object(&s, &m);
	const ba_field *type = s.why ? NULL : find(&m, "t");
	if (!s.why && (!type || type->kind != BA_FIELD_TEXT))
		s.why = "no \"t\"";
	if (s.why) {
		BA_AUTO_FREE char *head = ba_xstrndup(line, length < 80 ? length : 80);
		BA_AUTO_FREE char *safe = ba_text_safe(head);
		return ba_fail(err, BA_EPROTOCOL,
			"a message that cannot be read (%s): %s%s", s.why, safe,
			length > 80 ? "..." : "");
	}
	m.type = type->text;
	*out = m;
	m = (ba_message){0};
	return 0;
}

bool ba_message_has(const ba_message *m, const char *key)
{
	return find(m, key) != NULL;
}

const char *ba_message_text(const ba_message *m, const char *key)
{
	const ba_field *f = find(m, key);
	return f && f->kind == BA_FIELD_TEXT ? f->text : "";
}

static int field_fail(
	const ba_message *m, const char *key, const char *what, ba_error *err)
{
	BA_AUTO_FREE char *type = ba_text_safe(m->type);
	return ba_fail(
		err, BA_EPROTOCOL, "message '%s': '%s' is not %s", type, key, what);
}

/* numbers stay as written: they end at a delimiter, not at a NUL */
static bool ends_number(const char *p)
{
	return *p == '\0' || strchr(",]} \t\r\n", *p) != NULL;
}

static int number_u64(uint64_t *out, const ba_field *f)
{
	if (f->kind != BA_FIELD_NUMBER || !isdigit((unsigned char)f->text[0]))
		return -1;
	char *end;
	errno = 0;
	unsigned long long value = strtoull(f->text, &end, 10);
	if (errno || !ends_number(end))
		return -1;
	*out = value;
	return 0;
}

int ba_message_u64(uint64_t *out, const ba_message *m, const char *key, ba_error *err)
{
	const ba_field *f = find(m, key);
	if (!f || number_u64(out, f))
		return field_fail(m, key, "a whole number", err);
	return 0;
}

int ba_message_i64(int64_t *out, const ba_message *m, const char *key, ba_error *err)
{
	const ba_field *f = find(m, key);
	char *end;
	errno = 0;
	long long value =
		f && f->kind == BA_FIELD_NUMBER ? strtoll(f->text, &end, 10) : 0;
	if (!f || f->kind != BA_FIELD_NUMBER || errno || !ends_number(end))
		return field_fail(m, key, "a whole number", err);
	*out = value;
	return 0;
}

int ba_message_f64(double *out, const ba_message *m, const char *key, ba_error *err)
{
	const ba_field *f = find(m, key);
	char *end = NULL;
	double value = f && f->kind == BA_FIELD_NUMBER ? strtod(f->text, &end) : NAN;
	if (!isfinite(value) || !ends_number(end))
		return field_fail(m, key, "a number", err);
	*out = value;
	return 0;
}

bool ba_message_bool(const ba_message *m, const char *key)
{
	const ba_field *f = find(m, key);
	return f && f->kind == BA_FIELD_BOOL && f->text[0] == 't';
}

void ba_message_texts(ba_strv *out, const ba_message *m, const char *key)
{
	const ba_field *f = find(m, key);
	for (size_t i = 0; f && f->kind == BA_FIELD_ARRAY && i < f->count; i++)
		if (m->items[f->first + i].kind == BA_FIELD_TEXT)
			ba_strv_push(out, m->items[f->first + i].text);
}

size_t ba_message_count(const ba_message *m, const char *key)
{
	const ba_field *f = find(m, key);
	return f && f->kind == BA_FIELD_ARRAY ? f->count : 0;
}

int ba_message_u64s(
	uint64_t *out, size_t n, const ba_message *m, const char *key, ba_error *err)
{
	const ba_field *f = find(m, key);
	if (!f || f->kind != BA_FIELD_ARRAY || f->count != n)
		return ba_fail(err, BA_EPROTOCOL,
			"message '%s': '%s' has %zu numbers where %zu are due", m->type,
			key, ba_message_count(m, key), n);
	for (size_t i = 0; i < n; i++)
		if (number_u64(&out[i], &m->items[f->first + i]))
			return field_fail(m, key, "all whole numbers", err);
	return 0;
}

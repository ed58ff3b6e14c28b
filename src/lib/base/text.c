#include "base/text.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdint.h>

#include "base/mem.h"

#define SENTENCE_MOST 2000u

/* length of the UTF-8 sequence at p (1..4) and its code point, or 0 where invalid:
 * overlong forms, surrogates and values above U+10FFFF are (Unicode 15, table 3-7) */
static size_t decode(uint32_t *code, const unsigned char *p, size_t n)
{
	if (p[0] < 0x80) {
		*code = p[0];
		return 1;
	}
	size_t length = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
	if (p[0] < 0xc2 || p[0] > 0xf4 || length > n)
		return 0;
	uint32_t value = p[0] & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (p[i] & 0x3f);
	}
	if ((length == 3 && value < 0x800) || (length == 4 && value < 0x10000) ||
		(value >= 0xd800 && value < 0xe000) || value > 0x10ffff)
		return 0;
	*code = value;
	return length;
}

size_t ba_text_utf8(const char *text, size_t size)
{
	uint32_t ignored;
	return size ? decode(&ignored, (const unsigned char *)text, size) : 0;
}

bool ba_text_is_utf8(const char *text, size_t size)
{
	size_t i = 0;
	/* eight bytes at a time, as long as they are ASCII without a NUL */
	for (uint64_t word; i + 8 <= size; i += 8) {
		memcpy(&word, text + i, 8);
		if ((word | (word - UINT64_C(0x0101010101010101))) & UINT64_C(0x8080808080808080))
			break;
	}
	while (i < size) {
		size_t n = (unsigned char)text[i] < 0x80 ? text[i] != '\0'
							 : ba_text_utf8(text + i, size - i);
		if (n == 0)
			return false;
		i += n;
	}
	return true;
}

/* C0 and C1 controls, and the marks that reorder text (Trojan Source) */
static bool is_hostile(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e ||
	       code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
	       (code >= 0x2066 && code <= 0x2069) || code == 0x2028 || code == 0x2029 ||
	       code == 0xfeff;
}

unsigned ba_text_hostile(const char *text, size_t size)
{
	uint32_t code = 0;
	return size && decode(&code, (const unsigned char *)text, size) && is_hostile(code) ? code
											    : 0;
}

static size_t plain_length(const unsigned char *p, size_t n)
{
	size_t i = 0;
	while (i < n && p[i] >= 0x20 && p[i] < 0x7f)
		i++;
	return i;
}

void ba_text_sanitize(ba_buf *out, const char *text, size_t n, bool keep_lines)
{
	const unsigned char *p = (const unsigned char *)text;
	while (n > 0) {
		size_t plain = plain_length(p, n);
		ba_buf_put(out, p, plain);
		p += plain;
		n -= plain;
		if (n == 0)
			return;
		uint32_t code = 0;
		size_t length = decode(&code, p, n);
		if (length && keep_lines && (code == '\n' || code == '\t'))
			ba_buf_putc(out, (char)code);
		else if (length == 0 || (is_hostile(code) && code < 0x80))
			ba_buf_printf(out, "\\x%02x", p[0]);
		else if (is_hostile(code))
			ba_buf_printf(out, "\\u%04x", code);
		else
			ba_buf_put(out, p, length);
		length = length ? length : 1;
		p += length;
		n -= length;
	}
}

char *ba_text_safe(const char *text)
{
	ba_buf out = BA_BUF_INIT;
	ba_text_sanitize(&out, text, strlen(text), false);
	return ba_buf_detach(&out);
}

void ba_text_own(char **where, char *text)
{
	free(*where);
	*where = text;
}

void ba_text_replace(char **where, const char *text)
{
	ba_text_own(where, ba_xstrdup(text));
}

static bool is_inside_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

char *ba_text_sentence(const char *text)
{
	ba_buf out = BA_BUF_INIT;
	size_t size = strnlen(text, SENTENCE_MOST + 1), n = size;
	if (size > SENTENCE_MOST)
		for (n = SENTENCE_MOST; n > 0 && is_inside_character(text[n]); n--)
			;
	ba_text_sanitize(&out, text, n, false);
	ba_buf_puts(&out, n < size ? "..." : "");
	return ba_buf_detach(&out);
}

const char *ba_text_last_bytes(const char *text, size_t most)
{
	size_t size = strlen(text);
	const char *from = text + (size > most ? size - most : 0);
	while (from > text && is_inside_character(*from))
		from++;
	return from;
}

static unsigned columns_of(uint32_t code)
{
	if ((code >= 0x300 && code <= 0x36f) || (code >= 0x200b && code <= 0x200f) ||
		(code >= 0x20d0 && code <= 0x20ff) || (code >= 0xfe00 && code <= 0xfe0f))
		return 0;
	if ((code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) ||
		(code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) ||
		(code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) ||
		(code >= 0xffe0 && code <= 0xffe6) || (code >= 0x1f300 && code <= 0x1faff) ||
		(code >= 0x20000 && code <= 0x3fffd))
		return 2;
	return 1;
}

size_t ba_text_width(const char *text)
{
	return ba_text_width_of(text, strlen(text));
}

size_t ba_text_width_of(const char *text, size_t n)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t width = 0;
	while (n > 0) {
		uint32_t code = 0;
		size_t length = decode(&code, p, n);
		width += length ? columns_of(code) : 1;
		length = length ? length : 1;
		p += length;
		n -= length;
	}
	return width;
}

size_t ba_text_letter(const char *text)
{
	/* spaces and invisible characters; private use; plane 14 (tags) and beyond */
	static const struct {
		uint32_t first, last;
	} unseen[] = {{0xa0, 0xa0}, {0xad, 0xad}, {0x61c, 0x61c}, {0x115f, 0x1160},
		{0x1680, 0x1680}, {0x17b4, 0x17b5}, {0x180b, 0x180f}, {0x2000, 0x200f},
		{0x2028, 0x202f}, {0x205f, 0x206f}, {0x2800, 0x2800}, {0x3000, 0x3000},
		{0x3164, 0x3164}, {0xe000, 0xf8ff}, {0xfdd0, 0xfdef}, {0xfe00, 0xfe0f},
		{0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff0, 0xffff}, {0xe0000, 0x10ffff}};
	uint32_t code = 0;
	size_t length = decode(&code, (const unsigned char *)text, strlen(text));
	if (length < 2 || is_hostile(code))
		return 0;
	for (size_t i = 0; i < BA_COUNT(unseen); i++)
		if (code >= unseen[i].first && code <= unseen[i].last)
			return 0;
	return length;
}

void ba_text_ascii(char *text)
{
	enum { EM_DASH = 0x2014, MICRO = 0xb5 };
	const unsigned char *p = (const unsigned char *)text;
	size_t n = strlen(text);
	/* never writes more bytes than were read: a character of two columns has
	 * at least three bytes */
	while (n > 0) {
		uint32_t code = 0;
		size_t length = decode(&code, p, n);
		unsigned columns = length ? columns_of(code) : 1;
		char plain = *p < 0x80	       ? (char)*p
			     : code == EM_DASH ? '-'
			     : code == MICRO   ? 'u'
					       : '?';
		length = length ? length : 1;
		for (unsigned i = 0; i < columns; i++)
			*text++ = plain;
		p += length;
		n -= length;
	}
	*text = '\0';
}

bool ba_text_glob(const char *pattern, const char *text)
{
	return fnmatch(pattern, text, 0) == 0;
}

char *ba_text_glob_of(const char *text)
{
	BA_AUTO(ba_buf) ba_buf glob = BA_BUF_INIT;
	for (const char *c = text; *c; c++)
		ba_buf_printf(&glob, strchr("*?[", *c) ? "[%c]" : "%c", *c);
	return ba_buf_detach(&glob);
}

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t m = a < b ? a : b;
	return m < c ? m : c;
}

/* optimal string alignment distance, capped inputs */
static size_t distance(const char *a, const char *b)
{
	size_t n = strnlen(a, 64), m = strnlen(b, 64);
	size_t rows[3][65];
	for (size_t j = 0; j <= m; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t *now = rows[i % 3], *last = rows[(i + 2) % 3];
		const size_t *before = rows[(i + 1) % 3];
		now[0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t cost = a[i - 1] != b[j - 1];
			now[j] = min3(now[j - 1] + 1, last[j] + 1, last[j - 1] + cost);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
				before[j - 2] + 1 < now[j])
				now[j] = before[j - 2] + 1;
		}
	}
	return rows[n % 3][m];
}

const char *ba_text_nearest(const char *word, const char *const *candidates)
{
	const char *best = NULL;
	size_t best_distance = strlen(word) / 3 + 2;
	for (; *candidates; candidates++) {
		size_t d = distance(word, *candidates);
		if (d < best_distance && d < strlen(*candidates)) {
			best = *candidates;
			best_distance = d;
		}
	}
	return best;
}

bool ba_text_starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

const char *ba_env_value(const char *entry, const char *name)
{
	size_t size = strlen(name);
	return ba_text_starts(entry, name) && entry[size] == '=' ? entry + size + 1 : NULL;
}

const char *ba_env_find(const char *const *env, const char *name)
{
	while (env && *env && !ba_env_value(*env, name))
		env++;
	return env && *env ? ba_env_value(*env, name) : NULL;
}

bool ba_text_ends(const char *text, const char *suffix)
{
	size_t n = strlen(text), m = strlen(suffix);
	return n >= m && strcmp(text + n - m, suffix) == 0;
}

const char *ba_text_last_lines(const char *text, size_t n)
{
	const char *end = text + strlen(text);
	const char *p = end;
	if (p > text && p[-1] == '\n')
		p--;
	while (p > text) {
		if (p[-1] == '\n' && --n == 0)
			break;
		p--;
	}
	return p;
}

/* ---- commands of CI systems in a log ---- */

/* an escape sequence that sets colours, or one invisible character */
static size_t unseen(const char *at)
{
	if (*at == ' ' || *at == '\t' || *at == '\r')
		return 1;
	if (strncmp(at, "\033[", 2) == 0) {
		size_t n = 2 + strspn(at + 2, "0123456789;");
		return at[n] == 'm' ? n + 1 : 0;
	}
	return (unsigned char)*at >= 0x80 && !ba_text_letter(at) ? ba_text_utf8(at, strlen(at)) : 0;
}

static bool begins_a_line(const char *at)
{
	for (size_t n = unseen(at); n; n = unseen(at))
		at += n;
	return strncmp(at, "::", 2) == 0;
}

static bool is_marked(const char *at)
{
	if (strncmp(at, "##", 2) != 0)
		return false;
	for (at += 2; isalpha((unsigned char)*at); at++)
		;
	return *at == '[';
}

/* The first command in text, or NULL; `fresh`: the text begins a line. */
static const char *next_command(const char *text, bool fresh)
{
	const char *hash = strchr(text, '#'), *line = strchr(text, '\n');
	if (fresh && begins_a_line(text))
		return strchr(text, ':');
	while (hash || line) {
		bool ends = line && (!hash || line < hash);
		text = 1 + (ends ? line : hash);
		if (ends ? begins_a_line(text) : is_marked(text - 1))
			return ends ? strchr(text, ':') : text - 1;
		*(ends ? &line : &hash) = strchr(text, ends ? '\n' : '#');
	}
	return NULL;
}

void ba_text_disarm(ba_buf *text)
{
	const char *rest = text->data, *at = next_command(rest, true);
	if (!at)
		return;
	BA_AUTO(ba_buf) ba_buf safe = BA_BUF_INIT;
	for (; at; at = next_command(rest, false)) {
		ba_buf_put(&safe, rest, (size_t)(at - rest));
		ba_buf_printf(&safe, "\\x%02x", (unsigned char)*at);
		rest = at + 1;
	}
	ba_buf_puts(&safe, rest);
	ba_buf_clear(text);
	ba_buf_put(text, safe.data, safe.len);
}

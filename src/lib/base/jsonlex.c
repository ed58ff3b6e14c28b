#include "base/jsonlex.h"

#include "base/base.h"

enum { WINDOW = 1 << 18, RUN = BA_LEX_SPARE };

/* ---- bytes ---- */

static void look_from(ba_lex *l, const char *at)
{
	size_t seen = l->stop - l->base < l->len ? l->stop - l->base : l->len;
	l->at = at;
	l->end = l->data + seen;
}

void ba_lex_memory(ba_lex *l, const char *text, size_t size)
{
	*l = (ba_lex){.data = text ? text : "",
		.len = size,
		.stop = SIZE_MAX,
		.fd = -1,
		.line = 1,
		.ended = true};
	look_from(l, l->data);
}

void ba_lex_file(ba_lex *l, int fd)
{
	char *window = ba_xmalloc(WINDOW);
	*l = (ba_lex){.data = window, .window = window, .stop = SIZE_MAX, .fd = fd, .line = 1};
	look_from(l, window);
}

void ba_lex_dispose(ba_lex *l)
{
	free(l->window);
	*l = (ba_lex){.fd = -1};
}

void ba_lex_part(ba_lex *l, size_t from, size_t to)
{
	l->stop = to;
	l->line = 1;
	if (l->window && (from < l->base || from >= l->base + l->len)) {
		l->base = from;
		l->len = 0;
		l->ended = false;
		if (lseek(l->fd, (off_t)from, SEEK_SET) < 0)
			l->io_errno = errno;
	}
	look_from(l, l->data + (from - l->base));
}

size_t ba_lex_reach(ba_lex *l, size_t n)
{
	size_t has = (size_t)(l->end - l->at), offset = ba_lex_offset(l);
	if (has >= n || l->ended || offset + has == l->stop)
		return has;
	memmove(l->window, l->at, has);
	l->base = offset;
	l->len = has;
	while (l->len < WINDOW && !l->ended) {
		ssize_t got = ba_fs_read_some(l->fd, l->window + l->len, WINDOW - l->len);
		if (got < 0)
			l->io_errno = errno;
		l->ended = got <= 0;
		l->len += got > 0 ? (size_t)got : 0;
	}
	look_from(l, l->window);
	return (size_t)(l->end - l->at);
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

void ba_lex_locate(const ba_lex *l, size_t offset, unsigned *line, unsigned *column)
{
	*line = *column = 1;
	if (!l->window) {
		step(l->data, offset, line, column);
		return;
	}
	BA_AUTO_FREE char *text = ba_xmalloc(WINDOW);
	for (size_t at = 0; at < offset;) {
		size_t n = offset - at < WINDOW ? offset - at : WINDOW;
		ssize_t got = pread(l->fd, text, n, (off_t)at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		step(text, (size_t)got, line, column);
		at += (size_t)got;
	}
}

/* ---- tokens ---- */

/* Takes a comment; false if none begins here, or if it has no end. */
static bool take_comment(ba_lex *l)
{
	size_t has = ba_lex_reach(l, 2);
	bool line = has > 1 && l->at[1] == '/', block = has > 1 && l->at[1] == '*';
	const char *end = line	  ? memchr(l->at, '\n', has)
			  : block ? memmem(l->at + 2, has - 2, "*/", 2)
				  : NULL;
	if (!end && !line)
		return false;
	end = !end ? l->end : end + (block ? 2 : 0);
	for (; l->at < end; l->at++)
		l->line += *l->at == '\n';
	return true;
}

int ba_lex_skip_space(ba_lex *l)
{
	for (;;) {
		int byte = ba_lex_peek(l);
		if (byte == '/' && l->comments && take_comment(l))
			continue;
		if (byte == '\n')
			l->line++;
		else if (byte != ' ' && byte != '\t' && byte != '\r')
			return byte;
		l->at++;
	}
}

void ba_lex_skip_mark(ba_lex *l)
{
	if (ba_lex_reach(l, 3) >= 3 && memcmp(l->at, "\xef\xbb\xbf", 3) == 0)
		l->at += 3;
}

size_t ba_lex_word(ba_lex *l, size_t most)
{
	static const bool in_word[256] = {['0' ... '9'] = true,
		['A' ... 'Z'] = true,
		['a' ... 'z'] = true,
		['+'] = true,
		['-'] = true,
		['.'] = true};
	size_t has = ba_lex_reach(l, most), n = 0;
	has = has < most ? has : most;
	while (n < has && in_word[(unsigned char)l->at[n]])
		n++;
	return n;
}

/* ---- strings ---- */

static void put_utf8(ba_buf *out, unsigned c)
{
	char text[4];
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	for (size_t i = n; i-- > 1; c >>= 6)
		text[i] = (char)(0x80 | (c & 0x3f));
	static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
	text[0] = (char)(lead[n] | c);
	ba_buf_put(out, text, n);
}

/* Reads four hexadecimal digits; -1, before the first other byte, if there are fewer. */
static int hex4(ba_lex *l)
{
	int value = 0;
	for (int i = 0; i < 4; i++, l->at++) {
		int byte = ba_lex_peek(l);
		if (byte < 0 || !isxdigit(byte))
			return -1;
		value = value * 16 + (isdigit(byte) ? byte - '0' : (byte | 32) - 'a' + 10);
	}
	return value;
}

/* the digits after \u, and the other half of a surrogate pair */
static ba_lex_fault unicode_escape(ba_buf *out, ba_lex *l)
{
	int code = hex4(l);
	if (code <= 0)
		return code ? BA_LEX_HEX : BA_LEX_ZERO;
	if (code >= 0xd800 && code <= 0xdfff) {
		bool pair =
			code <= 0xdbff && ba_lex_reach(l, 2) >= 2 && memcmp(l->at, "\\u", 2) == 0;
		l->at += pair ? 2 : 0;
		int low = pair ? hex4(l) : -1;
		if (low < 0xdc00 || low > 0xdfff)
			return BA_LEX_HALF;
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
	}
	if (out)
		put_utf8(out, (unsigned)code);
	return BA_LEX_FINE;
}

static ba_lex_fault escape(ba_buf *out, ba_lex *l)
{
	static const char from[] = "\"\\/bfnrtu", to[] = "\"\\/\b\f\n\r\t";
	l->escape_at = ba_lex_offset(l);
	l->at++;
	int byte = ba_lex_peek(l);
	const char *found = byte > 0 ? strchr(from, byte) : NULL;
	if (!found)
		return BA_LEX_ESCAPE;
	l->at++;
	if (byte == 'u')
		return unicode_escape(out, l);
	if (out)
		ba_buf_putc(out, to[found - from]);
	return BA_LEX_FINE;
}

/* ASCII that stands for itself in a string */
static const bool is_plain[256] = {
	[' ' ... '!'] = true, ['#' ... '['] = true, [']' ... 0x7f] = true};

/* takes plain characters as far as they are in reach; with `out` at most RUN of them */
static void take_plain(ba_buf *out, ba_lex *l)
{
	const char *at = l->at, *end = l->end;
	if (out) {
		end = end - at > RUN ? at + RUN : end;
		if (out->capacity - out->len <= RUN)
			ba_buf_reserve(out, RUN);
		char *to = out->data + out->len;
		while (at < end && is_plain[(unsigned char)*at])
			*to++ = *at++;
		*to = '\0';
		out->len = (size_t)(to - out->data);
	} else {
		while (at < end && is_plain[(unsigned char)*at])
			at++;
	}
	l->at = at;
}

/* takes a character beyond ASCII, or a byte that is not part of a character */
static void take_high(ba_buf *out, ba_lex *l)
{
	size_t has = ba_lex_reach(l, 4), n = ba_text_utf8(l->at, has);
	if (n == 0) {
		if (!l->odd_byte) {
			l->odd_byte = (unsigned char)*l->at;
			l->odd_at = ba_lex_offset(l);
		}
		n = 1;
	}
	if (out)
		ba_buf_put(out, l->at, n);
	l->at += n;
}

ba_lex_fault ba_lex_string(ba_buf *out, size_t most, ba_lex *l)
{
	size_t before = out ? out->len : 0;
	l->odd_byte = 0;
	l->at++;
	for (;;) {
		ba_lex_fault fault = BA_LEX_FINE;
		int byte = ba_lex_peek(l);
		if (byte == '"') {
			l->at++;
			return BA_LEX_FINE;
		}
		if (byte < 0x20)
			return byte < 0 ? BA_LEX_UNCLOSED : BA_LEX_CONTROL;
		if (byte == '\\')
			fault = escape(out, l);
		else if (byte < 0x80)
			take_plain(out, l);
		else
			take_high(out, l);
		if (fault)
			return fault;
		if (out && out->len - before > most)
			return BA_LEX_LONG;
	}
}

#include "base/base.h"

/* bytes of the next word; a per cent sign belongs to the number before it */
static size_t word_length(const char *text)
{
	size_t length = strcspn(text, " ");
	while (text[length] == ' ' && text[length + 1] == '%')
		length += 1 + strcspn(text + length + 1, " ");
	return length;
}

void ba_text_fold(ba_buf *out, const char *text, size_t width, size_t indent, size_t column)
{
	bool empty = true; /* the line contains only the indent so far */
	text += strspn(text, " ");
	while (*text) {
		size_t length = word_length(text);
		size_t columns = ba_text_width_of(text, length);
		if (!empty && column + 1 + columns > width) {
			ba_buf_putc(out, '\n');
			ba_buf_pad(out, ' ', indent);
			column = indent;
			empty = true;
		}
		if (!empty) {
			ba_buf_putc(out, ' ');
			column++;
		}
		ba_buf_put(out, text, length);
		column += columns;
		empty = false;
		text += length;
		text += strspn(text, " ");
	}
}

/* bytes of the character at p, in NUL-terminated text of any origin */
static size_t character(const char *p)
{
	size_t length = 1;
	while (((unsigned char)p[length] & 0xc0) == 0x80)
		length++;
	return length;
}

/* bytes of the longest prefix that fits into `width` columns */
static size_t beginning(const char *text, size_t width)
{
	size_t bytes = 0, used = 0;
	while (text[bytes]) {
		size_t length = character(text + bytes);
		used += ba_text_width_of(text + bytes, length);
		if (used > width)
			break;
		bytes += length;
	}
	return bytes;
}

static const char *ending(const char *text, size_t width)
{
	size_t left = ba_text_width(text);
	while (left > width) {
		size_t length = character(text);
		left -= ba_text_width_of(text, length);
		text += length;
	}
	return text;
}

void ba_text_break(ba_buf *out, const char *text, size_t width)
{
	size_t indent = 0;
	for (;;) {
		size_t most = beginning(text, width - indent), end = most;
		ba_buf_pad(out, ' ', indent);
		if (!text[most])
			break;
		while (end && text[end - 1] != '/' && text[end - 1] != ',')
			end--;
		end = end ? end : most ? most : character(text);
		ba_buf_printf(out, "%.*s\n", (int)end, text);
		text += end;
		indent = 2;
	}
	ba_buf_puts(out, text);
}

/* `bytes` of text, without the digits of a number that would be cut */
static size_t without_half_number(const char *text, size_t bytes)
{
	size_t end = bytes;
	while (end && ba_is_digit(text[end]) && ba_is_digit(text[end - 1]))
		end--;
	return end ? end : bytes;
}

/* `end`, or the end of the number that contains it */
static const char *behind_half_number(const char *text, const char *end)
{
	const char *next = end;
	while (next > text && ba_is_digit(next[-1]) && ba_is_digit(*next))
		next++;
	return *next ? next : end;
}

char *ba_text_shorten_at(const char *text, size_t width, size_t head, bool unicode)
{
	if (ba_text_width(text) <= width)
		return ba_xstrdup(text);
	const char *gap = unicode ? "…" : "..";
	size_t rest = width - ba_text_width(gap);
	BA_AUTO_FREE char *begin =
		ba_xstrndup(text, without_half_number(text, beginning(text, head)));
	const char *end = ending(text, rest - ba_text_width(begin));
	return ba_xprintf("%s%s%s", begin, gap, behind_half_number(text, end));
}

char *ba_text_shorten(const char *text, size_t width, bool unicode)
{
	return ba_text_shorten_at(text, width, (width - (unicode ? 1 : 2)) / 2, unicode);
}

char *ba_text_cut(const char *text, size_t width, bool unicode)
{
	if (ba_text_width(text) <= width)
		return ba_xstrdup(text);
	const char *gap = unicode ? "…" : "..";
	size_t head = width - ba_text_width(gap);
	return ba_xprintf("%.*s%s", (int)beginning(text, head), text, gap);
}

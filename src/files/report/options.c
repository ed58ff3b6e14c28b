#include "report/options.h"

/* the 256-colour codes are legible on light and dark backgrounds, and differ in
 * lightness for readers who cannot distinguish red and green */
static const char *const sequences[BA_INK_COUNT][3] = {
	[BA_INK_PLAIN] = {"", "", ""},
	[BA_INK_BOLD] = {"", "\033[1m", "\033[1m"},
	[BA_INK_DIM] = {"", "\033[2m", "\033[38;5;245m"},
	[BA_INK_GOOD] = {"", "\033[32m", "\033[38;5;35m"},
	[BA_INK_BAD] = {"", "\033[1;31m", "\033[1;38;5;160m"},
	[BA_INK_DOUBT] = {"", "\033[33m", "\033[38;5;172m"},
};

void ba_ink_put(ba_buf *out, ba_colour colour, ba_ink ink, const char *text)
{
	ba_buf_puts(out, sequences[ink][colour]);
	ba_buf_puts(out, text);
	if (colour != BA_COLOUR_NONE && ink != BA_INK_PLAIN)
		ba_buf_puts(out, "\033[0m");
}

enum { SPILL_BYTES = 1 << 16 };

size_t ba_format_width(const ba_format_options *o)
{
	return o->width ? o->width : 80;
}

void ba_format_spill(ba_buf *out, const ba_format_options *o)
{
	if (!o->file || out->len < SPILL_BYTES)
		return;
	ba_text_disarm(out);
	fwrite(out->data, 1, out->len, o->file);
	ba_buf_clear(out);
}

void ba_format_remark(ba_buf *out, const ba_format_options *o, size_t indent, ba_ink ink,
	const char *lead, const char *text)
{
	BA_AUTO_FREE char *safe = ba_text_safe(text);
	ba_ink_put(out, o->colour, ink, lead);
	ba_text_fold(out, safe, ba_format_width(o), indent, ba_text_width(lead));
	ba_buf_putc(out, '\n');
}

void ba_format_sentence(
	ba_buf *out, const ba_format_options *o, size_t indent, const char *fmt, ...)
{
	BA_FORMATTED(text, fmt);
	ba_format_remark(out, o, indent, BA_INK_PLAIN, "", text);
}

void ba_format_line(ba_buf *out, const ba_format_options *o, ba_ink ink, const char *fmt, ...)
{
	BA_FORMATTED(text, fmt);
	BA_AUTO_FREE char *safe = ba_text_safe(text);
	ba_ink_put(out, o->colour, ink, safe);
	ba_buf_putc(out, '\n');
}

void ba_format_ascii(ba_buf *out, const ba_format_options *o, size_t start)
{
	if (o->unicode || out->len == start)
		return;
	ba_text_ascii(out->data + start);
	ba_buf_truncate(out, start + strlen(out->data + start));
}

#include "report/options.h"

#include "base/fold.h"

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

void ba_format_sentence(ba_buf *out, const ba_format_options *o, size_t indent, const char *text)
{
	ba_format_remark(out, o, indent, BA_INK_PLAIN, "", text);
}

void ba_format_line(ba_buf *out, const ba_format_options *o, ba_ink ink, const char *text)
{
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

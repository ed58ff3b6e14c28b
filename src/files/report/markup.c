#include "report/markup.h"

#include "base/base.h"
#include "base/fold.h"

static const char *entity_of(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

static void put_safe(ba_buf *out, const char *safe)
{
	for (const char *c = safe; *c; c++) {
		const char *entity = entity_of(*c);
		/* U+FFFE and U+FFFF are UTF-8 and no characters of XML */
		bool none =
			strncmp(c, "\xef\xbf\xbe", 3) == 0 || strncmp(c, "\xef\xbf\xbf", 3) == 0;
		if (entity)
			ba_buf_puts(out, entity);
		else if (none)
			ba_buf_puts(out, "\xef\xbf\xbd");
		else
			ba_buf_putc(out, *c);
		c += none ? 2 : 0;
	}
}

void ba_markup_put(ba_buf *out, const char *text)
{
	BA_AUTO_FREE char *safe = ba_text_safe(text ? text : "");
	put_safe(out, safe);
}

void ba_markup_put_short(ba_buf *out, const char *text, size_t columns)
{
	BA_AUTO_FREE char *safe = ba_text_safe(text ? text : "");
	BA_AUTO_FREE char *cut = ba_text_shorten(safe, columns, true);
	put_safe(out, cut);
}

void ba_markup_put_lines(ba_buf *out, const char *text)
{
	BA_AUTO(ba_buf) ba_buf safe = BA_BUF_INIT;
	if (text)
		ba_text_sanitize(&safe, text, strlen(text), true);
	put_safe(out, safe.data);
}

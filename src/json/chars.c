#include "json/chars.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"

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

void ba_json_put_code(ba_buf *out, unsigned c)
{
	if (c < 0x80) {
		ba_buf_putc(out, (char)c);
		return;
	}
	if (c < 0x800) {
		ba_buf_putc(out, (char)(0xc0 | c >> 6));
	} else {
		if (c < 0x10000) {
			ba_buf_putc(out, (char)(0xe0 | c >> 12));
		} else {
			ba_buf_putc(out, (char)(0xf0 | c >> 18));
			ba_buf_putc(out, (char)(0x80 | (c >> 12 & 0x3f)));
		}
		ba_buf_putc(out, (char)(0x80 | (c >> 6 & 0x3f)));
	}
	ba_buf_putc(out, (char)(0x80 | (c & 0x3f)));
}

static bool is_plain(const char *key)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	return *key && !key[strspn(key, letters)];
}

void ba_json_put_key(ba_buf *out, const char *key)
{
	if (is_plain(key)) {
		ba_buf_printf(out, ".%s", key);
	} else {
		BA_AUTO_FREE char *safe = ba_text_safe(key);
		ba_buf_printf(out, "[\"%s\"]", safe);
	}
}

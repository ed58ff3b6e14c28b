#include <inttypes.h>
#include <math.h>

#include "wire/message.h"

static void put_string(ba_buf *out, const char *text)
{
	ba_buf_putc(out, '"');
	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		if (*p == '"' || *p == '\\')
			ba_buf_printf(out, "\\%c", *p);
		else if (*p < 0x20)
			ba_buf_printf(out, "\\u%04x", *p);
		else
			ba_buf_putc(out, (char)*p);
	}
	ba_buf_putc(out, '"');
}

static void put_key(ba_buf *out, const char *key)
{
	ba_buf_putc(out, ',');
	put_string(out, key);
	ba_buf_putc(out, ':');
}

void ba_message_begin(ba_buf *out, const char *type)
{
	ba_buf_puts(out, "{\"t\":");
	put_string(out, type);
}

void ba_message_put_text(ba_buf *out, const char *key, const char *value)
{
	put_key(out, key);
	put_string(out, value ? value : "");
}

void ba_message_put_u64(ba_buf *out, const char *key, uint64_t value)
{
	put_key(out, key);
	ba_buf_printf(out, "%" PRIu64, value);
}

void ba_message_put_i64(ba_buf *out, const char *key, int64_t value)
{
	put_key(out, key);
	ba_buf_printf(out, "%" PRId64, value);
}

void ba_message_put_f64(ba_buf *out, const char *key, double value)
{
	put_key(out, key);
	if (isfinite(value))
		ba_buf_printf(out, "%.17g", value);
	else
		ba_buf_puts(out, "null");
}

void ba_message_put_bool(ba_buf *out, const char *key, bool value)
{
	put_key(out, key);
	ba_buf_puts(out, value ? "true" : "false");
}

void ba_message_put_texts(ba_buf *out, const char *key, const char *const *v, size_t n)
{
	put_key(out, key);
	ba_buf_putc(out, '[');
	for (size_t i = 0; i < n; i++) {
		if (i)
			ba_buf_putc(out, ',');
		put_string(out, v[i]);
	}
	ba_buf_putc(out, ']');
}

/* for samples, of which there are too many for printf */
static void put_digits(ba_buf *out, uint64_t value)
{
	char digits[20];
	size_t n = sizeof(digits);
	do
		digits[--n] = (char)('0' + value % 10);
	while ((value /= 10) != 0);
	ba_buf_put(out, digits + n, sizeof(digits) - n);
}

void ba_message_put_u64s(ba_buf *out, const char *key, const uint64_t *v, size_t n)
{
	put_key(out, key);
	ba_buf_putc(out, '[');
	for (size_t i = 0; i < n; i++) {
		if (i)
			ba_buf_putc(out, ',');
		put_digits(out, v[i]);
	}
	ba_buf_putc(out, ']');
}

void ba_message_put_bytes(ba_buf *out, const char *key, const uint8_t *v, size_t n)
{
	put_key(out, key);
	ba_buf_putc(out, '[');
	for (size_t i = 0; i < n; i++) {
		if (i)
			ba_buf_putc(out, ',');
		put_digits(out, v[i]);
	}
	ba_buf_putc(out, ']');
}

void ba_message_end(ba_buf *out)
{
	ba_buf_puts(out, "}\n");
}

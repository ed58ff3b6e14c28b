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

static void put_list(ba_buf *out, const ba_say *f)
{
	ba_buf_putc(out, '[');
	for (size_t i = 0; i < f->count; i++) {
		if (i)
			ba_buf_putc(out, ',');
		if (f->kind == BA_SAYS_TEXTS)
			put_string(out, f->texts[i]);
		else
			put_digits(out, f->kind == BA_SAYS_BYTES ? f->bytes[i] : f->u64s[i]);
	}
	ba_buf_putc(out, ']');
}

static void put_field(ba_buf *out, const ba_say *f)
{
	ba_buf_putc(out, ',');
	put_string(out, f->key);
	ba_buf_putc(out, ':');
	if (f->kind == BA_SAYS_TEXT)
		put_string(out, f->text ? f->text : "");
	else if (f->kind == BA_SAYS_U64)
		ba_buf_printf(out, "%" PRIu64, f->u64);
	else if (f->kind == BA_SAYS_I64)
		ba_buf_printf(out, "%" PRId64, f->i64);
	else if (f->kind == BA_SAYS_F64 && isfinite(f->f64))
		ba_buf_printf(out, "%.17g", f->f64);
	else if (f->kind == BA_SAYS_F64)
		ba_buf_puts(out, "null");
	else if (f->kind == BA_SAYS_BOOL)
		ba_buf_puts(out, f->u64 ? "true" : "false");
	else
		put_list(out, f);
}

void ba_message_begin(ba_buf *out, const char *type)
{
	ba_buf_puts(out, "{\"t\":");
	put_string(out, type);
}

void ba_message_add(ba_buf *out, const ba_say *fields, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fields[i].key)
			put_field(out, &fields[i]);
}

void ba_message_end(ba_buf *out)
{
	ba_buf_puts(out, "}\n");
}

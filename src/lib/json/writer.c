#include "json/writer.h"

#define EXACT UINT64_C(9007199254740991) /* 2^53 - 1 */
#define FLUSH_BYTES (64u << 10)

ba_json_writer ba_json_writer_to_buf(ba_buf *out, unsigned indent)
{
	return (ba_json_writer){.out = out, .indent = indent, .pending = BA_BUF_INIT};
}

void ba_json_writer_to_file(ba_json_writer *w, FILE *file, unsigned indent)
{
	*w = (ba_json_writer){.file = file, .indent = indent, .pending = BA_BUF_INIT};
	w->out = &w->pending;
}

static void digest(ba_json_writer *w)
{
	if (w->digests)
		ba_json_digest_add(
			&w->digest, w->out->data + w->digested, w->out->len - w->digested);
	w->digested = w->out->len;
}

static void flush(ba_json_writer *w)
{
	digest(w);
	w->digested = 0;
	if (!w->error && fwrite(w->out->data, 1, w->out->len, w->file) != w->out->len)
		w->error = errno ? errno : EIO;
	ba_buf_clear(w->out);
}

int ba_json_writer_finish(ba_json_writer *w, ba_error *err)
{
	BA_REQUIRE(!w->depth);
	flush(w);
	if (!w->error && fflush(w->file))
		w->error = errno;
	ba_buf_dispose(&w->pending);
	if (!w->error)
		return 0;
	errno = w->error;
	return ba_fail_errno(err, BA_EIO, "writing JSON");
}

void ba_json_put_text(ba_buf *out, const char *text)
{
	static const char plain[] = "\b\f\n\r\t\"\\", escape[] = "bfnrt\"\\";
	size_t size = strlen(text);
	ba_buf_putc(out, '"');
	while (size) {
		size_t length = ba_text_utf8(text, size);
		unsigned char byte = (unsigned char)*text;
		const char *special = memchr(plain, byte, sizeof(plain) - 1);
		if (!length) {
			ba_buf_puts(out, "\xef\xbf\xbd");
			length = 1;
		} else if (special) {
			ba_buf_putc(out, '\\');
			ba_buf_putc(out, escape[special - plain]);
		} else if (ba_text_hostile(text, size)) {
			ba_buf_printf(out, "\\u%04x", ba_text_hostile(text, size));
		} else if (byte == '#' && out->data[out->len - 1] == '#') {
			ba_buf_puts(out, "\\u0023"); /* "##[" is a command in a log */
		} else {
			ba_buf_put(out, text, length);
		}
		text += length;
		size -= length;
	}
	ba_buf_putc(out, '"');
}

static void new_line(ba_json_writer *w)
{
	if (w->indent) {
		ba_buf_putc(w->out, '\n');
		ba_buf_pad(w->out, ' ', (size_t)w->indent * w->depth);
	}
}

/* Writes the text before a value: a comma, a line break, its key. */
static void begin(ba_json_writer *w, const char *key)
{
	ba_json_level *level = w->depth ? &w->levels[w->depth - 1] : NULL;
	BA_REQUIRE(!key == !(level && level->close == '}'));
	if (w->file && w->out->len >= FLUSH_BYTES)
		flush(w);
	if (!level)
		return;
	if (level->filled)
		ba_buf_putc(w->out, ',');
	if (!level->flat)
		new_line(w);
	else if (level->filled && w->indent)
		ba_buf_putc(w->out, ' ');
	level->filled = true;
	if (key) {
		ba_json_put_text(w->out, key);
		ba_buf_puts(w->out, w->indent ? ": " : ":");
	}
}

static void open_level(ba_json_writer *w, const char *key, char open, char close, bool flat)
{
	begin(w, key);
	BA_REQUIRE(w->depth < BA_JSON_WRITER_DEPTH);
	/* Whatever is inside a one-line value is on that line, too. */
	flat = flat || (w->depth && w->levels[w->depth - 1].flat);
	ba_buf_putc(w->out, open);
	w->levels[w->depth++] = (ba_json_level){.close = close, .flat = flat};
}

void ba_json_begin_digest(ba_json_writer *w)
{
	BA_REQUIRE(!w->depth && !w->digests);
	ba_json_digest_init(&w->digest);
	w->digests = true;
	w->digested = w->out->len;
}

void ba_json_write_digest(ba_json_writer *w)
{
	char found[65];
	BA_REQUIRE(w->depth == 1 && w->levels[0].filled && w->digests);
	digest(w);
	w->digests = false;
	ba_json_digest_close(found, &w->digest);
	ba_json_write_string(w, BA_JSON_DIGEST_KEY, found);
}

void ba_json_open_object(ba_json_writer *w, const char *key)
{
	open_level(w, key, '{', '}', false);
}

void ba_json_open_array(ba_json_writer *w, const char *key)
{
	open_level(w, key, '[', ']', false);
}

void ba_json_open_row(ba_json_writer *w, const char *key)
{
	open_level(w, key, '[', ']', true);
}

void ba_json_close(ba_json_writer *w)
{
	BA_REQUIRE(w->depth);
	ba_json_level level = w->levels[--w->depth];
	if (level.filled && !level.flat)
		new_line(w);
	ba_buf_putc(w->out, level.close);
}

void ba_json_write_string(ba_json_writer *w, const char *key, const char *text)
{
	begin(w, key);
	if (text)
		ba_json_put_text(w->out, text);
	else
		ba_buf_puts(w->out, "null");
}

void ba_json_write_bool(ba_json_writer *w, const char *key, bool value)
{
	begin(w, key);
	ba_buf_puts(w->out, value ? "true" : "false");
}

void ba_json_write_null(ba_json_writer *w, const char *key)
{
	begin(w, key);
	ba_buf_puts(w->out, "null");
}

static void put_whole(ba_buf *out, bool negative, uint64_t magnitude)
{
	const char *quote = magnitude > EXACT ? "\"" : "";
	ba_buf_printf(out, "%s%s%" PRIu64 "%s", quote, negative ? "-" : "", magnitude, quote);
}

void ba_json_write_u64(ba_json_writer *w, const char *key, uint64_t value)
{
	begin(w, key);
	put_whole(w->out, false, value);
}

void ba_json_write_i64(ba_json_writer *w, const char *key, int64_t value)
{
	begin(w, key);
	put_whole(w->out, value < 0, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void ba_json_write_f64(ba_json_writer *w, const char *key, double value)
{
	char text[40];
	if (!isfinite(value)) {
		ba_json_write_null(w, key);
		return;
	}
	begin(w, key);
	/* 15 digits always survive text to double to text, 17 always double to text to
	 * double. */
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		double back;
		if (ba_parse_f64(&back, text, -INFINITY, INFINITY) && back == value)
			break;
	}
	ba_buf_puts(w->out, text);
}

void ba_json_write_u64s(ba_json_writer *w, const char *key, const uint64_t *values, size_t count)
{
	ba_json_open_row(w, key);
	for (size_t i = 0; i < count; i++)
		ba_json_write_u64(w, NULL, values[i]);
	ba_json_close(w);
}

void ba_json_write_f64s(ba_json_writer *w, const char *key, const double *values, size_t count)
{
	ba_json_open_row(w, key);
	for (size_t i = 0; i < count; i++)
		ba_json_write_f64(w, NULL, values[i]);
	ba_json_close(w);
}

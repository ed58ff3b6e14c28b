#include "test.h"

#include <float.h>

#include "base/buf.h"
#include "base/rng.h"
#include "json/json.h"
#include "json/writer.h"

TEST(a_document_is_compact_without_indent)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_json_writer w = ba_json_writer_to_buf(&text, 0);
	ba_json_open_object(&w, NULL);
	ba_json_write_string(&w, "s", "x");
	ba_json_open_array(&w, "a");
	ba_json_open_object(&w, NULL);
	ba_json_close(&w);
	ba_json_write_bool(&w, NULL, true);
	ba_json_write_null(&w, NULL);
	ba_json_close(&w);
	ba_json_write_u64s(&w, "r", (uint64_t[]){1, 2}, 2);
	ba_json_close(&w);
	assert_string_equal(text.data, "{\"s\":\"x\",\"a\":[{},true,null],\"r\":[1,2]}");
}

TEST(a_document_is_readable_with_indent)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_json_writer w = ba_json_writer_to_buf(&text, 2);
	ba_json_open_object(&w, NULL);
	ba_json_open_array(&w, "a");
	ba_json_write_i64(&w, NULL, -1);
	ba_json_write_i64(&w, NULL, 2);
	ba_json_close(&w);
	ba_json_write_f64s(&w, "r", (double[]){0.1, 2}, 2);
	ba_json_open_array(&w, "none");
	ba_json_close(&w);
	ba_json_close(&w);
	assert_string_equal(text.data, "{\n  \"a\": [\n    -1,\n    2\n  ],\n"
				       "  \"r\": [0.1, 2],\n  \"none\": []\n}");
}

static void write_string(ba_buf *out, const char *value)
{
	ba_json_writer w = ba_json_writer_to_buf(out, 0);
	ba_json_write_string(&w, NULL, value);
}

TEST(strings_are_escaped_and_made_valid)
{
	static const struct {
		const char *value, *text;
	} rows[] = {
		{"", "\"\""},
		{"a\"b\\c/", "\"a\\\"b\\\\c/\""},
		{"\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\""},
		{"\x1b[31m\x7f", "\"\\u001b[31m\\u007f\""},
		{"\xc3\xa9\xf0\x9f\x98\x80", "\"\xc3\xa9\xf0\x9f\x98\x80\""},
		{"\xff.\xc3", "\"\xef\xbf\xbd.\xef\xbf\xbd\""},
		{"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
		{"\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
		{NULL, "null"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
		write_string(&out, rows[i].value);
		assert_string_equal(out.data, rows[i].text);
	}
}

TEST(doubles_are_short_and_exact)
{
	static const struct {
		double value;
		const char *text;
	} rows[] = {{0.1, "0.1"}, {1.0 / 3, "0.3333333333333333"}, {100, "100"},
		{0.1 + 0.2, "0.30000000000000004"}, {1e300, "1e+300"}, {-0.0, "-0"},
		{DBL_MAX, "1.7976931348623157e+308"}, {NAN, "null"}, {INFINITY, "null"},
		{5e-324, "4.9406564584124654e-324"}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
		ba_json_writer w = ba_json_writer_to_buf(&out, 0);
		ba_json_write_f64(&w, NULL, rows[i].value);
		/* a denormal may be written with fewer digits */
		if (rows[i].value > 0 && rows[i].value < DBL_MIN)
			assert_true(strtod(out.data, NULL) == rows[i].value);
		else
			assert_string_equal(out.data, rows[i].text);
	}
}

TEST(numbers_come_back_as_they_went)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	enum { N = 2000 };
	static double d[N];
	static uint64_t u[N];
	static int64_t s[N];
	uint64_t seed = 7;
	for (size_t i = 0; i < N; i++) {
		do {
			uint64_t bits = ba_splitmix64(&seed);
			memcpy(&d[i], &bits, 8);
		} while (!isfinite(d[i]));
		u[i] = ba_splitmix64(&seed) >> ba_rng_below(&seed, 64);
		s[i] = (int64_t)ba_splitmix64(&seed) >> ba_rng_below(&seed, 64);
	}
	u[0] = (UINT64_C(1) << 53) - 1;
	u[1] = (UINT64_C(1) << 53);
	u[2] = (UINT64_C(1) << 53) + 1;
	s[0] = INT64_MIN;
	s[1] = INT64_MAX;
	ba_json_writer w = ba_json_writer_to_buf(&text, 1);
	ba_json_open_object(&w, NULL);
	ba_json_write_f64s(&w, "d", d, N);
	ba_json_write_u64s(&w, "u", u, N);
	ba_json_open_row(&w, "s");
	for (size_t i = 0; i < N; i++)
		ba_json_write_i64(&w, NULL, s[i]);
	ba_json_close(&w);
	ba_json_close(&w);

	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	double *back_d;
	uint64_t *back_u;
	size_t count;
	assert_false(ba_json_parse(&doc, text.data, text.len, NULL, NULL));
	ba_json_value root = ba_json_root(doc);
	assert_false(ba_json_as_f64s(&back_d, &count, ba_json_find(root, "d"), NULL));
	assert_int_equal(count, N);
	assert_memory_equal(back_d, d, sizeof(d));
	free(back_d);
	assert_false(ba_json_as_u64s(&back_u, &count, ba_json_find(root, "u"), NULL));
	assert_memory_equal(back_u, u, sizeof(u));
	free(back_u);
	ba_json_value item = ba_json_first(ba_json_find(root, "s"));
	for (size_t i = 0; i < N; i++, item = ba_json_next(item)) {
		int64_t value;
		assert_false(ba_json_as_i64(&value, item, INT64_MIN, INT64_MAX, NULL));
		assert_true(value == s[i]);
	}
}

TEST(a_full_disk_is_an_error)
{
	FILE *full = fopen("/dev/full", "w");
	ba_json_writer w;
	ba_error err;
	assert_non_null(full);
	ba_json_writer_to_file(&w, full, 0);
	ba_json_open_array(&w, NULL);
	for (uint64_t i = 0; i < 100000; i++)
		ba_json_write_u64(&w, NULL, i);
	ba_json_close(&w);
	assert_int_equal(ba_json_writer_finish(&w, &err), BA_EIO);
	assert_has(err.text, "No space left");
	fclose(full);
}

TEST(a_file_receives_the_same_text_as_a_buffer)
{
	char *data = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&data, &size);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_json_writer w[2];
	w[0] = ba_json_writer_to_buf(&text, 2);
	ba_json_writer_to_file(&w[1], file, 2);
	for (size_t i = 0; i < 2; i++) {
		ba_json_open_array(&w[i], NULL);
		for (uint64_t k = 0; k < 50000; k++)
			ba_json_write_u64(&w[i], NULL, k);
		ba_json_close(&w[i]);
	}
	assert_false(ba_json_writer_finish(&w[1], NULL));
	fclose(file);
	assert_int_equal(size, text.len);
	assert_memory_equal(data, text.data, size);
	free(data);
}

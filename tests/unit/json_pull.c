#include "test.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/base.h"
#include "json/pull.h"

/* the whole text, skipped; the error's sentence, or "" */
static const char *skipped(const char *text, size_t size)
{
	static ba_error err;
	BA_AUTO_PTR(ba_pull) ba_pull *p = ba_pull_memory(text, size, "x.json");
	err = (ba_error){0};
	int rc = ba_pull_skip(p, &err);
	rc = rc ? rc : ba_pull_end(p, &err);
	return rc ? err.text : "";
}

static const char *skipped_text(const char *text)
{
	return skipped(text, strlen(text));
}

TEST(members_and_elements_come_in_their_order)
{
	const char *text = "{\"a\": [1, -2.5e1, NaN], \"b\\n\": {\"c\": \"\\u00e9\"}, "
			   "\"d\": true}";
	BA_AUTO_PTR(ba_pull) ba_pull *p = ba_pull_memory(text, strlen(text), "x");
	const char *key, *string;
	double number;
	bool flag = false;
	ba_error err;
	assert_int_equal(ba_pull_object(p, &err), 0);
	assert_int_equal(ba_pull_member(&key, p, &err), 1);
	assert_string_equal(key, "a");
	assert_int_equal(ba_pull_array(p, &err), 0);
	assert_int_equal(ba_pull_element(p, &err), 1);
	assert_int_equal(ba_pull_f64(&number, p, &err), 0);
	assert_true(number == 1);
	assert_int_equal(ba_pull_element(p, &err), 1);
	assert_int_equal(ba_pull_f64(&number, p, &err), 0);
	assert_true(number == -25);
	assert_int_equal(ba_pull_element(p, &err), 1);
	assert_int_equal(ba_pull_f64(&number, p, &err), 0);
	assert_true(isnan(number));
	assert_int_equal(ba_pull_element(p, &err), 0);
	assert_int_equal(ba_pull_member(&key, p, &err), 1);
	assert_string_equal(key, "b\n");
	assert_int_equal(ba_pull_object(p, &err), 0);
	assert_int_equal(ba_pull_member(&key, p, &err), 1);
	assert_int_equal(ba_pull_string(&string, p, &err), 0);
	assert_string_equal(string, "\xc3\xa9");
	assert_int_equal(ba_pull_member(&key, p, &err), 0);
	assert_int_equal(ba_pull_member(&key, p, &err), 1);
	assert_int_equal(ba_pull_bool(&flag, p, &err), 0);
	assert_true(flag);
	assert_int_equal(ba_pull_member(&key, p, &err), 0);
	assert_int_equal(ba_pull_end(p, &err), 0);
}

TEST(what_is_no_json_is_said_with_line_and_path)
{
	static const struct {
		const char *text, *sentence;
	} rows[] = {
		{"", "x.json: line 1, column 1: a value expected, but the text ends"},
		{"{\"a\": [1,\n2",
			"line 2, column 2: $.a[1]: ',' or ']' expected, but the text ends"},
		{"{\"a\": 1, \"a\": 2}", "line 1: $.a appears twice"},
		{"[1,]", "$[1]: a value expected, found ']'"},
		{"[1 2]", "$[0]: ',' or ']' expected, found '2'"},
		{"[01]", "$[0]: a number with a leading zero"},
		{"[1e]", "$[0]: a digit expected, found ']'"},
		{"[+1]", "a value expected, found '+'"},
		{"[1e999]", "1e999 is too large for a number"},
		{"[nanx]", "a value expected, found 'n'"},
		{"[\"\x01\"]", "control character 0x01 in a string"},
		{"[\"\xff\"]", "byte 0xff is not UTF-8"},
		{"[\"\\ud800\"]", "half of a surrogate pair"},
		{"[\"\\udc00x\"]", "half of a surrogate pair"},
		{"[\"\\u0000\"]", "\\u0000 is not allowed in a string"},
		{"[\"\\x\"]", "after a backslash expected, found 'x'"},
		{"[] []", "the end of the text expected, found '['"},
		{"{1: 2}", "a key in double quotes expected, found '1'"},
		{"\xfe", "found byte 0xfe"},
		{"[troo]", "a value expected, found 't'"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_has(skipped_text(rows[i].text), rows[i].sentence);
}

TEST(words_for_numbers_that_json_lacks_are_taken)
{
	const char *text = "[NaN, -NaN, Infinity, -Infinity, nan, -nan, inf, null, "
			   "\"-INF\", \"1.5\", \"nan\"]";
	BA_AUTO_PTR(ba_pull) ba_pull *p = ba_pull_memory(text, strlen(text), "x");
	double v[11];
	size_t n = 0;
	assert_int_equal(ba_pull_array(p, NULL), 0);
	while (ba_pull_element(p, NULL) > 0)
		assert_int_equal(ba_pull_f64_quoted(&v[n++], p, NULL), 0);
	assert_int_equal(n, 11);
	assert_true(isnan(v[0]) && isnan(v[1]) && v[2] > 0 && isinf(v[2]));
	assert_true(isinf(v[3]) && v[3] < 0 && isnan(v[4]) && isnan(v[5]));
	assert_true(isinf(v[6]) && isnan(v[7]) && isinf(v[8]) && v[8] < 0);
	assert_true(v[9] == 1.5 && isnan(v[10]));
}

TEST(a_byte_order_mark_is_passed_over)
{
	assert_string_equal(skipped_text("\xef\xbb\xbf{\"a\": 1}"), "");
	assert_has(skipped_text("\xef\xbb"), "found byte 0xef");
	assert_has(skipped_text("[\xef\xbb\xbf]"), "found byte 0xef");
}

TEST(nesting_has_an_end)
{
	char deep[200];
	memset(deep, '[', sizeof(deep));
	assert_has(skipped(deep, sizeof(deep)), "nested more than 64 levels deep");
}

TEST(a_key_of_many_is_found_twice)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	for (int rest = 0; rest < 2; rest++) {
		ba_buf_clear(&text);
		ba_buf_puts(&text, "{");
		for (int i = 0; i < 1000; i++)
			ba_buf_printf(&text, "\"k%d\": 0, ", i);
		ba_buf_printf(&text, "\"%s\": 1}", rest ? "other" : "k7");
		assert_string_equal(skipped(text.data, text.len),
			rest ? "" : "x.json: line 1: $.k7 appears twice");
	}
}

TEST(what_crosses_the_window_is_read_whole)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	const char *string;
	double sum = 0, value;
	char path[] = "/tmp/json_pull_XXXXXX";
	int fd = mkstemp(path);
	ba_buf_puts(&text, "[");
	for (int i = 0; i < 60000; i++)
		ba_buf_printf(&text, "%s\"n\\u0041%d\", %d.5", i ? ", " : "", i, i);
	ba_buf_puts(&text, "]");
	assert_int_equal(ba_fs_write_all(fd, text.data, text.len), 0);
	close(fd);
	assert_int_equal(ba_pull_open(&p, path, NULL), 0);
	unlink(path);
	assert_int_equal(ba_pull_array(p, NULL), 0);
	for (int i = 0; ba_pull_element(p, NULL) > 0; i++) {
		BA_AUTO_FREE char *expected = ba_xprintf("nA%d", i);
		assert_int_equal(ba_pull_string(&string, p, NULL), 0);
		assert_string_equal(string, expected);
		assert_int_equal(ba_pull_element(p, NULL), 1);
		assert_int_equal(ba_pull_f64(&value, p, NULL), 0);
		sum += value;
	}
	assert_true(sum == 59999.0 * 60000 / 2 + 30000);
}

TEST(a_string_beyond_a_mebibyte_is_refused)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_buf_putc(&text, '"');
	ba_buf_pad(&text, 'x', (1 << 20) + 10);
	ba_buf_putc(&text, '"');
	assert_has(skipped(text.data, text.len), "a string of more than 1 MiB");
}

TEST(decimals_are_the_nearest_double)
{
	static const char *const good[] = {"0", "-0.0", "1", "0.1", "123456789012345678",
		"1.7976931348623157e308", "4.9e-324", "2.2250738585072011e-308", "9007199254740993",
		"0.30000000000000004", "1e22", "1e23", "12.5E-7",
		"3.14159265358979323846264338327950288", "1e-400"};
	static const char *const bad[] = {"", "-", ".5", "1.", "01", "1e", "1e+", "+1", "0x10",
		"inf", "1 ", " 1", "1e400", "1_0"};
	double value;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_true(ba_parse_decimal(&value, good[i], strlen(good[i])));
		assert_true(value == strtod(good[i], NULL));
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(ba_parse_decimal(&value, bad[i], strlen(bad[i])));
}

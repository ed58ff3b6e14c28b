#include "test.h"

#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "json/fields.h"

static const ba_json_options config_options = {.name = "c.json",
	.comments = true,
	.positions = true,
	.unique_keys = true,
	.error_code = BA_ECONFIG};

static ba_json *parse(const char *text)
{
	ba_json *doc = NULL;
	ba_error err = {0};
	if (ba_json_parse(&doc, text, strlen(text), &config_options, &err))
		fail_msg("%s", err.text);
	return doc;
}

TEST(values_are_read_as_their_type)
{
	BA_AUTO_PTR(ba_json)
	ba_json *doc = parse("{\"s\":\"a\\u00e9\\n\",\"b\":true,\"n\":-0.5,\"u\":42,"
			     "\"i\":-7,\"z\":null,\"a\":[1,2],\"o\":{}}");
	ba_json_value root = ba_json_root(doc), v;
	const char *text;
	bool flag = false;
	double d;
	uint64_t u;
	int64_t i;
	assert_false(ba_json_get_string(&text, root, "s", NULL));
	assert_string_equal(text, "a\xc3\xa9\n");
	assert_false(ba_json_as_bool(&flag, ba_json_find(root, "b"), NULL));
	assert_true(flag);
	assert_false(ba_json_as_f64(&d, ba_json_find(root, "n"), NULL));
	assert_true(d == -0.5);
	assert_false(ba_json_get_u64(&u, root, "u", 0, 100, NULL));
	assert_int_equal(u, 42);
	assert_false(ba_json_get_i64(&i, root, "i", -7, 0, NULL));
	assert_int_equal(i, -7);
	assert_false(ba_json_as_f64(&d, ba_json_find(root, "z"), NULL));
	assert_true(isnan(d));
	assert_false(ba_json_get_array(&v, root, "a", NULL));
	assert_int_equal(ba_json_count(v), 2);
	assert_int_equal(ba_json_type_of(ba_json_at(v, 2)), BA_JSON_ABSENT);
	assert_false(ba_json_get_object(&v, root, "o", NULL));
	assert_false(ba_json_is(ba_json_first(v)));
}

TEST(keys_are_case_sensitive)
{
	BA_AUTO_PTR(ba_json) ba_json *doc = parse("{\"Ns\":1}");
	ba_json_value v;
	ba_error err;
	assert_int_equal(ba_json_get(&v, ba_json_root(doc), "ns", &err), BA_ECONFIG);
	assert_string_equal(err.text, "c.json: line 1: $ has no 'ns'");
}

TEST(an_error_names_file_line_and_path)
{
	BA_AUTO_PTR(ba_json)
	ba_json *doc = parse("{\n \"benchmarks\": [{}, {\n  \"ns\": \"x\",\n"
			     "  \"odd key\": [true]}]}");
	ba_json_value list, item;
	ba_error err;
	double d = 3;
	assert_false(ba_json_get_array(&list, ba_json_root(doc), "benchmarks", &err));
	item = ba_json_at(list, 1);
	assert_int_equal(ba_json_as_f64(&d, ba_json_find(item, "ns"), &err), BA_ECONFIG);
	assert_string_equal(
		err.text, "c.json: line 3: $.benchmarks[1].ns must be a number, is a string");
	assert_true(d == 3);
	item = ba_json_first(ba_json_find(item, "odd key"));
	assert_int_equal(ba_json_as_f64(&d, item, &err), BA_ECONFIG);
	assert_string_equal(err.text, "c.json: line 4: $.benchmarks[1][\"odd key\"][0] "
				      "must be a number, is true or false");
}

TEST(syntax_errors_have_line_and_column)
{
	static const struct {
		const char *text, *error;
	} rows[] = {
		{"", "line 1, column 1: the text is empty"},
		{" \n ", "line 2, column 2: the text is empty"},
		{"{\"a\":1,}x", "line 1, column 9: the end of the text expected, found 'x'"},
		{"{\n  \"a\" 1}", "line 2, column 7: $.a: ':' after a key expected, found '1'"},
		{"{\"a\":1 \"b\":2}", "line 1, column 8: $.a: ',' or '}' expected, found '\"'"},
		{"[1", "line 1, column 3: $[0]: ',' or ']' expected, but the text ends"},
		{"[,]", "line 1, column 2: $[0]: a value expected, found ','"},
		{"[1,,2]", "line 1, column 4: $[1]: a value expected, found ','"},
		{"[1,,]", "line 1, column 4: $[1]: a value expected, found ','"},
		{"{,}", "line 1, column 2: a key in double quotes expected, found ','"},
		{"{a:1}", "line 1, column 2: a key in double quotes expected, found 'a'"},
		{"{'a':1}", "line 1, column 2: a key in double quotes expected, found '''"},
		{"[tru]", "line 1, column 2: $[0]: a value expected, found 't'"},
		{"[01]", "line 1, column 2: $[0]: a number with a leading zero"},
		{"[1.]", "line 1, column 4: $[0]: a digit expected, found ']'"},
		{"[+1]", "line 1, column 2: $[0]: a value expected, found '+'"},
		{"[1e]", "line 1, column 4: $[0]: a digit expected, found ']'"},
		{"[-]", "line 1, column 3: $[0]: a digit expected, found ']'"},
		{"[NaN]", "line 1, column 2: $[0]: a value expected, found 'N'"},
		{"[\"\xc3\xa9\", x]", "line 1, column 7: $[1]: a value expected, found 'x'"},
		{"[\"a\n\"]", "line 1, column 2: $[0]: a string without its closing quote"},
		{"[\"a", "line 1, column 2: $[0]: a string without its closing quote"},
		{"[\"\\x\"]", "line 1, column 4: $[0]: one of \"\\/bfnrtu after a backslash "
			      "expected, found 'x'"},
		{"[\"\t\"]", "line 1, column 3: $[0]: control character 0x09 in a string: write "
			     "it as an escape"},
		{"[\"\xff\"]", "line 1, column 3: $[0]: byte 0xff is not UTF-8"},
		{"[\"\xed\xa0\x80\"]", "line 1, column 3: $[0]: byte 0xed is not UTF-8"},
		{"[\"\\u0000\"]", "line 1, column 3: $[0]: \\u0000 is not allowed in a string"},
		{"[\"\\ud800\"]", "line 1, column 3: $[0]: half of a surrogate pair"},
		{"[\"\\ud800\\u0041\"]", "line 1, column 3: $[0]: half of a surrogate pair"},
		{"[\"\\udc00\"]", "line 1, column 3: $[0]: half of a surrogate pair"},
		{"[\"\\u12g4\"]",
			"line 1, column 7: $[0]: a hexadecimal digit expected, found 'g'"},
		{"[1 /* no end", "line 1, column 4: a comment without its end"},
		{"[1 / 2]", "line 1, column 4: $[0]: ',' or ']' expected, found '/'"},
		{"[1]\x01", "line 1, column 4: the end of the text expected, found byte "
			    "0x01"},
		{"{\"a\":1,\n\"b\":{\"c\":1,\"d\":2,\n\"c\":3}}", "line 3: $.b.c appears twice"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		ba_json *doc = NULL;
		ba_error err = {0};
		BA_AUTO_FREE char *expected = ba_xprintf("c.json: %s", rows[i].error);
		int rc = ba_json_parse(
			&doc, rows[i].text, strlen(rows[i].text), &config_options, &err);
		assert_string_equal(err.text, expected);
		assert_int_equal(rc, BA_ECONFIG);
		assert_null(doc);
	}
}

TEST(a_number_of_too_many_digits_is_refused)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_json *doc = NULL;
	ba_error err = {0};
	ba_buf_puts(&text, "[0.");
	ba_buf_pad(&text, '0', 400);
	ba_buf_puts(&text, "1]");
	assert_int_equal(ba_json_parse(&doc, text.data, text.len, NULL, &err), BA_EDATA);
	assert_has(err.text, "line 1, column 2: $[0]: a number of more than 400 characters");
}

TEST(comments_and_last_commas_are_for_configuration_only)
{
	static const char text[] = "\xef\xbb\xbf// head\n{ /* a \" quote */ \"a\": [1, "
				   "2, /* x */ ], // , ]\n \"url\": \"http://x/*y*/\", }\n";
	BA_AUTO_PTR(ba_json) ba_json *doc = parse(text);
	ba_json_value root = ba_json_root(doc);
	const char *url;
	assert_int_equal(ba_json_count(ba_json_find(root, "a")), 2);
	assert_int_equal(ba_json_line(ba_json_find(root, "a")), 2);
	assert_int_equal(ba_json_line(ba_json_find(root, "url")), 3);
	assert_false(ba_json_get_string(&url, root, "url", NULL));
	assert_string_equal(url, "http://x/*y*/");
	static const char *const strict[] = {"[1,]", "[1] // c", "/* */ [1]"};
	for (size_t i = 0; i < 3; i++) {
		ba_json *none = NULL;
		assert_int_equal(
			ba_json_parse(&none, strict[i], strlen(strict[i]), NULL, NULL), BA_EDATA);
		assert_null(none);
	}
}

TEST(whole_numbers_are_exact_or_refused)
{
	static const struct {
		const char *text;
		uint64_t value;
		const char *error;
	} rows[] = {
		{"9007199254740991", UINT64_C(9007199254740991), NULL},
		{"9007199254740993", 0, "is beyond 2^53, where a number loses digits"},
		{"\"18446744073709551615\"", UINT64_MAX, NULL},
		{"\"18446744073709551616\"", 0, "must be a whole number, is a string"},
		{"1e3", 1000, NULL},
		{"1.5", 0, "must be a whole number, is 1.5"},
		{"-1", 0, "must be at least 0, is -1"},
		{"\"-1\"", 0, "must be at least 0, is -1"},
		{"-0", 0, NULL},
		{"\"\"", 0, "must be a whole number, is a string"},
		{"null", 0, "must be a whole number, is null"},
		{"1e999", 0, "is beyond 2^53"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		BA_AUTO_PTR(ba_json) ba_json *doc = parse(rows[i].text);
		uint64_t value = 12345;
		ba_error err = {0};
		int rc = ba_json_as_u64(&value, ba_json_root(doc), 0, UINT64_MAX, &err);
		if (!rows[i].error) {
			assert_int_equal(rc, 0);
			assert_true(value == rows[i].value);
			continue;
		}
		assert_int_equal(rc, BA_ECONFIG);
		assert_true(value == 12345);
		assert_has(err.text, rows[i].error);
	}
}

TEST(ranges_are_told)
{
	BA_AUTO_PTR(ba_json)
	ba_json *doc = parse("[11, -9223372036854775808, "
			     "\"-9223372036854775808\", 1e999]");
	ba_json_value v = ba_json_root(doc);
	ba_error err;
	uint64_t u;
	int64_t i;
	double d;
	assert_int_equal(ba_json_as_u64(&u, ba_json_at(v, 0), 1, 10, &err), BA_ECONFIG);
	assert_string_equal(err.text, "c.json: line 1: $[0] must be between 1 and 10, is 11");
	assert_int_equal(
		ba_json_as_i64(&i, ba_json_at(v, 1), INT64_MIN, INT64_MAX, &err), BA_ECONFIG);
	assert_false(ba_json_as_i64(&i, ba_json_at(v, 2), INT64_MIN, INT64_MAX, &err));
	assert_true(i == INT64_MIN);
	assert_int_equal(ba_json_as_f64(&d, ba_json_at(v, 3), &err), BA_ECONFIG);
	assert_has(err.text, "$[3] is too large for a number");
}

TEST(arrays_of_numbers_are_read_at_once)
{
	BA_AUTO_PTR(ba_json) ba_json *doc = parse("[[1,2,3],[1,\"x\"],[],[0.5,null]]");
	ba_json_value v = ba_json_root(doc);
	uint64_t *us = NULL;
	double *ds = NULL;
	size_t count = 9;
	ba_error err;
	assert_false(ba_json_as_u64s(&us, &count, ba_json_at(v, 0), &err));
	assert_int_equal(count, 3);
	assert_int_equal(us[2], 3);
	free(us);
	us = NULL;
	assert_int_equal(ba_json_as_u64s(&us, &count, ba_json_at(v, 1), &err), BA_ECONFIG);
	assert_has(err.text, "$[1][1] must be a whole number");
	assert_null(us);
	assert_false(ba_json_as_u64s(&us, &count, ba_json_at(v, 2), &err));
	assert_int_equal(count, 0);
	free(us);
	assert_false(ba_json_as_f64s(&ds, &count, ba_json_at(v, 3), &err));
	assert_true(ds[0] == 0.5 && isnan(ds[1]));
	free(ds);
}

TEST(optional_members_keep_the_default_and_check_the_rest)
{
	typedef struct two {
		uint64_t m, n;
	} two;
	static const ba_json_field rows[] = {BA_FIELD(two, m, U64), BA_FIELD(two, n, U64)};
	BA_AUTO_PTR(ba_json) ba_json *doc = parse("{\"n\":\"x\"}");
	two t = {.m = 7};
	assert_int_equal(ba_fields_read(&t, BA_FIELDS(rows), ba_json_root(doc), NULL), BA_ECONFIG);
	assert_int_equal(t.m, 7);
}

TEST(depth_and_size_have_ceilings)
{
	char text[201];
	ba_json *doc = NULL;
	ba_error err;
	memset(text, '[', 100);
	memset(text + 100, ']', 100);
	assert_int_equal(ba_json_parse(&doc, text, 200, NULL, &err), BA_EDATA);
	assert_has(err.text, "JSON: line 1, column 65: $[0]");
	assert_has(err.text, "nested more than 64 levels deep");
	assert_int_equal(
		ba_json_parse(&doc, text, 200, &(ba_json_options){.ceiling = 199}, &err), BA_EDATA);
	assert_has(err.text, "larger than the limit of 199 bytes");
	assert_false(ba_json_parse(&doc, text, 200, &(ba_json_options){.depth = 100}, &err));
	ba_json_free(doc);
}

TEST(text_need_not_end_with_nul)
{
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	BA_AUTO_FREE char *text = ba_xmalloc(2);
	memcpy(text, "42", 2);
	uint64_t n;
	assert_false(ba_json_parse(&doc, text, 2, NULL, NULL));
	assert_false(ba_json_as_u64(&n, ba_json_root(doc), 0, 99, NULL));
	assert_int_equal(n, 42);
	ba_json *none = NULL;
	assert_int_equal(ba_json_parse(&none, "4\0002", 3, NULL, NULL), BA_EDATA);
}

TEST(files_that_cannot_be_read_are_named)
{
	ba_json *doc = NULL;
	ba_error err;
	assert_int_equal(ba_json_read(&doc, "/no/such/file.json", NULL, &err), BA_ENOTFOUND);
	assert_has(err.text, "/no/such/file.json");
	assert_int_equal(ba_json_read(&doc, "/tmp", NULL, &err), BA_EINVAL);
	assert_has(err.text, "/tmp");
}

/* Every prefix and every one-byte change of a document is read or refused, and no more:
 * the sanitizers judge. */
TEST(damaged_documents_are_read_or_refused)
{
	static const char good[] = "{\"a\":[1,-2.5e3,\"\\u00e9\\ud83d\\ude00\",null],/*c*/"
				   "\"b\":{\"c\":true,},//\n}";
	unsigned refused = 0, read = 0;
	for (size_t at = 0; at < sizeof(good) - 1; at++) {
		for (int byte = -1; byte < 256; byte++) {
			char text[sizeof(good)];
			ba_json *doc = NULL;
			size_t size = byte < 0 ? at : sizeof(good) - 1;
			memcpy(text, good, sizeof(good));
			if (byte >= 0)
				text[at] = (char)byte;
			if (ba_json_parse(&doc, text, size, &config_options, NULL))
				refused++;
			else
				read++;
			ba_json_free(doc);
		}
	}
	assert_true(refused > 10000 && read > 100);
}

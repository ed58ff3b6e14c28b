/* What a document says does not depend on how it is read: whole, in parts of a text or
 * of a file, or pulled. */
#include "test.h"

#include "json/file.h"
#include "json/pull.h"
#include "memfile.h"

static const char *const lists[] = {"v", NULL};

/* {"v": [VALUE]}, in each way; the caller looks at what was found */
typedef struct found {
	double number[4];
	char text[4][64];
} found;

enum { WAYS = 4 };

static void take(found *out, int way, ba_json_value v)
{
	const char *text;
	if (ba_json_as_string(&text, v, NULL) == 0)
		snprintf(out->text[way], sizeof(out->text[way]), "%s", text);
	else
		assert_int_equal(ba_json_as_f64(&out->number[way], v, NULL), 0);
}

static void take_part(found *out, int way, ba_json_file *file)
{
	BA_AUTO_PTR(ba_json_file) ba_json_file *f = file;
	BA_AUTO_PTR(ba_json) ba_json *one = NULL;
	assert_int_equal(ba_json_file_element(&one, f, 0, 0, NULL), 0);
	take(out, way, ba_json_root(one));
}

static void take_pulled(found *out, int way, const char *path)
{
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	const char *key, *text;
	assert_int_equal(ba_pull_open(&p, path, NULL), 0);
	assert_int_equal(ba_pull_object(p, NULL), 0);
	assert_int_equal(ba_pull_member(&key, p, NULL), 1);
	assert_int_equal(ba_pull_array(p, NULL), 0);
	assert_int_equal(ba_pull_element(p, NULL), 1);
	if (ba_pull_peek(p) == BA_JSON_STRING) {
		assert_int_equal(ba_pull_string(&text, p, NULL), 0);
		snprintf(out->text[way], sizeof(out->text[way]), "%s", text);
	} else {
		assert_int_equal(ba_pull_f64(&out->number[way], p, NULL), 0);
	}
}

static found read_each_way(const char *value)
{
	static const ba_json_options options = {.name = "x.json"};
	found out = {{0}, {{0}}};
	char text[256];
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	ba_json_file *f = NULL;
	size_t size = (size_t)snprintf(text, sizeof(text), "{\"v\": [%s]}", value);
	BA_AUTO(memfile) memfile m = memfile_of(text, size);
	assert_int_equal(ba_json_read(&doc, m.path, &options, NULL), 0);
	take(&out, 0, ba_json_at(ba_json_find(ba_json_root(doc), "v"), 0));
	assert_int_equal(ba_json_file_parse(&f, text, size, lists, &options, NULL), 0);
	take_part(&out, 1, f);
	assert_int_equal(ba_json_file_open(&f, m.path, lists, &options, NULL), 0);
	take_part(&out, 2, f);
	take_pulled(&out, 3, m.path);
	return out;
}

TEST(numbers_are_the_nearest_double)
{
	static const char *const numbers[] = {"0", "-0", "-0.0", "1", "-1e0", "0.1",
		"0.30000000000000004", "2.2250738585072014e-308", "4.9e-324", "1e-400",
		"1.7976931348623157e308", "1e308", "-1e308", "1e22", "1e23", "12.5E+7",
		"9007199254740991", "9007199254740993", "18446744073709551615",
		"123456789012345678", "0.1000000000000000055511151231257827", "5e-7", "1E5"};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		double expected = strtod(numbers[i], NULL);
		found f = read_each_way(numbers[i]);
		for (int way = 0; way < WAYS; way++)
			assert_memory_equal(&f.number[way], &expected, sizeof(expected));
	}
}

TEST(characters_beyond_u_ffff_are_one_character)
{
	static const char *const rows[][2] = {{"\"\\ud83d\\uDE80!\"", "\xf0\x9f\x9a\x80!"},
		{"\"\\ud800\\udc00\"", "\xf0\x90\x80\x80"},
		{"\"\\udbff\\udfff\"", "\xf4\x8f\xbf\xbf"},
		{"\"\xf0\x9f\x9a\x80\"", "\xf0\x9f\x9a\x80"},
		{"\"\\uffff\\u07ff\\u007f\"", "\xef\xbf\xbf\xdf\xbf\x7f"}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		found f = read_each_way(rows[i][0]);
		for (int way = 0; way < WAYS; way++)
			assert_string_equal(f.text[way], rows[i][1]);
	}
}

/* what two configurations say differently; the file of expected benchmarks */
#include "test.h"

#include "base/text.h"
#include "config/config.h"

TEST(differences_are_named_by_their_path)
{
	static const struct {
		const char *ours, *theirs, *said; /* joined with '|' */
	} rows[] = {
		{"{}", "{}", ""},
		{"{\"a\":1,\"b\":[1,2]}", "{ // x\n\"b\": [1, 2],\n\"a\": 1.0,}", ""},
		{"{\"$schema\":\"x\"}", "{\"$schema\":\"y\"}", ""},
		{"{\"$schema\":\"x\"}", "{}", ""},
		{"{\"a\":{\"b\":\"2%\"}}", "{\"a\":{\"b\":\"5%\"}}", "$.a.b is \"5%\", not \"2%\""},
		{"{\"a\":{\"b\":1,\"c\":2}}", "{\"a\":{\"c\":3}}",
			"$.a.b was removed|$.a.c is 3, not 2"},
		{"{}", "{\"gate\":{\"mode\":\"strict\"}}", "$.gate is new: {\"mode\":\"strict\"}"},
		{"{\"a\":[{\"b\":1}]}", "{\"a\":[{\"b\":2}]}",
			"$.a is [{\"b\":2}], not [{\"b\":1}]"},
		{"{\"a\":{}}", "{\"a\":null}", "$.a is null, not {}"},
		{"{\"a\":1e999}", "{\"a\":1e999}", ""},
		{"{\"a\":true}", "{\"a\":\"true\"}", "$.a is \"true\", not true"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_strv) ba_strv out = {0};
		assert_int_equal(ba_config_differences(&out, rows[i].ours, strlen(rows[i].ours),
					 rows[i].theirs, strlen(rows[i].theirs), "c.json", NULL),
			0);
		BA_AUTO_FREE char *said = ba_strv_join(&out, "|");
		assert_string_equal(said, rows[i].said);
	}
}

TEST(hostile_values_stay_on_a_short_line)
{
	BA_AUTO(ba_strv) ba_strv out = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_buf_puts(&text, "{\"a\":\"\\u001b[31m\\n::error::");
	ba_buf_pad(&text, 'x', 10000);
	ba_buf_puts(&text, "\"}");
	assert_int_equal(
		ba_config_differences(&out, "{}", 2, text.data, text.len, "c.json", NULL), 0);
	assert_int_equal(out.count, 1);
	assert_true(strlen(out.items[0]) < 100);
	assert_null(strchr(out.items[0], '\033'));
	assert_null(strchr(out.items[0], '\n'));
	ba_error err = {0};
	assert_true(
		ba_config_differences(&out, "{}", 2, "{\"a\":1,\"a\":2}", 13, "c.json", &err) < 0);
	assert_has(err.text, "c.json: line 1: $.a appears twice");
}

TEST(what_is_written_reads_back)
{
	static const char *const names[] = {"launch/args=0", "#odd", "a*b?[c]", "x#y"};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO(ba_strv) ba_strv globs = {0};
	ba_error err = {0};
	ba_expected_write(&text, names, 4, "us");
	if (ba_expected_parse(&globs, text.data, text.len, "list", "list --expected", &err))
		fail_msg("%s", err.text);
	assert_int_equal(globs.count, 4);
	for (size_t i = 0; i < 4; i++)
		for (size_t k = 0; k < 4; k++)
			assert_int_equal(ba_text_glob(globs.items[i], names[k]), i == k);
}

TEST(the_form_is_lines_and_comments)
{
	static const char text[] = "\n  # one\r\n\tlaunch/a \r\nlaunch/b # no comment";
	BA_AUTO(ba_strv) ba_strv globs = {0};
	assert_int_equal(
		ba_expected_parse(&globs, text, sizeof(text) - 1, "list", "list --expected", NULL),
		0);
	assert_int_equal(globs.count, 2);
	assert_string_equal(globs.items[0], "launch/a");
	assert_string_equal(globs.items[1], "launch/b # no comment");
	ba_error err = {0};
	assert_true(ba_expected_parse(&globs, "a\0b\n", 4, "list", "list --expected", &err) < 0);
	assert_has(err.text, "list: line 1: a control character");
	assert_int_equal(globs.count, 2);
}

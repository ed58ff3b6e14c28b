#include "test.h"

#include "wire/message.h"

TEST(a_message_comes_back_as_it_was_sent)
{
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	BA_AUTO(ba_strv) ba_strv names = {0};
	BA_STRV_PUSH(&names, "a \"b\"", "tab\there", "\xc3\xa9");
	const uint64_t values[] = {0, 1, UINT64_MAX};
	BA_MESSAGE(&line, "measure", BA_SAY_TEXT("name", "line\nbreak\\"),
		BA_SAY_U64("big", UINT64_MAX), BA_SAY_I64("small", INT64_MIN),
		BA_SAY_F64("ratio", 0.1), BA_SAY_BOOL("yes", true), BA_SAY_TEXTS("names", names),
		BA_SAY_U64S("values", values, 3), BA_SAY_U64S("none", NULL, 0));
	ba_message_end(&line);
	assert_int_equal(line.data[line.len - 1], '\n');
	assert_int_equal(strcspn(line.data, "\n"), line.len - 1);

	BA_AUTO(ba_message) ba_message m = {0};
	ba_error err;
	uint64_t big, back[3];
	int64_t small;
	double ratio;
	assert_int_equal(ba_message_parse(&m, line.data, line.len, &err), 0);
	assert_string_equal(m.type, "measure");
	assert_string_equal(ba_message_text(&m, "name"), "line\nbreak\\");
	assert_int_equal(ba_message_u64(&big, &m, "big", &err), 0);
	assert_true(big == UINT64_MAX);
	assert_int_equal(ba_message_i64(&small, &m, "small", &err), 0);
	assert_true(small == INT64_MIN);
	assert_int_equal(ba_message_f64(&ratio, &m, "ratio", &err), 0);
	assert_true(ratio == 0.1);
	assert_true(ba_message_bool(&m, "yes"));
	assert_false(ba_message_bool(&m, "no"));
	BA_AUTO(ba_strv) ba_strv texts = {0};
	ba_message_texts(&texts, &m, "names");
	assert_int_equal(texts.count, 3);
	for (size_t i = 0; i < 3; i++)
		assert_string_equal(texts.items[i], names.items[i]);
	assert_int_equal(ba_message_u64s(back, 3, &m, "values", &err), 0);
	assert_memory_equal(back, values, sizeof(back));
	assert_int_equal(ba_message_u64s(back, 0, &m, "none", &err), 0);
}

TEST(what_is_no_flat_object_is_refused_with_the_reason)
{
	static const char *const lines[] = {"", "garbage", "[]", "{", "{}", "{\"t\":1}",
		"{\"t\":\"x\"", "{\"t\":\"x\"} more", "{\"t\":\"x\",}", "{\"t\":\"x\" \"k\":1}",
		"{\"t\":\"x\",\"k\":{}}", "{\"t\":\"x\",\"k\":[[1]]}", "{\"t\":\"x\",\"k\":[1,]}",
		"{\"t\":\"x\",\"k\":tru}", "{\"t\":\"x\",\"k\":nan}", "{\"t\":\"\\q\"}",
		"{\"t\":\"\\ud800\"}", "{\"t\":\"\\u0000\"}", "{\"t\":\"x", "{\"t\":\"\x01\"}",
		"{\"t\":\"\\u12", "{\"t\":\"x\",\"k\":[1", "{\"t\":\"x\",\"k\":"};
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		BA_AUTO(ba_message) ba_message m = {0};
		ba_error err = {0};
		int rc = ba_message_parse(&m, lines[i], strlen(lines[i]), &err);
		if (rc != BA_EPROTOCOL)
			print_error("accepted: %s\n", lines[i]);
		assert_int_equal(rc, BA_EPROTOCOL);
		assert_has(err.text, "cannot be read");
	}
	BA_AUTO(ba_message) ba_message m = {0};
	ba_error err = {0};
	assert_int_equal(ba_message_parse(&m, "{\"t\":\"x\"}\0", 10, &err), BA_EPROTOCOL);
}

/* as json.dumps of Python writes what is beyond U+FFFF */
TEST(an_escaped_surrogate_pair_is_one_character)
{
	static const char line[] =
		"{\"t\":\"x\",\"a\":\"\\ud83d\\uDE80!\",\"b\":\"\\ud800\\udc00\","
		"\"c\":\"\\udbff\\udfff\",\"d\":\"\\uffff\\u07ff\"}";
	BA_AUTO(ba_message) ba_message m = {0};
	ba_error err = {0};
	assert_int_equal(ba_message_parse(&m, line, strlen(line), &err), 0);
	assert_string_equal(ba_message_text(&m, "a"), "\xf0\x9f\x9a\x80!");
	assert_string_equal(ba_message_text(&m, "b"), "\xf0\x90\x80\x80");
	assert_string_equal(ba_message_text(&m, "c"), "\xf4\x8f\xbf\xbf");
	assert_string_equal(ba_message_text(&m, "d"), "\xef\xbf\xbf\xdf\xbf");
}

TEST(half_of_a_surrogate_pair_is_named_as_the_reason)
{
	static const char *const texts[] = {"\\ud800", "\\udc00", "\\ud83d!", "\\ud83d\\n",
		"\\ud83d\\u0041", "\\ud83d\\ud83d", "\\ude80\\ud83d", "\\ud83d\\u", "\\ud83d\\ude8",
		"\\ud83d\\"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char line[64];
		BA_AUTO(ba_message) ba_message m = {0};
		ba_error err = {0};
		snprintf(line, sizeof(line), "{\"t\":\"%s\"}", texts[i]);
		assert_int_equal(ba_message_parse(&m, line, strlen(line), &err), BA_EPROTOCOL);
		assert_has(err.text, "half of a surrogate pair");
	}
}

TEST(numbers_are_exact)
{
	static const char line[] =
		"{\"t\":\"x\",\"max\":18446744073709551615,\"min\":-9223372036854775808,"
		"\"zero\":-0,\"large\":1e308,\"digits\":0.30000000000000004 , \"v\":[ "
		"0,18446744073709551615 ]}";
	BA_AUTO(ba_message) ba_message m = {0};
	uint64_t u, v[2];
	int64_t i;
	double zero, large, digits;
	assert_int_equal(ba_message_parse(&m, line, strlen(line), NULL), 0);
	assert_int_equal(ba_message_u64(&u, &m, "max", NULL), 0);
	assert_true(u == UINT64_MAX);
	assert_int_equal(ba_message_i64(&i, &m, "min", NULL), 0);
	assert_true(i == INT64_MIN);
	assert_int_equal(ba_message_f64(&zero, &m, "zero", NULL), 0);
	assert_true(zero == 0 && signbit(zero));
	assert_int_equal(ba_message_f64(&large, &m, "large", NULL), 0);
	assert_true(large == 1e308);
	assert_int_equal(ba_message_f64(&digits, &m, "digits", NULL), 0);
	assert_true(digits == 0.1 + 0.2);
	assert_int_equal(ba_message_u64s(v, 2, &m, "v", NULL), 0);
	assert_true(v[0] == 0 && v[1] == UINT64_MAX);
}

TEST(a_field_of_another_kind_is_named)
{
	static const char line[] = "{\"t\":\"block\",\"a\":\"x\",\"b\":-1,\"c\":1.5,"
				   "\"d\":[1,2],\"e\":[1,\"x\"],\"f\":99999999999999999999}";
	BA_AUTO(ba_message) ba_message m = {0};
	ba_error err = {0};
	uint64_t u, v[2];
	double f;
	assert_int_equal(ba_message_parse(&m, line, strlen(line), &err), 0);
	assert_int_equal(ba_message_u64(&u, &m, "a", &err), BA_EPROTOCOL);
	assert_has(err.text, "'block': 'a'");
	assert_int_equal(ba_message_u64(&u, &m, "b", &err), BA_EPROTOCOL);
	assert_int_equal(ba_message_u64(&u, &m, "c", &err), BA_EPROTOCOL);
	assert_int_equal(ba_message_u64(&u, &m, "f", &err), BA_EPROTOCOL);
	assert_int_equal(ba_message_u64(&u, &m, "missing", &err), BA_EPROTOCOL);
	assert_int_equal(ba_message_f64(&f, &m, "a", &err), BA_EPROTOCOL);
	assert_int_equal(ba_message_u64s(v, 1, &m, "d", &err), BA_EPROTOCOL);
	assert_has(err.text, "2 numbers where 1");
	assert_int_equal(ba_message_u64s(v, 2, &m, "e", &err), BA_EPROTOCOL);
}

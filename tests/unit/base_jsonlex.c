/* The tokens that all readers of JSON share: from memory, and through the window over a
 * file. */
#include "test.h"

#include "base/jsonlex.h"
#include "memfile.h"

typedef struct string_row {
	const char *text, *characters;
	ba_lex_fault fault;
	size_t at; /* where the lexer stands then */
} string_row;

static const string_row strings[] = {
	{"\"\"", "", BA_LEX_FINE, 2},
	{"\"a/b\",", "a/b", BA_LEX_FINE, 5},
	{"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t", BA_LEX_FINE, 18},
	{"\"\\u0041\\u00e9\\u20AC\"", "A\xc3\xa9\xe2\x82\xac", BA_LEX_FINE, 20},
	{"\"\\ud83d\\uDE80!\"", "\xf0\x9f\x9a\x80!", BA_LEX_FINE, 15},
	{"\"\\ud800\\udc00\"", "\xf0\x90\x80\x80", BA_LEX_FINE, 14},
	{"\"\\udbff\\udfff\"", "\xf4\x8f\xbf\xbf", BA_LEX_FINE, 14},
	{"\"\xf0\x9f\x9a\x80\"", "\xf0\x9f\x9a\x80", BA_LEX_FINE, 6},
	{"\"ab", "ab", BA_LEX_UNCLOSED, 3},
	{"\"a\n\"", "a", BA_LEX_CONTROL, 2},
	{"\"a\\x\"", "a", BA_LEX_ESCAPE, 3},
	{"\"a\\", "a", BA_LEX_ESCAPE, 3},
	{"\"\\u12g4\"", "", BA_LEX_HEX, 5},
	{"\"\\u12", "", BA_LEX_HEX, 5},
	{"\"\\u0000\"", "", BA_LEX_ZERO, 7},
	{"\"\\udc00\\ud800\"", "", BA_LEX_HALF, 7},
	{"\"\\ud800x\"", "", BA_LEX_HALF, 7},
	{"\"\\ud800\\u0041\"", "", BA_LEX_HALF, 13},
};

static void check_string(ba_lex *l, const string_row *row, size_t before)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	assert_int_equal(ba_lex_token(l), '"');
	assert_int_equal(ba_lex_string(&out, SIZE_MAX, l), row->fault);
	assert_string_equal(out.data, row->characters);
	assert_int_equal(ba_lex_offset(l), before + row->at);
	assert_int_equal(l->odd_byte, 0);
}

TEST(strings_are_their_characters_or_a_fault_with_its_place)
{
	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		ba_lex l;
		ba_lex_memory(&l, strings[i].text, strlen(strings[i].text));
		check_string(&l, &strings[i], 0);
	}
}

/* Each string, cut in two by the end of the window at each of its bytes. */
TEST(the_end_of_a_window_changes_nothing)
{
	enum { WINDOW = 1 << 18 };
	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		size_t size = strlen(strings[i].text);
		for (size_t cut = 1; cut <= size; cut++) {
			BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
			ba_buf_pad(&text, ' ', WINDOW - cut);
			ba_buf_puts(&text, strings[i].text);
			BA_AUTO(memfile) memfile m = memfile_of(text.data, text.len);
			ba_lex l;
			assert_int_equal(lseek(m.fd, 0, SEEK_SET), 0);
			ba_lex_file(&l, m.fd);
			check_string(&l, &strings[i], WINDOW - cut);
			ba_lex_dispose(&l);
		}
	}
}

TEST(bytes_that_are_not_utf8_are_kept_and_noted)
{
	static const struct {
		const char *text;
		unsigned byte;
		size_t at;
	} rows[] = {{"\"a\xff\xfe\"", 0xff, 2}, {"\"\xc3\"", 0xc3, 1},
		{"\"\xed\xa0\x80\"", 0xed, 1}, {"\"\xc3\xa9\xe2\x82\\n\"", 0xe2, 3}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
		ba_lex l;
		ba_lex_memory(&l, rows[i].text, strlen(rows[i].text));
		assert_int_equal(ba_lex_string(&out, SIZE_MAX, &l), BA_LEX_FINE);
		assert_int_equal(l.odd_byte, rows[i].byte);
		assert_int_equal(l.odd_at, rows[i].at);
		assert_int_equal((unsigned char)out.data[rows[i].at - 1], rows[i].byte);
	}
}

TEST(a_string_may_have_a_limit)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT, text = BA_BUF_INIT;
	ba_lex l;
	ba_buf_putc(&text, '"');
	ba_buf_pad(&text, 'x', 1000);
	ba_buf_putc(&text, '"');
	ba_lex_memory(&l, text.data, text.len);
	assert_int_equal(ba_lex_string(&out, 1000, &l), BA_LEX_FINE);
	ba_lex_memory(&l, text.data, text.len);
	assert_int_equal(ba_lex_string(&out, 999, &l), BA_LEX_LONG);
}

TEST(space_words_and_lines_are_told_apart)
{
	static const char text[] = "\xef\xbb\xbf \n\t-1.5e+3,\r\n  true]";
	ba_lex l;
	unsigned line, column;
	ba_lex_memory(&l, text, strlen(text));
	ba_lex_skip_mark(&l);
	assert_int_equal(ba_lex_token(&l), '-');
	assert_int_equal(l.line, 2);
	assert_int_equal(ba_lex_word(&l, 4), 4);
	assert_int_equal(ba_lex_word(&l, 100), 7);
	l.at += 8;
	assert_int_equal(ba_lex_token(&l), 't');
	assert_int_equal(ba_lex_word(&l, SIZE_MAX), 4);
	assert_int_equal(l.line, 3);
	ba_lex_locate(&l, ba_lex_offset(&l), &line, &column);
	assert_int_equal(line, 3);
	assert_int_equal(column, 3);
	l.at += 5;
	assert_int_equal(ba_lex_token(&l), -1);
}

TEST(a_part_is_all_that_is_seen)
{
	static const char text[] = "[\"one\", \"two\", \"three\"]";
	BA_AUTO(memfile) memfile m = memfile_of(text, strlen(text));
	for (int file = 0; file < 2; file++) {
		BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
		ba_lex l;
		assert_int_equal(lseek(m.fd, 0, SEEK_SET), 0);
		if (file)
			ba_lex_file(&l, m.fd);
		else
			ba_lex_memory(&l, text, strlen(text));
		ba_lex_part(&l, 8, 13);
		assert_int_equal(ba_lex_peek(&l), '"');
		assert_int_equal(ba_lex_string(&out, SIZE_MAX, &l), BA_LEX_FINE);
		assert_string_equal(out.data, "two");
		assert_int_equal(ba_lex_peek(&l), -1);
		ba_lex_part(&l, 1, 4);
		assert_int_equal(ba_lex_peek(&l), '"');
		assert_int_equal(ba_lex_string(&out, SIZE_MAX, &l), BA_LEX_UNCLOSED);
		ba_lex_dispose(&l);
	}
}

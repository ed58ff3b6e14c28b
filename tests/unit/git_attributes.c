#include "test.h"

#include <sys/mman.h>

#include "git/attributes.h"

static ba_attributes of(const char *text)
{
	ba_attributes a = {0};
	ba_attributes_add(&a, text, strlen(text));
	return a;
}

TEST(lines_that_change_no_byte_ask_for_no_look_up)
{
	BA_AUTO(ba_attributes)
	ba_attributes a = of("* text=auto\n*.c diff=cpp linguist-language=C\n*.png binary\n"
			     "# *.bat eol=crlf\n*.sh text eol=lf\n*.o export-ignore\n");
	assert_false(ba_attributes_may_convert(&a, "x.c"));
	assert_false(ba_attributes_may_convert(&a, "x.bat"));
	assert_false(ba_attributes_may_program(&a, "x.png"));
}

TEST(a_path_is_looked_up_if_it_ends_as_the_pattern_does)
{
	BA_AUTO(ba_attributes)
	ba_attributes a = of("*.bat eol=crlf\n/docs/a?.txt ident\n[xy].bin filter=lfs\n");
	assert_true(ba_attributes_may_convert(&a, "deep/run.bat"));
	assert_true(ba_attributes_may_convert(&a, "deep/RUN.BAT"));
	assert_true(ba_attributes_may_convert(&a, "docs/ab.txt"));
	assert_false(ba_attributes_may_convert(&a, "run.sh"));
	assert_false(ba_attributes_may_convert(&a, "x.bin"));
	assert_true(ba_attributes_may_program(&a, "x.bin"));
	assert_false(ba_attributes_may_program(&a, "run.bat"));
}

TEST(patterns_that_say_too_little_make_every_path_a_candidate)
{
	static const char *const texts[] = {"* eol=crlf\n", "dir/** eol=crlf\n",
		"[attr]dos eol=crlf\n", "\"quoted\" eol=crlf\n", "x\\ y eol=crlf"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		BA_AUTO(ba_attributes) ba_attributes a = of(texts[i]);
		assert_true(ba_attributes_may_convert(&a, "anything/at.all"));
		assert_false(ba_attributes_may_program(&a, "anything/at.all"));
	}
}

static void expect_translated(const char *text, const char *expected, bool differs)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	assert_int_equal(ba_attributes_translate(&out, text, strlen(text)), differs);
	assert_string_equal(out.data, expected);
}

TEST(negative_patterns_go_and_quoted_ones_are_unquoted)
{
	expect_translated("*.c text\nlast", "*.c text\nlast", false);
	expect_translated("!x text\n\t!y text\n*.c text\n", "*.c text\n", true);
	expect_translated("\"a b\" text\n", "a\\ b text\n", true);
	expect_translated("\"\\303\\251\\\"\\\\\\t\" text", "\xc3\xa9\"\\\\\t text", true);
	expect_translated("", "", false);
}

/* as `git check-attr` says */
TEST(what_is_no_quotation_is_a_pattern_that_begins_with_a_quote)
{
	expect_translated("\"open text\nnext text\n", "\"open text\nnext text\n", false);
	expect_translated("\"ends in \\", "\"ends in \\", false);
	expect_translated("\"a\\xb\" ident\n", "\"a\\xb\" ident\n", false);
	expect_translated("\"g\\8\" text\n", "\"g\\8\" text\n", false);
	expect_translated("\"h\\\"\n", "\"h\\\"\n", false);
}

TEST(a_quoted_pattern_ends_at_a_nul)
{
	expect_translated("\"c\\000 d\" text\n", "c text\n", true);
	expect_translated("\"c\\0 d\" text\n", "\"c\\0 d\" text\n", false);
}

static void expect_size_translated(const char *text, size_t size, const char *expected)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	assert_true(ba_attributes_translate(&out, text, size));
	assert_string_equal(out.len ? out.data : "", expected);
}

/* git 2.39, attr.h: ATTR_MAX_FILE_SIZE is 100 MiB. The pages behind the line are never
 * touched. */
TEST(a_file_of_100_mib_is_ignored_and_one_byte_less_is_read)
{
	static const char line[] = "*.c eol=crlf\n";
	size_t size = 100u * 1024 * 1024;
	char *text = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	assert_true(text != MAP_FAILED);
	memcpy(text, line, strlen(line));
	expect_size_translated(text, size, "");
	expect_size_translated(text, size - 1, line);
	munmap(text, size);
}

/* ... and ATTR_MAX_LINE_LENGTH is 2048 */
TEST(a_line_of_2048_bytes_is_ignored_and_one_byte_less_is_read)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_buf_puts(&text, "*.c eol=crlf");
	while (text.len < 2047)
		ba_buf_putc(&text, ' ');
	expect_translated(text.data, text.data, false);
	ba_buf_putc(&text, '\n');
	expect_translated(text.data, text.data, false);
	ba_buf_truncate(&text, 2047);
	ba_buf_puts(&text, " \nrest\n");
	expect_translated(text.data, "rest\n", true);
}

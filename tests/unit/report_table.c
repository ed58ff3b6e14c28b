/* tables: aligned, and fitted in the order that costs the reader least */
#include "test.h"

#include "base/text.h"
#include "report/table/table.h"

static void names(ba_table *t, const char *const *rows, size_t count)
{
	ba_table_column(t, (ba_column){.left = true, .shrink_to = 8});
	ba_table_column(t, (ba_column){.drop = 1});
	ba_table_column(t, (ba_column){0});
	for (size_t i = 0; i < count; i++) {
		ba_table_row(t);
		ba_table_put(t, 0, BA_INK_PLAIN, rows[i]);
		ba_table_put(t, 1, BA_INK_PLAIN, "spare");
		ba_table_put(t, 2, BA_INK_PLAIN, i % 2 ? "7" : "42");
	}
}

TEST(numbers_stand_at_the_right)
{
	BA_AUTO(ba_table) ba_table t = {0};
	const char *const rows[] = {"a", "bb"};
	names(&t, rows, 2);
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	ba_table_term(&out, &t, &(ba_format_options){.width = 80, .unicode = true});
	assert_string_equal(out.data, "a   spare  42\nbb  spare   7\n");
	assert_true(ba_table_shows(&t, 1, &(ba_format_options){.width = 13, .unicode = true}));
	assert_false(ba_table_shows(&t, 1, &(ba_format_options){.width = 12, .unicode = true}));
}

TEST(wide_characters_count_twice)
{
	BA_AUTO(ba_table) ba_table t = {0};
	const char *const rows[] = {"測定", "abcd"};
	names(&t, rows, 2);
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	ba_table_term(&out, &t, &(ba_format_options){.width = 80, .unicode = true});
	assert_string_equal(out.data, "測定  spare  42\nabcd  spare   7\n");
}

TEST(a_span_widens_what_it_covers)
{
	BA_AUTO(ba_table) ba_table t = {0};
	ba_table_column(&t, (ba_column){0});
	ba_table_column(&t, (ba_column){.gap = " +/- "});
	ba_table_row(&t);
	ba_table_span(&t, 0, 1, BA_INK_PLAIN, "a long label");
	ba_table_row(&t);
	ba_table_put(&t, 0, BA_INK_PLAIN, "1");
	ba_table_put(&t, 1, BA_INK_PLAIN, "2");
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	ba_table_term(&out, &t, &(ba_format_options){.width = 80, .unicode = true});
	assert_string_equal(out.data, "a long label\n     1 +/- 2\n");
}

TEST(a_span_stands_above_what_is_shown)
{
	BA_AUTO(ba_table) ba_table t = {0};
	ba_table_column(&t, (ba_column){0});
	ba_table_column(&t, (ba_column){.gap = " +/- "}); /* without text, as of a single row */
	ba_table_column(&t, (ba_column){0});
	ba_table_row(&t);
	ba_table_span(&t, 0, 1, BA_INK_PLAIN, "baseline");
	ba_table_put(&t, 2, BA_INK_PLAIN, "next");
	ba_table_row(&t);
	ba_table_put(&t, 0, BA_INK_PLAIN, "112");
	ba_table_put(&t, 2, BA_INK_PLAIN, "7");
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	ba_table_term(&out, &t, &(ba_format_options){.width = 80, .unicode = true});
	assert_string_equal(out.data, "baseline  next\n     112     7\n");
	assert_true(ba_table_shows(&t, 2, &(ba_format_options){.width = 14, .unicode = true}));
}

TEST(names_that_differ_stay_different)
{
	static const char *const middles[] = {"launch/args=0,path=signature,callbacks=1",
		"launch/args=1,path=signature,callbacks=1",
		"launch/args=12,path=signature,callbacks=1"};
	static const char *const ends[] = {"launch/args=0,path=signature,callbacks=1",
		"launch/args=0,path=signature,callbacks=2"};
	for (size_t width = 30; width < 60; width++) {
		BA_AUTO(ba_table) ba_table a = {0};
		BA_AUTO(ba_table) ba_table b = {0};
		BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
		names(&a, middles, 3);

		ba_table_term(&out, &a, &(ba_format_options){.width = width, .unicode = true});
		assert_has(out.data, "args=0");
		assert_has(out.data, "args=12");
		ba_buf_clear(&out);
		names(&b, ends, 2);
		ba_table_term(&out, &b, &(ba_format_options){.width = width, .unicode = true});
		assert_has(out.data, "=1  ");
		assert_has(out.data, "=2  ");
	}
}

TEST(a_spare_column_goes_before_names_become_unreadable)
{
	const char *const rows[] = {"launch/args=0,path=dispatch-of-many"};
	BA_AUTO(ba_table) ba_table t = {0};
	names(&t, rows, 1);
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	ba_table_term(&out, &t, &(ba_format_options){.width = 36, .unicode = true});
	assert_has(out.data, "spare");
	ba_buf_clear(&out);
	ba_table_term(&out, &t, &(ba_format_options){.width = 30, .unicode = true});
	assert_null(strstr(out.data, "spare"));
	ba_buf_clear(&out);
	ba_table_term(&out, &t, &(ba_format_options){.width = 14, .unicode = true});
	assert_string_equal(out.data, "laun…-many  42\n");
}

/* Before a column goes that matters, names get lines of their own. */
TEST(a_table_that_is_too_wide_is_stacked)
{
	BA_AUTO(ba_table) ba_table t = {.stack_before = 1};
	ba_table_column(&t, (ba_column){.left = true, .shrink_to = 8});
	ba_table_column(&t, (ba_column){.drop = 1});
	ba_table_column(&t, (ba_column){.drop = 2});
	ba_table_column(&t, (ba_column){.drop = 2});
	for (size_t i = 0; i < 2; i++) {
		ba_table_row(&t);
		ba_table_name(&t, BA_INK_PLAIN,
			i ? "attention/m=1024,n=160,k=4096" : "attention/m=1024,n=16,k=4096");
		ba_table_put(&t, 1, BA_INK_PLAIN, "change");
		ba_table_put(&t, 2, BA_INK_PLAIN, "spread");
		ba_table_put(&t, 3, BA_INK_PLAIN, "spread");
	}
	ba_table_row(&t);
	ba_table_put(&t, 0, BA_INK_DIM, "  net");
	ba_table_put(&t, 1, BA_INK_DIM, "1");
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	ba_table_term(&out, &t, &(ba_format_options){.width = 45, .unicode = true});
	assert_string_equal(out.data, "attention/m=1024,n=16,k=4096   change\n"
				      "attention/m=1024,n=160,k=4096  change\n"
				      "  net                               1\n");
	ba_buf_clear(&out);
	ba_table_term(&out, &t, &(ba_format_options){.width = 29, .unicode = true});
	assert_string_equal(out.data, "attention/m=1024,n=16,k=4096\n"
				      "       change  spread  spread\n"
				      "attention/m=1024,n=160,k=4096\n"
				      "       change  spread  spread\n"
				      "  net       1\n");
	ba_buf_clear(&out);
	ba_table_term(&out, &t, &(ba_format_options){.width = 18, .unicode = true});
	assert_has(out.data, "attention/m=1024,\n  n=160,k=4096\n");
}

TEST(each_medium_has_its_writer)
{
	static const ba_column columns[] = {
		{"benchmark", BA_HOLDS_NAME, .left = true, .row_head = true},
		{"a|b", .head_is_name = true}, {.holds = BA_HOLDS_SENTENCE, .left = true}};
	BA_AUTO(ba_table) ba_table t = {0};
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	ba_table_columns(&t, columns, 3);
	ba_table_heads(&t);
	ba_table_row(&t);
	ba_table_put(&t, 0, BA_INK_PLAIN, "x/<y>,1");
	ba_table_put_9(&t, 1, 1.5);
	ba_table_put(&t, 2, BA_INK_PLAIN, "=a\033[31m");
	ba_table_row(&t);
	ba_table_put(&t, 0, BA_INK_PLAIN, "z");
	ba_table_put_9(&t, 1, 0);
	ba_table_markdown(&out, &t);
	assert_string_equal(out.data, "| benchmark | `a\\|b` | |\n|---|---:|---|\n"
				      "| `x/<y>,1` | 1.5 | =a\\\\x1b\\[31m |\n| `z` | | |\n");
	ba_buf_clear(&out);
	ba_table_csv_head(&out, &t);
	ba_table_csv_rows(&out, &t);
	assert_string_equal(out.data, "benchmark,a|b,\n\"x/<y>,1\",1.5,'=a\\x1b[31m\nz,,\n");
	ba_buf_clear(&out);
	ba_table_html(&out, &t, "aria-label=\"l\"", "c");
	assert_has(out.data, "<caption>c</caption>\n<thead><tr><th scope=\"col\">benchmark</th>");
	assert_has(out.data, "<th scope=\"row\"><bdi>x/<wbr>&lt;y&gt;,<wbr>1</bdi></th>"
			     "<td class=\"number\">1.5</td><td><bdi>=a\\x1b[31m</bdi></td>");
	assert_has(out.data, "<th scope=\"row\"><bdi>z</bdi></th><td></td><td></td>");
	/* written row by row */
	ba_table_clear(&t);
	ba_buf_clear(&out);
	ba_table_row(&t);
	ba_table_put_as(&t, 2, BA_HOLDS_NAME, "n");
	ba_table_markdown_rows(&out, &t);
	assert_string_equal(out.data, "| | | `n` |\n");
	ba_buf_clear(&out);
	ba_table_term(&out, &t, &(ba_format_options){0});
	assert_string_equal(out.data, "n\n");
}

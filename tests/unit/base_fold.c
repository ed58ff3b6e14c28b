/* text fitted into columns */
#include "test.h"

#include "base/text.h"

TEST(lines_break_at_spaces)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	ba_text_fold(&out, "one two three four", 9, 2, 0);
	assert_string_equal(out.data, "one two\n  three\n  four");
	ba_buf_clear(&out);
	ba_text_fold(&out, "  unbreakableword  x ", 5, 0, 0);
	assert_string_equal(out.data, "unbreakableword\nx");
	ba_buf_clear(&out);
	ba_text_fold(&out, "", 5, 0, 0);
	assert_string_equal(out.data, "");
}

TEST(the_first_line_begins_where_it_is_told)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	ba_text_fold(&out, "aa bb", 10, 6, 6);
	assert_string_equal(out.data, "aa\n      bb");
}

TEST(a_number_keeps_its_per_cent_sign)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	ba_text_fold(&out, "by 5 %, not 4 %", 5, 0, 0);
	assert_string_equal(out.data, "by\n5 %,\nnot\n4 %");
}

TEST(the_middle_gives_way)
{
	static const struct {
		const char *text, *expect;
		size_t width;
		bool unicode;
	} rows[] = {
		{"launch/args=2", "launch/args=2", 13, true},
		{"launch/args=2", "launch…args=2", 13 - 0, true},
		{"launch/args=12", "launch…args=12", 14, true},
		{"launch/args=2", "lau…gs=2", 8, true},
		{"launch/args=2", "lau..s=2", 8, false},
		{"測定しています", "測…ます", 7, true},
		/* n=160 does not become n=16, nor 1024 become 24 */
		{"gemm/n=160,dtype=bfloat16", "gemm/n=…e=bfloat16", 18, true},
		{"gemm/n=8,m=1024,k=7", "gemm/…,k=7", 12, true},
		{"gemm/n=1234567890", "gem…890", 7, true},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO_FREE char *got =
			ba_text_shorten(rows[i].text, rows[i].width, rows[i].unicode);
		assert_true(ba_text_width(got) <= rows[i].width);
		if (ba_text_width(rows[i].text) <= rows[i].width)
			assert_string_equal(got, rows[i].text);
		else
			assert_string_equal(got, rows[i].expect);
	}
}

TEST(names_break_behind_separators)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	ba_text_break(&out, "gemm/m=16,n=160,k=7", 80);
	assert_string_equal(out.data, "gemm/m=16,n=160,k=7");
	ba_buf_clear(&out);
	ba_text_break(&out, "gemm/m=16,n=160,k=7", 12);
	assert_string_equal(out.data, "gemm/m=16,\n  n=160,k=7");
	ba_buf_clear(&out);
	ba_text_break(&out, "測定測定測定", 6);
	assert_string_equal(out.data, "測定測\n  定測\n  定");
}

TEST(the_end_is_cut_by_columns)
{
	BA_AUTO_FREE char *cut = ba_text_cut("測定 of everything", 8, true);
	assert_string_equal(cut, "測定 of…");
	BA_AUTO_FREE char *whole = ba_text_cut("short", 5, true);
	assert_string_equal(whole, "short");
}

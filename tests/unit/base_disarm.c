/* No line is a command to a program that reads logs. */
#include "test.h"

#include "base/text.h"

TEST(commands_become_text)
{
	static const struct {
		const char *from, *to;
	} rows[] = {
		{"", ""},
		{"a::b\n:c\n", "a::b\n:c\n"},
		{"::error::x", "\\x3a:error::x"},
		{"a\n::error::x\n::b", "a\n\\x3a:error::x\n\\x3a:b"},
		{"a\n \t::b", "a\n \t\\x3a:b"},
		{"\r::b", "\r\\x3a:b"},
		{"\033[1;31m::b", "\033[1;31m\\x3a:b"},
		{"\033[1;31x::b", "\033[1;31x::b"},
		{"\xe3\x80\x80\xc2\xa0::b", "\xe3\x80\x80\xc2\xa0\\x3a:b"},
		{"\xc3\xa9::b", "\xc3\xa9::b"},
		{"\xff::b", "\xff::b"},
		{"a ##[error]b", "a \\x23#[error]b"},
		{"###vso[a]##teamcity[b]", "#\\x23#vso[a]\\x23#teamcity[b]"},
		{"## [a] #[b] ##a-[", "## [a] #[b] ##a-["},
		{"::##[a]\n##[b]\n::", "\\x3a:\\x23#[a]\n\\x23#[b]\n\\x3a:"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		ba_buf_puts(&text, rows[i].from);
		ba_text_disarm(&text);
		assert_string_equal(text.data, rows[i].to);
	}
}

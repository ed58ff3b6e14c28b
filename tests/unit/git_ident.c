#include "test.h"

#include "git/attributes.h"

#define ID "257cc5642cb1a054f08cc83f2d943e56fd3ebe99" /* of "foo\n" */

static void expect_shrunk(const char *text, const char *expected)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	bool any = ba_ident_shrink(&out, text, strlen(text));
	assert_string_equal(any ? out.data : text, expected);
}

TEST(every_keyword_of_a_line_is_shrunk)
{
	expect_shrunk("$Id: a $ and $Id: b c $\n$Id$", "$Id$ and $Id$\n$Id$");
	expect_shrunk("$Id: not\nclosed$ $Id: x$", "$Id: not\nclosed$ $Id$");
	expect_shrunk("$Id:$", "$Id$");
	expect_shrunk("$Idea$ $ID$ $Id", "$Idea$ $ID$ $Id");
	expect_shrunk("", "");
}

static void expect_expanded(const char *text, const char *expected)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	bool any = ba_ident_expand(&out, text, strlen(text));
	const char *got = any ? out.data : text;
	/* the id is the text's own: only its place is compared */
	BA_AUTO(ba_buf) ba_buf plain = BA_BUF_INIT;
	for (const char *p = got; *p; p++) {
		ba_buf_putc(&plain, *p);
		if (strncmp(p, "$Id: ", 5) == 0 && strspn(p + 5, "0123456789abcdef") == 40) {
			ba_buf_puts(&plain, "Id: HEX");
			p += 44;
		}
	}
	assert_string_equal(plain.data, expected);
}

TEST(every_keyword_of_a_line_is_expanded)
{
	expect_expanded("$Id$ $Id$\n$Id$", "$Id: HEX $ $Id: HEX $\n$Id: HEX $");
	expect_expanded("$Id: " ID " $ $Id$", "$Id: HEX $ $Id: HEX $");
	expect_expanded("$Id:$ $Id: $ $Id: x$", "$Id: HEX $ $Id: HEX $ $Id: HEX $");
	/* another system's stays, and so does what does not end */
	expect_expanded("$Id: a.c 1.2 me $ $Id$", "$Id: a.c 1.2 me $ $Id: HEX $");
	expect_expanded("$Id: a\n$ $Id$", "$Id: a\n$ $Id: HEX $");
	expect_expanded("$Id$Id$", "$Id: HEX $Id$");
	expect_expanded("$ $$ $I $Id $Id: ", "$ $$ $I $Id $Id: ");
}

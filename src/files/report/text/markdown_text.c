/*
 * Names and sentences in Markdown. Both come from refs and configurations that may be
 * hostile: names stand in code spans, where Markdown and HTML mean nothing; sentences
 * are escaped.
 */

#include "base/base.h"
#include "base/fold.h"
#include "report/text/markdown.h"

void ba_markdown_code(ba_buf *out, const char *text, size_t columns)
{
	BA_AUTO_FREE char *safe = ba_text_safe(text);
	BA_AUTO_FREE char *cut = ba_text_shorten(safe, columns, true);
	ba_buf_putc(out, '`');
	for (const char *c = cut; *c; c++) {
		/* a pipe would end the cell, a backtick the span */
		if (*c == '|')
			ba_buf_puts(out, "\\|");
		else
			ba_buf_putc(out, *c == '`' ? '\'' : *c);
	}
	/* an empty span would be two backticks that begin another */
	ba_buf_puts(out, *cut ? "`" : " `");
}

void ba_markdown_sentence(ba_buf *out, const char *text, size_t columns)
{
	BA_AUTO_FREE char *safe = ba_text_safe(text);
	BA_AUTO_FREE char *cut = ba_text_cut(safe, columns, true);
	for (const char *c = cut; *c; c++) {
		bool link = (*c == '/' && c > cut && c[-1] == ':') ||
			    (*c == '.' && c - cut >= 3 && strncasecmp(c - 3, "www", 3) == 0);
		if (link || strchr("\\`*_[]<>|#~&!$", *c))
			ba_buf_putc(out, '\\');
		ba_buf_putc(out, *c);
		if (*c == '@') /* nobody is to be called */
			ba_buf_puts(out, "&#8203;");
	}
}

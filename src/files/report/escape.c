#include "report/escape.h"

#include "base/base.h"

static void put_safe(ba_buf *out, const char *safe)
{
	static const char *const entities[256] = {['&'] = "&amp;",
		['<'] = "&lt;",
		['>'] = "&gt;",
		['"'] = "&quot;",
		['\''] = "&#39;"};
	for (const char *c = safe; *c; c++) {
		const char *entity = entities[(unsigned char)*c];
		/* U+FFFE and U+FFFF are UTF-8 and no characters of XML */
		bool none =
			strncmp(c, "\xef\xbf\xbe", 3) == 0 || strncmp(c, "\xef\xbf\xbf", 3) == 0;
		if (entity)
			ba_buf_puts(out, entity);
		else if (none)
			ba_buf_puts(out, "\xef\xbf\xbd");
		else
			ba_buf_putc(out, *c);
		c += none ? 2 : 0;
	}
}

void ba_markup_put(ba_buf *out, const char *text)
{
	BA_AUTO_FREE char *safe = ba_text_safe(text ? text : "");
	put_safe(out, safe);
}

void ba_markup_put_short(ba_buf *out, const char *text, size_t columns)
{
	BA_AUTO_FREE char *safe = ba_text_safe(text ? text : "");
	BA_AUTO_FREE char *cut = ba_text_shorten(safe, columns, true);
	put_safe(out, cut);
}

void ba_markup_put_lines(ba_buf *out, const char *text)
{
	BA_AUTO(ba_buf) ba_buf safe = BA_BUF_INIT;
	if (text)
		ba_text_sanitize(&safe, text, strlen(text), true);
	put_safe(out, safe.data);
}

void ba_html_name(ba_buf *out, const char *text)
{
	BA_AUTO(ba_buf) ba_buf name = BA_BUF_INIT;
	ba_markup_put_short(&name, text, BA_HTML_NAME_COLUMNS);
	ba_buf_puts(out, "<bdi>");
	for (const char *c = name.data; *c; c++) {
		ba_buf_putc(out, *c);
		/* allow line breaks between axes */
		if ((*c == ',' || *c == '/') && c[1])
			ba_buf_puts(out, "<wbr>");
	}
	ba_buf_puts(out, "</bdi>");
}

void ba_html_sentence(ba_buf *out, const char *text)
{
	ba_buf_puts(out, "<bdi>");
	ba_markup_put_short(out, text, BA_HTML_TEXT_COLUMNS);
	ba_buf_puts(out, "</bdi>");
}

void ba_markup_printf(ba_buf *out, const char *template, ...)
{
	va_list list;
	va_start(list, template);
	for (const char *c = template; *c; c++) {
		if (*c != '%') {
			ba_buf_putc(out, *c);
			continue;
		}
		char kind = *++c;
		if (kind == 'z') {
			ba_buf_printf(out, "%zu", va_arg(list, size_t));
			continue;
		}
		const char *text = va_arg(list, const char *);
		if (kind == 'w')
			ba_buf_puts(out, text);
		else
			(kind == 'n'	      ? ba_html_name
				: kind == 's' ? ba_html_sentence
					      : ba_markup_put)(out, text);
	}
	va_end(list);
}

/* ---- Markdown ---- Names and sentences of refs and configurations may be hostile: names stand
 * in code spans, where markup means nothing; sentences are escaped. */

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
	/* an empty code span would be two backticks, which begin another span */
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
		if (*c == '@') /* an @ must not notify a user */
			ba_buf_puts(out, "&#8203;");
	}
}

/* A spreadsheet would evaluate the text; a leading apostrophe prevents it. */
static bool is_formula(const char *safe)
{
	double number;
	static const char *const wide[] = {"\uff1d", "\uff0b", "\uff0d", "\uff20"};
	return BA_ANY(wide, BA_COUNT(wide), x, ba_text_starts(safe, *x)) ||
	       (*safe && strchr("=+-@", *safe) && !ba_parse_decimal(&number, safe, strlen(safe)));
}

/* True for most names: there is nothing to replace, quote or mark. */
static bool is_plain(const char *text)
{
	enum { ANYWHERE = 1, NOT_FIRST };
	static const unsigned char kinds[256] = {['0' ... '9'] = ANYWHERE,
		['A' ... 'Z'] = ANYWHERE,
		['a' ... 'z'] = ANYWHERE,
		['_'] = NOT_FIRST,
		[' '] = NOT_FIRST,
		['#'] = NOT_FIRST,
		['(' ... ')'] = NOT_FIRST,
		['+'] = NOT_FIRST,
		['-' ... '/'] = NOT_FIRST,
		[':'] = NOT_FIRST,
		['='] = NOT_FIRST,
		['['] = NOT_FIRST,
		[']'] = NOT_FIRST};
	const unsigned char *c = (const unsigned char *)text;
	if (kinds[*c] == NOT_FIRST)
		return false;
	/* GitHub's commands begin with "::" */
	while (kinds[*c] && (*c != ':' || c[1] != ':'))
		c++;
	return *c == '\0' && (const char *)c - text < 200;
}

void ba_csv_text(ba_buf *out, const char *text)
{
	if (!text)
		return;
	if (is_plain(text)) {
		ba_buf_puts(out, text);
		return;
	}
	BA_AUTO_FREE char *safe = ba_text_safe(text);
	const char *mark = is_formula(safe) ? "'" : "";
	if (!strpbrk(safe, ",\"\n\r")) {
		ba_buf_printf(out, "%s%s", mark, safe);
		return;
	}
	ba_buf_printf(out, "\"%s", mark);
	for (const char *c = safe; *c; c++) {
		if (*c == '"')
			ba_buf_putc(out, '"');
		ba_buf_putc(out, *c);
	}
	ba_buf_putc(out, '"');
}

/* Foreign text as text in HTML, SVG, XML, Markdown and CSV, never markup. */
#pragma once

#include "base/buf.h"

/* Writes one line, fit for text and for attributes in quotes. NULL is "".
 *
 *  - Control characters, marks that reorder text and bytes that are not UTF-8 appear in
 *    their visible "\x1b" form.
 *  - & < > " ' become entities, so "]]>" is harmless, too.
 *  - What XML 1.0 forbids becomes U+FFFD. */
void ba_markup_put(ba_buf *out, const char *text);
/* The same, shortened in the middle to `columns` (ba_text_shorten). */
void ba_markup_put_short(ba_buf *out, const char *text, size_t columns);
/* The same as ba_markup_put, but lines stay lines; for <pre>. */
void ba_markup_put_lines(ba_buf *out, const char *text);

/* A name or a sentence in HTML: shortened, and isolated from the text around it. */
enum { BA_HTML_NAME_COLUMNS = 200, BA_HTML_TEXT_COLUMNS = 1500 };
void ba_html_name(ba_buf *out, const char *text);
void ba_html_sentence(ba_buf *out, const char *text);

/* Writes markup of ours in which
 *
 *     %n  is a name, %s a sentence from elsewhere (ba_html_name, ba_html_sentence)
 *     %m  is text from elsewhere (ba_markup_put)
 *     %w  is a word or markup of ours, as it is
 *     %z  is a size_t */
void ba_markup_printf(ba_buf *out, const char *template, ...);

/* `text` in a code span, fit for a cell of a table, at most `columns` wide */
void ba_markdown_code(ba_buf *out, const char *text, size_t columns);
/* `text` as a sentence without markup, mentions of users, or links */
void ba_markdown_sentence(ba_buf *out, const char *text, size_t columns);

/* A cell (RFC 4180); NULL is empty. What a spreadsheet would evaluate begins with an apostrophe. */
void ba_csv_text(ba_buf *out, const char *text);

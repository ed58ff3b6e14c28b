/* Text from elsewhere as text of HTML, SVG and XML, never as markup. */
#ifndef REPORT_MARKUP_H
#define REPORT_MARKUP_H

#include "base/buf.h"

/* One line: control characters, marks that reorder text and bytes that are not UTF-8 in
 * their visible "\x1b" form, & < > " ' as entities (so "]]>" is harmless, too), what
 * XML 1.0 forbids as U+FFFD. Good for text and for attributes in quotes. NULL is "". */
void ba_markup_put(ba_buf *out, const char *text);

/* The same, cut in its middle to `columns` (ba_text_shorten). */
void ba_markup_put_short(ba_buf *out, const char *text, size_t columns);

/* The same as ba_markup_put; lines stay lines. For <pre>. */
void ba_markup_put_lines(ba_buf *out, const char *text);

#endif

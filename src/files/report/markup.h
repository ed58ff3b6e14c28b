/* Text of foreign origin as text of HTML, SVG and XML, never as markup. */
#ifndef REPORT_MARKUP_H
#define REPORT_MARKUP_H

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

#endif

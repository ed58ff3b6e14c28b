/* Fits text into the columns of a terminal. ba_text_width measures widths. */
#pragma once

#include "base/buf.h"

/* Append text in lines of at most `width` columns, broken at its spaces. The first line
 * begins in column `column`, each further line with `indent` spaces. A word longer than
 * a line stands alone. Runs of spaces become one; "5 %" is one word. There is no
 * newline at the end. */
void ba_text_fold(ba_buf *out, const char *text, size_t width, size_t indent, size_t column);

/* A name on lines of at most `width` columns, without a newline at the end: a longer one
 * is broken behind a '/' or ',', or where it has to be. Later lines are indented by 2. */
void ba_text_break(ba_buf *out, const char *text, size_t width);

/* text in at most `width` columns: in a wider text, "…" replaces the middle (".."
 * without Unicode). Where both halves cannot be equal, the end is the longer one, since
 * names differ at their ends. A number is never cut, or n=160 could be read as n=16: it
 * stays or goes as a whole if anything else is left on its side. width >= 3. Caller
 * frees. */
char *ba_text_shorten(const char *text, size_t width, bool unicode);

/* the same, but keeps at most `head` columns of the beginning; head < width - 2 */
char *ba_text_shorten_at(const char *text, size_t width, size_t head, bool unicode);

/* the same, but cuts off the end; for sentences */
char *ba_text_cut(const char *text, size_t width, bool unicode);

/* Text fitted into the columns of a terminal. Widths are those of ba_text_width. */
#ifndef BASE_FOLD_H
#define BASE_FOLD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Append text in lines of at most `width` columns, broken at its spaces; each line
 * after the first begins with `indent` spaces; `column` is where the first line has got
 * to. A word longer than a line stands alone. Runs of spaces become one; "5 %" is one
 * word. No newline at the end. */
void ba_text_fold(
	ba_buf *out, const char *text, size_t width, size_t indent, size_t column);

/* text in at most `width` columns: if it is wider, its middle gives way to "…" or,
 * without Unicode, to "..". The end is kept longer than the beginning where they cannot
 * be equal, since names differ at their ends. width >= 3. Caller frees. */
char *ba_text_shorten(const char *text, size_t width, bool unicode);

/* the same with at most `head` columns kept of the beginning, head < width - 2 */
char *ba_text_shorten_at(const char *text, size_t width, size_t head, bool unicode);

/* the same with the end cut off, for sentences */
char *ba_text_cut(const char *text, size_t width, bool unicode);

#endif

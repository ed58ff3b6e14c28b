/* Markdown that stays below a size: the answer first, then what changed, then the rest,
 * folded, as long as there is room. A sentence says what was left out. */
#ifndef REPORT_TEXT_MARKDOWN_H
#define REPORT_TEXT_MARKDOWN_H

#include <stdbool.h>

#include "base/buf.h"
#include "model/result.h"

/* GitHub's limits: characters of a comment, bytes of a step's summary. Both are applied
 * to bytes, with room for what a workflow adds. */
enum {
	BA_COMMENT_BYTES = 65536 - 1024,
	BA_SUMMARY_BYTES = (1 << 20) - 1024,
};

/* `text` in a code span, fit for a cell of a table, at most `columns` wide */
void ba_markdown_code(ba_buf *out, const char *text, size_t columns);
/* `text` as a sentence without markup, mentions of users and links */
void ba_markdown_sentence(ba_buf *out, const char *text, size_t columns);
/* why instructions differ, folded unless `open`, as long as out->len is below limit */
void ba_markdown_why(ba_buf *out, const ba_result *r, size_t limit, bool open);

/* The device code that differs, folded unless `open`, if it fits below limit. */
void ba_markdown_code_rows(
	ba_buf *out, const ba_result *r, size_t candidate, size_t limit, bool open);

#endif
